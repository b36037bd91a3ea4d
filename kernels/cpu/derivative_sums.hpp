// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/pair_squares.hpp"
#include "kernels/ops/pair_derivatives.hpp"
#include "kernels/pack_math.hpp"
#include "kernels/pack_spline.hpp"

namespace shadow::SHADOW_ISA {

/// Sums the contributions of squared pair distances, each term of the potential energy separately.
struct DerivativeSums {
    int dim;
    const DerivativeTerm* terms;
    int count;
    PairDerivatives sum{};

    void operator()(const double* squares, std::int32_t kept) {
        for (int t = 0; t < count; ++t) {
            Run run{*this, terms[t], squares, kept};
            visit_interaction(GeneralInteractions{}, terms[t].interaction, run);
        }
    }

  private:
    using P = KeptSquares::P;

    struct Run {
        DerivativeSums& all;
        const DerivativeTerm& term;
        const double* squares;
        std::int32_t kept;

        template <class Interaction>
        SHADOW_PACK void operator()() const {
            using Row = typename Interaction::template Of<Dual<P>>;
            const PairTerm<Row, P> pair{constants<Interaction, P>(term.table, term.pair), term};
            P laplacian(0), hypervirial(0);
            for (std::int32_t k = 0; k < kept; k += P::size) {
                P one, other;
                // Lanes after the last pair stand for pairs at the cut-off, which are left out.
                const P r2 =
                    select(P::Mask::first(kept - k), P::load(squares + k), pair.row.cutoff2.value);
                pair(all.dim, r2, one, other);
                laplacian = laplacian + one;
                hypervirial = hypervirial + other;
            }
            double lane[2][P::size];
            laplacian.store(lane[0]);
            hypervirial.store(lane[1]);
            for (int l = 0; l < P::size; ++l) {
                all.sum.laplacian += lane[0][l];
                all.sum.hypervirial += lane[1][l];
            }
        }
    };
};

/// Sums over pairs whose particle of species a is in chosen cells [first, last).
template <int Dim>
PairDerivatives sum_pair_derivatives(const SumPairDerivatives<Dim>& op, std::int64_t first,
                                     std::int64_t last) {
    DerivativeSums sums{Dim, op.terms, op.count};
    PairSquares<Dim, DerivativeSums> squares(op.pairs, sums);
    for (std::int64_t c = first; c < last; ++c) op.pairs.each_range(c, op.a, op.b, squares);
    squares.empty();
    return sums.sum;
}

} // namespace shadow::SHADOW_ISA
