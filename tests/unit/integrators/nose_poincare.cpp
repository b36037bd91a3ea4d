// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_poincare.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

NosePoincare method(double dt, double mass) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = 1.0;
    settings.mass = mass;
    return NosePoincare(settings);
}

struct CanonicalMoments {
    double p2 = 0.0, q2 = 0.0, kurtosis_p = 0.0, kurtosis_q = 0.0;
};

CanonicalMoments sample(double mass, int steps) {
    SmallSystem system(unit_oscillator());
    NosePoincare bath = method(0.01, mass);
    bath.prepare(system);
    CanonicalMoments sum;
    double p4 = 0.0, q4 = 0.0;
    for (int k = 0; k < steps; ++k) {
        bath.step(system);
        const double p = system.p()[0] / system.scalar(Scalar::s), q = system.q()[0];
        sum.p2 += p * p / steps;
        sum.q2 += q * q / steps;
        p4 += p * p * p * p / steps;
        q4 += q * q * q * q / steps;
    }
    sum.kurtosis_p = p4 / (sum.p2 * sum.p2);
    sum.kurtosis_q = q4 / (sum.q2 * sum.q2);
    return sum;
}

} // namespace

TEST_CASE("Nosé-Poincaré samples one oscillator as its torus does, not canonically") {
    // The exact canonical values are <q^2> = 1 and kurtosis 3; the motion is quasi-periodic, and
    // the values of its torus are those below, from an independent program with t = 1e5. Averages
    // over a torus converge as 1/t: the bounds are half a unit in the last digit of the values plus
    // 10/t.
    const int steps = 2000000; // t = 2e4
    const double slack = 1.0 + 10.0 / 2e4;
    auto near = [&](double found, double value, double unit) {
        return std::abs(found - value) < 0.51 * unit + (slack - 1.0) * value;
    };
    const CanonicalMoments one = sample(1.0, steps);
    CAPTURE(one.p2, one.kurtosis_p, one.q2, one.kurtosis_q);
    CHECK(near(one.p2, 1.0, 1e-4));
    CHECK(near(one.kurtosis_p, 2.175, 1e-3));
    CHECK(near(one.q2, 0.8255, 1e-4));
    CHECK(near(one.kurtosis_q, 1.834, 1e-3));
    const CanonicalMoments ten = sample(10.0, steps);
    CAPTURE(ten.p2, ten.kurtosis_p, ten.q2, ten.kurtosis_q);
    CHECK(near(ten.p2, 1.0, 1e-4));
    CHECK(near(ten.kurtosis_p, 1.820, 1e-3));
    CHECK(near(ten.q2, 0.9801, 1e-4));
    CHECK(near(ten.kurtosis_q, 1.794, 1e-3));
    const CanonicalMoments tenth = sample(0.1, steps);
    CAPTURE(tenth.p2, tenth.kurtosis_p, tenth.q2, tenth.kurtosis_q);
    CHECK(near(tenth.p2, 1.0005, 1e-4));
    CHECK(near(tenth.kurtosis_p, 1.579, 1e-3));
    CHECK(near(tenth.q2, 3.699, 1e-3));
    CHECK(near(tenth.kurtosis_q, 1.839, 1e-3));
}

TEST_CASE("Nosé-Poincaré returns after 1000 steps with flipped momenta") {
    SmallSystem system(unit_oscillator());
    NosePoincare bath = method(0.05, 1.0);
    bath.prepare(system);
    const auto start = system.state(true);
    for (int k = 0; k < 1000; ++k) bath.step(system);
    system.flip();
    for (int k = 0; k < 1000; ++k) bath.step(system);
    system.flip();
    const auto end = system.state(true);
    // 2000 steps rounded by some 1e-16 at random: 1e-14.
    for (std::size_t i = 0; i < start.size(); ++i) CHECK(std::abs(end[i] - start[i]) < 1e-12);
}

TEST_CASE("errors of Nosé-Poincaré and of its energy fall fourfold when the step is halved") {
    auto largest_error = [](double dt) {
        Problem problem = unit_oscillator();
        problem.q = {0.3};
        problem.p = {1.1};
        SmallSystem system(problem);
        NosePoincare bath = method(dt, 1.0);
        bath.prepare(system);
        system.set_scalar(Scalar::pi, 0.2);
        system.set_scalar(Scalar::energy_0, system.conserved(bath));
        double largest = 0.0;
        while (system.time() < 10.0 - 0.5 * dt) {
            bath.step(system);
            const double error = system.conserved(bath) - system.scalar(Scalar::energy_0);
            largest = larger(largest, std::abs(error));
        }
        return largest;
    };
    // Reference value 7.4e-4 at dt = 0.05 from this start; half a digit.
    const double coarse = largest_error(0.05), fine = largest_error(0.025);
    CAPTURE(coarse, fine);
    CHECK(std::abs(coarse - 7.4e-4) < 0.05e-4);
    // The next term of the error is dt^2 smaller, with a constant of a few.
    CHECK(std::abs(coarse / fine - 4.0) < 0.05);
}

TEST_CASE("prepare puts the start on the energy surface") {
    SmallSystem system(pendulum());
    NosePoincare bath = method(0.05, 0.7);
    system.set_scalar(Scalar::s, 2.0);
    system.set_scalar(Scalar::pi, -1.0);
    bath.prepare(system);
    CHECK(system.scalar(Scalar::s) == 1.0);
    CHECK(system.scalar(Scalar::pi) == 0.0);
    CHECK(system.scalar(Scalar::energy_0) == system.conserved(bath));
    for (int k = 0; k < 100; ++k) bath.step(system);
    CHECK(std::abs(system.scalar(Scalar::s) - 1.0) > 0.01);
}

TEST_CASE("a step too large for the bath equation is reported and leaves the bath as it was") {
    SmallSystem system(unit_oscillator());
    NosePoincare bath = method(5.0, 0.01);
    bath.prepare(system);
    CHECK(system.scalar(Scalar::failed) == 0.0);
    for (int k = 0; k < 3 && system.scalar(Scalar::failed) == 0.0; ++k) bath.step(system);
    CHECK(system.scalar(Scalar::failed) == 1.0);
    CHECK(system.scalar(Scalar::s) > 0.0);
}
