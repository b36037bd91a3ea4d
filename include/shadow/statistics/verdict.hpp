// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/drift.hpp"
#include "shadow/statistics/estimate.hpp"
#include "shadow/statistics/jackknife.hpp"

#include <array>
#include <span>
#include <string>
#include <utility>

/// Rules that decide whether the averages of a stage can be trusted. They depend on numbers only.
namespace shadow {

/// One part of a verdict.
struct Finding {
    bool judged = false; ///< there were data to judge
    bool passed = true;
    std::string message = {}; ///< why it failed and what to do; or a remark if it passed
};

/// The verdict on a stage.
struct Verdict {
    Finding conserved, temperature, fluctuations, equilibrium, samples;

    /// Its parts and their names.
    [[nodiscard]] std::array<std::pair<const char*, const Finding*>, 5> findings() const {
        return {{{"conserved", &conserved},
                 {"temperature", &temperature},
                 {"fluctuations", &fluctuations},
                 {"equilibrium", &equilibrium},
                 {"samples", &samples}}};
    }
    [[nodiscard]] bool judged() const {
        for (const auto& [name, finding] : findings())
            if (finding->judged) return true;
        return false;
    }
    [[nodiscard]] bool passed() const {
        for (const auto& [name, finding] : findings())
            if (!finding->passed) return false;
        return true;
    }
};

/// Properties of the conserved quantity of a method.
struct Conservation {
    std::string name;
    Drift drift;
    double time = 0.0;                ///< duration of the stage
    double degrees_of_freedom = 0.0;  ///< f
    double kT = 0.0;                  ///< from the mean kinetic energy
    double kinetic_deviation = 0.0;   ///< standard deviation of kinetic energy
    double energy = 0.0;              ///< mean |K| + |U|: rounding is relative to it
    double friction = 0.0;            ///< of a bath with noise; 0: without
    double period = 0.0;              ///< of the oscillations of a thermostat; 0: none
    std::optional<Drift> shadow = {}; ///< of the shadow energy, if it is observed
    double power = 0.0;               ///< of a shear
};

/// Fails if energy drifts, or if the quantity fluctuates more than an adequate step allows.
///
/// Drift: significant (four of its errors), and more than 0.001 kT per degree of freedom over the
/// stage. With a heat capacity of about f k this changes the temperature by 0.1 %, the usual size
/// of errors of means. Friction removes heat at the rate gamma f (T - T_bath) k, so that under a
/// bath only the drift within 1/gamma counts, or within a period of an oscillating thermostat. The
/// shadow energy, if it is known, drifts as the quantity does with a far smaller error, and is used
/// instead.
///
/// In shear a drift below 0.005 of the power is accepted: it heats that much less than the shear.
///
/// Fluctuation, without noise: more than a twentieth of that of the kinetic energy. For velocity
/// Verlet it grows as the square of the step; in a Lennard-Jones liquid it is 0.003 at dt = 0.005,
/// 0.01 at 0.01, and 0.05 at 0.02, where energy begins to drift. A potential that is cut at 2.5
/// sigma without a shift has 0.1. (Van Gunsteren and Berendsen 1977, Mol. Phys. 34, 1311, allow
/// 0.2.) Less than 0.001 of the thermal fluctuation kT sqrt(f/2), or 1e-6 of the energy, is
/// accepted.
[[nodiscard]] Finding judge_conservation(const Conservation& facts);

/// The temperature of a stage with a bath.
struct BathTemperature {
    Estimate mean;
    double bath = 0.0; ///< temperature of the bath
    double degrees_of_freedom = 0.0;
    double time = 0.0;     ///< over which the mean was taken
    double friction = 0.0; ///< relaxation rate of the bath; 0: unknown
    bool in_shear = false; ///< the fluid is sheared, which heats it
};

/// Fails if the stage lasts less than ten relaxation times 1/friction, since then neither mean nor
/// error are those of the bath's ensemble; or if the deviation of the mean from the temperature of
/// the bath has a probability below 1e-4 (`chance_of`) and exceeds 1 %: this is the error that the
/// step may cause, which changes the kinetic temperature of Verlet and BAOAB by -(omega dt)^2/4
/// (Leimkuhler and Matthews 2013, J. Chem. Phys. 138, 174102), 0.4 % in a Lennard-Jones liquid at
/// dt = 0.005.
[[nodiscard]] Finding judge_temperature(const BathTemperature& facts);

/// The temperature of the motion along a direction.
struct DirectionalMean {
    std::string name;
    Estimate mean;
};

/// Fails if the deviation of one of these from the temperature of all motion, with the errors of
/// both, has a probability below 1e-4 and exceeds 1 %, as above, plus `uneven` /
/// `degrees_of_freedom`. `degrees_of_freedom`: along each direction; `uneven`: degrees of freedom
/// that are missing in all, along unknown directions. Particles without mixing, such as those of an
/// ideal gas under a Nosé bath, keep their initial distribution, whatever the temperature.
[[nodiscard]] Finding judge_directions(const Estimate& temperature,
                                       std::span<const DirectionalMean> directions,
                                       double degrees_of_freedom, double uneven = 0.0);

/// Motion of all particles together along directions in which it is not conserved.
struct WholeMotion {
    Estimate squares;   ///< sum of P^2 along these directions
    int directions = 0; ///< number of directions
    double mass = 0.0;  ///< total mass of the particles
    double kT = 0.0;    ///< from the mean kinetic energy
    double degrees_of_freedom = 0.0;
};

/// Fails if the energy of the total momentum exceeds kT/2 per direction significantly (a
/// probability below 1e-4), and by 1 % of the total kinetic energy: for example motion that a field
/// drives or has left behind, which is not heat.
[[nodiscard]] Finding judge_whole_motion(const WholeMotion& facts);

/// For a stage with a bath, by the variance of the kinetic energy over the canonical one, (f/2)
/// (kT)^2. Fails if the ratio deviates from 1 by more than a tenth and with a probability below
/// 1e-4 (3.89 errors of its logarithm from many independent samples, more from few): the bath does
/// not mix, as a Nosé bath with a large mass, though means may be right.
[[nodiscard]] Finding judge_fluctuations(const DerivedEstimate& kinetic_variance,
                                         double independent_samples);

/// A quantity that shows slow motion: its estimate over the averaged part of the stage, and over
/// the part that detection of equilibrium would keep.
struct Average {
    std::string name;
    Estimate kept, settled;
};

/// Fails if detection discards more than half of a series, or if samples that it would discard, but
/// that are averaged, change the mean significantly (by 3.89 errors, a probability of 1e-4).
[[nodiscard]] Finding judge_equilibrium(std::span<const Average> averages);

/// Fails if the error of one of these is not reliable: fewer than 50 independent samples, no
/// plateau, or an error by autocorrelation time above that by blocking (see
/// `Estimate::errors_agree`). `unasked`: steps between two samples if the input observes none of
/// these quantities, otherwise 0.
[[nodiscard]] Finding judge_samples(std::span<const Average> averages, std::int64_t unasked = 0);

} // namespace shadow
