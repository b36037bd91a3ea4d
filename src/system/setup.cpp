// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/start.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/system/tilt.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

namespace {

constexpr const char* tilts[] = {"xy", "xz", "yx", "yz", "zx", "zy"};

/// Reads a table such as { xy = 0.5 }: the tilt along x of the edge along y.
template <int Dim>
SlidingImages read_tilt(const Parameters& table) {
    Edges edges{};
    std::string last;
    for (const std::string key : tilts) {
        const double length = table.number(key, 0.0);
        if (length == 0.0) continue;
        const auto along = static_cast<std::size_t>(key[0] - 'x'),
                   edge = static_cast<std::size_t>(key[1] - 'x');
        if (std::max(along, edge) >= Dim)
            table.fail(key, fmt::format("a tilt {} (the system has {} dimension{}); remove it", key,
                                        Dim, Dim == 1 ? "" : "s"));
        if (!(std::abs(length) < 1e9))
            table.fail(key,
                       fmt::format("a tilt of {} (a tilt is less than 1e9); give another", length));
        edges[edge][along] = length;
        last = key;
    }
    table.refuse_unused();
    const auto images = images_of(edges);
    if (!images)
        table.fail(last, "a cycle of tilts (each edge may be tilted only along those before it in "
                         "some order of x, y and z); turn the system");
    return *images;
}

} // namespace

template <int Dim>
void tilt(const BoxInput<Dim>& input, Setup<Dim>& setup) {
    if (!input.tilt) return;
    const SlidingImages& sliding = *input.tilt;
    for (std::int32_t d = 0; d < Dim && sliding.any(); ++d)
        if ((sliding.along(d) || sliding.across(d)) &&
            !setup.box.periodic()[static_cast<std::size_t>(d)])
            input.table.fail("tilt", fmt::format("a tilt where the box is open along {} (it has no "
                                                 "images there); make it periodic there",
                                                 "xyz"[d]));
    setup.box.set_sliding(sliding);
    const WholeTurns turns = reduce_tilt(setup.box);
    if (sliding.any())
        for (auto& image : setup.start.image) turns.apply(sliding, image);
    if (!setup.box.is_tilted()) setup.box.set_sliding({});
}

template <int Dim>
BoxInput<Dim> read_box(const Parameters& system) {
    BoxInput<Dim> input{system.table("box"), {}, {}, {}, {}};
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
    if (box.has("tilt")) input.tilt = read_tilt<Dim>(box.table("tilt"));
    if (box.has("density")) input.density = box.positive("density");
    if (input.lengths && input.density)
        box.fail("density",
                 "a density together with lengths (one follows from the other); remove one");
    // Now, as a misspelt density would otherwise be reported as a missing lattice constant.
    box.refuse_unused();
    return input;
}

int system_dimension(const Parameters& root) {
    const Parameters system = root.table("system");
    const std::int64_t dimension = system.integer("dimension");
    if (dimension < 1 || dimension > 3)
        system.fail(
            "dimension",
            fmt::format("dimension {} (1, 2 and 3 are supported); give one of these", dimension));
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

namespace {

/// Converts masses, and momenta with them, to the unit of the equations of motion.
template <int Dim>
void to_consistent_masses(const Units& units, Snapshot<Dim>& start) {
    if (units.inertia == 1.0) return;
    for (Species& species : start.species_table) species.mass *= units.inertia;
    for (auto& momentum : start.momentum)
        for (double& p : momentum) p *= units.inertia;
}

std::array<double, 3> read_magnetic_field(const Parameters& system, int dimension) {
    std::array<double, 3> field{};
    if (!system.has("magnetic_field")) return field;
    const std::vector<double> given = system.numbers("magnetic_field");
    const auto refuse = [&](const std::string& problem) {
        system.fail("magnetic_field", fmt::format("magnetic_field {}; give for example [0.0, 0.0, "
                                                  "2.0]",
                                                  problem));
    };
    if (given.size() != 3)
        refuse(fmt::format("of {} numbers (a field has three components)", given.size()));
    std::copy_n(given.begin(), 3, field.begin());
    if (dimension == 1 && field != std::array<double, 3>{})
        refuse("on a line (particles there cannot turn)");
    if (dimension == 2 && (field[0] != 0.0 || field[1] != 0.0))
        refuse("within the plane (it would push particles out of it)");
    return field;
}

/// Throws InputError for a magnetic field without charges.
void refuse_idle_field(const Parameters& system, const std::array<double, 3>& field,
                       const std::vector<Species>& species) {
    const bool charged = std::any_of(species.begin(), species.end(),
                                     [](const Species& s) { return s.charge != 0.0; });
    if (field != std::array<double, 3>{} && !charged)
        system.fail("magnetic_field", "magnetic_field without charges (it would have no effect); "
                                      "give a [[species]] its charge, or remove the field");
}

} // namespace

template <int Dim>
Setup<Dim> make_system(const Parameters& root, std::uint64_t seed,
                       std::optional<LoadedSystem<Dim>> loaded) {
    const Parameters system = root.table("system");
    if (system.has("file") && system.has("lattice"))
        system.fail("file",
                    "a file together with a lattice (both place the particles); remove one");
    if (system.has("file") != loaded.has_value() || (!system.has("lattice") && !loaded))
        system.fail("lattice", "no particles (a system starts from a lattice or a file); give "
                               "system.lattice or system.file");
    const bool draws = !loaded || system.has("velocity");
    InputErrors errors;
    Setup<Dim> setup;
    Units units;
    double temperature = 0.0;
    std::array<double, 3> magnetic_field{};
    errors.attempt([&] { magnetic_field = read_magnetic_field(system, Dim); });
    errors.attempt([&] {
        setup = loaded ? start_from_file<Dim>(root, *loaded) : start_from_places<Dim>(root, seed);
    });
    errors.attempt([&] { units = units_named(system.choice("units", unit_systems(), "lj")); });
    if (draws) errors.attempt([&] { temperature = read_temperature(system.table("velocity")); });
    errors.raise();
    refuse_idle_field(system, magnetic_field, setup.start.species_table);
    setup.units = units;
    setup.magnetic_field = magnetic_field;
    to_consistent_masses(units, setup.start);
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
    template BoxInput<Dim> read_box(const Parameters&);                                            \
    template void tilt(const BoxInput<Dim>&, Setup<Dim>&);                                         \
    template Setup<Dim> make_system(const Parameters&, std::uint64_t,                              \
                                    std::optional<LoadedSystem<Dim>>);                             \
    template void draw_velocities(const Parameters&, Setup<Dim>&, const ConservedMomenta<Dim>&,    \
                                  std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
