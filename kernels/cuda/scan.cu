// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/backend.hpp"

#include "kernels/cuda/check.hpp"

#include <cstdint>
#include <cub/block/block_load.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>

/// Exclusive scan. CUB's device-wide scan cannot be skipped by a gate in device memory, so its
/// block-wide parts are put together here: sums of chunks, their scan, the scan of each chunk.
namespace shadow::cuda {

namespace {

constexpr int threads = 256;
constexpr int items = 16;
constexpr int chunk = threads * items;
/// Up to here one block alone is faster than three launches.
constexpr std::int64_t small = 4 * chunk;

static_assert(((std::int64_t{1} << 31) / chunk + 1) * sizeof(std::int32_t) <= scratch_bytes);

using Load = cub::BlockLoad<std::int32_t, threads, items, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using Store = cub::BlockStore<std::int32_t, threads, items, cub::BLOCK_STORE_WARP_TRANSPOSE>;
using Scan = cub::BlockScan<std::int32_t, threads>;
using Sum = cub::BlockReduce<std::int32_t, threads>;

union Storage {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Scan::TempStorage scan;
    typename Sum::TempStorage sum;
};

/// Scans the chunk from `begin`, on top of `offset`; returns its sum. `in` may be `out`.
__device__ std::int32_t scan_chunk(Storage& storage, const std::int32_t* in, std::int32_t* out,
                                   std::int64_t begin, std::int64_t n, std::int32_t offset) {
    const int valid = static_cast<int>(n - begin < chunk ? n - begin : chunk);
    std::int32_t value[items];
    Load(storage.load).Load(in + begin, value, valid, 0);
    __syncthreads();
    std::int32_t sum;
    Scan(storage.scan).ExclusiveSum(value, value, sum);
    __syncthreads();
    for (std::int32_t& v : value) v += offset;
    Store(storage.store).Store(out + begin, value, valid);
    __syncthreads();
    return sum;
}

__global__ void __launch_bounds__(threads)
    scan_in_one_block(const std::int32_t* in, std::int32_t* out, std::int64_t n, const int* gate) {
    __shared__ Storage storage;
    if (gate && *gate == 0) return;
    std::int32_t sum = 0;
    for (std::int64_t begin = 0; begin < n; begin += chunk)
        sum += scan_chunk(storage, in, out, begin, n, sum);
    if (threadIdx.x == 0) out[n] = sum;
}

__global__ void __launch_bounds__(threads)
    sum_chunks(const std::int32_t* in, std::int32_t* sums, std::int64_t n, const int* gate) {
    __shared__ Storage storage;
    if (gate && *gate == 0) return;
    const std::int64_t begin = std::int64_t{blockIdx.x} * chunk;
    const std::int64_t end = n - begin < chunk ? n : begin + chunk;
    std::int32_t mine = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += threads) mine += in[i];
    const std::int32_t sum = Sum(storage.sum).Sum(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

__global__ void __launch_bounds__(threads)
    scan_chunks(const std::int32_t* in, std::int32_t* out, const std::int32_t* offsets,
                std::int64_t n, const int* gate) {
    __shared__ Storage storage;
    if (gate && *gate == 0) return;
    const std::int64_t begin = std::int64_t{blockIdx.x} * chunk;
    scan_chunk(storage, in, out, begin, n, offsets[blockIdx.x]);
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) out[n] = offsets[gridDim.x];
}

} // namespace

void exclusive_scan(const Backend& backend, const std::int32_t* in, std::int32_t* out,
                    std::int64_t n, const int* gate) {
    Stream& stream = stream_of(backend.stream());
    if (n <= small) {
        enqueue(stream, scan_in_one_block, 1, threads, gate, in, out, n, gate);
    } else {
        auto* sums = static_cast<std::int32_t*>(stream.scratch);
        const auto chunks = static_cast<unsigned>((n + chunk - 1) / chunk);
        enqueue(stream, sum_chunks, chunks, threads, gate, in, sums, n, gate);
        enqueue(stream, scan_in_one_block, 1, threads, gate, sums, sums, chunks, gate);
        enqueue(stream, scan_chunks, chunks, threads, gate, in, out, sums, n, gate);
    }
}

} // namespace shadow::cuda
