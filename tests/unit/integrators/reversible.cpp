// SPDX-License-Identifier: BSD-3-Clause
/// Sums that are exact, and which methods go back by them.
#include "shadow/integrators/reversible.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/integrators/registry.hpp"

#include <cmath>
#include <limits>

using namespace shadow;

namespace {

Snapshot<2> two_particles(double far) {
    Snapshot<2> start;
    start.species_table = {{"A", 1.0, 0.0}, {"B", 3.0, 0.0}};
    start.position = {{0.1, 0.2}, {far, 0.3}};
    start.momentum = {{0.0, 0.0}, {1.0, -2.0}};
    start.image.resize(2);
    start.species = {0, 1};
    return start;
}

bool is_power_of_two(double x) {
    int exponent = 0;
    return std::frexp(x, &exponent) == 0.5;
}

std::string why_not(const std::string& name) {
    MethodSettings settings;
    settings.dt = 0.01;
    settings.friction = 1.0;
    settings.kT = 1.0;
    settings.mass = 1.0;
    settings.inner = {2};
    return irreversible(*find_integrator(name)->make(settings));
}

} // namespace

TEST_CASE("symmetric compositions of drifts and kicks go back, others do not") {
    for (const char* name : {"verlet", "position-verlet", "blanes-moan-4", "mclachlan-8", "respa"})
        CHECK(why_not(name) == "");
    CHECK(why_not("symplectic-euler-a") == "its steps are not symmetric");
    CHECK(why_not("baoab") == "it has noise");
    CHECK(why_not("damped-midpoint") == "it has friction");
    CHECK(why_not("adaptive-verlet") == "its steps have lengths of their own");
    for (const char* name : {"nose-poincare", "nose-hoover", "mollified-impulse", "exact-harmonic",
                             "implicit-explicit", "chin-4"})
        CHECK(why_not(name) == "it does more than drifts and kicks");
}

TEST_CASE("the spacing is a power of two and leaves room") {
    const Box<2> periodic({10.7, 3.0}, {true, true}, {-5.0, 0.0}), open;
    const Spacing near = spacing_for(periodic, two_particles(4.0), 0.01);
    CHECK(is_power_of_two(near.position));
    CHECK(is_power_of_two(near.momentum));
    const double exact = std::ldexp(1.0, 53);
    CHECK(exact * near.position >= 8.0 * 10.7);
    CHECK(near.position < 4e-15 * 10.7);
    // The heaviest may cross an eighth of the box in a step.
    CHECK(exact * near.momentum >= 3.0 * 10.7 / 8.0 / 0.01);
    CHECK(near.momentum < 1e-12);
    const Spacing far = spacing_for(open, two_particles(100.0), 0.01);
    CHECK(exact * far.position >= 1000.0 * 100.0);
}

TEST_CASE("a box on the spacing is a multiple of it") {
    const Box<2> box({10.0 / 3.0, 7.1}, {true, true}, {-1.0 / 3.0, 0.1});
    const Spacing spacing = spacing_for(box, two_particles(1.0), 0.01);
    const Box<2> rounded = on_spacing(box, spacing);
    for (std::size_t d = 0; d < 2; ++d) {
        CHECK(std::fmod(rounded.lengths()[d], spacing.position) == 0.0);
        CHECK(std::fmod(rounded.origin()[d], spacing.position) == 0.0);
        CHECK(std::abs(rounded.lengths()[d] - box.lengths()[d]) <= 0.5 * spacing.position);
    }
}

TEST_CASE("sums beyond those that are exact end a run") {
    const Spacing spacing{std::ldexp(1.0, -43), std::ldexp(1.0, -43)}; // up to 1024
    CHECK_NOTHROW(check_range(two_particles(1024.0), spacing));
    CHECK_THROWS_AS(check_range(two_particles(1025.0), spacing), SimulationError);
    CHECK_THROWS_AS(check_range(two_particles(std::numeric_limits<double>::quiet_NaN()), spacing),
                    SimulationError);
    Snapshot<2> fast = two_particles(1.0);
    fast.momentum[0][1] = -2000.0;
    CHECK_THROWS_AS(check_range(fast, spacing), SimulationError);
}
