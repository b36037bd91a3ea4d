// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/scalars.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cmath>

/// Constant pressure by steps of the volume that are accepted or rejected: by stochastic cell
/// rescaling (Bernetti and Bussi 2020, J. Chem. Phys. 153, 114107), or Monte Carlo.
namespace shadow {

/// One thread: Scalar::volume, and Scalar::virial along some directions with the contribution of
/// the tails of the forces; Scalar::virial_along of each direction.
template <int Dim>
struct MeasureVirial {
    ByLevel<const SymmetricTensor<Dim>*> virial;
    Tail tail;
    const BoxView<Dim>* box;
    Scalars scalars;
    Axes axes;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double trace = 0.0;
        for (int d = 0; d < Dim; ++d) {
            double along = tail.in(*box) / Dim;
            for (const SymmetricTensor<Dim>* of : virial)
                along += of->component[tensor_index<Dim>(d, d)];
            scalars[of_row(Scalar::virial_along, d)] = along;
            if (has_axis(axes, d)) trace += along;
        }
        scalars[Scalar::virial] = trace;
        scalars[Scalar::volume] = box->volume();
    }
};

/// A step of the volume V over a time t, in L = sqrt(V), whose noise does not depend on V:
///
///     L' = L + a(L) + (2 D t)^1/2 R,   D = kT beta / 4 tau,
///     a(L) = (2 D t / L) [1/2 + N + W / (d kT) - P V / kT]
///
/// with the virial W along the d directions whose lengths change, all by one factor, and a normal
/// number R. Positions are scaled with the box, momenta are not, since their distribution is that
/// of the temperature in any box: the sampling depends only on positions, which a step of dynamics
/// reproduces better than momenta. The step is accepted or rejected (Roberts and Tweedie 1996,
/// Bernoulli 2, 341), so that this is constant pressure, with dV as the measure of volumes,
/// whatever t is: for several independent directions the product of their lengths. The drift a is
/// limited by the noise far from equilibrium, where no step would be accepted otherwise.
struct VolumeStep {
    double kT, pressure;
    double mobility;  ///< beta t / tau
    double particles; ///< N
    double least;     ///< the minimum volume
    int dimension;    ///< directions whose lengths change

    /// L is multiplied or divided by at most this factor at once.
    static constexpr double largest = 1.4;

    [[nodiscard]] SHADOW_INLINE double noise() const { return sqrt(0.5 * kT * mobility); }
    [[nodiscard]] SHADOW_INLINE double drift(double volume, double virial) const {
        const double internal = (particles + 0.5) * kT + virial / dimension;
        const double a = 0.5 * mobility * sqrt(volume) * (internal / volume - pressure);
        const double most = noise();
        return a > most ? most : a > -most ? a : -most;
    }
};

/// The state before a step of the volume, with the factor `strain` of lengths: 1 for no step. A
/// step below the minimum volume is not made, and may end the run.
SHADOW_INLINE void begin_volume(const Scalars& x, double strain, bool ends) {
    if (ends) x[Scalar::box_least] = 1.0;
    x[Scalar::strain] = strain;
    x[Scalar::box_volume] = x[Scalar::volume];
    x[Scalar::box_energy] = x[Scalar::potential];
}

/// Accepts the step in the new box with the probability whose logarithm is given: the box stays,
/// and the work is added, or the factor becomes that of the way back.
SHADOW_INLINE void end_volume(const Scalars& x, double log_ratio) {
    x[Scalar::box_tried] += 1.0;
    if (x[Scalar::strain] != 1.0 && log(x[Scalar::uniform]) < log_ratio) {
        x[Scalar::box_accepted] += 1.0;
        x[Scalar::box_work] += x[Scalar::potential] - x[Scalar::box_energy];
        x[Scalar::strain] = 1.0;
    } else {
        x[Scalar::strain] = 1.0 / x[Scalar::strain];
    }
}

/// Proposes a step: the factor of the lengths of the box.
struct ProposeVolume {
    VolumeStep volume;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double side = sqrt(x[Scalar::volume]);
        const double a = volume.drift(x[Scalar::volume], x[Scalar::virial]);
        const double next = side + a + volume.noise() * x[Scalar::normal];
        // Steps that are too long are not made.
        const bool is_step = next < VolumeStep::largest * side && next > side / VolumeStep::largest;
        const bool too_small = is_step && next * next < volume.least;
        begin_volume(x, is_step && !too_small ? pow(next / side, 2.0 / volume.dimension) : 1.0,
                     too_small);
        x[Scalar::box_drift] = a;
    }
};

