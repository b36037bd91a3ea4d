// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/views.hpp"

namespace shadow {

/// Output of forces that are computed completely for each particle.
template <int Dim>
struct ParticleForceOutput {
    VectorView<Dim, double> force;
    double* energy; ///< may be null
    std::int32_t* status;
    bool accumulate;

    /// For particle `i`; sets the status word to the first particle on which they are not finite.
    SHADOW_INLINE void store(std::int64_t i, std::uint32_t id, const double (&sum)[Dim],
                             double u) const {
        double all = u;
        for (int d = 0; d < Dim; ++d) {
            all += sum[d];
            double& component = force.component[d][i];
            component = accumulate ? component + sum[d] : sum[d];
        }
        if (energy) energy[i] = accumulate ? energy[i] + u : u;
        if (!(all - all == 0.0)) atomic_keep_lowest(status, 1 + static_cast<std::int32_t>(id));
    }
};

} // namespace shadow
