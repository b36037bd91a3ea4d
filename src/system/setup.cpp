// SPDX-License-Identifier: BSD-3-Clause
#include "src/system/start.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/system/velocities.hpp"

#include <cmath>

namespace shadow {

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

namespace {

/// Masses of the input and of files become those of the equations of motion, and momenta with them.
template <int Dim>
void to_consistent_masses(const Units& units, Snapshot<Dim>& start) {
    if (units.inertia == 1.0) return;
    for (Species& species : start.species_table) species.mass *= units.inertia;
    for (auto& momentum : start.momentum)
        for (double& p : momentum) p *= units.inertia;
}

} // namespace

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
    errors.attempt([&] { units = units_named(system.choice("units", unit_systems(), "lj")); });
    if (draws) errors.attempt([&] { temperature = read_temperature(system.table("velocity")); });
    errors.raise();
    setup.units = units;
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
    template Setup<Dim> make_system(const Parameters&, std::uint64_t,                              \
                                    std::optional<LoadedSystem<Dim>>);                             \
    template void draw_velocities(const Parameters&, Setup<Dim>&, const ConservedMomenta<Dim>&,    \
                                  std::uint64_t);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
