// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/scan.cuh"

#include <cub/block/block_reduce.cuh>

/// Exclusive scan. CUB's device-wide scan cannot be skipped by a gate in device memory, so it is
/// composed here of CUB's block-wide parts: sums of chunks and their scan, the scan of each chunk.
namespace shadow::cuda {

namespace {

static_assert(((std::int64_t{1} << 31) / scan_chunk + 1) * sizeof(std::int32_t) <= scratch_bytes);

using Sum = cub::BlockReduce<std::int32_t, scan_threads>;

__global__ void __launch_bounds__(scan_threads)
    scan_in_one_block(const std::int32_t* in, std::int32_t* out, std::int64_t n, const int* gate) {
    __shared__ ScanStorage storage;
    if (gate && *gate == 0) return;
    scan_in_block(storage, in, out, n);
}

/// The last block scans the sums.
__global__ void __launch_bounds__(scan_threads)
    sum_chunks(const std::int32_t* in, std::int32_t* sums, std::int64_t n, unsigned* done,
               const int* gate) {
    __shared__ union {
        Sum::TempStorage sum;
        ScanStorage scan;
    } storage;
    if (gate && *gate == 0) return;
    const std::int64_t begin = std::int64_t{blockIdx.x} * scan_chunk;
    const std::int64_t end = n - begin < scan_chunk ? n : begin + scan_chunk;
    std::int32_t mine = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += scan_threads) mine += in[i];
    const std::int32_t sum = Sum(storage.sum).Sum(mine);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
    if (is_last_block(done)) scan_in_block(storage.scan, sums, sums, gridDim.x);
}

__global__ void __launch_bounds__(scan_threads)
    scan_chunks(const std::int32_t* in, std::int32_t* out, const std::int32_t* offsets,
                std::int64_t n, const int* gate) {
    __shared__ ScanStorage storage;
    if (gate && *gate == 0) return;
    const std::int64_t begin = std::int64_t{blockIdx.x} * scan_chunk;
    scan_one(storage, in, out, begin, n, offsets[blockIdx.x]);
    if (blockIdx.x + 1 == gridDim.x && threadIdx.x == 0) out[n] = offsets[gridDim.x];
}

} // namespace

void exclusive_scan(const Backend& backend, const Counts& counts, const int* gate) {
    Stream& stream = stream_of(backend.stream());
    const auto& [in, out, n] = counts;
    if (n <= scan_small)
        return enqueue(stream, scan_in_one_block, 1, scan_threads, gate, in, out, n, gate);
    auto* sums = static_cast<std::int32_t*>(stream.scratch);
    const auto chunks = static_cast<unsigned>((n + scan_chunk - 1) / scan_chunk);
    enqueue(stream, sum_chunks, chunks, scan_threads, gate, in, sums, n, stream.blocks_done, gate);
    enqueue(stream, scan_chunks, chunks, scan_threads, gate, in, out, sums, n, gate);
}

} // namespace shadow::cuda
