// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/launch.cuh"
#include "kernels/ops/list.hpp"

#define SHADOW_INSTANTIATE_LAUNCH(...)                                                             \
    template void launch<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t, const int*);
#define SHADOW_INSTANTIATE_REDUCE(...)                                                             \
    template void reduce<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t,            \
                                      typename __VA_ARGS__::Value*, const int*);
