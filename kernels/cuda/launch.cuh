// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/shapes.hpp"
#include "kernels/ops/counting.hpp"

#include <algorithm>
#include <cstdint>
#include <cub/block/block_reduce.cuh>
#include <type_traits>

/// The CUDA side of kernels/launch.hpp. Nothing here waits, allocates or reads device memory, so
/// that every call may be in the step loop (and be replayed as a part of a graph).
namespace shadow::cuda {

inline constexpr int launch_threads = 128;

/// The payload stays in the constant bank: an op may index its own arrays at run time at no cost.
template <class Op>
__global__ void __launch_bounds__(launch_threads)
    for_each_index(const __grid_constant__ Op op, std::int64_t n, const int* gate) {
    if (gate && *gate == 0) return;
    const std::int64_t i = std::int64_t{blockIdx.x} * launch_threads + threadIdx.x;
    if (i >= n) return;
    if constexpr (requires { op(i); }) {
        op(i);
    } else {
        op.range(i, i + 1);
    }
}

template <class Op>
void launch(const Backend& backend, const Op& op, std::int64_t n, const int* gate) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    if (n <= 0) return;
    const auto blocks = static_cast<unsigned>((n + launch_threads - 1) / launch_threads);
    enqueue(stream_of(backend.stream()), for_each_index<Op>, &mark<Op>, nullptr, blocks,
            launch_threads, gate, op, n, gate);
}

/// In the form that CUB needs.
template <class Op>
struct Combine {
    using Value = typename Op::Value;
    __device__ Value operator()(const Value& a, const Value& b) const { return Op::combine(a, b); }
};

/// Combines one value of each thread, neighbours within each warp and then warps in their order:
/// one tree. The result is valid in thread 0.
template <class Op>
__device__ typename Op::Value combine_block(const typename Op::Value& mine) {
    using Value = typename Op::Value;
    using Reduce =
        cub::BlockReduce<Value, reduce_threads<Value>, cub::BLOCK_REDUCE_WARP_REDUCTIONS>;
    __shared__ typename Reduce::TempStorage storage;
    return Reduce(storage).Reduce(mine, Combine<Op>{});
}

/// Combines `get(i)` for i = first, first + stride ... below n of each thread of a block.
template <class Op, class Get>
__device__ typename Op::Value combine_range(std::int64_t first, std::int64_t stride, std::int64_t n,
                                            const Get& get) {
    typename Op::Value mine = Op::identity();
    for (std::int64_t i = first + threadIdx.x; i < n; i += stride)
        mine = i == first + threadIdx.x ? get(i) : Op::combine(mine, get(i));
    return combine_block<Op>(mine);
}

/// Whether every other block of the grid has reached this point. Then their earlier writes can be
/// read. `done`, zero before and after, counts blocks.
__device__ inline bool is_last_block(unsigned* done) {
    __shared__ bool is_last;
    __threadfence();
    __syncthreads();
    if (gridDim.x == 1) return true;
    if (threadIdx.x == 0) is_last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (is_last) __threadfence();
    return is_last;
}

/// Each block writes its part; the last one to do so combines them, in the order of blocks.
template <class Op>
__global__ void __launch_bounds__(reduce_threads<typename Op::Value>)
    reduce_indices(const __grid_constant__ Op op, std::int64_t n, typename Op::Value* parts,
                   unsigned* done, typename Op::Value* result, const int* gate) {
    using Value = typename Op::Value;
    constexpr std::int64_t threads = reduce_threads<Value>;
    if (gate && *gate == 0) return;
    const std::int64_t blocks = gridDim.x;
    const Value part = combine_range<Op>(blockIdx.x * threads, blocks * threads, n,
                                         [&](std::int64_t i) { return op(i); });
    if (threadIdx.x == 0) (blocks == 1 ? result : parts)[blockIdx.x] = part;
    if (!is_last_block(done)) return;
    if (blocks > 1) {
        const Value all =
            combine_range<Op>(0, threads, blocks, [&](std::int64_t i) { return parts[i]; });
        if (threadIdx.x == 0) *result = all;
    }
    if constexpr (requires { op.finish(); })
        if (threadIdx.x == 0) op.finish();
}

template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate) {
    using Value = typename Op::Value;
    constexpr int threads = reduce_threads<Value>;
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    static_assert(std::is_trivially_copyable_v<Value>);
    static_assert(sizeof(Value) * reduce_blocks <= scratch_bytes);
    Stream& stream = stream_of(backend.stream());
    const auto blocks = static_cast<unsigned>(blocks_to_reduce(n));
    enqueue(stream, reduce_indices<Op>, blocks, threads, gate, op, n,
            static_cast<Value*>(stream.scratch), stream.blocks_done, result, gate);
}

/// Each block counts in its own memory, and adds its counts to the histogram.
template <class Op>
__global__ void __launch_bounds__(count_threads)
    count_in_blocks(const __grid_constant__ Op op, std::int64_t n, int bins) {
    __shared__ std::uint32_t counts[count_bins];
    const int t = static_cast<int>(threadIdx.x);
    for (int k = t; k < bins; k += count_threads) counts[k] = 0;
    __syncthreads();
    AddToBlock add{counts, op.histogram, count_share};
    const std::int64_t stride = std::int64_t{gridDim.x} * count_threads;
    for (std::int64_t i = std::int64_t{blockIdx.x} * count_threads + t; i < n; i += stride)
        op.count(i, add);
    __syncthreads();
    for (int k = t; k < bins; k += count_threads) add_counts(counts, op.histogram, k);
}

template <class Op>
void count(const Backend& backend, const Op& op, std::int64_t n, std::int64_t bins) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    if (n <= 0) return;
    if (bins > count_bins) return launch(backend, CountAtOnce<Op>{op}, n, nullptr);
    Stream& stream = stream_of(backend.stream());
    const std::int64_t blocks = std::min<std::int64_t>((n + count_threads - 1) / count_threads,
                                                       count_blocks * stream.multiprocessors);
    enqueue(stream, count_in_blocks<Op>, static_cast<unsigned>(blocks), count_threads, nullptr, op,
            n, static_cast<int>(bins));
}

} // namespace shadow::cuda
