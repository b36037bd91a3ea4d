// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/launch.cuh"

#include <cstdint>
#include <cub/block/block_load.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

/// Exclusive scan by one block, chunk by chunk, after the counting launch.
namespace shadow::cuda {

inline constexpr int scan_threads = 256;
inline constexpr int scan_items = 16;
inline constexpr int scan_chunk = scan_threads * scan_items;
/// Up to this size one block is faster than more launches.
inline constexpr std::int64_t scan_small = 4 * scan_chunk;

using LoadChunk =
    cub::BlockLoad<std::int32_t, scan_threads, scan_items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using StoreChunk =
    cub::BlockStore<std::int32_t, scan_threads, scan_items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
using ScanChunk = cub::BlockScan<std::int32_t, scan_threads>;

union ScanStorage {
    LoadChunk::TempStorage load;
    StoreChunk::TempStorage store;
    ScanChunk::TempStorage scan;
};

/// Scans the chunk from `begin`, starting from `offset`; returns its sum. `in` may be `out`.
__device__ inline std::int32_t scan_one(ScanStorage& storage, const std::int32_t* in,
                                        std::int32_t* out, std::int64_t begin, std::int64_t n,
                                        std::int32_t offset) {
    const int valid = static_cast<int>(n - begin < scan_chunk ? n - begin : scan_chunk);
    std::int32_t value[scan_items];
    LoadChunk(storage.load).Load(in + begin, value, valid, 0);
    __syncthreads();
    std::int32_t sum;
    ScanChunk(storage.scan).ExclusiveSum(value, value, sum);
    __syncthreads();
    for (std::int32_t& v : value) v += offset;
    StoreChunk(storage.store).Store(out + begin, value, valid);
    __syncthreads();
    return sum;
}

/// Scans all chunks.
__device__ inline void scan_in_block(ScanStorage& storage, const std::int32_t* in,
                                     std::int32_t* out, std::int64_t n) {
    std::int32_t sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += scan_chunk)
        sum += scan_one(storage, in, out, begin, n, sum);
    if (threadIdx.x == 0) out[n] = sum;
}

void exclusive_scan(const Backend& backend, const Counts& counts, const int* gate);

/// The last block scans the counts of all.
template <class Op>
__global__ void __launch_bounds__(scan_threads)
    call_and_scan(const __grid_constant__ Op op, std::int64_t n, Counts counts, unsigned* done,
                  const int* gate) {
    __shared__ ScanStorage storage;
    if (gate && *gate == 0) return;
    const std::int64_t i = std::int64_t{blockIdx.x} * scan_threads + threadIdx.x;
    if (i < n) op(i);
    if (is_last_block(done)) scan_in_block(storage, counts.number, counts.first, counts.size);
}

template <class Op>
void launch_and_scan(const Backend& backend, const Op& op, std::int64_t n, const Counts& counts,
                     const int* gate) {
    static_assert(std::is_trivially_copyable_v<Op> && sizeof(Op) <= largest_payload);
    if (n <= 0 || counts.size > scan_small) {
        launch(backend, op, n, gate);
        return exclusive_scan(backend, counts, gate);
    }
    Stream& stream = stream_of(backend.stream());
    const auto blocks = static_cast<unsigned>((n + scan_threads - 1) / scan_threads);
    enqueue(stream, call_and_scan<Op>, blocks, scan_threads, gate, op, n, counts,
            stream.blocks_done, gate);
}

} // namespace shadow::cuda
