// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/dual.hpp"
#include "kernels/ops/cells.hpp"
#include "kernels/ops/derivative_term.hpp"
#include "kernels/potentials/formulas.hpp"

namespace shadow {

/// A row of a table as an interaction of constants.
template <class Interaction, class T>
SHADOW_INLINE typename Interaction::template Of<Dual<T>> constants(const double* table,
                                                                   std::int64_t pair) {
    constexpr int fields = field_count<Interaction>;
    const double* row = table + pair * fields;
    Dual<T> all[fields];
    for (int k = 0; k < fields; ++k) all[k] = Dual<T>(T(row[k]));
    typename Interaction::template Of<Dual<T>> made;
    static_assert(sizeof(made) == sizeof(all));
    __builtin_memcpy(static_cast<void*>(&made), all, sizeof(made));
    return made;
}

/// For a table: constants of the segment, and the variable.
template <class T>
SHADOW_INLINE SplineSegment<Dual<T>>
find_segment(Dual<T> s, Dual<T> within, const SegmentPlace<Dual<T>>& place, const double* table) {
    const SegmentPlace<T> values{place.first.value, place.fineness.value};
    const SplineSegment<T> at = find_segment(s.value, within.value, values, table);
    return {Dual<T>(at.f0), Dual<T>(at.f1), Dual<T>(at.f2), Dual<T>(at.u0), {at.x, s.slope}};
}

/// The contribution of a pair at distance r, with T a number or a SIMD pack. With phi(s) = -u'/r as
/// a function of s = r^2, which a functor on dual numbers differentiates,
///
///     u'' = -phi - 2 s phi',   r d(r u')/dr = -2 s (phi + s phi')
///
/// A force which jumps at the cut-off R adds f(R) delta(r - R) to u''; the number of pairs at R is
/// estimated in a shell of width w within R, by weights (4 - 6 (R - r)/w)/w, which are exact for
/// linear functions of r.
template <class Row, class T>
struct PairTerm {
    Row row;
    DerivativeTerm term;

    SHADOW_INLINE void operator()(int dim, T r2, T& laplacian, T& hypervirial) const {
        const auto inside = r2 < row.cutoff2.value;
        const Dual<T> phi = evaluate(row, Dual<T>(r2, T(1)), term.ending, term.table).f_over_r;
        const T by_s = r2 * phi.slope;
        const T depth = (T(term.cutoff) - r2 * inverse_sqrt(r2)) * T(term.inverse_shell);
        const T at_end =
            select(depth < T(1), T(term.jump * term.inverse_shell) * (T(4) - T(6) * depth), T(0));
        laplacian = select(inside, T(2) * at_end - T(2 * dim) * phi.value - T(4) * by_s, T(0));
        hypervirial = select(
            inside, T(term.cutoff * term.cutoff) * at_end - T(2) * r2 * (phi.value + by_s), T(0));
    }
};

/// Calls `visit.template operator()<I>()` for the interaction at a position.
template <class... I, class Visit>
SHADOW_INLINE void visit_interaction(InteractionList<I...>, std::int32_t position, Visit&& visit) {
    std::int32_t k = 0;
    ((k++ == position ? visit.template operator()<I>() : void()), ...);
}

/// Adds the contribution of one pair. Not inlined, so that it is compiled once for all dimensions.
struct AddPairTerm {
    const DerivativeTerm& term;
    int dim;
    double r2;
    PairDerivatives& sum;

    template <class Interaction>
    SHADOW_FUNCTION __attribute__((noinline)) void operator()() const {
        using Row = typename Interaction::template Of<Dual<double>>;
        const PairTerm<Row, double> pair{constants<Interaction, double>(term.table, term.pair),
                                         term};
        double laplacian, hypervirial;
        pair(dim, r2, laplacian, hypervirial);
        sum.laplacian += laplacian;
        sum.hypervirial += hypervirial;
    }
};

/// Sums over the pairs of species a and b, cell by cell. On a CPU the kernels of its instruction
/// set do the same.
template <int Dim>
struct SumPairDerivatives {
    using Value = PairDerivatives;
    CellPairs<Dim> pairs;
    int a, b;
    const DerivativeTerm* terms;
    int count;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& x, const Value& y) {
        return {x.laplacian + y.laplacian, x.hypervirial + y.hypervirial};
    }

#if !defined(__CUDACC__)
    [[nodiscard]] Value on_cpu(const Backend& backend) const;
#endif

    /// Sums over all pairs of two ranges of particles.
    struct Visit {
        const SumPairDerivatives& op;
        Value sum;

        SHADOW_FUNCTION void operator()(std::int32_t first, std::int32_t last, std::int32_t from,
                                        std::int32_t to, bool same) {
            for (std::int32_t i = first; i < last; ++i)
                for (std::int32_t j = same ? i + 1 : from; j < to; ++j) {
                    const double r2 = op.pairs.distance2(i, j);
                    if (r2 < op.pairs.radius2)
                        for (int t = 0; t < op.count; ++t) add(op.terms[t], r2);
                }
        }
        SHADOW_FUNCTION void add(const DerivativeTerm& term, double r2) {
            AddPairTerm pair{term, Dim, r2, sum};
            visit_interaction(GeneralInteractions{}, term.interaction, pair);
        }
    };
    SHADOW_FUNCTION Value operator()(std::int64_t k) const {
        Visit visit{*this, {}};
        pairs.each_range(k, a, b, visit);
        return visit.sum;
    }
};

/// Sum over particles of the squared force of all classes.
template <int Dim>
struct SquareForces {
    using Value = double;
    TotalForce<Dim> force;

    static SHADOW_FUNCTION double identity() { return 0.0; }
    static SHADOW_FUNCTION double combine(double a, double b) { return a + b; }
    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double component = force(d, i);
            square += component * component;
        }
        return square;
    }
};

/// One thread: the row of `configurational`.
struct FinishConfigurational {
    const PairDerivatives* sums; ///< by pair of species
    int pairs, dim;
    double parts;            ///< of the system, one of which was summed
    double tail_hypervirial; ///< already divided by Dim^2
    double* row;             ///< hypervirial, squared force (already present), laplacian

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        PairDerivatives all{};
        for (int p = 0; p < pairs; ++p) {
            all.laplacian += sums[p].laplacian;
            all.hypervirial += sums[p].hypervirial;
        }
        row[0] = parts * all.hypervirial / (dim * dim) + tail_hypervirial;
        row[2] = parts * all.laplacian;
    }
};

} // namespace shadow
