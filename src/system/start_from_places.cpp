// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/molecules.hpp"
#include "src/system/start.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/species.hpp"

#include <cmath>
#include <fmt/ranges.h>
#include <limits>
#include <unistd.h>

namespace shadow {

namespace {

constexpr std::int64_t max_particles = std::numeric_limits<std::int32_t>::max();

/// What a lattice or a random placement gives: points and the region they fill.
template <int Dim>
struct Placement {
    Points<Dim> points;
    std::array<double, Dim> region;
    LatticeCell<Dim> cell = {};                ///< which fills the region
    std::array<std::int64_t, Dim> repeat = {}; ///< cells in each direction; 0: there are none
    std::vector<std::string> warnings = {};

    [[nodiscard]] bool ordered() const { return cell.sublattices() > 1; }
};

template <int Dim>
std::int64_t count_particles(const Parameters& lattice, const std::array<std::int64_t, Dim>& repeat,
                             std::size_t per_cell) {
    double count = static_cast<double>(per_cell);
    for (const std::int64_t n : repeat) {
        if (n <= 0)
            lattice.fail("repeat", fmt::format("repeat of {} cells (there is at least one in each "
                                               "direction); give a positive number",
                                               n));
        count *= static_cast<double>(n);
    }
    if (count > static_cast<double>(max_particles))
        lattice.fail("repeat", fmt::format("{:.4g} particles (their ids have 31 bits); repeat the "
                                           "cell fewer times",
                                           count));
    return static_cast<std::int64_t>(count);
}

template <int Dim>
Placement<Dim> place_on_lattice(const Parameters& lattice, const std::string& type,
                                const BoxInput<Dim>& box, std::uint64_t seed) {
    const auto cell = lattice_cell<Dim>(type);
    const auto repeat = one_for_each_direction<Dim>(lattice, "repeat", lattice.integers("repeat"));
    refuse_beyond_memory<Dim>(lattice, "repeat",
                              count_particles<Dim>(lattice, repeat, cell.basis.size()));
    if (box.density && lattice.has("constant"))
        lattice.fail("constant", "a lattice constant together with box.density (one follows from "
                                 "the other); remove one");
    const double constant =
        box.density ? lattice_constant<Dim>(cell, *box.density) : lattice.positive("constant");
    Placement<Dim> placed;
    for (std::size_t d = 0; d < Dim; ++d) {
        placed.region[d] = static_cast<double>(repeat[d]) * cell.edge[d] * constant;
        // A length with all its digits may still round below that of all cells.
        if (box.lengths && (*box.lengths)[d] < placed.region[d] * (1.0 - 1e-9))
            box.table.fail("lengths",
                           fmt::format("box length {} in direction {} (the lattice is {} long "
                                       "there); lengthen the box or repeat the cell fewer times",
                                       (*box.lengths)[d], d, placed.region[d]));
        if (box.lengths && box.periodic[d] && (*box.lengths)[d] > placed.region[d] * (1.0 + 1e-6))
            placed.warnings.push_back(fmt::format(
                "box length {} along {}, where the lattice is {:.8g} long (particles at the border "
                "have a gap between them); shorten the box, or stretch the lattice by its constant "
                "or repeat, where that is not meant",
                (*box.lengths)[d], "xyz"[d], placed.region[d]));
    }
    const double jitter = lattice.number("jitter", 0.0);
    if (!(jitter >= 0.0))
        lattice.fail("jitter", fmt::format("jitter {} (the largest displacement is not negative); "
                                           "give a length",
                                           jitter));
    placed.cell = cell;
    placed.repeat = repeat;
    placed.points = lattice_points<Dim>(cell, repeat, constant);
    if (jitter > 0.0) jitter_points<Dim>(placed.points, jitter, seed);
    if (box.lengths) placed.region = *box.lengths;
    return placed;
}

template <int Dim>
Placement<Dim> place_at_random(const Parameters& lattice, const BoxInput<Dim>& box,
                               std::uint64_t seed) {
    const std::int64_t count = lattice.integer("count");
    if (count <= 0 || count > max_particles)
        lattice.fail("count", fmt::format("{} particles (there are from 1 to {}); give another "
                                          "count",
                                          count, max_particles));
    refuse_beyond_memory<Dim>(lattice, "count", count);
    const double distance = lattice.positive("min_distance");
    Placement<Dim> placed;
    placed.region = region_of<Dim>(box, count, lattice);
    try {
        placed.points = random_points<Dim>(count, distance, placed.region, box.periodic, seed);
    } catch (const InputError& error) {
        lattice.fail("min_distance", error.what());
    }
    return placed;
}

/// Throws for a fraction so small that no particle has this species.
void refuse_empty_species(const Parameters& root, const std::vector<Species>& species,
                          const std::vector<double>& fractions, std::int64_t count) {
    const std::vector<Parameters> tables = root.tables("species");
    const auto counts = species_counts(count, fractions);
    for (std::size_t k = 0; k < tables.size(); ++k)
        if (counts[k] == 0 && fractions[k] > 0.0)
            tables[k].fail("fraction",
                           fmt::format("fraction {} of {} particles is none of them (species have "
                                       "whole numbers of particles); raise it, take more "
                                       "particles, or remove {}",
                                       fractions[k], count, species[k].name));
}

/// The species of each sublattice: as `species` of the lattice names them, or in the order of the
/// table.
std::vector<std::uint16_t> read_sublattices(const Parameters& lattice,
                                            const std::vector<Species>& table, std::size_t count) {
    std::vector<std::string> known;
    for (const Species& species : table) known.push_back(species.name);
    const std::vector<std::string> names = lattice.texts("species", known);
    if (names.size() != count)
        lattice.fail(lattice.has("species") ? "species" : "type",
                     fmt::format("{} species for a lattice of {} sublattices (each is of one); "
                                 "give so many [[species]], or species = [..] with one name for "
                                 "each sublattice",
                                 names.size(), count));
    std::vector<std::uint16_t> kinds;
    for (const std::string& name : names) {
        const auto found = std::find(known.begin(), known.end(), name);
        if (found == known.end())
            lattice.fail("species", fmt::format("species \"{}\" on a sublattice (there is none of "
                                                "that name); use \"{}\"",
                                                name, fmt::join(known, "\", \"")));
        kinds.push_back(static_cast<std::uint16_t>(found - known.begin()));
    }
    for (std::size_t k = 0; k < known.size(); ++k)
        if (std::find(kinds.begin(), kinds.end(), k) == kinds.end())
            lattice.fail("species", fmt::format("species \"{}\" without a sublattice (no particle "
                                                "would be of it); name it or remove it",
                                                known[k]));
    return kinds;
}

/// Places particles that are not bonded.
template <int Dim>
void place_single(const Parameters& lattice, const Placement<Dim>& placed,
                  const std::vector<double>& fractions, std::uint64_t seed, Setup<Dim>& setup) {
    Snapshot<Dim>& start = setup.start;
    start.position = placed.points;
    start.image.assign(start.size(), {});
    if (!placed.ordered()) {
        start.species = shuffled_species(static_cast<std::int64_t>(start.size()), fractions, seed);
        return;
    }
    const std::vector<std::uint16_t>& sublattice = placed.cell.sublattice;
    const auto kinds = read_sublattices(lattice, start.species_table, placed.cell.sublattices());
    for (std::size_t i = 0; i < start.size(); ++i)
        start.species.push_back(kinds[sublattice[i % sublattice.size()]]);
}

/// The sites of a lattice such that each is a neighbour of the one before.
template <int Dim>
Points<Dim> along_path(const Parameters& lattice, const Placement<Dim>& placed) {
    if (placed.cell.basis.size() != 1)
        lattice.fail("type", fmt::format("molecules without `places` on such a lattice (they lie "
                                         "along a path from neighbour to neighbour); use {}, or "
                                         "give `places`",
                                         Dim == 1   ? "chain"
                                         : Dim == 2 ? "square"
                                                    : "sc"));
    Points<Dim> sites;
    for (const std::size_t k : serpentine<Dim>(placed.repeat)) sites.push_back(placed.points[k]);
    return sites;
}

} // namespace

template <int Dim>
void refuse_beyond_memory(const Parameters& table, const char* key, std::int64_t count) {
    // Positions twice, momenta, images and species of a start.
    constexpr double bytes_each = 3 * Dim * sizeof(double) + Dim * sizeof(std::int32_t) + 2;
    const double needed = bytes_each * static_cast<double>(count);
    const double there =
        static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
    if (needed > there)
        table.fail(key, fmt::format("{} particles (their start alone needs {:.0f} GiB of "
                                    "memory, and this machine has {:.0f}); take fewer",
                                    count, std::ceil(std::ldexp(needed, -30)),
                                    std::floor(std::ldexp(there, -30))));
}

template <int Dim>
std::array<double, Dim> region_of(const BoxInput<Dim>& box, std::int64_t count,
                                  const Parameters& lattice) {
    if (box.lengths) return *box.lengths;
    if (!box.density)
        lattice.fail("type", "random positions without a region (the box has neither lengths nor a "
                             "density); give box.lengths or box.density");
    std::array<double, Dim> region;
    region.fill(std::pow(static_cast<double>(count) / *box.density, 1.0 / Dim));
    return region;
}

/// Shears the points of a lattice with the box.
template <int Dim>
void lean(const Box<Dim>& box, Points<Dim>& points) {
    const SlidingImages& sliding = box.sliding();
    if (!sliding.any()) return;
    for (auto& point : points) {
        const auto upright = point;
        for (std::size_t e = 0; e < Dim; ++e)
            if (box.periodic()[e])
                sliding.slide_back(point, static_cast<std::int32_t>(e),
                                   -upright[e] / box.lengths()[e]);
    }
}

template <int Dim>
Setup<Dim> start_from_places(const Parameters& root, std::uint64_t seed) {
    const Parameters system = root.table("system");
    const BoxInput<Dim> box = read_box<Dim>(system);
    const Parameters lattice = system.table("lattice");
    auto types = lattice_names<Dim>();
    for (const char* name : {"random", "insertion"}) types.emplace_back(name);
    InputErrors errors;
    std::string type;
    Placement<Dim> placed;
    SpeciesInput species;
    if (errors.attempt([&] { type = lattice.choice("type", types); })) {
        const bool random = type == "random", inserted = type == "insertion";
        const bool ordered = !random && !inserted && lattice_cell<Dim>(type).sublattices() > 1;
        const bool bonded = !root.tables("molecule").empty();
        errors.attempt([&] {
            if (inserted) return;
            placed = random ? place_at_random<Dim>(lattice, box, seed)
                            : place_on_lattice<Dim>(lattice, type, box, seed);
        });
        errors.attempt([&] { species = read_species(root, ordered || bonded || inserted); });
        if ((random || inserted) && box.tilt)
            errors.attempt([&] {
                box.table.fail("tilt",
                               "a tilt together with random positions (their minimum distance "
                               "holds in a rectangular box); start from a lattice or a file");
            });
    }
    errors.raise();
    if (type == "insertion")
        return start_by_insertion(root, box, lattice, std::move(species.table), seed);
    Setup<Dim> setup;
    setup.warnings = std::move(placed.warnings);
    setup.box = Box<Dim>(placed.region, box.periodic);
    tilt(box, setup);
    lean<Dim>(setup.box, placed.points);
    setup.start.species_table = std::move(species.table);
    const auto molecules = read_molecules<Dim>(root, setup.start.species_table,
                                               static_cast<std::int64_t>(placed.points.size()));
    if (molecules.empty()) {
        if (!placed.ordered())
            refuse_empty_species(root, setup.start.species_table, species.fractions,
                                 static_cast<std::int64_t>(placed.points.size()));
        place_single<Dim>(lattice, placed, species.fractions, seed, setup);
    } else {
        const Points<Dim> sites =
            lie_along_path(molecules) ? along_path(lattice, placed) : placed.points;
        place_molecules<Dim>(molecules, sites, lattice, seed, setup);
    }
    setup.start.momentum.assign(setup.start.size(), {});
    return setup;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Setup<Dim> start_from_places(const Parameters&, std::uint64_t);                       \
    template std::array<double, Dim> region_of<Dim>(const BoxInput<Dim>&, std::int64_t,            \
                                                    const Parameters&);                            \
    template void refuse_beyond_memory<Dim>(const Parameters&, const char*, std::int64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
