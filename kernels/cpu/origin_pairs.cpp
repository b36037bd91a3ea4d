// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/origin_pairs.hpp"

#include "kernels/cpu/threads.hpp"
#include "kernels/ops/bond_correlation.hpp"

#include <mutex>
#include <vector>

/// Pairs of origins with all other particles, with separate sums for each thread.
namespace shadow {

namespace {

/// Calls `add(sums, i, j)` for each origin i and particle j, and adds the `size` sums of all
/// threads.
template <class Pairs, class Add>
void sum_by_thread(const Backend& backend, const Pairs& pairs, std::size_t size, std::int64_t* sums,
                   const Add& add) {
    std::mutex mutex;
    cpu::parallel_ranges(backend.threads(), pairs.origins(), 1,
                         [&](std::int64_t begin, std::int64_t end) {
                             std::vector<std::int64_t> mine(size);
                             for (std::int64_t o = begin; o < end; ++o)
                                 for (std::int64_t j = 0; j < pairs.particles; ++j)
                                     add(mine.data(), pairs.first + o * pairs.stride, j);
                             const std::lock_guard lock(mutex);
                             for (std::size_t k = 0; k < size; ++k) sums[k] += mine[k];
                         });
}

} // namespace

template <int Dim, class Binning>
void CountOriginPairs<Dim, Binning>::on_cpu(const Backend& backend) const {
    sum_by_thread(backend, pairs, static_cast<std::size_t>(bin.size()), histogram,
                  [this](std::int64_t* mine, std::int64_t i, std::int64_t j) {
                      if (const std::int32_t k = bin_of(i, j); k >= 0) ++mine[k];
                  });
}

void BondProducts::on_cpu(const Backend& backend) const {
    sum_by_thread(backend, pairs, 2 * static_cast<std::size_t>(bins), sums,
                  [this](std::int64_t* mine, std::int64_t i, std::int64_t j) {
                      std::int64_t product = 0;
                      const std::int32_t k = pair(i, j, product);
                      if (k < 0) return;
                      ++mine[k];
                      mine[bins + k] += product;
                  });
}

template struct CountOriginPairs<1, DistanceBins<1>>;
template struct CountOriginPairs<2, DistanceBins<2>>;
template struct CountOriginPairs<3, DistanceBins<3>>;
template struct CountOriginPairs<2, DirectionBins>;

} // namespace shadow
