// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"
#include "kernels/potentials/truncation.hpp"

namespace shadow {

/// The same for all potentials.
inline constexpr BondedInfo scaled_potential_info{
    .name = "scaled potential",
    .kind = BondedKind::bond,
    .summary = "follows from a pair force and `scale_14`",
    .equation = "u(r) = factor times that of the pair force",
    .reference = "",
    .parameter_count = 0,
    .parameters = {},
    .internal = true};

/// A pair potential, truncated as for pairs of a list, times a factor.
template <template <class> class Potential>
struct ScaledPotential {
    double factor;
    double ending; ///< an `Ending`
    typename Truncated<Potential>::template Of<double> pair;

    SHADOW_INLINE PairResult<double> at(double r2) const {
        return pair(r2, static_cast<Ending>(static_cast<int>(ending)));
    }
    SHADOW_INLINE double slope(double r2) const {
        return r2 < pair.cutoff2 ? -factor * at(r2).f_over_r : 0.0;
    }
    SHADOW_INLINE double energy(double r2) const {
        return r2 < pair.cutoff2 ? factor * at(r2).u : 0.0;
    }

    static constexpr BondedInfo info = scaled_potential_info;
};

} // namespace shadow
