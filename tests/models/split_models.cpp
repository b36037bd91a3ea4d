// SPDX-License-Identifier: BSD-3-Clause
/// Flows of the model systems are those of their Hamiltonians, and methods on them what they claim.
#include "src/models/drifting_oscillator.hpp"
#include "src/models/linear_map.hpp"
#include "src/models/linear_models.hpp"
#include "src/models/reversible_averaging.hpp"
#include "src/models/runge_kutta.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>
#include <memory>

using namespace shadow;
using namespace shadow::models;

namespace {

struct Row {
    const char* name;
    std::shared_ptr<const SplitModel> model;
    State start;
};

/// Of every model, with the fast frequency near 5.
std::vector<Row> rows() {
    const State pair = {0.4, 0.7, 0.9, -0.3};
    return {{"perturbed oscillator", std::make_shared<PerturbedOscillator>(5.0), {0.7, -0.4}},
            {"impulse pair", std::make_shared<ImpulsePair>(0.2), pair},
            {"two fast modes", std::make_shared<TwoFastModes>(2.0, 5.0, 0.7), pair},
            {"linear pair", std::make_shared<LinearPair>(0.2), pair},
            {"nonlinear pair", std::make_shared<NonlinearPair>(0.2, 0.5), pair}};
}

/// dz/dt = J grad H, by differences of the energy: these are exact to 1e-10 of it.
Rate rate_of(const SplitModel& model) {
    return [&model](const State& z, State& f) {
        constexpr double h = 1e-3;
        const std::size_t n = z.size(), half = n / 2;
        for (std::size_t i = 0; i < n; ++i) {
            const auto at = [&](double by) {
                State moved = z;
                moved[i] += by;
                return model.energy(moved);
            };
            const double slope =
                (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
            if (i < half)
                f[i + half] = -slope;
            else
                f[i - half] = slope;
        }
    };
}

/// How the error after the time 1 falls where steps are halved, as a power; against the motion by
/// Runge and Kutta with 4000 steps, whose own error is 1e-11.
double order(const Map& coarse, const Map& fine, const SplitModel& model, const State& start) {
    State exact = start;
    const Rate rate = rate_of(model);
    for (int k = 0; k < 4000; ++k) runge_kutta_step(rate, 1.0 / 4000, exact);
    return std::log2(distance(after(coarse, start, 64), exact) /
                     distance(after(fine, start, 128), exact));
}

} // namespace

TEST_CASE("words of flows have the orders that they have with forces") {
    for (const Row& row : rows())
        for (const char* method : {"verlet", "triple-jump"}) {
            CAPTURE(row.name, method);
            const double found =
                order(step_of(*row.model, method, 1.0 / 64), step_of(*row.model, method, 1.0 / 128),
                      *row.model, row.start);
            // What the next power adds at these steps is some per cent of it.
            CHECK(std::abs(found - find_integrator(method)->make({})->claims().order) < 0.1);
        }
}

TEST_CASE("large steps of a word are symplectic and time-reversible") {
    for (const Row& row : rows()) {
        CAPTURE(row.name);
        const Map step = step_of(*row.model, "verlet", 1.3);
        CHECK(defect_at(step, row.start) < 1e-8);
        const State there = after(step, row.start, 20);
        CHECK(distance(flipped(after(step, flipped(there), 20)), row.start) < 1e-9);
    }
}

TEST_CASE("systems that change in time are Hamiltonian with time as a coordinate") {
    const DriftingOscillator drifting(0.3);
    const UnbalancedRotor rotor;
    const Row driven[] = {{"drifting", {&drifting, [](auto) {}}, {0.7, 0.1, -0.4, 0.2}},
                          {"rotor", {&rotor, [](auto) {}}, {0.4, 0.7, 0.3, 0.9, -0.3, 0.1}}};
    for (const Row& row : driven) {
        CAPTURE(row.name);
        CHECK(std::abs(order(step_of(*row.model, "verlet", 1.0 / 64),
                             step_of(*row.model, "verlet", 1.0 / 128), *row.model, row.start) -
                       2.0) < 0.1);
        CHECK(defect_at(step_of(*row.model, "verlet", 0.6), row.start) < 1e-8);
        const State there = after(step_of(*row.model, "verlet", 0.3), row.start, 20);
        CHECK(distance(after(step_of(*row.model, "verlet", -0.3), there, 20), row.start) < 1e-12);
    }
    // Its exact motion, which the rotor follows; order 6 of 1000 steps.
    State z(6);
    z = after(step_of(rotor, "yoshida-6", 0.01), z, 1000);
    CHECK(std::abs(z[0] - UnbalancedRotor::exact(10.0)) < 1e-12);
    CHECK(std::abs(UnbalancedRotor::exact(10.0)) > 0.1);
    // Without a drift of the frequency the action is the energy.
    CHECK(DriftingOscillator::action({0.6, 0.0, 0.8, 0.0}) == Approx(0.5).epsilon(1e-15));
}

TEST_CASE("mollified kicks are symplectic and time-reversible, and become kicks") {
    const auto mollified = parse_word("M½ A1 M½"), kicked = parse_word("B½ A1 B½");
    for (const Row& row : {rows()[0], rows()[1]}) {
        CAPTURE(row.name);
        const auto matrix = [&](const Word& word, double dt) {
            return matrix_of(step_of(*row.model, word, dt), row.model->size());
        };
        CHECK(symplectic_defect(matrix(mollified, 1.3)) < 1e-13);
        CHECK(reversal_defect(matrix(mollified, 1.3)) < 1e-13);
        // 1 - sinc(w dt) of a kick of dt: the difference falls with the third power.
        const auto difference = [&](double dt) {
            return distance(matrix(mollified, dt).value, matrix(kicked, dt).value);
        };
        CHECK(difference(0.02) > 1e-7);
        CHECK(std::abs(std::log2(difference(0.02) / difference(0.01)) - 3.0) < 0.1);
    }
    State z = {1.0, 0.0, 0.0, 0.0};
    CHECK_THROWS_AS(rows()[3].model->mollified_slow(z, 0.1, 0.1), std::logic_error);
}

TEST_CASE("reversible averaging is of order two and time-reversible") {
    const LinearPair linear(0.2);
    // One substep in each step, where its length is above it.
    const NonlinearPair nonlinear(0.2, 0.5);
    const State start = {0.4, 0.7, 0.9, -0.3};
    for (const SlowFastModel* model : {static_cast<const SlowFastModel*>(&linear),
                                       static_cast<const SlowFastModel*>(&nonlinear)})
        for (const Averaging how : {Averaging{1.0, false}, {1.0, true}, {0.5, false}}) {
            CAPTURE(model == &linear, how.window, how.at_rest);
            CHECK(std::abs(order(averaging_step(*model, 1.0 / 64, how),
                                 averaging_step(*model, 1.0 / 128, how), *model, start) -
                           2.0) < 0.1);
            const Map step = averaging_step(*model, 0.7, how);
            const State there = after(step, start, 10);
            CHECK(distance(flipped(after(step, flipped(there), 10)), start) < 1e-10);
        }
}

TEST_CASE("reversible averaging is not symplectic") {
    const LinearPair linear(1.0 / 40.0);
    const Matrix m = matrix_of(averaging_step(linear, 4.3 / 40.0), 4);
    CHECK(reversal_defect(m) < 1e-13);
    CHECK(symplectic_defect(m) > 0.5);
    const Matrix impulses = matrix_of(step_of(linear, "verlet", 4.3 / 40.0), 4);
    CHECK(symplectic_defect(impulses) < 1e-12);
}

TEST_CASE("the mean force is the integral over the window") {
    const NonlinearPair nonlinear(0.2, 0.5);
    const LinearPair linear(0.2);
    const State z = {0.4, 0.7, 0.9, -0.3};
    const double window = 0.37;
    const int n = 2000;
    double mean[2] = {0.0, 0.0};
    for (int k = 0; k < n; ++k) { // by the midpoint rule, exact to 1e-6
        const double t = window * (2.0 * (k + 0.5) / n - 1.0);
        State a = z, b = z;
        linear.fast(a, t);
        nonlinear.follow(b, 0.0, t);
        mean[0] += (a[1] - a[0]) / 0.2 / n;
        mean[1] -= 0.5 * b[0] * b[1] * b[1] / 0.2 / n;
    }
    CHECK(std::abs(mean[0] - linear.mean_force(z, window)) < 2e-6);
    CHECK(std::abs(mean[1] - nonlinear.mean_force(z, window)) < 2e-6);
}

TEST_CASE("actions hardly change while the fast energy does") {
    const NonlinearPair nonlinear(1.0 / 80.0, 0.5);
    State z = {0.0, 0.0, 1.0, 2.0 * std::sqrt(1.0 / 80.0)};
    const double action = nonlinear.action(z), fast = nonlinear.fast_energy(z);
    CHECK(std::abs(action - 2.0 / 80.0) < 1e-15);
    const Map step = step_of(nonlinear, "yoshida-6", 1.0 / 800.0);
    double of_action = 0.0, of_fast = 0.0;
    for (int k = 0; k < 8000; ++k) {
        step(z);
        of_action = std::max(of_action, std::abs(nonlinear.action(z) / action - 1.0));
        of_fast = std::max(of_fast, std::abs(nonlinear.fast_energy(z) / fast - 1.0));
    }
    CHECK(of_action < 2e-3); // some tenths of eps
    CHECK(of_fast > 0.1);
    const LinearPair linear(0.2);
    CHECK(linear.action({0.4, 0.7, 0.9, -0.3}) == Approx(0.5 * (0.3 * 0.3 + 0.3 * 0.3)));
}
