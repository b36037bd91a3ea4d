// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/scalars.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cmath>

/// Constant pressure by stochastic cell rescaling (Bernetti and Bussi 2020, J. Chem. Phys. 153,
/// 114107), whose steps are accepted or rejected.
namespace shadow {

/// One thread: Scalar::volume, and Scalar::virial with what the tails of the forces add.
template <int Dim>
struct MeasureVirial {
    ByLevel<const SymmetricTensor<Dim>*> virial;
    Tail tail;
    const BoxView<Dim>* box;
    Scalars scalars;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double trace = tail.in(*box);
        for (const SymmetricTensor<Dim>* of : virial) trace += of->trace();
        scalars[Scalar::virial] = trace;
        scalars[Scalar::volume] = box->volume();
    }
};

/// A step of the volume V over a time t, in L = sqrt(V), whose noise does not depend on V:
///
///     L' = L + a(L) + (2 D t)^1/2 R,   D = kT beta / 4 tau,
///     a(L) = (2 D t / L) [1/2 + f + (P_int - P) V / kT]
///
/// with the pressure P_int = (2 K + W) / (d V) and a normal number R. f is by how many particles
/// more than g / d degrees of freedom have momenta: places and momenta, which are scaled by the
/// inverse factor, fill a volume of phase space proportional to V^f. The step is accepted or not
/// (Roberts and Tweedie 1996, Bernoulli 2, 341), so that what is sampled is constant pressure, with
/// dV as the measure of volumes, whatever t is. The drift a is bounded by the noise, far from
/// equilibrium, where no step would be accepted otherwise.
struct VolumeStep {
    double kT, pressure;
    double mobility; ///< beta t / tau
    double missing;  ///< f
    double least;    ///< no volume is less
    int dimension;

    /// L is not multiplied or divided by more at once.
    static constexpr double largest = 1.4;

    [[nodiscard]] SHADOW_INLINE double noise() const { return sqrt(0.5 * kT * mobility); }
    [[nodiscard]] SHADOW_INLINE double drift(double volume, double twice_kinetic,
                                             double virial) const {
        const double internal = (twice_kinetic + virial) / (dimension * volume);
        const double a =
            0.5 * mobility * sqrt(volume) * (internal - pressure + (0.5 + missing) * kT / volume);
        const double most = noise();
        return a > most ? most : a > -most ? a : -most;
    }
};

/// Proposes a step: the factor of the lengths of the box.
struct ProposeVolume {
    VolumeStep volume;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double side = sqrt(x[Scalar::volume]);
        const double a = volume.drift(x[Scalar::volume], x[Scalar::kinetic], x[Scalar::virial]);
        const double next = side + a + volume.noise() * x[Scalar::normal];
        // Steps that are too long, and to less than the least volume, are none.
        const bool is_step = next < VolumeStep::largest * side && next > side / VolumeStep::largest;
        const bool too_small = is_step && next * next < volume.least;
        if (too_small) x[Scalar::box_least] = 1.0;
        x[Scalar::strain] = is_step && !too_small ? pow(next / side, 2.0 / volume.dimension) : 1.0;
        x[Scalar::inverse_strain] = 1.0 / x[Scalar::strain];
        x[Scalar::box_volume] = x[Scalar::volume];
        x[Scalar::box_drift] = a;
        x[Scalar::box_energy] = x[Scalar::potential] + 0.5 * x[Scalar::kinetic];
    }
};

/// Accepts it, with energy and virial in the new box, or makes the factor the one of the way back.
struct AcceptVolume {
    VolumeStep volume;

    /// ln of how much more often the new box comes than the old one, and the step from it than that
    /// to it.
    [[nodiscard]] SHADOW_INLINE double log_ratio(const Scalars& x) const {
        const double twice_kinetic = kinetic_there(x);
        const double before = sqrt(x[Scalar::box_volume]), after = sqrt(x[Scalar::volume]);
        const double there = after - before - x[Scalar::box_drift];
        const double back =
            before - after - volume.drift(x[Scalar::volume], twice_kinetic, x[Scalar::virial]);
        const double strain = log(after / before);
        const double work = volume.pressure * (x[Scalar::volume] - x[Scalar::box_volume]);
        return -(change(x) + work) / volume.kT + (1.0 + 2.0 * volume.missing) * strain -
               (back * back - there * there) / (volume.kT * volume.mobility);
    }
    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::box_tried] += 1.0;
        if (x[Scalar::strain] != 1.0 && log(x[Scalar::uniform]) < log_ratio(x)) {
            x[Scalar::box_accepted] += 1.0;
            x[Scalar::box_work] += change(x);
            // A chain of thermostats has looked at it.
            x[Scalar::chain_kinetic] *= x[Scalar::inverse_strain] * x[Scalar::inverse_strain];
            x[Scalar::strain] = x[Scalar::inverse_strain] = 1.0;
        } else {
            const double tried = x[Scalar::strain];
            x[Scalar::strain] = x[Scalar::inverse_strain];
            x[Scalar::inverse_strain] = tried;
        }
    }

  private:
    [[nodiscard]] SHADOW_INLINE double kinetic_there(const Scalars& x) const {
        return x[Scalar::kinetic] * x[Scalar::inverse_strain] * x[Scalar::inverse_strain];
    }
    /// Of kinetic and potential energy.
    [[nodiscard]] SHADOW_INLINE double change(const Scalars& x) const {
        return x[Scalar::potential] + 0.5 * kinetic_there(x) - x[Scalar::box_energy];
    }
};

} // namespace shadow
