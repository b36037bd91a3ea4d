// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/sort.hpp"

#include "kernels/atomic.hpp"
#include "kernels/cpu/launch.hpp"

#include <algorithm>

/// Counting sort: threads put indices to their keys in any order, then the few indices of each key
/// are sorted.
namespace shadow::cpu {

std::size_t sort_work_bytes(std::int64_t keys) {
    return static_cast<std::size_t>(keys) * sizeof(std::int32_t);
}

void sort_by_key(const Backend& backend, const KeySort& sort) {
    auto* const count = reinterpret_cast<std::int32_t*>(sort.work);
    const auto for_all = [&](std::int64_t n, const auto& body) {
        parallel_ranges(backend.threads(), n, grain, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; ++i) body(i);
        });
    };
    std::fill_n(count, sort.keys, 0);
    for_all(sort.n, [&](std::int64_t i) { atomic_add(count + sort.key[i], 1); });
    exclusive_scan(backend, count, sort.begin, sort.keys, nullptr);
    std::copy_n(sort.begin, sort.keys, count);
    for_all(sort.n, [&](std::int64_t i) {
        sort.order[atomic_add(count + sort.key[i], 1)] = static_cast<std::int32_t>(i);
    });
    if (backend.threads() == 1) return;
    for_all(sort.keys, [&](std::int64_t key) {
        std::sort(sort.order + sort.begin[key], sort.order + sort.begin[key + 1]);
    });
}

} // namespace shadow::cpu
