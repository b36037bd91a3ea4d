// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/setup.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/species.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace shadow {

namespace {

constexpr std::int64_t most_particles = std::numeric_limits<std::int32_t>::max();

/// `system.box` as written.
template <int Dim>
struct BoxInput {
    Parameters table;
    std::array<bool, Dim> periodic;
    std::optional<std::array<double, Dim>> lengths;
    std::optional<double> density;
};

template <int Dim, class T>
std::array<T, Dim> one_for_each_direction(const Parameters& table, const char* key,
                                          const std::vector<T>& list) {
    if (list.size() != Dim)
        table.fail(key,
                   fmt::format("{} of {} numbers (the system has {} dimension{}); give one for "
                               "each direction",
                               key, list.size(), Dim, Dim == 1 ? "" : "s"));
    std::array<T, Dim> array{};
    std::copy(list.begin(), list.end(), array.begin());
    return array;
}

template <int Dim>
BoxInput<Dim> read_box(const Parameters& system) {
    BoxInput<Dim> input{system.table("box"), {}, {}, {}};
    const Parameters& box = input.table;
    if (box.type("periodic") == "array")
        input.periodic = one_for_each_direction<Dim>(box, "periodic", box.booleans("periodic"));
    else
        input.periodic.fill(box.boolean("periodic", true));
    if (box.has("lengths")) {
        input.lengths = one_for_each_direction<Dim>(box, "lengths", box.numbers("lengths"));
        for (const double length : *input.lengths)
            if (!(length > 0.0) || !std::isfinite(length))
                box.fail("lengths", fmt::format("box length {} (a length must be positive and "
                                                "finite; a direction opens by periodic = false); "
                                                "give another length",
                                                length));
    }
    if (box.has("density")) input.density = box.positive("density");
    if (input.lengths && input.density)
        box.fail("density", "a density beside lengths (one follows from the other); remove one");
    // At once, or a misspelt density would show up as a missing lattice constant.
    box.refuse_unused();
    return input;
}

/// What a lattice or a random placement gives: points and the region they fill.
template <int Dim>
struct Placement {
    Points<Dim> points;
    std::array<double, Dim> region;
    LatticeCell<Dim> cell = {}; ///< which fills it

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
    if (count > static_cast<double>(most_particles))
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
    static_cast<void>(count_particles<Dim>(lattice, repeat, cell.basis.size()));
    if (box.density && lattice.has("constant"))
        lattice.fail("constant", "a lattice constant beside box.density (one follows from the "
                                 "other); remove one");
    const double constant =
        box.density ? lattice_constant<Dim>(cell, *box.density) : lattice.positive("constant");
    Placement<Dim> placed;
    for (std::size_t d = 0; d < Dim; ++d) {
        placed.region[d] = static_cast<double>(repeat[d]) * cell.edge[d] * constant;
        // A length with all its digits may still round below that of the cells.
        if (box.lengths && (*box.lengths)[d] < placed.region[d] * (1.0 - 1e-9))
            box.table.fail("lengths",
                           fmt::format("box length {} in direction {} (the lattice is {} long "
                                       "there); lengthen the box or repeat the cell fewer times",
                                       (*box.lengths)[d], d, placed.region[d]));
    }
    const double jitter = lattice.number("jitter", 0.0);
    if (!(jitter >= 0.0))
        lattice.fail("jitter", fmt::format("jitter {} (the largest displacement is not negative); "
                                           "give a length",
                                           jitter));
    placed.cell = cell;
    placed.points = lattice_points<Dim>(cell, repeat, constant);
    if (jitter > 0.0) jitter_points<Dim>(placed.points, jitter, seed);
    if (box.lengths) placed.region = *box.lengths;
    return placed;
}

template <int Dim>
Placement<Dim> place_at_random(const Parameters& lattice, const BoxInput<Dim>& box,
                               std::uint64_t seed) {
    const std::int64_t count = lattice.integer("count");
    if (count <= 0 || count > most_particles)
        lattice.fail("count", fmt::format("{} particles (there are from 1 to {}); give another "
                                          "count",
                                          count, most_particles));
    const double distance = lattice.positive("min_distance");
    Placement<Dim> placed;
    if (box.lengths) {
        placed.region = *box.lengths;
    } else if (box.density) {
        placed.region.fill(std::pow(static_cast<double>(count) / *box.density, 1.0 / Dim));
    } else {
        lattice.fail("type", "random places without a region (the box has neither lengths nor a "
                             "density); give box.lengths or box.density");
    }
    try {
        placed.points = random_points<Dim>(count, distance, placed.region, box.periodic, seed);
    } catch (const InputError& error) {
        lattice.fail("min_distance", error.what());
    }
    return placed;
}

/// A fraction so small that it is nobody.
void refuse_empty_species(const Parameters& root, const SpeciesInput& species, std::int64_t count) {
    const std::vector<Parameters> tables = root.tables("species");
    const auto counts = species_counts(count, species.fractions);
    for (std::size_t k = 0; k < tables.size(); ++k)
        if (counts[k] == 0 && species.fractions[k] > 0.0)
            tables[k].fail("fraction",
                           fmt::format("fraction {} of {} particles is none of them (species have "
                                       "whole numbers of particles); raise it, take more "
                                       "particles, or remove {}",
                                       species.fractions[k], count, species.table[k].name));
}

/// The species of each sublattice: as `species` of the lattice names them, or in their own order.
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

template <int Dim>
Setup<Dim> start_from_places(const Parameters& root, std::uint64_t seed) {
    const Parameters system = root.table("system");
    const BoxInput<Dim> box = read_box<Dim>(system);
    const Parameters lattice = system.table("lattice");
    auto types = lattice_names<Dim>();
    types.emplace_back("random");
    InputErrors errors;
    std::string type;
    Placement<Dim> placed;
    SpeciesInput species;
    if (errors.attempt([&] { type = lattice.choice("type", types); })) {
        const bool random = type == "random";
        const bool ordered = !random && lattice_cell<Dim>(type).sublattices() > 1;
        errors.attempt([&] {
            placed = random ? place_at_random<Dim>(lattice, box, seed)
                            : place_on_lattice<Dim>(lattice, type, box, seed);
        });
        errors.attempt([&] { species = read_species(root, ordered); });
    }
    errors.raise();
    if (!placed.ordered())
        refuse_empty_species(root, species, static_cast<std::int64_t>(placed.points.size()));
    Setup<Dim> setup;
    setup.box = Box<Dim>(placed.region, box.periodic);
    setup.start.position = std::move(placed.points);
    setup.start.species_table = std::move(species.table);
    const std::size_t count = setup.start.size();
    if (placed.ordered()) {
        const std::vector<std::uint16_t>& sublattice = placed.cell.sublattice;
        const auto kinds =
            read_sublattices(lattice, setup.start.species_table, placed.cell.sublattices());
        for (std::size_t i = 0; i < count; ++i)
            setup.start.species.push_back(kinds[sublattice[i % sublattice.size()]]);
    } else {
        setup.start.species =
            shuffled_species(static_cast<std::int64_t>(count), species.fractions, seed);
    }
    setup.start.image.assign(setup.start.size(), {});
    setup.start.momentum.assign(setup.start.size(), {});
    return setup;
}

/// Positions are those of the file, whatever the box is.
template <int Dim>
void warn_of_other_lengths(const Box<Dim>& file, const std::array<double, Dim>& lengths,
                           const std::array<bool, Dim>& periodic,
                           std::vector<std::string>& warnings) {
    constexpr double rounding = 1e-6; // of lengths that are written with some digits
    for (std::size_t d = 0; d < Dim; ++d) {
        const double was = file.lengths()[d], is = lengths[d];
        if (!file.periodic()[d] || !periodic[d] || std::abs(is - was) <= rounding * was) continue;
        warnings.push_back(fmt::format(
            "box length {} along {}, where the file has {} (positions are not scaled, so that "
            "particles at the border {}); remove box.lengths where that is not meant",
            is, "xyz"[d], was, is > was ? "have a gap between them" : "overlap with others"));
    }
}

/// Where the input opens the box of the file, particles stand where the file says. Images along
/// such a direction have no meaning: those of the file end.
template <int Dim>
void leave_images(const Box<Dim>& file, const Box<Dim>& box, bool has_images, Snapshot<Dim>& start,
                  std::vector<std::string>& warnings) {
    for (std::size_t d = 0; d < Dim; ++d) {
        if (!file.periodic()[d] || box.periodic()[d]) continue;
        std::size_t outside = 0;
        for (std::size_t i = 0; i < start.size(); ++i) {
            std::int32_t& image = start.image[i][d];
            if (!has_images) start.position[i][d] += image * file.lengths()[d];
            outside += has_images && image != 0;
            image = 0;
        }
        if (outside > 0)
            warnings.push_back(fmt::format(
                "{} particles have left the periodic box of the file along {}, which is open here "
                "(they stand within that box, so that what crossed a face is torn); shift the "
                "particles of the file where that is not meant",
                outside, "xyz"[d]));
    }
}

template <int Dim>
Setup<Dim> start_from_file(const Parameters& root, LoadedSystem<Dim>& loaded) {
    const Parameters system = root.table("system");
    if (loaded.snapshot.size() == 0)
        system.fail("file", "a file without particles (there is nothing to run); name another");
    const BoxInput<Dim> box = read_box<Dim>(system);
    if (box.density)
        box.table.fail("density", "a density beside system.file (the positions of the file fix "
                                  "it); remove it");
    Setup<Dim> setup;
    setup.box = loaded.box;
    if (box.lengths || box.table.has("periodic")) {
        const auto& periodic = box.periodic;
        std::array<double, Dim> lengths = setup.box.lengths();
        if (box.lengths) lengths = *box.lengths;
        for (std::size_t d = 0; d < Dim; ++d)
            if (periodic[d] && !(lengths[d] > 0.0))
                box.table.fail("periodic", fmt::format("direction {} periodic (the file has no "
                                                       "length for it); give box.lengths",
                                                       d));
        warn_of_other_lengths<Dim>(setup.box, lengths, periodic, loaded.warnings);
        setup.box = Box<Dim>(lengths, periodic, setup.box.origin());
    }
    for (const Species& species : loaded.snapshot.species_table)
        if (const std::string why = why_no_species_name(species.name); !why.empty())
            system.fail("file", why);
    override_species(root, loaded);
    setup.start = std::move(loaded.snapshot);
    leave_images(loaded.box, setup.box, loaded.has_images, setup.start, loaded.warnings);
    if (loaded.has_velocities) setup.file_units = loaded.units;
    setup.notes = std::move(loaded.notes);
    setup.warnings = std::move(loaded.warnings);
    return setup;
}

} // namespace

