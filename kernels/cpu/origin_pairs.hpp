// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/cpu/threads.hpp"
#include "kernels/ops/origin_pairs.hpp"

#include <mutex>
#include <vector>

namespace shadow::cpu {

/// What launching the op does, with counts of its own for each thread.
template <int Dim, class Real, class Binning>
void count_origin_pairs(const Backend& backend, const CountOriginPairs<Dim, Real, Binning>& op,
                        std::size_t counts) {
    std::mutex mutex;
    const auto& pairs = op.pairs;
    const auto some = [&](std::int64_t begin, std::int64_t end) {
        std::vector<std::int64_t> mine(counts);
        for (std::int64_t o = begin; o < end; ++o)
            for (std::int64_t j = 0; j < pairs.particles; ++j) {
                const std::int32_t k = op.bin_of(pairs.first + o * pairs.stride, j);
                if (k >= 0) ++mine[static_cast<std::size_t>(k)];
            }
        const std::lock_guard lock(mutex);
        for (std::size_t k = 0; k < counts; ++k) op.counts[k] += mine[k];
    };
    parallel_ranges(backend.threads(), pairs.origins(), 1, some);
}

} // namespace shadow::cpu
