// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/sweep.hpp"
#include "kernels/pack_math.hpp"

/// The pairs of a sweep by packs.
namespace shadow::SHADOW_ISA {

using DoublePack = pack<double, lanes<double>>;

/// Some partners of a particle; those at the end of a pack are repeated.
template <int Dim>
struct Partners {
    static constexpr int most = 32;
    double dx[Dim][most + DoublePack::size]; ///< to the partner
    double r2[most + DoublePack::size], index[most + DoublePack::size];
    int count = 0;

    [[nodiscard]] SHADOW_PACK DoublePack squares(int first) const {
        return DoublePack::load(r2 + first);
    }
    /// Memory index.
    [[nodiscard]] SHADOW_PACK std::int32_t at(int k) const {
        return static_cast<std::int32_t>(index[k]);
    }
    /// Calls use(lane, dx, index) for those of the pack that begins at `first`, each once.
    template <class Use>
    SHADOW_PACK void each(int first, const Use& use) const {
        for (int k = 0; k < DoublePack::size && first + k < count; ++k) {
            double x[Dim];
            for (int d = 0; d < Dim; ++d) x[d] = dx[d][first + k];
            use(k, x, at(first + k));
        }
    }
    SHADOW_PACK void fill_pack() {
        for (int k = count; k % DoublePack::size != 0; ++k) {
            r2[k] = r2[count - 1];
            index[k] = index[count - 1];
        }
    }
};

/// All particles that are within the radius of a sweep of the box around a cluster, itself
/// included, each as often as it has images there; then those around some particles of it.
template <int Dim>
class NearParticles {
  public:
    /// Particles that are served together.
    static constexpr std::int32_t group = 8;

    /// `scratch`: 2 (Dim + 1) numbers for each of `most` particles, a pack more than there may be.
    template <class Op>
    SHADOW_PACK NearParticles(const Sweep<Dim, Op>& sweep, std::int64_t c, double* scratch,
                              std::int64_t most)
        : position_(sweep.position), radius2_(sweep.radius2), around_cluster_(scratch, most),
          around_group_(scratch + (Dim + 1) * most, most) {
        const std::int32_t begin = sweep.list.cluster_begin[c], end = sweep.list.cluster_end[c];
        bound(begin, end);
        const double here[Dim] = {};
        add(begin, end, here);
        const NeighbourRange* ranges = sweep.list.ranges + c * sweep.list.stride;
        for (std::int32_t r = 0; r < sweep.list.range_count[c]; ++r) {
            double offset[Dim];
            for (int d = 0; d < Dim; ++d) offset[d] = ranges[r].offset(*sweep.box, d);
            add(ranges[r].begin, ranges[r].end, offset);
        }
    }

    /// From now on partners are those of particles [begin, end) of the cluster.
    SHADOW_PACK void narrow(std::int32_t begin, std::int32_t end) {
        bound(begin, end);
        around_group_.count = 0;
        const Places& all = around_cluster_;
        for (std::int64_t k = 0; k < all.count; k += DoublePack::size) {
            DoublePack x[Dim];
            for (int d = 0; d < Dim; ++d) x[d] = DoublePack::load(all.x[d] + k);
            const auto left = static_cast<int>(all.count - k < DoublePack::size ? all.count - k
                                                                                : DoublePack::size);
            around_group_.add(near(x) & DoublePack::Mask::first(left), x,
                              DoublePack::load(all.index + k));
        }
        for (int k = 0; k < DoublePack::size; ++k)
            around_group_.x[0][around_group_.count + k] = __builtin_nan("");
    }

