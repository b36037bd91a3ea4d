// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/sweep.hpp"
#include "kernels/pack_math.hpp"

/// The pairs of a sweep by packs.
namespace shadow::SHADOW_ISA {

using DoublePack = pack<double, lanes<double>>;

/// Memory for numbers, handed out part by part.
class Scratch {
  public:
    SHADOW_PACK explicit Scratch(double* memory) : next_(memory) {}

    template <class T = double>
    [[nodiscard]] SHADOW_PACK T* take(std::int64_t size) {
        double* const here = next_;
        next_ += (size * static_cast<std::int64_t>(sizeof(T)) + 7) / 8;
        return reinterpret_cast<T*>(here);
    }

  private:
    double* next_;
};

/// Particles that are processed together, and their partners, one particle after the other. The
/// memory has room for a pack after the last partner.
template <int Dim>
struct GroupPartners {
    static constexpr std::int32_t particles = cpu::sweep_group;
    std::int32_t first, last;          ///< particles
    std::int64_t begin[particles + 1]; ///< index of the first partner of each particle
    double *dx[Dim], *r2;              ///< to the partner
    double* index;                     ///< memory index

    [[nodiscard]] SHADOW_PACK std::int64_t size() const { return begin[last - first]; }
    [[nodiscard]] SHADOW_PACK std::int32_t at(std::int64_t k) const {
        return static_cast<std::int32_t>(index[k]);
    }
    /// Calls use(i, first, end) for each particle i with its partners.
    template <class Use>
    SHADOW_PACK void each(const Use& use) const {
        for (std::int32_t i = first; i < last; ++i) use(i, begin[i - first], begin[i - first + 1]);
    }
};

/// All particles within the radius of a sweep of the bounding box of a cluster, its own included,
/// once for each image; then those near some particles of the cluster, and the partners of these.
template <int Dim>
class NearParticles {
  public:
    /// `most`: the maximum number of particles, plus a pack.
    template <class Op>
    SHADOW_PACK NearParticles(const Sweep<Dim, Op>& sweep, std::int64_t c, Scratch& scratch,
                              std::int64_t most)
        : position_(sweep.position), radius2_(sweep.radius2), around_cluster_(scratch, most),
          around_group_(scratch, most) {
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

    /// The partners of particles [begin, end), in a fixed order. Particles at the same position
    /// have no line of centres and are left out.
    SHADOW_PACK void find(std::int32_t begin, std::int32_t end, GroupPartners<Dim>& partners) {
        narrow(begin, end);
        partners.first = begin;
        partners.last = end;
        std::int64_t to = 0;
        for (std::int32_t i = begin; i < end; ++i) {
            partners.begin[i - begin] = to;
            to = find_of(i, to, partners);
        }
        partners.begin[end - begin] = to;
    }

  private:
    struct Places {
        double *x[Dim], *index; ///< memory indices, in double
        std::int64_t count = 0;

        SHADOW_PACK Places(Scratch& scratch, std::int64_t most) : index(scratch.take(most)) {
            for (int d = 0; d < Dim; ++d) x[d] = scratch.take(most);
        }
        SHADOW_PACK void add(DoublePack::Mask chosen, const DoublePack (&places)[Dim],
                             DoublePack numbers) {
            const Compress<double, DoublePack::size> keep(chosen);
            for (int d = 0; d < Dim; ++d) keep.store(x[d] + count, places[d]);
            keep.store(index + count, numbers);
            count += keep.count;
        }
    };

    /// Particles near [begin, end) of the cluster.
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

    /// Writes the partners of particle i from index `to` on; returns the end. First finds their
    /// indices, then gathers their data.
    SHADOW_PACK std::int64_t find_of(std::int32_t i, std::int64_t to,
                                     GroupPartners<Dim>& partners) const {
        double x[Dim], *const place = partners.index;
        DoublePack here[Dim], number;
        for (int d = 0; d < Dim; ++d) here[d] = DoublePack(x[d] = position_.component[d][i]);
        for (int k = 0; k < DoublePack::size; ++k) number.v[k] = k;
        std::int64_t end = to;
        for (std::int64_t k = 0; k < around_group_.count; k += DoublePack::size) {
            DoublePack r2(0);
            for (int d = 0; d < Dim; ++d) {
                const DoublePack dx = DoublePack::load(around_group_.x[d] + k) - here[d];
                r2 = r2 + dx * dx;
            }
            const Compress<double, DoublePack::size> keep((r2 < DoublePack(radius2_)) &
                                                          (DoublePack(0) < r2));
            keep.store(place + end, number);
            number = number + DoublePack(DoublePack::size);
            end += keep.count;
        }
        for (; to < end; ++to) {
            const auto k = static_cast<std::int64_t>(place[to]);
            double r2 = 0.0;
            for (int d = 0; d < Dim; ++d) {
                const double dx = around_group_.x[d][k] - x[d];
                partners.dx[d][to] = dx;
                r2 += dx * dx;
            }
            partners.r2[to] = r2;
            partners.index[to] = around_group_.index[k];
        }
        return end;
    }

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
    /// Is a position within the radius of the bounds?
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
