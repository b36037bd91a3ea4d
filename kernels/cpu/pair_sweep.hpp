// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/finite.hpp"
#include "kernels/ops/share_pairs.hpp"
#include "kernels/pair_force.hpp"

namespace shadow::cpu {

/// For Sweep: the pair force one pair at a time, for the few lists from which no tiles are made.
template <int Dim, class Pair>
struct SweepForces {
    struct Sum {
        double force[Dim];
        Share<Dim> share;
    };
    const PairForcePayload<Dim, Pair>& payload;
    SharePairs<Dim, Pair> pairs;
    SymmetricTensor<Dim>* virial; ///< by particle, or null

    [[nodiscard]] Sum begin() const { return {}; }
    void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i, std::int64_t j) const {
        const double f_over_r = pairs.add(sum.share, dx, r2, i, j);
        for (int d = 0; d < Dim; ++d) sum.force[d] -= f_over_r * dx[d];
    }
    void end(std::int64_t i, const Sum& sum) const {
        bool finite = true;
        for (int d = 0; d < Dim; ++d) {
            double& force = payload.force.component[d][i];
            const double got = sum.force[d];
            force = payload.accumulate ? force + got : got;
            finite = finite && SHADOW_ISA::is_finite(got) &&
                     SHADOW_ISA::is_finite(payload.particles.position.component[d][i]);
        }
        if (!finite) SHADOW_ISA::report_not_finite(payload.status, payload.particles.id[i]);
        if (payload.virial) virial[i] = sum.share.virial;
        if (payload.energy)
            payload.energy[i] = (payload.accumulate ? payload.energy[i] : 0.0) + sum.share.energy;
    }
};

} // namespace shadow::cpu
