// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/list.hpp"
#include "kernels/pair_force.hpp"
#include "kernels/staged.hpp"

/// Instances of the drivers for all ops, pair forces and lists, for each kind of driver: CUDA, the
/// emulated GPU, or a build without either.

#define SHADOW_INSTANTIATE_LAUNCH(...)                                                             \
    template void launch<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t, const int*);
#define SHADOW_INSTANTIATE_SCAN(...)                                                               \
    template void launch_and_scan<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t,   \
                                               const Counts&, const int*);
#define SHADOW_INSTANTIATE_REDUCE(...)                                                             \
    template void reduce<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t,            \
                                      typename __VA_ARGS__::Value*, const int*);
#define SHADOW_INSTANTIATE_COUNT(...)                                                              \
    template void count<__VA_ARGS__>(const Backend&, const __VA_ARGS__&, std::int64_t,             \
                                     std::int64_t);
#define SHADOW_INSTANTIATE_OPS(Dim)                                                                \
    SHADOW_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, Dim)                                              \
    SHADOW_SCAN_OPS(SHADOW_INSTANTIATE_SCAN, Dim)                                                  \
    SHADOW_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, Dim)                                              \
    SHADOW_COUNT_OPS(SHADOW_INSTANTIATE_COUNT, Dim)
#define SHADOW_INSTANTIATE_CHARGE_OPS(Dim)                                                         \
    SHADOW_CHARGE_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, Dim)                                       \
    SHADOW_CHARGE_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, Dim)                                       \
    SHADOW_MESH_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, Dim, float)                                  \
    SHADOW_MESH_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH, Dim, double)                                 \
    SHADOW_MESH_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, Dim, float)                                  \
    SHADOW_MESH_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE, Dim, double)
#define SHADOW_INSTANTIATE_PLAIN_OPS                                                               \
    SHADOW_PLAIN_LAUNCH_OPS(SHADOW_INSTANTIATE_LAUNCH)                                             \
    SHADOW_PLAIN_SCAN_OPS(SHADOW_INSTANTIATE_SCAN)                                                 \
    SHADOW_PLAIN_REDUCE_OPS(SHADOW_INSTANTIATE_REDUCE)                                             \
    SHADOW_PLAIN_COUNT_OPS(SHADOW_INSTANTIATE_COUNT)
#define SHADOW_INSTANTIATE_PAIR_FORCE(Dim, Pair)                                                   \
    template void pair_force(const Backend&, const PairForcePayload<Dim, Pair>&, std::int64_t);
#define SHADOW_INSTANTIATE_STAGE(Dim)                                                              \
    template void stage(const Backend&, const StagePayload<Dim>&, std::int64_t, const int*);       \
    template void find_ranges(const Backend&, const BuildRanges<Dim>&, std::int64_t, const int*);
#define SHADOW_INSTANTIATE_STAGES                                                                  \
    SHADOW_INSTANTIATE_STAGE(1)                                                                    \
    SHADOW_INSTANTIATE_STAGE(2)                                                                    \
    SHADOW_INSTANTIATE_STAGE(3)
