// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/system/start.hpp"

#include "shadow/core/parameters.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/setup.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

/// `[[molecule]]`: what is bonded, and how it is placed.
namespace shadow {

/// How a molecule is grown as a random walk, atom by atom.
struct Growth {
    struct Step {
        std::uint32_t atom;              ///< its number
        std::size_t from = 0;            ///< the step whose atom it is bonded to; not of the first
        double length = 0.0;             ///< of this bond
        std::vector<std::size_t> second; ///< steps before, whose atoms are two bonds away
    };
    std::vector<Step> steps;
    double distance;          ///< between atoms two bonds apart, at least
    double shortest, longest; ///< bonds
};

/// One table, for `count` equal molecules.
template <int Dim>
struct Molecule {
    Parameters table;
    std::int64_t count;
    std::vector<std::uint16_t> species; ///< of each atom
    Topology topology;                  ///< of one, its atoms counted from 0
    Points<Dim> places;                 ///< of its atoms; empty: along a path of sites, or grown
    std::optional<Growth> growth;

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

/// Positions, images, species and the topology of `setup`, from the places of all atoms.
template <int Dim>
void fill_start(const std::vector<Molecule<Dim>>& molecules, Points<Dim> places, Setup<Dim>& setup);

/// Puts molecules at random, those with places as they are, turned at random, the others by random
/// walks. `lattice` says how far atoms of different molecules, and those of a walk that are more
/// than two bonds apart, are from each other at least. Throws InputError, located there, where no
/// room is left for one.
template <int Dim>
[[nodiscard]] Setup<Dim> start_by_insertion(const Parameters& root, const BoxInput<Dim>& box,
                                            const Parameters& lattice, std::vector<Species> species,
                                            std::uint64_t seed);

/// `grow` of a molecule, and lengths of its bonds; nothing where it has none.
[[nodiscard]] std::optional<Growth> read_growth(const Parameters& table, std::int64_t atoms,
                                                const Topology& topology);

/// The topology of particles that are there already, in the order of the tables: all of the first
/// molecule, then of the second ...
template <int Dim>
void bond_particles(const Parameters& root, Setup<Dim>& setup);

/// The atoms of molecules around their centres of mass, turned at random, kind by kind.
template <int Dim>
[[nodiscard]] Points<Dim> placed_around(const std::vector<Molecule<Dim>>& molecules,
                                        const Points<Dim>& sites,
                                        const std::vector<Species>& species, std::uint64_t seed);

/// Rows of a rotation, one for each direction.
template <int Dim>
using Rotation = std::array<std::array<double, Dim>, Dim>;

/// Uniform among all orientations (in space by a random unit quaternion, Shoemake 1992; on a line
/// there are two); of molecule k, and its trial of that number.
template <int Dim>
[[nodiscard]] Rotation<Dim> random_rotation(std::uint64_t seed, std::uint32_t k,
                                            std::uint64_t trial = 0);

template <int Dim>
[[nodiscard]] std::array<double, Dim> turned(const std::array<double, Dim>& place,
                                             const Rotation<Dim>& rotation,
                                             std::array<double, Dim> centre) {
    for (std::size_t p = 0; p < Dim; ++p)
        for (std::size_t q = 0; q < Dim; ++q) centre[p] += rotation[p][q] * place[q];
    return centre;
}

/// Places of its atoms relative to the centre of mass.
template <int Dim>
[[nodiscard]] Points<Dim> centred(const Molecule<Dim>& molecule,
                                  const std::vector<Species>& species);

/// Of all molecules.
template <int Dim>
[[nodiscard]] std::int64_t count_atoms(const std::vector<Molecule<Dim>>& molecules);
/// Of all, in their order.
template <int Dim>
void append_topology(const std::vector<Molecule<Dim>>& molecules, Topology& topology);

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
