// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

/// The only header that uses OpenMP.
namespace shadow::cpu {

/// Calls `body(begin, end)` on contiguous parts of [0, n), one per thread; parts start at multiples
/// of `grain`, and there are no more threads than grains.
template <class Body>
void parallel_ranges(int threads, std::int64_t n, std::int64_t grain, const Body& body) {
    const std::int64_t grains = (n + grain - 1) / grain;
    const int used = static_cast<int>(std::min<std::int64_t>(threads, grains));
    if (used <= 1) {
        if (n > 0) body(std::int64_t{0}, n);
        return;
    }
#pragma omp parallel for num_threads(used) schedule(static, 1)
    for (int t = 0; t < used; ++t)
        body(grains * t / used * grain, std::min(n, grains * (t + 1) / used * grain));
}

/// Keeps the largest of the values that several threads have found.
template <class T>
void keep_largest(std::atomic<T>& largest, T found) {
    T before = largest;
    while (before < found && !largest.compare_exchange_weak(before, found)) {
    }
}

} // namespace shadow::cpu
