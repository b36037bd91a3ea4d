// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/statistics/drift.hpp"
#include "shadow/statistics/estimate.hpp"
#include "shadow/statistics/jackknife.hpp"

#include <array>
#include <span>
#include <string>
#include <utility>

/// Whether what a stage averaged can be trusted: rules, each of numbers alone.
namespace shadow {

/// One part of a verdict.
struct Finding {
    bool judged = false; ///< there was something to judge
    bool passed = true;
    std::string message = {}; ///< why not, and what to do; or what to keep in mind though it passed
};

/// The verdict on a stage.
struct Verdict {
    Finding conserved, temperature, fluctuations, equilibrium, samples;

    /// Its parts with their names.
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

/// What is known of the conserved quantity of a method.
struct Conservation {
    std::string name;
    Drift drift;
    double time = 0.0;                ///< of the stage
    double degrees_of_freedom = 0.0;  ///< f
    double kT = 0.0;                  ///< by the mean kinetic energy
    double kinetic_deviation = 0.0;   ///< standard deviation of kinetic energy
    double energy = 0.0;              ///< mean |K| + |U|: rounding is relative to it
    double friction = 0.0;            ///< of a bath with noise; 0: without
    double period = 0.0;              ///< of the swings by a thermostat; 0: without
    std::optional<Drift> shadow = {}; ///< of the shadow energy, where it is observed
    double power = 0.0;               ///< of a shear
};

/// Fails if energy comes or goes, or if the quantity fluctuates as no good method lets it.
///
/// Drift: significant (four of its errors), and more than 0.001 kT per degree of freedom over the
/// stage. With a heat capacity of about f k this moves the temperature by 0.1 %, as much as errors
/// of means usually are. Friction takes heat away at the rate gamma f (T - T_bath) k, so that under
/// a bath only what comes within 1/gamma counts, and within a period by a thermostat that swings.
/// The shadow energy, if it is known, drifts as the quantity does, but its error is far smaller: it
/// stands for it.
///
/// Beside a shear 0.005 of its power is no matter: so much less than the rate would heat.
///
/// Fluctuation, without noise: more than a twentieth of that of kinetic energy. For velocity Verlet
/// it grows as the square of the step; in a Lennard-Jones liquid it is 0.003 at dt = 0.005, 0.01 at
/// 0.01, and 0.05 at 0.02, where energy begins to drift. A potential that is cut at 2.5 sigma
/// without a shift has 0.1. (Van Gunsteren and Berendsen 1977, Mol. Phys. 34, 1311, allow 0.2.)
/// Less than 0.001 of the thermal fluctuation kT sqrt(f/2), or 1e-6 of the energy, is no matter.
[[nodiscard]] Finding judge_conservation(const Conservation& facts);

/// The temperature of a stage with a bath.
struct BathTemperature {
    Estimate mean;
    double bath = 0.0; ///< its temperature
    double degrees_of_freedom = 0.0;
    double time = 0.0;     ///< over which the mean was taken
    double friction = 0.0; ///< rate at which the bath works; 0: unknown
    bool in_shear = false; ///< the fluid, which heats it
};

/// Fails if the stage lasts less than ten relaxation times 1/friction, since then neither mean nor
/// error are those of the bath's ensemble; or if the mean is as far from the bath's temperature as
/// by a chance of 1e-4 (`chance_of`), and by more than 1 %: so much the step may do, which moves
/// the kinetic temperature of Verlet and BAOAB by -(omega dt)^2/4 (Leimkuhler and Matthews 2013, J.
/// Chem. Phys. 138, 174102), 0.4 % in a Lennard-Jones liquid at dt = 0.005.
[[nodiscard]] Finding judge_temperature(const BathTemperature& facts);

/// The temperature of the motion along a direction.
struct DirectionalMean {
    std::string name;
    Estimate mean;
};

/// Fails if one of these is as far from that of all motion, with the errors of both, as by a chance
/// of 1e-4, and by more than 1 %, as above, and what `uneven` degrees of freedom have of the
/// `degrees_of_freedom` of each: so many are missing together, it is not known along which
/// direction. Particles that nothing mixes, such as those of an ideal gas under a Nosé bath, keep
/// what they have, whatever the temperature is.
[[nodiscard]] Finding judge_directions(const Estimate& temperature,
                                       std::span<const DirectionalMean> directions,
                                       double degrees_of_freedom, double uneven = 0.0);

/// Motion of all particles together along directions in which nothing conserves it.
struct WholeMotion {
    Estimate squares;   ///< sum of P^2 along these directions
    int directions = 0; ///< how many
    double mass = 0.0;  ///< of all particles
    double kT = 0.0;    ///< by the mean kinetic energy
    double degrees_of_freedom = 0.0;
};

/// Fails if the momentum of the whole has more energy than kT/2 along each direction by a chance of
/// 1e-4, and by 1 % of all kinetic energy: such as what a field has left behind, or drives, which
/// is no heat.
[[nodiscard]] Finding judge_whole_motion(const WholeMotion& facts);

/// Of a stage with a bath, by the variance of the kinetic energy over the canonical one, (f/2)
/// (kT)^2. Fails if that is off by more than a tenth and by a chance of 1e-4 (3.89 errors): the
/// bath has not mixed what it should, as one of Nosé does not whose mass is large, though means may
/// be right.
[[nodiscard]] Finding judge_fluctuations(const DerivedEstimate& kinetic_variance);

/// A quantity in which slow motion shows, over what is averaged of the stage and over what
/// detection would leave of it.
struct Average {
    std::string name;
    Estimate kept, settled;
};

/// Fails if detection leaves out more than half of a series, or if what it would leave out, and is
/// kept, moves the mean by a chance of 1e-4 (3.89 errors).
[[nodiscard]] Finding judge_equilibrium(std::span<const Average> averages);

/// Fails if the error of one of these is not reliable: fewer than 50 independent samples, no
/// plateau, or an error by autocorrelation time above that by blocking (see
/// `Estimate::errors_agree`). `unasked`: steps between two samples where the input asks for none of
/// these, 0 where it does.
[[nodiscard]] Finding judge_samples(std::span<const Average> averages, std::int64_t unasked = 0);

} // namespace shadow
