// SPDX-License-Identifier: BSD-3-Clause
/// Runge-Kutta methods have the order, symmetry and symplecticity that is known of their tableaux.
#include "src/models/runge_kutta.hpp"

#include "src/models/following.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include <limits>
#include <stdexcept>

using namespace shadow;
using namespace shadow::models;

namespace {

struct KnownTableau {
    Tableau tableau;
    double order;
    bool symmetric, symplectic;
};

std::vector<KnownTableau> known_tableaux() {
    return {{explicit_euler(), 1, false, false},
            {implicit_euler(), 1, false, false},
            {heun(), 2, false, false},
            {explicit_midpoint(), 2, false, false},
            {runge_kutta_4(), 4, false, false},
            {trapezoidal_rule(), 2, true, false},
            {extrapolated_euler(), 2, false, false},
            {gauss(1), 2, true, true},
            {gauss(2), 4, true, true},
            {gauss(3), 6, true, true},
            {lobatto_pair(), 4, true, true}};
}

} // namespace

TEST_CASE("Runge-Kutta methods are of their orders") {
    const Problem problem = kepler();
    const State start = start_of(problem);
    const State exact = after(step_of(problem, "mclachlan-8", 1.0 / 400), start, 400);
    const Rate rate = rate_of(problem);
    for (const KnownTableau& known : known_tableaux()) {
        CAPTURE(known.tableau.name);
        const auto error = [&](int steps) {
            return distance(after(step_of(rate, known.tableau, 1.0 / steps), start, steps), exact);
        };
        const int steps = known.order > 4 ? 16 : 128;
        // What the next power adds at these steps is a tenth.
        CHECK(std::abs(std::log2(error(steps) / error(2 * steps)) - known.order) < 0.2);
    }
}

TEST_CASE("some Runge-Kutta methods are symmetric, and some symplectic") {
    const Problem problem = kepler();
    const State start = {0.7, 0.3, -0.2, 1.1};
    const Rate rate = rate_of(problem);
    for (const KnownTableau& known : known_tableaux()) {
        CAPTURE(known.tableau.name);
        const Map step = step_of(rate, known.tableau, 0.1);
        const State back = after(step_of(rate, known.tableau, -0.1), after(step, start, 1), 1);
        if (known.symmetric)
            CHECK(distance(back, start) < 1e-13);
        else
            CHECK(distance(back, start) > 1e-7);
        if (known.symplectic)
            CHECK(defect_at(step, start) < 1e-8);
        else
            CHECK(defect_at(step, start) > 1e-6);
    }
    // Neither half of a pair is symplectic alone.
    Tableau alone = lobatto_pair();
    alone.of_momenta.clear();
    CHECK(defect_at(step_of(rate, alone, 0.1), start) > 1e-6);
    alone.a = lobatto_pair().of_momenta;
    CHECK(defect_at(step_of(rate, alone, 0.1), start) > 1e-6);
    CHECK_THROWS_AS(gauss(4), std::logic_error);
}

TEST_CASE("iteration and Newton's method find the same stages") {
    const Problem problem = kepler();
    const Rate rate = rate_of(problem);
    for (const Tableau& tableau : {trapezoidal_rule(), gauss(3), lobatto_pair()}) {
        State a = start_of(problem), b = a;
        RungeKutta iterated(rate, tableau),
            solved(rate, tableau, 1e-14, RungeKutta::Solver::newton);
        for (int k = 0; k < 20; ++k) {
            iterated.step(a, 0.05);
            solved.step(b, 0.05);
        }
        CHECK(distance(a, b) < 1e-13);
        CHECK(solved.rounds() < iterated.rounds());
    }
    // Where the iteration does not converge Newton's method does.
    const Rate stiff = [](const State& z, State& f) {
        f[0] = z[1];
        f[1] = -100.0 * z[0];
    };
    State z = {1.0, 0.0};
    CHECK_THROWS_AS(RungeKutta(stiff, gauss(1)).step(z, 1.0), std::runtime_error);
    RungeKutta(stiff, gauss(1), 1e-13, RungeKutta::Solver::newton).step(z, 1.0);
    CHECK(z[0] == Approx((1.0 - 25.0) / (1.0 + 25.0)).epsilon(1e-12));
    RungeKutta once(rate, heun());
    State y = start_of(problem);
    once.step(y, 0.1);
    CHECK(once.rounds() == 1);
}

TEST_CASE("changes along a motion are the largest and the last, and tell what is no number") {
    const Map step = [](State& z) { z[0] += z[1]; };
    const Quantity height = [](const State& z) { return 4.0 - (z[0] - 2.0) * (z[0] - 2.0); };
    const Change change = change_of(height, step, 3, {0.0, 1.0});
    CHECK(change.largest == 4.0);
    CHECK(change.last == 3.0);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isnan(change_of(height, step, 3, {0.0, nan}).largest));
    CHECK(last_of(3, 2.29e-3) == Approx(1e-5));
    CHECK(last_of(2, -0.82) == Approx(0.01));
}

TEST_CASE("shadow energies of an oscillator are those that are known") {
    const Problem problem = unit_oscillator();
    const State z = {0.7, -0.4};
    const double q2 = z[0] * z[0], p2 = z[1] * z[1], dt = 0.3, h = 0.5 * (q2 + p2);
    CHECK(energy_of(problem)(z) == Approx(h).epsilon(1e-14));
    CHECK(shadow_energy_of(problem, "verlet", dt)(z) ==
          Approx(h + dt * dt * (p2 / 12.0 - q2 / 24.0)).epsilon(1e-12));
    CHECK(shadow_energy_of(problem, "symplectic-euler-a", dt, 1)(z) ==
          Approx(h + 0.5 * dt * z[0] * z[1]).epsilon(1e-12));
}
