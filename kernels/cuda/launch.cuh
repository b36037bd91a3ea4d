// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"
#include "kernels/cuda/shapes.hpp"

#include <cstdint>
#include <type_traits>

/// The CUDA side of kernels/launch.hpp. Nothing here waits, allocates or reads device memory, so
/// that every call may stand in the step loop (and be replayed as a part of a graph).
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

/// Combines one value of each thread over a fixed tree; the result is valid in thread 0.
template <class Op>
__device__ typename Op::Value combine_block(const typename Op::Value& mine) {
    using Value = typename Op::Value;
    constexpr int threads = reduce_threads<Value>;
    __shared__ alignas(alignof(Value)) unsigned char storage[threads * reduce_stride<Value>];
    const auto of = [&](int t) -> Value& {
        return *reinterpret_cast<Value*>(storage + t * reduce_stride<Value>);
    };
    const int t = static_cast<int>(threadIdx.x);
    of(t) = mine;
    for (int width = threads / 2; width > 0; width /= 2) {
        __syncthreads();
        if (t < width) of(t) = Op::combine(of(t), of(t + width));
    }
    return of(0);
}

/// First stage: block b leaves its part in result[b].
template <class Op>
__global__ void __launch_bounds__(reduce_threads<typename Op::Value>)
    reduce_indices(const __grid_constant__ Op op, std::int64_t n, typename Op::Value* result,
                   const int* gate) {
    using Value = typename Op::Value;
    constexpr std::int64_t threads = reduce_threads<Value>;
    if (gate && *gate == 0) return;
    Value mine = Op::identity();
    const std::int64_t first = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    const std::int64_t stride = std::int64_t{gridDim.x} * threads;
    for (std::int64_t i = first; i < n; i += stride)
        mine = i == first ? op(i) : Op::combine(mine, op(i));
    const Value sum = combine_block<Op>(mine);
    if (threadIdx.x == 0) result[blockIdx.x] = sum;
}

/// Second stage: one block combines the parts.
template <class Op>
__global__ void __launch_bounds__(reduce_threads<typename Op::Value>)
    reduce_parts(const typename Op::Value* parts, int count, typename Op::Value* result,
                 const int* gate) {
    using Value = typename Op::Value;
    constexpr int threads = reduce_threads<Value>;
    if (gate && *gate == 0) return;
    Value mine = Op::identity();
    for (int i = static_cast<int>(threadIdx.x); i < count; i += threads)
        mine = i < threads ? parts[i] : Op::combine(mine, parts[i]);
    const Value sum = combine_block<Op>(mine);
    if (threadIdx.x == 0) *result = sum;
}

template <class Op>
void reduce(const Backend& backend, const Op& op, std::int64_t n, typename Op::Value* result,
            const int* gate) {
    using Value = typename Op::Value;
    constexpr int threads = reduce_threads<Value>;
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    static_assert(std::is_trivially_copyable_v<Value>);
    static_assert(reduce_stride<Value> * threads <= 48 * 1024, "a Value of at most 1.5 KiB");
    static_assert(sizeof(Value) * reduce_blocks <= scratch_bytes);
    Stream& stream = stream_of(backend.stream());
    const auto blocks = static_cast<unsigned>(blocks_to_reduce(n));
    auto* parts = blocks == 1 ? result : static_cast<Value*>(stream.scratch);
    enqueue(stream, reduce_indices<Op>, blocks, threads, gate, op, n, parts, gate);
    if (blocks > 1)
        enqueue(stream, reduce_parts<Op>, 1, threads, gate, parts, static_cast<int>(blocks), result,
                gate);
}

} // namespace shadow::cuda
