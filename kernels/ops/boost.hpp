// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// A potential energy V that is flattened on one side of a threshold E, or on both: V' = E + c y +
/// (1 - c) y / sqrt(1 + (y/w)^2) with y = V - E, a width w and a minimum slope c. As in accelerated
/// molecular dynamics (Hamelberg, Mongan and McCammon 2004, J. Chem. Phys. 120, 11919), but with a
/// second derivative that is continuous at E, so that methods of order two keep their order.
struct Boost {
    double threshold = 0.0, width = 0.0, least_slope = 0.0;
    bool below = false, above = false;
    double kT = 1.0;       ///< of the weights
    bool of_total = false; ///< V includes the kinetic energy, which has no forces

    bool operator==(const Boost&) const = default;
    [[nodiscard]] SHADOW_INLINE bool any() const { return below || above; }
    /// V' - V
    [[nodiscard]] SHADOW_INLINE double energy(double potential) const {
        const double y = potential - threshold, z = y / width, root = sqrt(1.0 + z * z);
        return acts(y) ? -(1.0 - least_slope) * y * z * z / (root * (1.0 + root)) : 0.0;
    }
    /// dV'/dV: the factor of forces.
    [[nodiscard]] SHADOW_INLINE double slope(double potential) const {
        const double y = potential - threshold, z = y / width, root = sqrt(1.0 + z * z);
        return acts(y) ? least_slope + (1.0 - least_slope) / (root * root * root) : 1.0;
    }

    /// -kT times the logarithm of the density exp(-V'/kT) dV'/dV, minus V.
    [[nodiscard]] SHADOW_INLINE double of_density(double potential) const {
        return energy(potential) - kT * log(slope(potential));
    }
    [[nodiscard]] SHADOW_INLINE bool of_forces() const { return any() && !of_total; }
    /// V from a given V', for a minimum slope above 0: by Newton's method, which converges from one
    /// side, as slopes decrease away from E.
    [[nodiscard]] SHADOW_INLINE double inverse(double flatter) const {
        double potential = flatter;
        for (int k = 0; k < 60; ++k) {
            const double move = (flatter - potential - energy(potential)) / slope(potential);
            potential += move;
            if (!(fabs(move) > 1e-15 * (fabs(potential) + fabs(threshold) + width))) break;
        }
        return potential;
    }

  private:
    [[nodiscard]] SHADOW_INLINE bool acts(double y) const { return y < 0.0 ? below : above; }
};

/// The weight of measurements with a boost: its logarithm, which may be any number.
SHADOW_INLINE void weigh(const Scalars& x, const Boost& boost) {
    x[Scalar::step_weight] = (x[Scalar::boost] - x[Scalar::boost_reference]) / boost.kT;
}

/// One thread: replaces V in Scalar::potential by V'; sets the factor of the next kick, of which
/// `scale` is a part, and the weight of the present measurement.
struct FollowBoost {
    Scalars scalars;
    Boost boost;
    Scalar scale;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const Scalars& x = scalars;
        const double potential = x[Scalar::potential], energy = boost.energy(potential);
        x[Scalar::potential] = potential + energy;
        x[Scalar::boost] = energy;
        x[Scalar::boosted_kick] = x[scale] * boost.slope(potential);
        weigh(x, boost);
    }
};

/// One thread: for the total energy, whose V' belongs to the method, the density exp(-V'/kT) dV'/dV
/// is stored as a boost and gives the weight.
struct WeighDensity {
    Scalars scalars;
    Boost boost;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const Scalars& x = scalars;
        const double twice_kinetic = physical_kinetic(x[Scalar::kinetic], x[Scalar::s]),
                     total = 0.5 * twice_kinetic + x[Scalar::potential];
        x[Scalar::boost] = boost.of_density(total);
        weigh(x, boost);
    }
};

} // namespace shadow
