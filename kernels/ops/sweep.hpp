// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/sweep_in_packs.hpp"
#include "kernels/views.hpp"

#include <cstdint>

namespace shadow {

/// Visits all pairs closer than a radius and passes each to both its particles: the traversal for
/// observables that need neighbours. Launch over `clusters * lanes`, where `lanes` threads share a
/// cluster: 1 suits a CPU, the cluster size a GPU. `Op` is a functor payload with
///
///     using Sum = ...;                                 // what one particle gathers
///     Sum begin() const;
///     void pair(Sum& sum, const double (&dx)[Dim], double r2, int64 i, int64 j) const;
///     void end(int64 i, const Sum& sum) const;         // e.g. writes out[i]
///
/// `dx` is x_j - x_i in the periodic image of the range, in double; i and j are memory indices. A
/// pair within the radius in several images occurs once for each. The partners of a particle come
/// in a fixed order, so sums do not depend on threads or lanes. The radius must not exceed the
/// cut-off of the list. An op with `in_packs` has kernels for a CPU's instruction sets, with packs
/// of partners.
template <int Dim, class Op>
struct Sweep {
    VectorView<Dim, double> position;
    const BoxView<Dim>* box;
    PairListView list;
    double radius2;
    int lanes;
    Op op;

    SHADOW_INLINE void operator()(std::int64_t thread) const {
        const std::int64_t c = thread / lanes;
        if (c >= *list.cluster_count) return;
        const std::int32_t end = list.cluster_end[c];
        std::int32_t next = list.cluster_begin[c] + static_cast<std::int32_t>(thread % lanes);
        while (next < end) next = visit(c, next);
    }

#if !defined(__CUDACC__)
    void range(const Backend& backend, std::int64_t first,
               std::int64_t last) const requires requires {
        requires Op::in_packs;
    }
    { cpu::sweep_in_packs(backend, *this, first, last); }
#endif

  private:
    static constexpr int group = 8;

    /// Some particles of a cluster, and the box around them.
    struct Members {
        std::int32_t index[group];
        double x[group][Dim];
        double low[Dim] = {}, high[Dim] = {};
        typename Op::Sum sum[group];
        int count = 0;
    };

    /// Processes up to `group` particles from `first` on; returns the next one.
    SHADOW_INLINE std::int32_t visit(std::int64_t c, std::int32_t first) const {
        const std::int32_t begin = list.cluster_begin[c], end = list.cluster_end[c];
        Members members;
        for (; first < end && members.count < group; first += lanes) add(members, first);
        offer(members, begin, end, 0);
        const NeighbourRange* ranges = list.ranges + c * list.stride;
        for (std::int32_t r = 0; r < list.range_count[c]; ++r)
            offer(members, ranges[r].begin, ranges[r].end, ranges[r].shift);
        for (int m = 0; m < members.count; ++m) op.end(members.index[m], members.sum[m]);
        return first;
    }

    SHADOW_INLINE void add(Members& members, std::int32_t i) const {
        const int m = members.count++;
        members.index[m] = i;
        members.sum[m] = op.begin();
        for (int d = 0; d < Dim; ++d) {
            const auto x = position.component[d][i];
            members.x[m][d] = x;
            members.low[d] = m == 0 || x < members.low[d] ? x : members.low[d];
            members.high[d] = m == 0 || x > members.high[d] ? x : members.high[d];
        }
    }

    SHADOW_INLINE void offer(Members& members, std::int32_t begin, std::int32_t end,
                             std::int32_t shift) const {
        double offset[Dim];
        for (int d = 0; d < Dim; ++d) offset[d] = NeighbourRange{0, 0, shift}.offset(*box, d);
        for (std::int32_t j = begin; j < end; ++j) {
            double x[Dim], away2 = 0.0;
            for (int d = 0; d < Dim; ++d) {
                x[d] = position.component[d][j] + offset[d];
                const double below = members.low[d] - x[d], above = x[d] - members.high[d];
                const double away = below > above ? below : above;
                away2 += away > 0.0 ? away * away : 0.0;
            }
            if (away2 < radius2) meet(members, x, j, shift);
        }
    }

    SHADOW_INLINE void meet(Members& members, const double (&x)[Dim], std::int32_t j,
                            std::int32_t shift) const {
        for (int m = 0; m < members.count; ++m) {
            double dx[Dim], r2 = 0.0;
            for (int d = 0; d < Dim; ++d) {
                dx[d] = x[d] - members.x[m][d];
                r2 += dx[d] * dx[d];
            }
            if (r2 < radius2 && (members.index[m] != j || shift != 0))
                op.pair(members.sum[m], dx, r2, members.index[m], j);
        }
    }
};

} // namespace shadow
