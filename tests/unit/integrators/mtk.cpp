// SPDX-License-Identifier: BSD-3-Clause
/// A box with a mass: its energy, its way back, and the equations it follows.
#include "shadow/integrators/mtk.hpp"

#include "support/catch.hpp"
#include "support/pressed_liquid.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

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
    barostat.type = BarostatType::mtk;
    barostat.pressure = 2.0;
    if (changing) barostat.pressure = Ramp({{0, 2.0}, {end, 5.0}});
    barostat.period = 0.7;
    barostat.groups = groups;
    return {NoseHoover(settings), barostat, dimension};
}

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
    const double volume = liquid.system->box().volume();
    const std::array<double, Dim> lengths = liquid.system->box().lengths();
    const double most = test::largest_change(liquid, method);
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
    test::check_way_back(liquid, method);
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
    std::vector<double> numbers(Scalar::count);
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
