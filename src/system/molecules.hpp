// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/setup.hpp"

#include <array>
#include <cstdint>
#include <vector>

/// `[[molecule]]`: what is bonded, and how it is placed.
namespace shadow {

/// One table, for `count` equal molecules.
template <int Dim>
struct Molecule {
    Parameters table;
    std::int64_t count;
    std::vector<std::uint16_t> species; ///< of each atom
    Topology topology;                  ///< of one, its atoms counted from 0
    Points<Dim> places;                 ///< of its atoms; empty: along a path of sites

    [[nodiscard]] auto atoms() const { return static_cast<std::int64_t>(species.size()); }
};

/// All tables, validated; species by their position in `species`. Throws InputError, located in the
/// input, also for a species that is in none of them, and for molecules beyond the number of
/// `places` of a lattice or particles of a file.
template <int Dim>
[[nodiscard]] std::vector<Molecule<Dim>>
read_molecules(const Parameters& root, const std::vector<Species>& species, std::int64_t places);

/// Puts molecules with places on `sites`, one on each, turned at random, their centre of mass
/// there; or else lays them one behind the other along `sites`. Fills positions, images, species
/// and the topology of `setup`, whose species table and box are known. `lattice` is for messages.
template <int Dim>
void place_molecules(const std::vector<Molecule<Dim>>& molecules, const Points<Dim>& sites,
                     const Parameters& lattice, std::uint64_t seed, Setup<Dim>& setup);

/// The topology of particles that are there already, in the order of the tables: all of the first
/// molecule, then of the second ...
template <int Dim>
void bond_particles(const Parameters& root, Setup<Dim>& setup);

/// The atoms of molecules around their centres of mass, turned at random, kind by kind.
template <int Dim>
[[nodiscard]] Points<Dim> placed_around(const std::vector<Molecule<Dim>>& molecules,
                                        const Points<Dim>& sites,
                                        const std::vector<Species>& species, std::uint64_t seed);

/// Excludes pairs of bonded `particles` by `exclude` of a table, which has to be there, and scales
/// those three bonds apart by its `scale_14`.
void read_exclusions(const Parameters& table, std::int64_t particles, Topology& topology);

/// Do their atoms lie along a path, rather than around a site of their own?
template <int Dim>
[[nodiscard]] bool lie_along_path(const std::vector<Molecule<Dim>>& molecules);

/// Numbers of the cells of a lattice such that each is a neighbour of the one before.
template <int Dim>
[[nodiscard]] std::vector<std::size_t> serpentine(const std::array<std::int64_t, Dim>& repeat);

} // namespace shadow
