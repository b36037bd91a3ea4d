// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/shares.hpp"
#include "kernels/potentials/formulas.hpp"

namespace shadow {

/// One pair by its row of parameters. Not inlined, so that it is compiled once for all dimensions.
template <class Interaction, class Pair>
SHADOW_FUNCTION __attribute__((noinline)) PairResult<Pair>
evaluate_row(const Pair* table, std::int64_t number, Pair r2, Ending ending) {
    typename Interaction::template Of<Pair> interaction;
    const Pair* row = table + number * field_count<Interaction>;
    __builtin_memcpy(static_cast<void*>(&interaction), row, sizeof(interaction));
    if (!(r2 < interaction.cutoff2)) return {};
    return evaluate(interaction, r2, ending, table);
}

/// The same for the interaction at a position of `Interactions`, in a table of pairs of species.
template <class Pair, class... I>
SHADOW_INLINE PairResult<Pair> evaluate_pair(InteractionList<I...>, std::int32_t interaction,
                                             const Pair* table, std::int64_t row, Pair r2,
                                             Ending ending) {
    PairResult<Pair> result{};
    std::int32_t k = 0;
    ((k++ == interaction ? void(result = evaluate_row<I, Pair>(table, row, r2, ending)) : void()),
     ...);
    return result;
}

/// For Sweep: half of each pair.
template <int Dim, class Pair>
struct SharePairs {
    using Sum = Share<Dim>;
    const std::uint16_t* species;
    const Pair* table; ///< this and the following as in PairForcePayload
    std::int32_t interaction, species_count;
    Ending ending;
    bool accumulate;   ///< add to the present values
    Share<Dim>* share; ///< by particle
    ExclusionView exclusions;
    const BoxView<Dim>* box;

    SHADOW_INLINE Sum begin() const { return {}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        add(sum, dx, r2, i, j);
    }
    /// Returns the force over the distance.
    SHADOW_INLINE double add(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                             std::int64_t j) const {
        if (exclusions.any() && exclusions.has(i, static_cast<std::int32_t>(j)) &&
            is_nearest(*box, dx))
            return 0.0;
        const std::int64_t row = std::int64_t{species[i]} * species_count + species[j];
        const PairResult<Pair> pair =
            evaluate_pair(Interactions{}, interaction, table, row, static_cast<Pair>(r2), ending);
        const auto f_over_r = static_cast<double>(pair.f_over_r);
        sum.energy += 0.5 * static_cast<double>(pair.u);
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                sum.virial.component[tensor_index<Dim>(a, b)] += 0.5 * f_over_r * dx[a] * dx[b];
        return f_over_r;
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const {
        Sum whole = sum;
        if (accumulate) {
            whole.energy += share[i].energy;
            whole.virial.add(share[i].virial);
        }
        share[i] = whole;
    }
};

} // namespace shadow