/// Accepts the step, with energy and virial in the new box, or sets the factor of the way back.
struct AcceptVolume {
    VolumeStep volume;

    /// Logarithm of the ratio of the densities of the new box and the old one, times the ratio of
    /// the probabilities of the reverse step and the step.
    [[nodiscard]] SHADOW_INLINE double log_ratio(const Scalars& x) const {
        const double before = sqrt(x[Scalar::box_volume]), after = sqrt(x[Scalar::volume]);
        const double there = after - before - x[Scalar::box_drift];
        const double back = before - after - volume.drift(x[Scalar::volume], x[Scalar::virial]);
        const double work = volume.pressure * (x[Scalar::volume] - x[Scalar::box_volume]);
        const double change = x[Scalar::potential] - x[Scalar::box_energy];
        return -(change + work) / volume.kT + (2.0 * volume.particles + 1.0) * log(after / before) -
               (back * back - there * there) / (volume.kT * volume.mobility);
    }
    SHADOW_INLINE void operator()(const Scalars& x) const { end_volume(x, log_ratio(x)); }
};

/// A move of the volume V in which ln V changes by a uniform number between -amplitude and
/// amplitude (McDonald 1972, Mol. Phys. 23, 41). Positions are scaled with the box, momenta are
/// not. Since such moves are as likely as the reverse ones, and dV d^N r = V^(N + 1) d(ln V) d^N s
/// in scaled positions s, a move from V to V' is accepted with the probability min(1, exp(-a)),
///
///     a = (U' - U + P (V' - V)) / kT - (N + 1) ln(V' / V)
///
/// (Frenkel and Smit 2002, Understanding Molecular Simulation, section 5.4.2). So this is constant
/// pressure with the measure of VolumeStep.
struct VolumeMove {
    double kT, pressure;
    double amplitude; ///< of ln V
    double particles; ///< N
    double least;     ///< the minimum volume
    int dimension;    ///< directions whose lengths change
};

/// Proposes a move: the factor of the lengths of the box. The error function of a normal number
/// over the root of 2 is uniform between -1 and 1. Moves below the minimum volume are rejected,
/// whatever the energy; they report that the box has become too small only if it is close to the
/// minimum.
struct ProposeMove {
    VolumeMove move;
    static constexpr double near = 1.02;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double change = move.amplitude * erf(x[Scalar::normal] * 0.70710678118654752440);
        const bool too_small = x[Scalar::volume] * exp(change) < move.least;
        begin_volume(x, too_small ? 1.0 : exp(change / move.dimension),
                     too_small && x[Scalar::volume] < near * move.least);
    }
};

/// Accepts the move, or sets the factor of the way back.
struct AcceptMove {
    VolumeMove move;

    /// Logarithm of the ratio of the densities of the new box and the old one, per step of ln V.
    [[nodiscard]] SHADOW_INLINE double log_ratio(const Scalars& x) const {
        const double work = move.pressure * (x[Scalar::volume] - x[Scalar::box_volume]);
        const double change = x[Scalar::potential] - x[Scalar::box_energy];
        return (move.particles + 1.0) * log(x[Scalar::volume] / x[Scalar::box_volume]) -
               (change + work) / move.kT;
    }
    SHADOW_INLINE void operator()(const Scalars& x) const { end_volume(x, log_ratio(x)); }
};

/// Before a box and its momenta are deformed at given rates: the energy, and factors of lengths and
/// momenta.
struct BeginDeformation {
    double strain[3]; ///< by direction: rate times time
    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::box_energy] = x[Scalar::potential] + 0.5 * x[Scalar::kinetic];
        for (int d = 0; d < 3; ++d) {
            x[of_row(Scalar::box_strain, d)] = exp(strain[d]);
            x[of_row(Scalar::box_friction, d)] = exp(-strain[d]);
        }
    }
};

/// After it: the work. A Nosé-Hoover chain continues from the present momenta.
struct EndDeformation {
    SHADOW_INLINE void operator()(const Scalars& x) const {
        x[Scalar::box_work] +=
            x[Scalar::potential] + 0.5 * x[Scalar::kinetic] - x[Scalar::box_energy];
        x[Scalar::chain_kinetic] = x[Scalar::kinetic];
    }
};

} // namespace shadow
