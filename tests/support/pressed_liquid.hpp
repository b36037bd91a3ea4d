// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/catch.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

/// A liquid in a variable box, for tests of boxes with a mass.
namespace shadow::test {

inline const char* const pressed_force = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
truncation = "smooth-c2"
inner = 1.6
cutoff = 2.0
)";

template <int Dim>
struct PressedLiquid {
    explicit PressedLiquid(const TestBackend& where, int side = Dim == 2 ? 8 : 5)
        : backend(where.open()) {
        setup = warm_lattice<Dim>(side, 0.9);
        model = model_of(setup, {true, 1, {"fast", "slow"}});
        add_forces(model, read_toml_text(pressed_force, "test.toml"), backend, setup);
        ParticleOptions<Dim> options;
        options.min_length = 0.7;
        system = make_particles(model, backend, setup.box, setup.start, options);
        system->set_degrees_of_freedom(degrees_of_freedom(system->size(), model.conserved));
    }
    double conserved(const Integrator& method) {
        const double energy = system->kinetic_energy() + system->potential_energy();
        std::vector<double> numbers;
        for (int k = 0; k < Scalar::count; ++k)
            numbers.push_back(system->scalar(static_cast<Scalar>(k)));
        return energy + method.extended_energy(*system)(Scalars{numbers.data()}, energy);
    }
    void turn_back() {
        SystemState<Dim> state = system->state();
        for (auto& p : state.snapshot.momentum)
            for (double& component : p) component = -component;
        const auto turn = [&](Scalar which) { state.ensemble.scalars[which] *= -1.0; };
        for (int k = 0; k < max_groups; ++k) turn(of_row(Scalar::box_velocity, k));
        for (int k = 0; k < max_chain; ++k) {
            turn(of_row(Scalar::chain_velocity, k));
            turn(of_row(Scalar::box_chain_velocity, k));
        }
        turn(Scalar::pi);
        turn(Scalar::box_momentum);
        system->restore(state);
    }

    Backend backend;
    Setup<Dim> setup;
    Model<Dim> model;
    std::unique_ptr<ParticleSystem<Dim>> system;
};

/// The largest change of the conserved quantity over a time of 1.
template <int Dim>
double largest_change(PressedLiquid<Dim>& liquid, Integrator& method) {
    method.prepare(*liquid.system);
    const double before = liquid.conserved(method);
    double most = 0.0;
    for (int k = 0; k < std::lround(1.0 / method.dt()); ++k) {
        method.step(*liquid.system);
        most = std::max(most, std::abs(liquid.conserved(method) - before));
    }
    return most;
}

/// 50 steps forward and 50 back.
template <int Dim>
void check_way_back(PressedLiquid<Dim>& liquid, Integrator& method) {
    method.prepare(*liquid.system);
    const double volume = liquid.system->box().volume();
    const Snapshot<Dim> start = liquid.system->snapshot();
    for (int k = 0; k < 50; ++k) method.step(*liquid.system);
    CHECK(std::abs(liquid.system->box().volume() / volume - 1.0) > 1e-3);
    liquid.turn_back();
    for (int k = 0; k < 50; ++k) method.step(*liquid.system);
    const double returned = liquid.system->box().volume();
    CHECK(std::abs(returned / volume - 1.0) < 1e-11);
    const Snapshot<Dim> end = liquid.system->snapshot();
    double farthest = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const auto dx = between<Dim>(start.position[i], end.position[i], liquid.system->box());
        farthest = std::max(farthest, length_of<Dim>(dx));
    }
    CHECK(farthest < 1e-9); // rounding of 1e-16, grown by chaos over 100 steps
}

} // namespace shadow::test
