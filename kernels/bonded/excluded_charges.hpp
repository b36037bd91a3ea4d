// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"
#include "kernels/potentials/damped_shifted_force.hpp"

namespace shadow {

/// What remains of an excluded pair of damped shifted charges: its neutralising terms are kept, as
/// for any pair, but its own Coulomb energy is left out,
///     u = k q_i q_j (v_dsf(r) - 1/r),
/// and u = 0 beyond the cut-off, where pairs have no energy. Periodic charges are summed to any
/// distance; beyond the cut-off they have u = -k q_i q_j / r.
struct ExcludedDampedCharges {
    DampedShiftedForce<double> pair;
    double cutoff2;
    double beyond; ///< k q_i q_j of the Coulomb energy that is left out beyond the cut-off

    SHADOW_INLINE double slope(double r2) const {
        const double inner = r2 < cutoff2 ? pair(r2).f_over_r : 0.0;
        return (r2 < cutoff2 ? pair.strength : beyond) / (r2 * sqrt(r2)) - inner;
    }
    SHADOW_INLINE double energy(double r2) const {
        const double inner = r2 < cutoff2 ? pair(r2).u : 0.0;
        return inner - (r2 < cutoff2 ? pair.strength : beyond) / sqrt(r2);
    }

    static constexpr BondedInfo info{
        .name = "coulomb-dsf_excluded",
        .kind = BondedKind::bond,
        .summary = "follows from coulomb-dsf and `exclude`",
        .equation = "u = k q_i q_j [v(r) - v(R) - v'(R) (r - R) - 1/r], v(r) = erfc(alpha r)/r; 0 "
                    "beyond R",
        .reference = "as the sum over excluded pairs in that of Ewald",
        .parameter_count = 0,
        .parameters = {},
        .internal = true};
    /// For charges whose pair energies do not vanish at the cut-off.
    static constexpr BondedInfo periodic_info{
        .name = "coulomb_excluded",
        .kind = BondedKind::bond,
        .summary = "follows from coulomb-pme, coulomb-ewald or coulomb-wolf and `exclude`",
        .equation = "u = -k q_i q_j [erf(alpha r)/r + v(R)], v(R) the shift of pairs; of "
                    "coulomb-wolf 0 beyond R",
        .reference = info.reference,
        .parameter_count = 0,
        .parameters = {},
        .internal = true};
    /// p: strength, alpha, cut-off.
    static ExcludedDampedCharges from(const double* p) {
        return {DampedShiftedForce<double>::from(p, p[2]), p[2] * p[2], 0.0};
    }
};

} // namespace shadow
