// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"

#include "shadow/system/species.hpp"

#include "kernels/philox.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace shadow {
namespace {

/// Uniform among all orientations; a row for each direction (in space by a random unit quaternion,
/// Shoemake 1992; on a line there are two).
template <int Dim>
std::array<std::array<double, Dim>, Dim> random_rotation(std::uint64_t seed, std::uint32_t k) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::orientations);
    const Philox draw(seed, stream, k, 0), other(seed, stream, k, 0, 1);
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

/// Places relative to the centre of mass.
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

} // namespace

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
            for (const auto& place : places) {
                auto x = sites[site];
                for (std::size_t p = 0; p < Dim; ++p)
                    for (std::size_t q = 0; q < Dim; ++q) x[p] += rotation[p][q] * place[q];
                all.push_back(x);
            }
        }
    }
    return all;
}

template <int Dim>
std::vector<std::size_t> serpentine(const std::array<std::int64_t, Dim>& repeat) {
    std::vector<std::size_t> order = {0};
    std::size_t block = 1; // cells of the directions so far, the last first
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

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Points<Dim> placed_around<Dim>(const std::vector<Molecule<Dim>>&, const Points<Dim>&, \
                                            const std::vector<Species>&, std::uint64_t);           \
    template std::vector<std::size_t> serpentine<Dim>(const std::array<std::int64_t, Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
