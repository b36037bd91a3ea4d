// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/insertion.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// The longest distance between atoms of a molecule with given positions.
template <int Dim>
double longest_distance(const Molecule<Dim>& molecule) {
    double longest = 0.0;
    for (const auto& a : molecule.places)
        for (const auto& b : molecule.places)
            longest = std::max(longest, distance_between<Dim>(a, b));
    return longest;
}

/// Throws if a molecule is so small in its region that coordinates have too few digits for it.
template <int Dim>
void refuse_unresolved(const Molecule<Dim>& molecule, double size, const Place<Dim>& region) {
    const double edge = *std::max_element(region.begin(), region.end());
    if (!(edge < 1e9 * size))
        molecule.table.fail(
            "", fmt::format("a molecule or bond of {:.6g} in a box of {:.6g} (too few of the 16 "
                            "digits of a position are left for it); shorten the box",
                            size, edge));
}

/// Throws if a molecule is too large for any trial to place it.
template <int Dim>
void refuse_large(const Molecule<Dim>& molecule, const Place<Dim>& region, const Box<Dim>& box,
                  double distance) {
    double shortest = std::numeric_limits<double>::infinity(), diagonal = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        if (box.periodic()[d]) shortest = std::min(shortest, region[d]);
        diagonal = std::hypot(diagonal, region[d]);
    }
    if (molecule.growth) {
        const Growth& growth = *molecule.growth;
        refuse_unresolved<Dim>(molecule, growth.shortest, region);
        if (4.0 * growth.longest > shortest)
            molecule.table.fail("grow", fmt::format("a bond of length {} in a box of {} (four of "
                                                    "them go around it, so that atoms two bonds "
                                                    "apart would meet images); lengthen the box",
                                                    growth.longest, shortest));
    } else if (molecule.atoms() > 1) {
        const double longest = longest_distance(molecule);
        refuse_unresolved<Dim>(molecule, longest, region);
        if (!(longest + distance <= shortest))
            molecule.table.fail("places", fmt::format("a molecule {:.6g} long in a box of {:.6g} "
                                                      "(it would come within {} of its own "
                                                      "image); lengthen the box, or place the "
                                                      "molecules on a lattice",
                                                      longest, shortest, distance));
        if (!(longest <= diagonal))
            molecule.table.fail("places", fmt::format("a molecule {:.6g} long in a region with a "
                                                      "diagonal of {:.6g} (its atoms are all "
                                                      "inside); lengthen the box",
                                                      longest, diagonal));
    }
}

double read_distance(const Parameters& lattice) {
    const double distance = lattice.number("distance");
    if (!(distance >= 0.0 && distance < 1e100))
        lattice.fail("distance", fmt::format("distance {} (between atoms of different molecules, "
                                             "at least); give a length, or 0 where they may "
                                             "overlap",
                                             distance));
    return distance;
}

template <int Dim>
Points<Dim> insert_all(const std::vector<Molecule<Dim>>& molecules, const Parameters& lattice,
                       double distance, Insertion<Dim>& insertion, const Setup<Dim>& setup,
                       const Place<Dim>& region) {
    std::int64_t count = 0;
    for (const Molecule<Dim>& molecule : molecules) count += molecule.count;
    std::uint32_t number = 0;
    for (const Molecule<Dim>& molecule : molecules) {
        const Points<Dim> shape =
            molecule.growth ? Points<Dim>{} : centred(molecule, setup.start.species_table);
        for (std::int64_t k = 0; k < molecule.count; ++k, ++number) {
            if (molecule.growth ? insertion.grow(*molecule.growth, number)
                                : insertion.place(shape, number))
                continue;
            double volume = 1.0;
            for (const double length : region) volume *= length;
            const std::string why =
                molecule.growth
                    ? fmt::format("its walk came to {} dead ends", Insertion<Dim>::dead_ends)
                    : fmt::format("none of {} random positions is free", Insertion<Dim>::trials);
            lattice.fail("distance",
                         fmt::format("no room for molecule {} of {} ({}, where atoms stay {} away "
                                     "from those of others; the density has come to {:.4g} of "
                                     "{:.4g}); lower distance or the density, put large molecules "
                                     "first, or place them on a lattice",
                                     number + 1, count, why, distance,
                                     static_cast<double>(insertion.most()) / volume,
                                     static_cast<double>(count_atoms(molecules)) / volume));
        }
    }
    return insertion.take();
}

} // namespace

template <int Dim>
Setup<Dim> start_by_insertion(const Parameters& root, const BoxInput<Dim>& box,
                              const Parameters& lattice, std::vector<Species> species,
                              std::uint64_t seed) {
    const double distance = read_distance(lattice);
    const auto molecules =
        read_molecules<Dim>(root, species, std::numeric_limits<std::int64_t>::max());
    if (molecules.empty())
        lattice.fail("type", "insertion without a [[molecule]] (molecules are inserted, be it of "
                             "one atom); add one, or use type = \"random\"");
    const std::int64_t atoms = count_atoms(molecules);
    const Place<Dim> region = region_of<Dim>(box, atoms, lattice);
    Setup<Dim> setup;
    setup.box = Box<Dim>(region, box.periodic);
    setup.start.species_table = std::move(species);
    for (const Molecule<Dim>& molecule : molecules) {
        if (molecule.places.empty() && !molecule.growth)
            molecule.table.fail("places", "a molecule with neither `places` nor `grow` (it is "
                                          "inserted as it is, or grown); give one of them");
        refuse_large<Dim>(molecule, region, setup.box, distance);
    }
    Insertion<Dim> insertion(setup.box, region, distance, atoms, seed);
    fill_start<Dim>(molecules,
                    insert_all<Dim>(molecules, lattice, distance, insertion, setup, region), setup);
    setup.start.momentum.assign(setup.start.size(), {});
    return setup;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Setup<Dim> start_by_insertion(const Parameters&, const BoxInput<Dim>&,                \
                                           const Parameters&, std::vector<Species>,                \
                                           std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
