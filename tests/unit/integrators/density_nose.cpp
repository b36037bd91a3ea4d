// SPDX-License-Identifier: BSD-3-Clause
/// Generalized density dynamics, in which the total energy has a density of its own.
#include "shadow/integrators/density_nose.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

/// Of a total energy that is made flatter about -0.2 or elsewhere.
MethodSettings near_start(double dt, double threshold = -0.2, double least_slope = 0.5) {
    MethodSettings some;
    some.dt = dt;
    some.kT = 0.8;
    some.mass = 2.0;
    some.density = {threshold, 1.0, least_slope, true, true};
    return some;
}

} // namespace

TEST_CASE("a flatter energy has an inverse") {
    for (const bool below : {false, true})
        for (const bool above : {false, true})
            for (const double slope : {0.01, 0.5, 0.99}) {
                const Boost boost{-3.0, 12.0, slope, below, above};
                for (const double energy :
                     {-1e5, -300.0, -15.0, -3.0, -2.99, 0.0, 9.0, 70.0, 4e3, 1e6}) {
                    CAPTURE(below, above, slope, energy);
                    const double found = boost.inverse(energy + boost.energy(energy));
                    // Rounding of the energy, divided by the slope.
                    CHECK(std::abs(found - energy) < 1e-15 * (std::abs(energy) + 12.0) / slope);
                }
            }
}

TEST_CASE("the density of a flatter energy is that of its weights") {
    // Integrated over E, exp(-F/kT) F' is exp(-F/kT) at its ends.
    const Boost boost{-0.3, 0.7, 0.4, true, true, 0.8, true};
    const double from = -2.0, to = 3.0;
    const int parts = 20000;
    double sum = 0.0;
    for (int k = 0; k < parts; ++k) {
        const double energy = from + (k + 0.5) * (to - from) / parts;
        sum += std::exp(-(energy + boost.of_density(energy)) / boost.kT) * (to - from) / parts;
    }
    const auto at = [&](double e) { return std::exp(-(e + boost.energy(e)) / boost.kT); };
    CHECK(std::abs(sum - boost.kT * (at(from) - at(to))) < 1e-8 * sum);
}

TEST_CASE("a bath for a density begins on its energy surface, and stays near it") {
    for (const Problem& problem : problems()) {
        const auto off = [&](double dt) {
            SmallSystem system(problem);
            DensityNose method(near_start(dt));
            method.prepare(system);
            CHECK(system.scalar(Scalar::s) == 1.0);
            CHECK(system.scalar(Scalar::pi) == 0.0);
            const double start = system.conserved(method);
            CHECK(std::abs(start - system.scalar(Scalar::energy_0)) < 1e-14);
            double most = 0.0;
            for (int k = 0; k < static_cast<int>(std::lround(2.0 / dt)); ++k) {
                method.step(system);
                most = larger(most, std::abs(system.conserved(method) - start));
            }
            return most;
        };
        const double coarse = off(0.02), fine = off(0.01);
        CAPTURE(problem.name, coarse, fine);
        CHECK(std::abs(std::log2(coarse / fine) - 2.0) < 0.2);
    }
}

TEST_CASE("where its density is Boltzmann's it is Nosé-Poincaré") {
    // Thresholds that are never reached, on one side.
    for (const Problem& problem : problems()) {
        const double dt = 0.0005;
        MethodSettings far = near_start(dt, 1e3);
        far.density.below = false;
        const auto nose = find_integrator("nose-poincare")->make(far);
        SmallSystem a(problem), b(problem);
        DensityNose method(far);
        method.prepare(a);
        nose->prepare(b);
        for (int k = 0; k < 2000; ++k) {
            method.step(a);
            nose->step(b);
        }
        const std::vector<double> found = a.state(true), known = b.state(true);
        double most = 0.0;
        for (std::size_t i = 0; i < known.size(); ++i)
            most = larger(most, std::abs(found[i] - known[i]));
        CAPTURE(problem.name, most);
        CHECK(most < 1e-6); // both have errors of dt^2
        // And not where it is not.
        DensityNose flat(near_start(dt));
        SmallSystem c(problem);
        flat.prepare(c);
        for (int k = 0; k < 2000; ++k) flat.step(c);
        CHECK(std::abs(c.state(true).back() - known.back()) > 1e-3);
    }
}

TEST_CASE("a step too long for its bath has failed, and leaves it as it was") {
    SmallSystem system(unit_oscillator());
    MethodSettings heavy = near_start(5.0);
    heavy.mass = 0.001;
    DensityNose method(heavy);
    method.prepare(system);
    for (int k = 0; k < 20 && system.scalar(Scalar::failed) == 0.0; ++k) method.step(system);
    CHECK(system.scalar(Scalar::failed) == 1.0);
    CHECK(system.scalar(Scalar::s) > 0.0);
    CHECK(std::isfinite(system.scalar(Scalar::pi)));
}

TEST_CASE("a density far from its threshold is Boltzmann's at a higher temperature") {
    // Of F with the slope c, kT/c and a mass of c Q, whatever the sum that energies are a part of.
    for (const double threshold : {-1e7, -1e5, 1e7})
        for (const Problem& problem : problems()) {
            const MethodSettings far = near_start(0.0005, threshold, 0.75);
            MethodSettings hot = far;
            hot.kT = 0.8 / 0.75;
            hot.mass = 0.75 * far.mass;
            const auto nose = find_integrator("nose-poincare")->make(hot);
            DensityNose method(far);
            SmallSystem a(problem), b(problem);
            method.prepare(a);
            nose->prepare(b);
            for (int k = 0; k < 2000; ++k) {
                method.step(a);
                nose->step(b);
            }
            double most = 0.0;
            for (std::size_t i = 0; i < a.state(true).size(); ++i)
                most = larger(most, std::abs(a.state(true)[i] - b.state(true)[i]));
            CAPTURE(threshold, problem.name, most);
            CHECK(a.scalar(Scalar::failed) == 0.0);
            CHECK(most < 1e-6); // errors of dt^2, and of energies 1e-9
        }
}
