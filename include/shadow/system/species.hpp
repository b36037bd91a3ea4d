// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/system/particles.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// How many of `count` particles each species gets: the nearest integers to fraction * count which
/// sum to count (largest remainder; the first wins a tie). Fractions are scaled to sum to one.
[[nodiscard]] std::vector<std::int64_t> species_counts(std::int64_t count,
                                                       std::span<const double> fractions);

/// The species of each particle: those counts, in random order.
[[nodiscard]] std::vector<std::uint16_t>
shuffled_species(std::int64_t count, std::span<const double> fractions, std::uint64_t seed);

/// "", or why a species cannot have this name, as a message: it becomes part of names of datasets.
[[nodiscard]] std::string why_no_species_name(const std::string& name);

template <int Dim>
struct LoadedSystem;

/// `[[species]]` of the input for particles that have none yet.
struct SpeciesInput {
    std::vector<Species> table;
    std::vector<double> fractions;
};

/// Default: one species "A" of mass 1 and charge 0. Throws InputError for names given twice, masses
/// not above zero, and fractions that are missing, negative, or do not sum to 1. On an `ordered`
/// lattice there are no fractions: its sublattices say which particle is of which species.
[[nodiscard]] SpeciesInput read_species(const Parameters& root, bool ordered = false);

/// Puts masses and charges of `[[species]]` into the table of a file, by name; particles keep their
/// velocities, or their momenta where the file gives these. Throws InputError for names that are
/// not in the table, and for a momentum without a mass.
template <int Dim>
void override_species(const Parameters& root, LoadedSystem<Dim>& loaded);

} // namespace shadow
