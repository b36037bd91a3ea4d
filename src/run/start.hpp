// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/summary.hpp"
#include "shadow/system/units.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace shadow {

/// The state of a run before its first step, in the units of the run.
struct Start {
    int dimension = 3;
    std::int64_t particles = 0;
    std::vector<SpeciesSummary> species;
    std::vector<double> lengths; ///< infinite where the box is open
    std::vector<NamedTilt> tilts;
    double density = 0.0; ///< 1/length^dimension; 0: the box is open
    double temperature = 0.0, degrees_of_freedom = 0.0;
    double potential_energy = 0.0; ///< per particle
    double largest_force = 0.0;
    double coarseness = 0.0; ///< of pairs without cut-off in single precision (start_check.hpp)
    std::vector<std::string> steps; ///< vibrations and the step, stage by stage
    std::string bonded;             ///< "9800 bonds, 9600 angles; 9800 pairs excluded", or ""
    ChargesSummary charges;
    std::string file_units; ///< of velocities read from a file; or ""
    bool charges_act = false, charges_are_damped = false, charges_are_bare = false;
    bool opposites_meet = true;       ///< false: all pairs of opposite charges are excluded
    std::int64_t excluded_beyond = 0; ///< excluded pairs beyond the cut-off of truncated charges
    double c_rf = 0.0;                ///< of a reaction field; 0: none
    double field_energy = 0.0;        ///< k c_rf q^2/2, which energies do not include; per particle

    std::int64_t frames = 0; ///< of the trajectory
    double trajectory_bytes = 0.0, series_bytes = 0.0, checkpoint_bytes = 0.0;

    [[nodiscard]] double charge() const; ///< of all particles
};

/// Lines for the log and for `--check`.
[[nodiscard]] std::vector<std::string> start_lines(const Start& start, const Units& units);

/// Warnings of probable mistakes: charges on which nothing acts or which should be neutral, and
/// velocities that are too slow or too fast in the units in which their file is read.
[[nodiscard]] std::vector<std::string> start_warnings(const Start& start, const Units& units);

} // namespace shadow
