// SPDX-License-Identifier: BSD-3-Clause
/// A charge in a magnetic field: its flows are those of its equations, symplectic for the structure
/// of the field.
#include "src/models/charged_particle.hpp"

#include "src/models/following.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

using namespace shadow;
using namespace shadow::models;

namespace {

const State charged_start = {0.9, -0.4, 0.3, 0.2, 0.7, -0.5};

/// Largest entry of M^T W M - W for the structure dp ^ dq - b dx ^ dy of a field b along z.
double magnetic_defect(const Map& step, double field) {
    const Matrix m = derivative_at(step, charged_start);
    Matrix w(6);
    for (std::size_t i = 0; i < 3; ++i) {
        w(i, 3 + i) = -1.0;
        w(3 + i, i) = 1.0;
    }
    w(0, 1) = -field;
    w(1, 0) = field;
    double largest = 0.0;
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t j = 0; j < 6; ++j) {
            double sum = -w(i, j);
            for (std::size_t a = 0; a < 6; ++a)
                for (std::size_t b = 0; b < 6; ++b) sum += m(a, i) * w(a, b) * m(b, j);
            largest = std::max(largest, std::abs(sum));
        }
    return largest;
}

} // namespace

TEST_CASE("the motion in a magnetic field alone is exact, however long the step") {
    Problem free = attraction();
    free.gradient = [](const double*, ForceLevel, double* g) { g[0] = g[1] = g[2] = 0.0; };
    free.potential = [](const double*, ForceLevel) { return 0.0; };
    for (const double field : {1.0, -2.0}) {
        const ChargedParticle model(free, field);
        const State once = after(step_of(model, "verlet", 5.0), charged_start, 1);
        const State fine =
            after(step_of(model.rate(), gauss(3), 0.02), charged_start, 250); // to 1e-12
        CHECK(distance(once, fine) < 1e-10);
    }
}

TEST_CASE("Scovel's method is of order two, symplectic for the field, and reversible with it") {
    for (const auto& [problem, field] : {std::pair{attraction(), 1.0}, {three_bodies(), -2.0}}) {
        CAPTURE(problem.name);
        const ChargedParticle model(problem, field), opposite(problem, -field);
        const State exact = after(step_of(model.rate(), gauss(3), 1.0 / 500), charged_start, 500);
        const auto error = [&](int steps) {
            return distance(after(step_of(model, "verlet", 1.0 / steps), charged_start, steps),
                            exact);
        };
        CHECK(std::abs(std::log2(error(64) / error(128)) - 2.0) < 0.1);
        const Map step = step_of(model, "verlet", 0.1);
        CHECK(magnetic_defect(step, field) < 1e-8);
        CHECK(magnetic_defect(step, 0.0) > 1e-2);
        CHECK(magnetic_defect(step_of(model.rate(), gauss(1), 0.1), field) < 1e-8);
        CHECK(magnetic_defect(step_of(model.rate(), runge_kutta_4(), 0.1), field) > 1e-7);
        const State there = after(step, charged_start, 10);
        CHECK(distance(flipped(after(step_of(opposite, "verlet", 0.1), flipped(there), 10)),
                       charged_start) < 1e-12);
        CHECK(distance(flipped(after(step, flipped(there), 10)), charged_start) > 0.1);
    }
}

TEST_CASE("the magnetic momentum and the energy are conserved") {
    const ChargedParticle model(attraction(), 1.0);
    const Quantity momentum = [&](const State& z) { return model.magnetic_momentum(z); };
    CHECK(change_of(momentum, step_of(model, "verlet", 0.1), 500, charged_start).largest < 1e-13);
    const auto swing = [&](double dt) {
        const Quantity energy = [&](const State& z) { return model.energy(z); };
        return change_of(energy, step_of(model, "verlet", dt),
                         static_cast<int>(std::lround(10.0 / dt)), start_of(model.problem()))
            .largest;
    };
    CHECK(std::abs(std::log2(swing(0.02) / swing(0.01)) - 2.0) < 0.1);
    const ChargedParticle moon(three_bodies(), -2.0);
    const Quantity jacobi = [&](const State& z) { return moon.energy(z); };
    CHECK(change_of(jacobi, step_of(moon, "yoshida-6", 0.01), 300, charged_start).largest < 1e-6);
}
