// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"
#include "shadow/core/error.hpp"

#include "kernels/cuda/all_pairs.hpp"
#include "kernels/cuda/emulated/device.hpp"
#include "kernels/cuda/emulated/fault.hpp"
#include "kernels/cuda/emulated/warp_emulator.hpp"
#include "kernels/cuda/pair_choice.hpp"
#include "kernels/cuda/pair_cluster.hpp"
#include "kernels/cuda/shapes.hpp"
#include "kernels/ops/advance.hpp"
#include "kernels/ops/counting.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

/// The emulated side of kernels/launch.hpp and kernels/pair_force.hpp, instead of launch.cuh and
/// pair_force.cuh.
namespace shadow::cuda {

namespace emulated {

template <class T>
const T& argument(void* const* arguments, int k) {
    return *static_cast<const T*>(arguments[k]);
}

/// From the last index to the first: a launch may be done in any order.
template <class Op>
void for_each_index(void* const* arguments) {
    const Op& op = argument<Op>(arguments, 0);
    for (auto i = argument<std::int64_t>(arguments, 1); i-- > 0;) {
        if constexpr (requires { op(i); })
            op(i);
        else
            op.range(i, i + 1);
    }
}

inline void scan(const Counts& counts) {
    std::int32_t sum = 0;
    for (std::int64_t i = 0; i < counts.size; ++i) {
        counts.first[i] = sum;
        sum += counts.number[i];
    }
    counts.first[counts.size] = sum;
}

template <class Op>
void call_and_scan(void* const* arguments) {
    for_each_index<Op>(arguments);
    scan(argument<Counts>(arguments, 2));
}

/// Combines the values of a block, by a different tree from CUB's.
template <class Op, class Value, class Get>
Value combine_block(std::int64_t n, std::int64_t first, std::int64_t stride, const Get& get) {
    constexpr int threads = reduce_threads<Value>;
    std::vector<Value> values;
    for (int t = 0; t < threads; ++t) {
        Value mine = Op::identity();
        for (std::int64_t i = first + t; i < n; i += stride)
            mine = i == first + t ? get(i) : Op::combine(mine, get(i));
        values.push_back(mine);
    }
    for (std::size_t width = threads / 2; width > 0; width /= 2)
        for (std::size_t t = 0; t < width; ++t)
            values[t] = Op::combine(values[t], values[t + width]);
    return values[0];
}

template <class Op>
void reduce_indices(void* const* arguments) {
    using Value = typename Op::Value;
    constexpr int threads = reduce_threads<Value>;
    const Op& op = argument<Op>(arguments, 0);
    const auto n = argument<std::int64_t>(arguments, 1);
    const std::int64_t blocks = blocks_to_reduce(n);
    std::vector<Value> parts;
    for (std::int64_t b = 0; b < blocks; ++b)
        parts.push_back(combine_block<Op, Value>(n, b * threads, blocks * threads,
                                                 [&](auto i) { return op(i); }));
    *argument<Value*>(arguments, 2) =
        blocks == 1 ? parts[0] : combine_block<Op, Value>(blocks, 0, threads, [&](auto i) {
            return parts[static_cast<std::size_t>(i)];
        });
    if constexpr (requires { op.finish(); }) op.finish();
}

/// Three blocks, with small shares per thread.
template <class Op>
void count_in_blocks(void* const* arguments) {
    const Op& op = argument<Op>(arguments, 0);
    const auto n = argument<std::int64_t>(arguments, 1);
    const auto bins = argument<std::int64_t>(arguments, 2);
    constexpr std::int64_t blocks = 3, share = 5;
    for (std::int64_t b = blocks; b-- > 0;) {
        std::vector<std::uint32_t> counts(static_cast<std::size_t>(bins));
        for (std::int64_t t = count_threads; t-- > 0;) {
            AddToBlock add{counts.data(), op.histogram, share};
            for (std::int64_t i = b * count_threads + t; i < n; i += blocks * count_threads)
                op.count(i, add);
        }
        for (std::int64_t k = 0; k < bins; ++k) add_counts(counts.data(), op.histogram, k);
    }
}

/// One team of warps for each cluster, whose shared memory is filled with garbage before; the order
/// of warps and lanes alternates between both directions.
template <class Memory, class Body>
void for_each_cluster(std::int64_t clusters, std::int64_t bound, int warps, const Body& body) {
    const auto memory = std::make_unique<Memory>();
    const std::int64_t count = std::min(clusters, bound);
    for (std::int64_t cluster = 0; cluster < count; ++cluster) {
        std::memset(static_cast<void*>(memory.get()), EmulatedHeap::garbage, sizeof(Memory));
        if (!warp::Emulator::run_team(
                warps, [&](int warp, int lane) { body(*memory, cluster, warp, lane); },
                cluster % 2 == 1))
            throw MachineError("lanes of a warp fell out of step (" + warp::Emulator::fault() +
                               "); report it");
    }
}

template <int Dim, class Pair>
void plant_faults(const PairForcePayload<Dim, Pair>& payload) {
    if (fault_planted("force")) payload.force.component[Dim - 1][0] += 0.02;
    if (!payload.energy) return;
    if (fault_planted("energy")) payload.energy[0] += 0.001;
    if (fault_planted("virial")) payload.parts[0].component[Dim - 1] *= 1.5;
}

template <class Interaction, int Dim, class Pair, bool OneSpecies, bool WithEnergy>
void sum_pair_forces(void* const* arguments) {
    const auto& payload = argument<PairForcePayload<Dim, Pair>>(arguments, 0);
    const Law<Interaction, Pair, OneSpecies> law(payload);
    const auto clusters = argument<std::int64_t>(arguments, 1);
    const int team = team_warps<Dim, Pair>(clusters);
    using Memory = std::array<ClusterMemory<Dim, Pair, WithEnergy>, block_warps<Pair>>;
    for_each_cluster<Memory>(
        *payload.list.cluster_count, clusters, team,
        [&](Memory& memory, std::int64_t cluster, int warp, int lane) {
            ClusterWarp<WithEnergy, Dim, Pair, Law<Interaction, Pair, OneSpecies>>(
                payload, law, memory.data(), cluster, {warp, team}, lane)
                .sum([=] { warp::sync_team(0, team); });
        });
    plant_faults(payload);
}

template <class Interaction, int Dim, class Pair, bool OneSpecies, bool WithEnergy>
void sum_all_pairs(void* const* arguments) {
    const auto& payload = argument<PairForcePayload<Dim, Pair>>(arguments, 0);
    using Rule = Law<Interaction, Pair, OneSpecies>;
    constexpr int warps = 1;
    using Block = AllPairsBlock<Dim, Pair, Rule, WithEnergy, warps>;
    const Rule law(payload);
    const std::int64_t blocks = all_pairs_blocks(payload.particles.size);
    for_each_cluster<typename Block::Memory>(
        blocks, blocks, warps, [&](auto& memory, std::int64_t block, int warp, int lane) {
            Block pairs(payload, law, memory, block, warp * warp::lanes + lane);
            pairs.sum([] { warp::sync_team(0, warps); },
                      [&](std::int32_t j) {
                          return pairs.nearest().position(payload.particles, j, OneSpecies);
                      });
        });
    plant_faults(payload);
}

} // namespace emulated

template <class Op>
void launch(const Backend& backend, const Op& op, std::int64_t n, const int* gate) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    if (n <= 0) return;
    enqueue(stream_of(backend.stream()), emulated::for_each_index<Op>, &mark<Op>, nullptr, gate, op,
            n);
}

