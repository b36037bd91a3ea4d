// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/pair_system.hpp"

#include "shadow/forces/pair_force.hpp"

#include <string>
#include <vector>

/// Pair potentials with each truncation, alone, combined, in parts, as tables and in mixtures.
namespace shadow::test::pair_cases {

struct Case {
    std::string name;
    PairForceDescription description;
    std::vector<oracle::Pair> pairs; ///< by (a * species + b)
    int species = 1;
    std::vector<double> self = {0.0, 0.0}; ///< self-energies of particles, by species
};

/// Lennard-Jones with each truncation.
[[nodiscard]] std::vector<Case> truncations();
[[nodiscard]] std::vector<Case> mixtures();
/// All cases.
[[nodiscard]] std::vector<Case> cases();

} // namespace shadow::test::pair_cases