int system_dimension(const Parameters& root) {
    const Parameters system = root.table("system");
    const std::int64_t dimension = system.integer("dimension");
    if (dimension < 1 || dimension > 3)
        system.fail(
            "dimension",
            fmt::format("dimension {} (space has 1, 2 or 3 here); give one of these", dimension));
    return static_cast<int>(dimension);
}

double read_temperature(const Parameters& velocity) {
    const double temperature = velocity.number("temperature", 0.0);
    if (!(temperature >= 0.0))
        velocity.fail("temperature", fmt::format("temperature {} (it measures kinetic energy); "
                                                 "give a number not below zero",
                                                 temperature));
    if (!(temperature < highest_temperature))
        velocity.fail("temperature", fmt::format("temperature {} (numbers overflow where particles "
                                                 "are so fast); give less than {}",
                                                 temperature, highest_temperature));
    return temperature;
}

template <int Dim>
Setup<Dim> make_system(const Parameters& root, std::uint64_t seed,
                       std::optional<LoadedSystem<Dim>> loaded) {
    const Parameters system = root.table("system");
    if (system.has("file") && system.has("lattice"))
        system.fail("file", "a file beside a lattice (both place the particles); remove one");
    if (system.has("file") != loaded.has_value() || (!system.has("lattice") && !loaded))
        system.fail("lattice", "no particles (a system starts from a lattice or a file); give "
                               "system.lattice or system.file");
    const bool draws = !loaded || system.has("velocity");
    InputErrors errors;
    Setup<Dim> setup;
    Units units;
    double temperature = 0.0;
    errors.attempt([&] {
        setup = loaded ? start_from_file<Dim>(root, *loaded) : start_from_places<Dim>(root, seed);
    });
    errors.attempt([&] { units = units_named(system.choice("units", {"lj", "akma"}, "lj")); });
    if (draws) errors.attempt([&] { temperature = read_temperature(system.table("velocity")); });
    errors.raise();
    setup.units = units;
    if (draws) {
        setup.file_units.clear();
        if (system.table("velocity").has("temperature")) setup.velocities.temperature = temperature;
        setup.start.momentum.assign(setup.start.size(), {});
    } else {
        setup.velocities.from_file = loaded->has_velocities;
    }
    return setup;
}

template <int Dim>
void draw_velocities(const Parameters& root, Setup<Dim>& setup,
                     const ConservedMomenta<Dim>& conserved, std::uint64_t seed) {
    if (!setup.velocities.temperature) return;
    try {
        set_maxwell_boltzmann(setup.start, conserved,
                              setup.units.boltzmann * *setup.velocities.temperature, seed);
    } catch (const InputError& error) {
        root.table("system").table("velocity").fail("temperature", error.what());
    }
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template Setup<Dim> make_system(const Parameters&, std::uint64_t,                              \
                                    std::optional<LoadedSystem<Dim>>);                             \
    template void draw_velocities(const Parameters&, Setup<Dim>&, const ConservedMomenta<Dim>&,    \
                                  std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
