// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/forces/pair_table.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/potentials/potential.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// Where the formula of a potential is: compiled, in a list of texts, in the input, in a file.
enum class CurveKind { compiled, named, formula, file };

/// A potential without its type.
struct PotentialTraits {
    const PotentialInfo* info = nullptr;
    int kernel = 0;                                    ///< position in `GeneralInteractions`
    double (*implied_cutoff)(const double*) = nullptr; ///< null: the input gives it
    bool has_tail = false; ///< is there a correction beyond the cut-off?
    CurveKind kind = CurveKind::compiled;
    const char* formula = "";          ///< of a named one
    bool bare = false;                 ///< is it summed over all pairs of an open system?
    const char* self_energy = nullptr; ///< the equation of self-energies
    const char* (*problem)(const double*) = nullptr; ///< of the numbers of a pair; null: none
};
/// The traits of the potential at a position in `Potentials`.
[[nodiscard]] PotentialTraits potential_traits(int index);

/// May scaled pairs have parameters of their own?
[[nodiscard]] bool has_pairs_14(const PotentialTraits& traits);

/// Warns if charges are damped so much that hardly any force is left.
void warn_of_damping(const Parameters& table, double alpha, double cutoff);

/// Properties of a system that matter for its forces.
struct ForceSurroundings {
    int dimension;
    const std::vector<Species>& species;
    double coulomb;                  ///< energy * length per charge squared
    double inertia;                  ///< a unit of mass in energy time^2 / length^2
    bool open, periodic;             ///< in every direction
    double shortest_periodic_length; ///< infinite if open
    const std::vector<std::string>& levels;
    const std::string& folder; ///< of the input
};

/// The key `level` of a table, or another that means one; `otherwise` where it is absent.
[[nodiscard]] ForceLevel read_level(const Parameters& table, const std::vector<std::string>& levels,
                                    const std::string& otherwise, const char* key = "level");

/// Throws if a pair would meet two images of its partner; `length`: the shortest periodic one.
void refuse_long_cutoff(const Parameters& from, std::string_view key, double cutoff, double length);

/// One `[[force]]` table whose type is a pair potential: one description, or two where it is split
/// into a fast and a slow part.
[[nodiscard]] std::vector<PairForceDescription> read_force(const Parameters& table,
                                                           const PotentialTraits& traits,
                                                           const ForceSurroundings& surroundings);

} // namespace shadow