    /// Calls `take` with the partners of particle i, some at a time, in a fixed order. Particles in
    /// one place have no line between them and are left out.
    template <class Take>
    SHADOW_PACK void each_partners(std::int64_t i, const Take& take) const {
        Partners<Dim> partners;
        const auto empty = [&] {
            partners.fill_pack();
            take(partners);
            partners.count = 0;
        };
        DoublePack x[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = DoublePack(position_.component[d][i]);
        for (std::int64_t k = 0; k < around_group_.count; k += DoublePack::size) {
            DoublePack dx[Dim], r2(0);
            for (int d = 0; d < Dim; ++d) {
                dx[d] = DoublePack::load(around_group_.x[d] + k) - x[d];
                r2 = r2 + dx[d] * dx[d];
            }
            const Compress<double, DoublePack::size> keep((r2 < DoublePack(radius2_)) &
                                                          (DoublePack(0) < r2));
            if (keep.count == 0) continue;
            for (int d = 0; d < Dim; ++d) keep.store(partners.dx[d] + partners.count, dx[d]);
            keep.store(partners.r2 + partners.count, r2);
            keep.store(partners.index + partners.count, DoublePack::load(around_group_.index + k));
            partners.count += keep.count;
            if (partners.count > Partners<Dim>::most - DoublePack::size) empty();
        }
        if (partners.count > 0) empty();
    }

  private:
    struct Places {
        double *x[Dim], *index; ///< memory indices, in double
        std::int64_t count = 0;

        SHADOW_PACK Places(double* scratch, std::int64_t most) : index(scratch + Dim * most) {
            for (int d = 0; d < Dim; ++d) x[d] = scratch + d * most;
        }
        SHADOW_PACK void add(DoublePack::Mask chosen, const DoublePack (&places)[Dim],
                             DoublePack numbers) {
            const Compress<double, DoublePack::size> keep(chosen);
            for (int d = 0; d < Dim; ++d) keep.store(x[d] + count, places[d]);
            keep.store(index + count, numbers);
            count += keep.count;
        }
    };

    SHADOW_PACK void bound(std::int32_t begin, std::int32_t end) {
        for (int d = 0; d < Dim; ++d) {
            const double* x = position_.component[d];
            low_[d] = high_[d] = x[begin];
            for (std::int32_t i = begin + 1; i < end; ++i) {
                low_[d] = x[i] < low_[d] ? x[i] : low_[d];
                high_[d] = x[i] > high_[d] ? x[i] : high_[d];
            }
        }
    }
    /// Within the radius of the bounds?
    [[nodiscard]] SHADOW_PACK DoublePack::Mask near(const DoublePack (&x)[Dim]) const {
        DoublePack away2(0);
        for (int d = 0; d < Dim; ++d) {
            const DoublePack away =
                max(max(DoublePack(low_[d]) - x[d], x[d] - DoublePack(high_[d])), DoublePack(0));
            away2 = away2 + away * away;
        }
        return away2 < DoublePack(radius2_);
    }
    SHADOW_PACK void add(std::int32_t begin, std::int32_t end, const double (&offset)[Dim]) {
        for (std::int32_t j = begin; j < end; j += DoublePack::size) {
            DoublePack x[Dim];
            for (int d = 0; d < Dim; ++d)
                x[d] = load(position_.component[d] + j, end - j) + DoublePack(offset[d]);
            double number[DoublePack::size];
            for (int k = 0; k < DoublePack::size; ++k) number[k] = j + k;
            around_cluster_.add(near(x) & DoublePack::Mask::first(end - j), x,
                                DoublePack::load(number));
        }
    }
    /// The first `count` numbers, the last of them repeated.
    static SHADOW_PACK DoublePack load(const double* from, std::int32_t count) {
        if (count >= DoublePack::size) return DoublePack::load(from);
        double lane[DoublePack::size];
        for (int k = 0; k < DoublePack::size; ++k) lane[k] = from[k < count ? k : count - 1];
        return DoublePack::load(lane);
    }

    VectorView<Dim, double> position_;
    double radius2_;
    double low_[Dim], high_[Dim];
    Places around_cluster_, around_group_;
};

} // namespace shadow::SHADOW_ISA
