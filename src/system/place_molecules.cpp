// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"

#include "shadow/system/species.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <utility>

namespace shadow {

template <int Dim>
Rotation<Dim> random_rotation(std::uint64_t seed, std::uint32_t k, std::uint64_t trial) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::orientations);
    const Philox draw(seed, stream, k, trial), other(seed, stream, k, trial, 1);
    const double turn = 2.0 * std::numbers::pi * draw.uniform(0);
    if constexpr (Dim == 1) return {{{draw.uniform(0) < 0.5 ? 1.0 : -1.0}}};
    if constexpr (Dim == 2)
        return {{{std::cos(turn), -std::sin(turn)}, {std::sin(turn), std::cos(turn)}}};
    if constexpr (Dim == 3) {
        const double second = 2.0 * std::numbers::pi * draw.uniform(1), u = other.uniform(0);
        const double w = std::sqrt(1.0 - u) * std::sin(turn),
                     x = std::sqrt(1.0 - u) * std::cos(turn), y = std::sqrt(u) * std::sin(second),
                     z = std::sqrt(u) * std::cos(second);
        return {{{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                 {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                 {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}}};
    }
}

template <int Dim>
Points<Dim> centred(const Molecule<Dim>& molecule, const std::vector<Species>& species) {
    std::array<double, Dim> centre{};
    double mass = 0.0;
    for (std::size_t i = 0; i < molecule.places.size(); ++i) {
        const double m = species[molecule.species[i]].mass;
        for (std::size_t d = 0; d < Dim; ++d) centre[d] += m * molecule.places[i][d];
        mass += m;
    }
    Points<Dim> places = molecule.places;
    for (auto& x : places)
        for (std::size_t d = 0; d < Dim; ++d) x[d] -= centre[d] / mass;
    return places;
}

template <int Dim>
Points<Dim> placed_around(const std::vector<Molecule<Dim>>& molecules, const Points<Dim>& sites,
                          const std::vector<Species>& species, std::uint64_t seed) {
    std::vector<double> counts;
    for (const Molecule<Dim>& molecule : molecules)
        counts.push_back(static_cast<double>(molecule.count));
    // Which molecule is on which site.
    const auto kinds = shuffled_species(static_cast<std::int64_t>(sites.size()), counts, seed);
    Points<Dim> all;
    std::uint32_t number = 0;
    for (std::size_t kind = 0; kind < molecules.size(); ++kind) {
        const Points<Dim> places = centred(molecules[kind], species);
        for (std::size_t site = 0; site < sites.size(); ++site) {
            if (kinds[site] != kind) continue;
            const auto rotation = random_rotation<Dim>(seed, number++);
            for (const auto& place : places)
                all.push_back(turned<Dim>(place, rotation, sites[site]));
        }
    }
    return all;
}

template <int Dim>
std::vector<std::size_t> serpentine(const std::array<std::int64_t, Dim>& repeat) {
    std::vector<std::size_t> order = {0};
    std::size_t block = 1; // cells of the directions so far, from the last
    for (std::size_t d = Dim; d-- > 0;) {
        const auto count = static_cast<std::size_t>(repeat[d]);
        std::vector<std::size_t> longer;
        longer.reserve(order.size() * count);
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < order.size(); ++i)
                longer.push_back(k * block + order[k % 2 == 0 ? i : order.size() - 1 - i]);
        order = std::move(longer);
        block *= count;
    }
    return order;
}

template <int Dim>
bool lie_along_path(const std::vector<Molecule<Dim>>& molecules) {
    return std::any_of(molecules.begin(), molecules.end(),
                       [](const Molecule<Dim>& m) { return m.places.empty(); });
}

template <int Dim>
void place_molecules(const std::vector<Molecule<Dim>>& molecules, const Points<Dim>& sites,
                     const Parameters& lattice, std::uint64_t seed, Setup<Dim>& setup) {
    const bool path = lie_along_path(molecules);
    const std::int64_t atoms = count_atoms(molecules);
    std::int64_t count = 0;
    for (const Molecule<Dim>& molecule : molecules) count += molecule.count;
    const std::int64_t wanted = path ? atoms : count;
    if (wanted != static_cast<std::int64_t>(sites.size()))
        lattice.fail("type",
                     fmt::format("{} places for {} {} (one for each); correct `repeat` or "
                                 "`count`",
                                 sites.size(), wanted,
                                 path ? "atoms of molecules without `places`" : "molecules"));
    for (const Molecule<Dim>& molecule : molecules)
        if (molecule.growth)
            molecule.table.fail("grow",
                                "`grow` on a lattice (its atoms lie along a path there); use "
                                "type = \"insertion\", or remove it");
    for (const Molecule<Dim>& molecule : molecules)
        if (path && molecule.table.has("places"))
            molecule.table.fail(
                "places",
                "places together with a molecule without (atoms without places lie along a path "
                "through the lattice, so all molecules must); give all of them places, or none");
    fill_start<Dim>(molecules,
                    path ? sites
                         : placed_around<Dim>(molecules, sites, setup.start.species_table, seed),
                    setup);
}

template <int Dim>
void fill_start(const std::vector<Molecule<Dim>>& molecules, Points<Dim> places,
                Setup<Dim>& setup) {
    Snapshot<Dim>& start = setup.start;
    start.position = std::move(places);
    for (const Molecule<Dim>& molecule : molecules)
        for (std::int64_t k = 0; k < molecule.count; ++k)
            start.species.insert(start.species.end(), molecule.species.begin(),
                                 molecule.species.end());
    start.image.assign(start.size(), {});
    for (std::size_t i = 0; i < start.size(); ++i)
        setup.box.bring_in(start.position[i], start.image[i]);
    append_topology(molecules, setup.topology);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Points<Dim> placed_around<Dim>(const std::vector<Molecule<Dim>>&, const Points<Dim>&, \
                                            const std::vector<Species>&, std::uint64_t);           \
    template std::vector<std::size_t> serpentine<Dim>(const std::array<std::int64_t, Dim>&);       \
    template Rotation<Dim> random_rotation<Dim>(std::uint64_t, std::uint32_t, std::uint64_t);      \
    template Points<Dim> centred<Dim>(const Molecule<Dim>&, const std::vector<Species>&);          \
    template void fill_start<Dim>(const std::vector<Molecule<Dim>>&, Points<Dim>, Setup<Dim>&);    \
    template void place_molecules<Dim>(const std::vector<Molecule<Dim>>&, const Points<Dim>&,      \
                                       const Parameters&, std::uint64_t, Setup<Dim>&);             \
    template bool lie_along_path<Dim>(const std::vector<Molecule<Dim>>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
