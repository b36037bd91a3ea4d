// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/check.hpp"
#include "kernels/sort.hpp"

#include <bit>
#include <cstdint>
#include <cub/device/device_radix_sort.cuh>
#include <string>

/// Sorts by CUB's device-wide sort: a library call, captured where steps are replayed as graphs, so
/// it cannot have a gate.
namespace shadow::cuda {

namespace {

constexpr int threads = 256;

__global__ void __launch_bounds__(threads) number(std::int32_t* out, std::int64_t n) {
    const std::int64_t i = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (i < n) out[i] = static_cast<std::int32_t>(i);
}

/// The first index of each key that is not below it, by bisection.
__global__ void __launch_bounds__(threads) find_begins(const std::uint32_t* sorted, std::int64_t n,
                                                       std::int32_t* begin, std::int64_t keys) {
    const std::int64_t key = std::int64_t{blockIdx.x} * threads + threadIdx.x;
    if (key > keys) return;
    std::int64_t low = 0, high = n;
    while (low < high) {
        const std::int64_t middle = (low + high) / 2;
        if (sorted[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    begin[key] = static_cast<std::int32_t>(low);
}

unsigned blocks_for(std::int64_t n) {
    return static_cast<unsigned>((n + threads - 1) / threads);
}

/// `work` begins with two arrays of n, the sorted keys and the numbers; the rest is CUB's.
struct Work {
    std::uint32_t* sorted;
    std::int32_t* number;
    void* rest;
    std::size_t rest_bytes;

    static std::size_t array_bytes(std::int64_t n) {
        return (static_cast<std::size_t>(n) * sizeof(std::uint32_t) + 255) / 256 * 256;
    }
    Work(std::byte* work, std::size_t bytes, std::int64_t n)
        : sorted(reinterpret_cast<std::uint32_t*>(work)),
          number(reinterpret_cast<std::int32_t*>(work + array_bytes(n))),
          rest(work + 2 * array_bytes(n)), rest_bytes(bytes - 2 * array_bytes(n)) {}
};

cudaError_t sort_pairs(cudaStream_t stream, void* rest, std::size_t& rest_bytes,
                       const std::uint32_t* key, std::uint32_t* sorted, const std::int32_t* number,
                       std::int32_t* order, std::int64_t n, std::int64_t keys) {
    const int bits = std::bit_width(static_cast<std::uint64_t>(keys));
    return cub::DeviceRadixSort::SortPairs(rest, rest_bytes, key, sorted, number, order,
                                           static_cast<int>(n), 0, bits, stream);
}

template <class T>
const T& argument(void* const* arguments, int k) {
    return *static_cast<const T*>(arguments[k]);
}

/// A LibraryCall of a stream and a KeySort.
std::string run(void* const* arguments) {
    const auto& sort = argument<KeySort>(arguments, 1);
    Work work(sort.work, sort.work_bytes, sort.n);
    const cudaError_t status =
        sort_pairs(argument<cudaStream_t>(arguments, 0), work.rest, work.rest_bytes, sort.key,
                   work.sorted, work.number, sort.order, sort.n, sort.keys);
    if (status == cudaSuccess) return "";
    static_cast<void>(cudaGetLastError());
    return std::string("cub::DeviceRadixSort: ") + cudaGetErrorString(status);
}

} // namespace

std::size_t sort_work_bytes(const Backend& backend, std::int64_t n, std::int64_t keys) {
    const Stream& stream = stream_of(backend.stream());
    check(cudaSetDevice(stream.device), "selecting the device");
    std::size_t rest = 0;
    check(sort_pairs(stream.stream, nullptr, rest, nullptr, nullptr, nullptr, nullptr, n, keys),
          "planning a sort");
    return 2 * Work::array_bytes(n) + rest;
}

void sort_by_key(const Backend& backend, const KeySort& sort) {
    Stream& stream = stream_of(backend.stream());
    const Work work(sort.work, sort.work_bytes, sort.n);
    if (sort.n > 0) {
        enqueue(stream, number, blocks_for(sort.n), threads, nullptr, work.number, sort.n);
        stream.queue->add(Kernel(run), 0, 0, nullptr, stream.stream, sort);
    }
    enqueue(stream, find_begins, blocks_for(sort.keys + 1), threads, nullptr, work.sorted, sort.n,
            sort.begin, sort.keys);
}

} // namespace shadow::cuda