template <class Op>
void launch_and_scan(const Backend& backend, const Op& op, std::int64_t n, const Counts& counts,
                     const int* gate) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    enqueue(stream_of(backend.stream()), emulated::call_and_scan<Op>, nullptr, nullptr, gate, op, n,
            counts);
}

template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    enqueue(stream_of(backend.stream()), emulated::reduce_indices<Op>, nullptr, nullptr, gate, op,
            n, result);
}

template <class Op>
void count(const Backend& backend, const Op& op, std::int64_t n, std::int64_t bins) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    if (n <= 0) return;
    if (bins > count_bins) return launch(backend, CountAtOnce<Op>{op}, n, nullptr);
    enqueue(stream_of(backend.stream()), emulated::count_in_blocks<Op>, nullptr, nullptr, nullptr,
            op, n, bins);
}

template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                std::int64_t clusters) {
    if (clusters <= 0) return;
    static const PersistentKernel persistent{nullptr, &mark<Advance<Dim>>, 0};
    choose_pair_kernel(payload, [&]<class Interaction, bool OneSpecies, bool WithEnergy>() {
        const auto kernel =
            payload.list.all_pairs
                ? emulated::sum_all_pairs<Interaction, Dim, Pair, OneSpecies, WithEnergy>
                : emulated::sum_pair_forces<Interaction, Dim, Pair, OneSpecies, WithEnergy>;
        const bool steps = payload.list.all_pairs && !payload.energy;
        enqueue(stream_of(backend.stream()), kernel, nullptr, steps ? &persistent : nullptr,
                nullptr, payload, clusters);
    });
}

} // namespace shadow::cuda
