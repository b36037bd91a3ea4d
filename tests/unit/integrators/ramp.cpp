// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/ramp.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/nose_poincare.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/io/toml.hpp"

#include <cmath>
#include <string>

using namespace shadow;
using namespace shadow::test;

namespace {

std::unique_ptr<Integrator> read_ramped(const std::string& text) {
    return make_integrator(read_toml_text("dt = 0.01\n" + text, "in.toml"), {2.0});
}

/// The largest change of the conserved quantity of Nosé-Poincaré while kT goes from 1 to 2 within
/// t = 10, and the work that this took.
struct Change {
    double conserved = 0.0, work = 0.0;
};

Change heat(double dt) {
    const auto steps = static_cast<std::int64_t>(std::lround(10.0 / dt));
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = Ramp({{0, 1.0}, {steps, 2.0}});
    settings.mass = 1.0;
    NosePoincare bath(settings);
    Problem oscillator{"oscillator",
                       {1.0},
                       {0.3},
                       {1.1},
                       [](const double* q, ForceLevel f) { return share(f) * 0.5 * q[0] * q[0]; },
                       [](const double* q, ForceLevel f, double* g) { g[0] = share(f) * q[0]; }};
    SmallSystem system(oscillator);
    bath.prepare(system);
    const double start = system.conserved(bath);
    Change change;
    for (std::int64_t k = 0; k < steps; ++k) {
        bath.step(system);
        change.conserved = std::max(change.conserved, std::abs(system.conserved(bath) - start));
    }
    change.work = system.scalar(Scalar::work);
    return change;
}

} // namespace

TEST_CASE("a ramp is linear between its points and constant outside") {
    const Ramp ramp({{10, 1.5}, {20, 0.5}, {30, 0.5}, {40, 2.0}});
    for (const auto& [step, value] : {std::pair{0.0, 1.5},
                                      {10.0, 1.5},
                                      {12.5, 1.25},
                                      {20.0, 0.5},
                                      {25.0, 0.5},
                                      {35.0, 1.25},
                                      {40.0, 2.0},
                                      {1e9, 2.0}})
        CHECK(ramp.at(step) == value);
    CHECK(ramp.steady_from() == 40);
    CHECK(ramp.last() == 2.0);
    CHECK((ramp * 3.0).at(12.5) == 3.75);
    CHECK(ramp.largest() == 2.0);
    CHECK(Ramp({{0, 1.0}, {5, -3.0}}).largest() == 3.0);
    CHECK(Ramp({{0, 1.0}, {5, 2.0}, {9, 2.0}}).steady_from() == 5);
    CHECK(Ramp({{7, 1.0}}).steady_from() == 0);
    CHECK(Ramp(4.0).at(123.5) == 4.0);
    CHECK(Ramp(4.0).steady_from() == 0);
}

TEST_CASE("temperature and friction are read as tables of steps and values") {
    const auto bath = read_ramped("method = \"baoab\"\ntemperature = [[0, 1.5], [10_000, 0.7]]\n"
                                  "friction = [[500, 1], [20_000, 0.5], [30_000, 0.5]]");
    CHECK(bath->steady_from() == 20'000);
    CHECK(bath->bath_kT() == 2.0 * 0.7);
    CHECK(read_ramped("method = \"baoab\"\ntemperature = 1.5\nfriction = 1")->steady_from() == 0);
    const auto nose =
        read_ramped("method = \"nose-poincare\"\ntemperature = [[0, 1], [9, 2]]\nmass = 1");
    CHECK(nose->steady_from() == 9);
    CHECK(nose->bath_kT() == 4.0);
    for (const char* wrong :
         {"[]", "[[]]", "[[0]]", "[[0, 1, 2]]", "[[0.5, 1]]", "[[-1, 1]]", "[[0, 1], [0, 2]]",
          "[[5, 1], [3, 2]]", "[[0, -1]]", "[[0, nan]]", "[0, 1]", "[[0, \"1\"]]", "\"1\""}) {
        INFO(wrong);
        CHECK_THROWS_AS(
            read_ramped(std::string("method = \"baoab\"\nfriction = 1\ntemperature = ") + wrong),
            InputError);
    }
    CHECK_THROWS_AS(
        read_ramped("method = \"nose-poincare\"\nmass = 1\ntemperature = [[0, 1], [9, 0]]"),
        InputError);
}

TEST_CASE("Nosé-Poincaré conserves its energy, less the work, while the temperature changes") {
    const Change coarse = heat(0.02), fine = heat(0.01);
    CAPTURE(coarse.conserved, fine.conserved, coarse.work, fine.work);
    // Second order: fourfold; the largest of an oscillating error is caught to some per cent.
    CHECK(coarse.conserved / fine.conserved == Approx(4.0).epsilon(0.1));
    CHECK(fine.conserved < 1e-3);
    // What would be missing without it is no error of the step.
    CHECK(std::abs(fine.work) > 100.0 * fine.conserved);
    CHECK(fine.work == Approx(coarse.work).epsilon(1e-2));
}
