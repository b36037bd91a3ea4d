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

constexpr Axes x = 1, y = 2, z = 4;
/// All together; each by itself; some together; and with some that stay.
const std::vector<std::vector<Axes>> shapes_of_plane{{x | y}, {x, y}, {y}},
    shapes_of_space{{x | y | z}, {x, y, z}, {z, x | y}, {z}, {x, z}, {y | z}};

template <int Dim>
const std::vector<std::vector<Axes>>& shapes() {
    return Dim == 2 ? shapes_of_plane : shapes_of_space;
}

/// With a temperature and a pressure that change over a time of one, if they do.
MartynaTobiasKlein piston(double dt, int dimension, const std::vector<Axes>& groups,
                          bool changing = false) {
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
    barostat.groups = groups;
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
        for (int k = 0; k < max_groups; ++k) turn(of_row(Scalar::box_velocity, k));
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

/// Lengths of one group change alike, those of two do not, and others stay.
template <int Dim>
void check_shape(const std::vector<Axes>& groups, const std::array<double, Dim>& before,
                 const std::array<double, Dim>& after) {
    std::vector<double> of_group;
    Axes moved = 0;
    for (const Axes group : groups) {
        double first = 0.0;
        for (int d = 0; d < Dim; ++d) {
            if (!has_axis(group, d)) continue;
            const auto i = static_cast<std::size_t>(d);
            if (first == 0.0) first = after[i] / before[i];
            // 333 products, each rounded by 1e-16.
            CHECK(std::abs(after[i] / before[i] / first - 1.0) < 1e-13);
        }
        for (const double other : of_group) CHECK(std::abs(first - other) > 1e-5);
        of_group.push_back(first);
        moved |= group;
    }
    for (int d = 0; d < Dim; ++d)
        if (const auto i = static_cast<std::size_t>(d); !has_axis(moved, d))
            CHECK(after[i] == before[i]);
}

/// The largest change of what is conserved over a time of one.
template <int Dim>
double largest_change(const TestBackend& where, const std::vector<Axes>& groups, double dt,
                      bool changing = false) {
    PressedLiquid<Dim> liquid(where);
    MartynaTobiasKlein method = piston(dt, Dim, groups, changing);
    method.prepare(*liquid.system);
    const double before = liquid.conserved(method), volume = liquid.system->box().volume();
    const std::array<double, Dim> lengths = liquid.system->box().lengths();
    double most = 0.0;
    for (int k = 0; k < std::lround(1.0 / dt); ++k) {
        method.step(*liquid.system);
        most = std::max(most, std::abs(liquid.conserved(method) - before));
    }
    CHECK(std::abs(liquid.system->box().volume() / volume - 1.0) > 0.01);
    check_shape<Dim>(groups, lengths, liquid.system->box().lengths());
    return most;
}

template <int Dim>
void check_order(const TestBackend& where, const std::vector<Axes>& groups, bool changing = false) {
    const double ratio = largest_change<Dim>(where, groups, 0.006, changing) /
                         largest_change<Dim>(where, groups, 0.003, changing);
    CAPTURE(where.name, Dim, groups.front(), groups.size(), ratio);
    CHECK(std::abs(std::log2(ratio) - 2.0) < 0.3);
}

template <int Dim>
void check_way_back(const TestBackend& where, const std::vector<Axes>& groups) {
    CAPTURE(where.name, Dim, groups.front(), groups.size());
    PressedLiquid<Dim> liquid(where);
    MartynaTobiasKlein method = piston(0.004, Dim, groups);
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
        for (const auto& groups : shapes<2>()) check_order<2>(where, groups);
        for (const auto& groups : shapes<3>()) check_order<3>(where, groups);
    }
}

TEST_CASE("what a changing temperature and pressure give to a box with a mass is accounted for") {
    for (const TestBackend& where : best_processors())
        for (const auto& groups : {std::vector<Axes>{x | y | z}, {x, z}})
            check_order<3>(where, groups, true);
    CHECK(piston(0.01, 3, {x | y | z}, true).steady_from() == 100);
    CHECK(*piston(0.01, 3, {x | y | z}, true).pressure() == 5.0);
}

TEST_CASE("a box with a mass goes back the way it came") {
    for (const TestBackend& where : best_processors()) {
        for (const auto& groups : shapes<2>()) check_way_back<2>(where, groups);
        for (const auto& groups : shapes<3>()) check_way_back<3>(where, groups);
    }
}

TEST_CASE("groups of directions have shares of the mass of a box with a mass, and of its forces") {
    std::vector<double> numbers(static_cast<std::size_t>(Scalar::count));
    const Scalars s{numbers.data()};
    const double twice_kinetic[] = {3.0, 4.0, 6.0}, virial[] = {-1.0, 0.5, 7.0}, g = 9.0,
                 volume = 8.0;
    for (int d = 0; d < 3; ++d) {
        s[of_row(Scalar::kinetic_along, d)] = twice_kinetic[d];
        s[of_row(Scalar::virial_along, d)] = virial[d];
    }
    s[Scalar::volume] = volume;
    const auto pushed = [&](const std::vector<Axes>& groups) {
        BoxMotion box{5.0, 0.5, g, 0.0, 1e9, 3, static_cast<int>(groups.size())};
        std::copy(groups.begin(), groups.end(), box.axes);
        for (int k = 0; k < max_groups; ++k) s[of_row(Scalar::box_velocity, k)] = 0.0;
        box.push(s, 1.0);
        return box;
    };
    const auto velocity = [&](int k) { return s[of_row(Scalar::box_velocity, k)]; };
    const auto is = [](double found, double expected) {
        CHECK(std::abs(found - expected) < 1e-14 * std::abs(expected));
    };
    // W dv/dt = (1 + d/g) sum p^2/m + sum r.f - d P V with W = 3 * 5 (eq. 2.9).
    (void)pushed({x | y | z});
    is(velocity(0), ((1.0 + 3.0 / g) * 13.0 + 6.5 - 3.0 * 0.5 * volume) / 15.0);
    // Along each direction P_aa V - P V and the share of momenta.
    const BoxMotion apart = pushed({z, x | y});
    is(velocity(0), (6.0 + 7.0 + 13.0 / g - 0.5 * volume) / 5.0);
    is(velocity(1), (0.5 * (3.0 - 1.0 + 4.0 + 0.5) + 13.0 / g - 0.5 * volume) / 5.0);
    is(apart.growth(s), velocity(0) + 2.0 * velocity(1));
    is(apart.energy(s),
       0.5 * 5.0 * (velocity(0) * velocity(0) + 2.0 * velocity(1) * velocity(1)) + 0.5 * volume);
    apart.slow(s, 0.1);
    is(s[of_row(Scalar::box_friction, 0)],
       std::exp(-0.1 * (velocity(0) + (velocity(0) + 2.0 * velocity(1)) / g)));
    apart.stretch(s, 0.1);
    is(s[of_row(Scalar::box_strain, 1)], std::exp(0.1 * velocity(1)));
    CHECK(s[Scalar::box_least] == 0.0);
}

TEST_CASE("the thermostats of a box with a mass hold as many velocities as it has") {
    for (const TestBackend& where : best_processors()) {
        PressedLiquid<3> liquid(where);
        for (const auto& groups : shapes<3>()) {
            const auto chain = piston(0.01, 3, groups).extended_energy(*liquid.system).box_chain;
            const auto m = static_cast<double>(groups.size());
            CHECK(chain.g == m);
            CHECK(chain.first_mass == m * chain.mass);
        }
    }
}
