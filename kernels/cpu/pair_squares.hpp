// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/cells.hpp"
#include "kernels/pack.hpp"

namespace shadow::SHADOW_ISA {

/// Squared distances that are kept until there are enough to process in vectors.
struct KeptSquares {
    using P = pack<double, lanes<double>>;
    static constexpr std::int32_t room = 512;
    static constexpr std::int32_t max_size = room + 2 * P::size;
};

/// Visits the pairs of cells, many at once: squared distances below the squared radius are stored
/// next to each other and passed to `use(squares, count)`. The array has KeptSquares::max_size
/// numbers, all of which may be read.
template <int Dim, class Use>
class PairSquares {
  public:
    PairSquares(const CellPairs<Dim>& pairs, Use& use) : pairs_(pairs), use_(use) {}

    void operator()(std::int32_t first, std::int32_t last, std::int32_t from, std::int32_t to,
                    bool same) {
        for (std::int32_t i = first; i < last; ++i) meet(i, same ? i + 1 : from, to);
    }

    void empty() {
        use_(square_, kept_);
        kept_ = 0;
    }

  private:
    using P = KeptSquares::P;

    SHADOW_PACK static P smaller(P a, P b) { return select(a < b, a, b); }

    /// Subtracts the slide of nearest images from vectors.
    SHADOW_PACK void unslide(P (&dx)[Dim]) const {
        const SlidingImages& sliding = pairs_.cells.sliding;
        for (const std::int32_t edge : {sliding.third(), sliding.gradient}) {
            if (edge != sliding.gradient && !sliding.third_is_tilted()) continue;
            const P half(0.5 * pairs_.cells.length[edge]), up = dx[edge];
            for (const std::int32_t d : {sliding.gradient, sliding.flow}) {
                if (d == edge) continue;
                const P slid(sliding.lean(edge, d));
                dx[d] = dx[d] - select(half < abs(up), select(P(0) < up, slid, P(0) - slid), P(0));
            }
        }
    }

    SHADOW_PACK void meet(std::int32_t i, std::int32_t from, std::int32_t to) {
        P x[Dim], length[Dim];
        for (int d = 0; d < Dim; ++d) {
            x[d] = P(pairs_.place[d][i]);
            length[d] = P(pairs_.cells.length[d]);
        }
        const P radius2(pairs_.radius2);
        const bool slides = pairs_.cells.sliding.any();
        for (std::int32_t j = from; j < to; j += P::size) {
            P between[Dim], r2(0);
            for (int d = 0; d < Dim; ++d) between[d] = P::load(pairs_.place[d] + j) - x[d];
            if (slides) unslide(between);
            for (int d = 0; d < Dim; ++d) {
                const P along = abs(between[d]);
                P dx = smaller(along, abs(length[d] - along));
                if (slides) dx = smaller(dx, abs(length[d] - dx)); // from two lengths away
                r2 = r2 + dx * dx;
            }
            const Compress<double, P::size> keep((r2 < radius2) & P::Mask::first(to - j));
            keep.store(square_ + kept_, r2);
            kept_ += keep.count;
            if (kept_ > KeptSquares::room) empty();
        }
    }

    const CellPairs<Dim>& pairs_;
    Use& use_;
    std::int32_t kept_ = 0;
    alignas(64) double square_[KeptSquares::max_size];
};

} // namespace shadow::SHADOW_ISA
