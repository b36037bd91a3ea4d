// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__CUDACC__)
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/pair_force.cuh"
#else // a host compiler, with SHADOW_CUDA=EMULATE
#include "kernels/cuda/emulated/drivers.hpp"
#endif
#include "kernels/ops/list.hpp"

/// Which drivers are compiled for all ops and pair forces.

#define SHADOW_INSTANTIATE_LAUNCH(...)                                                             \
    template void launch<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t, const int*);
#define SHADOW_INSTANTIATE_REDUCE(...)                                                             \
    template void reduce<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t,            \
                                      typename __VA_ARGS__::Value*, const int*);
#define SHADOW_INSTANTIATE_PAIR_FORCE(Dim, State, Pair)                                            \
    template void pair_force(const Backend&, const PairForcePayload<Dim, State, Pair>&,            \
                             std::int64_t);
