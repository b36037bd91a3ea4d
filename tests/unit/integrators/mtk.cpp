// SPDX-License-Identifier: BSD-3-Clause
/// A box with a mass: its energy, its way back, and the equations it follows.
#include "shadow/integrators/mtk.hpp"

#include "support/catch.hpp"
#include "support/world.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

const char* const smooth_force = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
truncation = "smooth-c2"
inner = 1.6
cutoff = 2.0
)";

/// With a temperature and a pressure that change over a time of one, if they do.
MartynaTobiasKlein piston(double dt, int dimension, bool changing = false) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = 0.9;
    const auto end = std::lround(1.0 / dt);
    if (changing) settings.kT = Ramp({{0, 0.9}, {end, 1.4}});
    settings.period = 0.4;
    settings.chain = 3;
    BarostatSettings barostat;
    barostat.has_mass = true;
    barostat.pressure = 2.0;
    if (changing) barostat.pressure = Ramp({{0, 2.0}, {end, 5.0}});
    barostat.period = 0.7;
    return {NoseHoover(settings), barostat, dimension};
}

/// A liquid in a box that may change.
template <int Dim>
struct PressedLiquid {
    explicit PressedLiquid(const TestBackend& where) : backend(where.open()) {
        setup = warm_lattice<Dim>(Dim == 2 ? 8 : 5, 0.9);
        model = model_of(setup, {true, 1, {"fast", "slow"}});
        add_forces(model, read_toml_text(smooth_force, "test.toml"), backend, setup);
        ParticleOptions<Dim> options;
        options.least_length = 0.7;
        system = make_particles(model, backend, setup.box, setup.start, options);
        system->set_degrees_of_freedom(degrees_of_freedom(system->size(), model.conserved));
    }
    double conserved(const Integrator& method) {
        double energy = system->kinetic_energy() + system->potential_energy();
        std::vector<double> numbers;
        for (int k = 0; k < static_cast<int>(Scalar::count); ++k)
            numbers.push_back(system->scalar(static_cast<Scalar>(k)));
        return energy + method.extended_energy(*system)(Scalars{numbers.data()});
    }
    void turn_back() {
        SystemState<Dim> state = system->state();
        for (auto& p : state.snapshot.momentum)
            for (double& component : p) component = -component;
        const auto turn = [&](Scalar which) {
            state.ensemble.scalars[static_cast<std::size_t>(which)] *= -1.0;
        };
        turn(Scalar::box_velocity);
        for (int k = 0; k < max_chain; ++k) {
            turn(of_row(Scalar::chain_velocity, k));
            turn(of_row(Scalar::box_chain_velocity, k));
        }
        system->restore(state);
    }

    Backend backend;
    Setup<Dim> setup;
    Model<Dim> model;
    std::unique_ptr<ParticleSystem<Dim>> system;
};

/// The largest change of what is conserved over a time of one.
template <int Dim>
double largest_change(const TestBackend& where, double dt, bool changing = false) {
    PressedLiquid<Dim> liquid(where);
    MartynaTobiasKlein method = piston(dt, Dim, changing);
    method.prepare(*liquid.system);
    const double before = liquid.conserved(method), volume = liquid.system->box().volume();
    double most = 0.0;
    for (int k = 0; k < std::lround(1.0 / dt); ++k) {
        method.step(*liquid.system);
        most = std::max(most, std::abs(liquid.conserved(method) - before));
    }
    CHECK(std::abs(liquid.system->box().volume() / volume - 1.0) > 0.01);
    return most;
}

template <int Dim>
void check_way_back(const TestBackend& where) {
    CAPTURE(where.name, Dim);
    PressedLiquid<Dim> liquid(where);
    MartynaTobiasKlein method = piston(0.004, Dim);
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

} // namespace

TEST_CASE("the energy of a box with a mass is conserved to second order") {
    for (const TestBackend& where : best_processors()) {
        const double plane = largest_change<2>(where, 0.006) / largest_change<2>(where, 0.003),
                     space = largest_change<3>(where, 0.006) / largest_change<3>(where, 0.003);
        CAPTURE(where.name, plane, space);
        CHECK(std::abs(std::log2(plane) - 2.0) < 0.3);
        CHECK(std::abs(std::log2(space) - 2.0) < 0.3);
    }
}

TEST_CASE("what a changing temperature and pressure give to a box with a mass is accounted for") {
    for (const TestBackend& where : best_processors()) {
        const double space =
            largest_change<3>(where, 0.006, true) / largest_change<3>(where, 0.003, true);
        CAPTURE(where.name, space);
        CHECK(std::abs(std::log2(space) - 2.0) < 0.3);
        CHECK(piston(0.01, 3, true).steady_from() == 100);
        CHECK(*piston(0.01, 3, true).pressure() == 5.0);
    }
}

TEST_CASE("a box with a mass goes back the way it came") {
    for (const TestBackend& where : best_processors()) {
        check_way_back<2>(where);
        check_way_back<3>(where);
    }
}
