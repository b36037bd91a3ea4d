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
        std::size_t from = 0;            ///< the step to whose atom it is bonded; not of the first
        double length = 0.0;             ///< of this bond
        std::vector<std::size_t> second; ///< earlier steps whose atoms are two bonds away
    };
    std::vector<Step> steps;
    double distance;          ///< minimum between atoms two bonds apart
    double shortest, longest; ///< lengths of bonds
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

/// Puts molecules with places on `sites`, one on each, with their centre of mass there, in random
/// orientation; or else lays their atoms one after the other along `sites`. Fills positions,
/// images, species and the topology of `setup`, whose species table and box are known. `lattice` is
/// for messages.
template <int Dim>
void place_molecules(const std::vector<Molecule<Dim>>& molecules, const Points<Dim>& sites,
                     const Parameters& lattice, std::uint64_t seed, Setup<Dim>& setup);

/// Fills positions, images, species and the topology of `setup` from the positions of all atoms.
template <int Dim>
void fill_start(const std::vector<Molecule<Dim>>& molecules, Points<Dim> places, Setup<Dim>& setup);

/// Inserts molecules at random: those with places rigidly, in random orientation, the others as
/// random walks. `lattice` gives the minimum distance between atoms of different molecules, and
/// between those of a walk that are more than two bonds apart. Throws InputError, located there, if
/// there is no room for a molecule.
template <int Dim>
[[nodiscard]] Setup<Dim> start_by_insertion(const Parameters& root, const BoxInput<Dim>& box,
                                            const Parameters& lattice, std::vector<Species> species,
                                            std::uint64_t seed);

/// `grow` of a molecule, and lengths of its bonds; nothing if it is not grown.
[[nodiscard]] std::optional<Growth> read_growth(const Parameters& table, std::int64_t atoms,
                                                const Topology& topology);

/// Sets the topology of particles that exist already, in the order of the tables: all of the first
/// molecule, then of the second ...
template <int Dim>
void bond_particles(const Parameters& root, Setup<Dim>& setup);

/// Positions of the atoms of all molecules, their centres of mass on `sites`, in random
/// orientation, kind by kind.
template <int Dim>
[[nodiscard]] Points<Dim> placed_around(const std::vector<Molecule<Dim>>& molecules,
                                        const Points<Dim>& sites,
                                        const std::vector<Species>& species, std::uint64_t seed);

/// Rows of a rotation, one for each direction.
template <int Dim>
using Rotation = std::array<std::array<double, Dim>, Dim>;

/// Uniform among all orientations (in 3D by a random unit quaternion, Shoemake 1992; in 1D there
/// are two), for molecule k and its trial of this number.
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

/// Positions of its atoms relative to the centre of mass.
template <int Dim>
[[nodiscard]] Points<Dim> centred(const Molecule<Dim>& molecule,
                                  const std::vector<Species>& species);

/// Of all molecules. Throws InputError if ids would have more than 31 bits.
template <int Dim>
[[nodiscard]] std::int64_t count_atoms(const std::vector<Molecule<Dim>>& molecules);
/// Appends the topologies of all molecules, in their order.
template <int Dim>
void append_topology(const std::vector<Molecule<Dim>>& molecules, Topology& topology);

/// Excludes pairs of bonded `particles` by the required key `exclude` of a table, and scales those
/// three bonds apart by its `scale_14`.
void read_exclusions(const Parameters& table, std::int64_t particles, Topology& topology);

/// Do their atoms lie along a path, rather than each molecule around its site?
template <int Dim>
[[nodiscard]] bool lie_along_path(const std::vector<Molecule<Dim>>& molecules);

/// Numbers of the cells of a lattice such that each is a neighbour of the one before.
template <int Dim>
[[nodiscard]] std::vector<std::size_t> serpentine(const std::array<std::int64_t, Dim>& repeat);

} // namespace shadow
