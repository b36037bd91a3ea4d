// SPDX-License-Identifier: BSD-3-Clause
// Charges that turn in a magnetic field (Leimkuhler and Reich 2004, section 4.4.1, after Scovel).
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/world.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string>

using namespace shadow;
using namespace shadow::test;

namespace {

using Three = std::array<double, 3>;

/// Three kinds: charges of both signs, unlike masses, and what does not feel the field.
template <int Dim>
Setup<Dim> charges(const Three& field) {
    Setup<Dim> setup = warm_lattice<Dim>(Dim == 3 ? 5 : 9, 1.0);
    setup.start.species_table = {{"A", 1.0, 1.0}, {"B", 2.5, -0.7}, {"C", 1.0, 0.0}};
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        setup.start.species[i] = static_cast<std::uint16_t>(i % 3);
    setup.magnetic_field = field;
    return setup;
}

Three field_of(int dimension) {
    return dimension == 2 ? Three{0.0, 0.0, 1.7} : Three{0.8, -1.1, 1.7};
}

Three cross(const Three& a, const Three& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// By Runge and Kutta, of x' = p/m, p' = (q/m) p x B.
void move(Three& x, Three& p, const Species& s, const Three& field, double t) {
    const int steps = 2000;
    const double h = t / steps;
    const auto force = [&](const Three& momentum) {
        Three f = cross(momentum, field);
        for (double& c : f) c *= s.charge / s.mass;
        return f;
    };
    const auto plus = [](const Three& a, double k, const Three& b) {
        return Three{a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]};
    };
    for (int k = 0; k < steps; ++k) {
        const Three a = force(p), pb = plus(p, 0.5 * h, a), b = force(pb), pc = plus(p, 0.5 * h, b),
                    c = force(pc), pd = plus(p, h, c), d = force(pd);
        for (std::size_t e = 0; e < 3; ++e) {
            x[e] += h / (6.0 * s.mass) * (p[e] + 2.0 * pb[e] + 2.0 * pc[e] + pd[e]);
            p[e] += h / 6.0 * (a[e] + 2.0 * b[e] + 2.0 * c[e] + d[e]);
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE_SIG("charges alone turn as they do, however long the step", "", ((int Dim), Dim),
                       (2), (3)) {
    const auto where = GENERATE(from_range(test_backends()));
    // Angles of 1e-3 and of 0.2 are found from series, the others from sines.
    const double dt = GENERATE(1e-3, 0.05, 0.4, 3.0);
    CAPTURE(where.name, dt);
    const Setup<Dim> setup = charges<Dim>(field_of(Dim));
    World<Dim> world(where, setup, "");
    const auto verlet = read_integrator(fmt::format("method = \"verlet\"\ndt = {}", dt));
    world.run(*verlet, 2);
    const Snapshot<Dim> end = world.system().snapshot();
    double most = 0.0;
    for (std::size_t i = 0; i < end.size(); i += 7) {
        Three x{}, p{};
        for (std::size_t d = 0; d < Dim; ++d) {
            x[d] = setup.start.position[i][d];
            p[d] = setup.start.momentum[i][d];
        }
        const Species& s = setup.start.species_table[setup.start.species[i]];
        move(x, p, s, setup.magnetic_field, 2.0 * dt);
        const Box<Dim> box = setup.box;
        for (std::size_t d = 0; d < Dim; ++d) {
            const double place = end.position[i][d] + end.image[i][d] * box.lengths()[d],
                         start = x[d] + setup.start.image[i][d] * box.lengths()[d];
            most = larger(most, std::abs(place - start));
            most = larger(most, std::abs(end.momentum[i][d] - p[d]));
        }
    }
    CHECK(most < 1e-9); // Runge and Kutta's error, (4.8 * 6 / 2000)^4 * 0.01
}

TEMPLATE_TEST_CASE_SIG(
    "Scovel's method keeps the energy to order two, and goes back with the field", "",
    ((int Dim), Dim), (2), (3)) {
    const auto where = GENERATE(from_range(few_test_backends()));
    const std::string method = GENERATE("verlet", "position-verlet", "blanes-moan-4", "chin-4");
    CAPTURE(where.name, method);
    const double order = method.ends_with("4") ? 4.0 : 2.0;
    Setup<Dim> setup = charges<Dim>(field_of(Dim));
    const auto step = [&](double dt) {
        return read_integrator(fmt::format("method = \"{}\"\ndt = {}", method, dt));
    };
    const auto off = [&](double dt) {
        World<Dim> world(where, setup, short_smooth_force);
        const auto integrator = step(dt);
        const double before = world.energy();
        double sum = 0.0;
        const int steps = static_cast<int>(std::lround(0.8 / dt));
        for (int k = 0; k < steps; ++k) {
            world.run(*integrator, 1);
            sum += (world.energy() - before) * (world.energy() - before);
        }
        return std::sqrt(sum / steps);
    };
    const double coarse = off(0.016), fine = off(0.008);
    CAPTURE(coarse, fine);
    CHECK(std::log2(coarse / fine) > order - 0.5);

    World<Dim> there(where, setup, short_smooth_force);
    const auto integrator = step(0.004);
    there.run(*integrator, 100);
    Setup<Dim> turned = setup;
    turned.start = there.system().snapshot();
    for (auto& momentum : turned.start.momentum)
        for (double& c : momentum) c = -c;
    for (double& c : turned.magnetic_field) c = -c;
    World<Dim> back(where, turned, short_smooth_force);
    back.run(*integrator, 100);
    const Snapshot<Dim> end = back.system().snapshot();
    double most = 0.0;
    for (std::size_t i = 0; i < end.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            most = larger(most, std::abs(end.momentum[i][d] + setup.start.momentum[i][d]));
    // Forces of single precision part orbits by 1e-6 a step at most.
    CHECK(most < 1e-3);
}

TEST_CASE("along a magnetic field alone a momentum is conserved") {
    const auto conserved = [](const Three& field) {
        return model_of(charges<3>(field), {}).conserved.linear;
    };
    CHECK(conserved({0.0, 0.0, 2.0}) == std::array<bool, 3>{false, false, true});
    CHECK(conserved({0.0, -1.0, 0.0}) == std::array<bool, 3>{false, true, false});
    CHECK(conserved({0.0, 1.0, 1.0}) == std::array<bool, 3>{false, false, false});
    CHECK(conserved({}) == std::array<bool, 3>{true, true, true});
    CHECK(model_of(charges<2>({0.0, 0.0, 1.0}), {}).conserved.linear ==
          std::array<bool, 2>{false, false});

    World<3> world(best_processors().front(), charges<3>({0.0, 0.0, 1.7}), short_smooth_force);
    const auto sum = [&] {
        Three all{};
        for (const auto& p : world.system().snapshot().momentum)
            for (std::size_t d = 0; d < 3; ++d) all[d] += p[d];
        return all;
    };
    const Three before = sum();
    world.run(*read_integrator("method = \"verlet\"\ndt = 0.004"), 100);
    const Three after = sum();
    CHECK(std::abs(after[2] - before[2]) < 1e-4); // forces of single precision
    CHECK(std::abs(after[0] - before[0]) > 1e-2);
}
