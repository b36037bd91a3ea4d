// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/ops/strain.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Raises `flag`, if there is one, if a particle is farther from its reference than lists allow, or
/// NaN.
template <int Dim>
struct TestDisplacement {
    VectorView<Dim, double> position, reference;
    const Strain<Dim>* strain;
    std::int32_t* flag;

    SHADOW_INLINE void operator()(std::int64_t i) const { range(i, i + 1); }
    /// For particle i at x.
    SHADOW_INLINE void at(const double (&x)[Dim], std::int64_t i) const {
        if (flag != nullptr && moved(x, i)) atomic_store(flag, 1);
    }
    [[nodiscard]] SHADOW_INLINE bool moved(const double (&x)[Dim], std::int64_t i) const {
        double d2 = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double dx = strain->moved(x, reference.component[d][i], d);
            d2 += dx * dx;
        }
        return !(d2 <= strain->limit2);
    }
    SHADOW_INLINE void range(std::int64_t begin, std::int64_t end) const {
        if (flag == nullptr) return;
        const Strain<Dim> from = *strain;
        from.slope == 0.0 ? range<false>(from, begin, end) : range<true>(from, begin, end);
    }

  private:
    template <bool Slid>
    SHADOW_INLINE void range(const Strain<Dim>& from, std::int64_t begin, std::int64_t end) const {
        constexpr std::int64_t block = 512; // return soon after one is found
        for (; begin < end; begin += block) {
            const std::int64_t stop = end - begin < block ? end : begin + block;
            int moved = 0;
            for (std::int64_t i = begin; i < stop; ++i) {
                double x[Dim], d2 = 0.0;
                for (int d = 0; d < Dim; ++d) x[d] = position.component[d][i];
                for (int d = 0; d < Dim; ++d) {
                    const double to = reference.component[d][i];
                    const double dx = Slid ? from.moved(x, to, d) : from.moved(x[d], to, d);
                    d2 += dx * dx;
                }
                moved |= !(d2 <= from.limit2);
            }
            if (moved) return atomic_store(flag, 1);
        }
    }
};

/// The end of a rebuild; one thread.
template <int Dim>
struct FinishRebuild {
    std::int32_t* flag;
    std::int64_t* rebuilds;
    BoxView<Dim>* built;
    FollowBox<Dim> follow;
    SHADOW_INLINE void operator()(std::int64_t thread) const {
        *built = *follow.box;
        follow(thread);
        *flag = 0;
        ++*rebuilds;
    }
};

/// to <- from
template <int Dim, class T = double>
struct CopyVectors {
    VectorView<Dim, T> from, to;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) to.component[d][i] = from.component[d][i];
    }
};

/// Moves particles back to the stored positions, or to their mirror images about these, in the
/// image of the box in which they are now.
template <int Dim>
struct RestorePositions {
    const BoxView<Dim>* box;
    VectorView<Dim, double> kept, position;
    bool mirrored = false;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        double x[Dim], before[Dim];
        for (int d = 0; d < Dim; ++d) {
            x[d] = position.component[d][i];
            before[d] = kept.component[d][i];
        }
        box->bring_near(before, x);
        for (int d = 0; d < Dim; ++d)
            position.component[d][i] = mirrored ? before[d] - (x[d] - before[d]) : before[d];
    }
};

} // namespace shadow
