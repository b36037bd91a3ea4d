// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/heat_flux.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/tensor.hpp"

/// Energy and virial as they belong to single particles and to single terms of a force, which the
/// pair kernels do not tell apart.
namespace shadow {

/// What a particle has of them: half of each of its pairs (Thompson, Plimpton and Mattson 2009,
/// J. Chem. Phys. 131, 154107, eq. 9).
template <int Dim>
struct Share {
    SymmetricTensor<Dim> virial; ///< sum of r f
    double energy;               ///< and what it has by itself
};

/// For Sweep, in double whatever the precision of the run.
template <int Dim>
struct SharePairs {
    using Sum = Share<Dim>;
    const std::uint16_t* species;
    const double* table; ///< this and the following as in PairForcePayload
    std::int32_t interaction, species_count;
    Ending ending;
    const double* self; ///< energies of particles by themselves, by species, or null
    bool accumulate;    ///< add to what is there
    Share<Dim>* share;  ///< by particle

    SHADOW_INLINE Sum begin() const { return {}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        const std::int64_t row = std::int64_t{species[i]} * species_count + species[j];
        const PairResult<double> pair =
            evaluate_pair(Interactions{}, interaction, table, row, r2, ending);
        sum.energy += 0.5 * pair.u;
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                sum.virial.component[tensor_index<Dim>(a, b)] +=
                    0.5 * pair.f_over_r * dx[a] * dx[b];
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const {
        Sum whole = sum;
        if (self) whole.energy += self[species[i]];
        if (accumulate) {
            whole.energy += share[i].energy;
            whole.virial.add(share[i].virial);
        }
        share[i] = whole;
    }
};

template <int Dim>
struct SumShares : DoubleSum {
    const Share<Dim>* share;

    SHADOW_FUNCTION double operator()(std::int64_t i) const { return share[i].energy; }
};

} // namespace shadow
