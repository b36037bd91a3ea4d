// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstddef>
#include <cstdint>

namespace shadow {

/// A sort of the numbers from 0 to n - 1 by their keys; numbers with the same key stay in ascending
/// order. All pointers are backend memory.
struct KeySort {
    const std::uint32_t* key; ///< of each number, below `keys`
    std::int64_t n, keys;
    std::int32_t* order; ///< n: the numbers, sorted
    std::int32_t* begin; ///< keys + 1: the start of each key in `order`, and the end
    std::byte* work;     ///< of `sort_work_bytes`
    std::size_t work_bytes;
};

namespace cuda {
std::size_t sort_work_bytes(const Backend& backend, std::int64_t n, std::int64_t keys);
void sort_by_key(const Backend& backend, const KeySort& sort);
} // namespace cuda

namespace cpu {
std::size_t sort_work_bytes(std::int64_t keys);
void sort_by_key(const Backend& backend, const KeySort& sort);
} // namespace cpu

/// Memory that a sort of n numbers with this many keys needs.
inline std::size_t sort_work_bytes(const Backend& backend, std::int64_t n, std::int64_t keys) {
    return backend.is_cuda() ? cuda::sort_work_bytes(backend, n, keys) : cpu::sort_work_bytes(keys);
}

/// Enqueues a sort. It cannot have a gate: on a GPU it is a library call.
inline void sort_by_key(const Backend& backend, const KeySort& sort) {
    if (backend.is_cuda()) return cuda::sort_by_key(backend, sort);
    cpu::sort_by_key(backend, sort);
}

} // namespace shadow
