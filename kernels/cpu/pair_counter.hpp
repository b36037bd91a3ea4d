// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/cells.hpp"
#include "kernels/pack.hpp"

namespace shadow::SHADOW_ISA {

/// Counts the pairs of two species, many at once: squared distances below the radius are kept next
/// to each other until there are enough of them to find their bins in vectors.
template <int Dim>
class PairCounter {
  public:
    /// `histogram`: four of them, one after the other, so that two additions in a row seldom wait
    /// for each other.
    PairCounter(const PairHistogram<Dim>& pairs, std::int64_t* histogram)
        : pairs_(pairs), histogram_(histogram) {}

    void operator()(std::int32_t first, std::int32_t last, std::int32_t from, std::int32_t to,
                    bool same) {
        for (std::int32_t i = first; i < last; ++i) meet(i, same ? i + 1 : from, to);
    }

    void empty() {
        for (std::int32_t k = 0; k < kept_; ++k) bin_[k] = pairs_.bin(square_[k]);
        for (std::int32_t k = 0; k < kept_; ++k)
            ++histogram_[(k % 4) * std::int64_t{pairs_.bins} + bin_[k]];
        kept_ = 0;
    }

  private:
    using P = pack<double, lanes<double>>;
    static constexpr std::int32_t room = 512;

    SHADOW_PACK static P smaller(P a, P b) { return select(a < b, a, b); }

    SHADOW_PACK void meet(std::int32_t i, std::int32_t from, std::int32_t to) {
        P x[Dim], length[Dim];
        for (int d = 0; d < Dim; ++d) {
            x[d] = P(pairs_.place[d][i]);
            length[d] = P(pairs_.cells.length[d]);
        }
        const P radius2(pairs_.radius2);
        for (std::int32_t j = from; j < to; j += P::size) {
            P r2(0);
            for (int d = 0; d < Dim; ++d) {
                const P along = abs(P::load(pairs_.place[d] + j) - x[d]);
                const P dx = smaller(along, length[d] - along);
                r2 = r2 + dx * dx;
            }
            const Compress<double, P::size> keep((r2 < radius2) & P::Mask::first(to - j));
            keep.store(square_ + kept_, r2);
            kept_ += keep.count;
            if (kept_ > room) empty();
        }
    }

    const PairHistogram<Dim>& pairs_;
    std::int64_t* histogram_;
    std::int32_t kept_ = 0;
    alignas(64) double square_[room + 2 * P::size];
    std::int32_t bin_[room + 2 * P::size];
};

/// Pairs of species a and b with the one of a in chosen cells [first, last).
template <int Dim>
void count_pairs(const PairHistogram<Dim>& pairs, int a, int b, std::int64_t first,
                 std::int64_t last, std::int64_t* histogram) {
    PairCounter<Dim> counter(pairs, histogram);
    for (std::int64_t c = first; c < last; ++c) pairs.each_range(c, a, b, counter);
    counter.empty();
}

} // namespace shadow::SHADOW_ISA
