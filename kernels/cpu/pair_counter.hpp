// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/pair_squares.hpp"

namespace shadow::SHADOW_ISA {

/// Histogram of squared distances.
template <int Dim>
class BinCounter {
  public:
    /// `histogram`: four of them, one after the other, so that consecutive additions seldom wait
    /// for each other.
    BinCounter(const PairHistogram<Dim>& pairs, std::int64_t* histogram)
        : pairs_(pairs), histogram_(histogram) {}

    void operator()(const double* squares, std::int32_t count) {
        for (std::int32_t k = 0; k < count; ++k) bin_[k] = pairs_.bin(squares[k]);
        for (std::int32_t k = 0; k < count; ++k)
            ++histogram_[(k % 4) * std::int64_t{pairs_.bins} + bin_[k]];
    }

  private:
    const PairHistogram<Dim>& pairs_;
    std::int64_t* histogram_;
    std::int32_t bin_[KeptSquares::max_size];
};

/// Counts pairs of species a and b with the particle of species a in chosen cells [first, last).
template <int Dim>
void count_pairs(const PairHistogram<Dim>& pairs, int a, int b, std::int64_t first,
                 std::int64_t last, std::int64_t* histogram) {
    BinCounter<Dim> counter(pairs, histogram);
    PairSquares<Dim, BinCounter<Dim>> squares(pairs, counter);
    for (std::int64_t c = first; c < last; ++c) pairs.each_range(c, a, b, squares);
    squares.empty();
}

} // namespace shadow::SHADOW_ISA
