// SPDX-License-Identifier: BSD-3-Clause
/// Nosé baths of several variables: their map is that of models, their start, and what changes.
#include "shadow/integrators/generalized_nose.hpp"

#include "src/models/generalized_bath.hpp"
#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include <algorithm>
#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

using Bath = GeneralizedNose::Bath;

GeneralizedNose nose_with(Bath bath, double dt, const Ramp& kT = 0.8, double mass = 1.0) {
    MethodSettings settings;
    settings.dt = dt;
    settings.kT = kT;
    settings.mass = mass;
    return {settings, bath};
}

/// kT times the bath's energy is not what models have: they are the same at kT = 1.
models::NoseOfMany of_models(Bath bath, const std::vector<double>& start) {
    return {{[](double q) { return 0.5 * q * q; }, [](double q) { return q; }},
            bath == Bath::vertex ? models::vertex_bath() : models::ball_bath(),
            1.0,
            start};
}

} // namespace

TEST_CASE("a generalized bath of one oscillator moves as that of the model does") {
    for (const Bath bath : {Bath::vertex, Bath::balls}) {
        SmallSystem system(unit_oscillator());
        GeneralizedNose method = nose_with(bath, 0.004, 1.0);
        method.prepare(system);
        // The model has s before the variables of the bath.
        const auto as_model = [](std::vector<double> z) {
            const auto half = static_cast<std::ptrdiff_t>(z.size() / 2);
            for (auto first : {z.begin(), z.begin() + half})
                std::rotate(first + 1, first + half - 1, first + half);
            return z;
        };
        std::vector<double> z = as_model(system.state(true));
        REQUIRE(z.size() == (bath == Bath::vertex ? 8 : 22));
        models::NoseOfMany model = of_models(bath, z);
        for (int k = 0; k < 500; ++k) {
            method.step(system);
            model.step(z, 0.004);
        }
        const std::vector<double> found = as_model(system.state(true));
        CHECK(std::abs(found[1] - 1.0) > 0.1);
        double most = 0.0;
        for (std::size_t i = 0; i < z.size(); ++i) most = larger(most, std::abs(found[i] - z[i]));
        CHECK(most < 1e-11); // 500 steps rounded by 1e-16, of balls that part from each other
    }
}

TEST_CASE("a generalized bath begins on its energy surface, with energies of kT") {
    for (const Bath bath : {Bath::vertex, Bath::balls}) {
        SmallSystem system(pendulum());
        system.set_scalar(Scalar::s, 2.0);
        system.set_scalar(Scalar::pi, -1.0);
        GeneralizedNose method = nose_with(bath, 0.01, 0.7, 3.0);
        method.prepare(system);
        CHECK(system.scalar(Scalar::s) == 1.0);
        CHECK(system.scalar(Scalar::pi) == 0.0);
        CHECK(std::abs(system.scalar(Scalar::energy_0) - system.conserved(method)) < 1e-14);
        const double own = system.conserved(method) - system.kinetic_energy() -
                           system.potential_energy(),
                     momenta = bath == Bath::vertex ? 0.5 * (0.09 + 0.49 / 3.0) : 0.5 * 0.09 * 60.0,
                     places = bath == Bath::vertex
                                  ? 0.5 * 1.25
                                  : 0.5 * (1.0 + 1.21 + 1.1025) + std::pow(2.21, -6.0) +
                                        std::pow(2.1025, -6.0) + std::pow(2.3125, -6.0);
        CHECK(std::abs(own - 0.7 * (momenta + places)) < 1e-14);
    }
}

TEST_CASE("what a changing temperature gives to a generalized bath is accounted for") {
    for (const Bath bath : {Bath::vertex, Bath::balls}) {
        double swing[2];
        for (const int finer : {1, 2}) {
            SmallSystem system(unit_oscillator());
            const double dt = 0.01 / finer;
            GeneralizedNose method =
                nose_with(bath, dt, Ramp({{0, 0.8}, {200 * finer, 1.6}}), 10.0);
            CHECK(method.steady_from() == 200 * finer);
            method.prepare(system);
            const double start = system.conserved(method);
            swing[finer - 1] = 0.0;
            for (int k = 0; k < 200 * finer; ++k) {
                method.step(system);
                swing[finer - 1] =
                    larger(swing[finer - 1], std::abs(system.conserved(method) - start));
            }
            CHECK(std::abs(system.scalar(Scalar::work)) > 0.1);
        }
        CHECK(std::abs(std::log2(swing[0] / swing[1]) - 2.0) < 0.1);
    }
}

TEST_CASE("a step too large for a generalized bath is told") {
    SmallSystem system(unit_oscillator());
    GeneralizedNose method = nose_with(Bath::vertex, 5.0, 1.0, 0.01);
    method.prepare(system);
    for (int k = 0; k < 3 && system.scalar(Scalar::failed) == 0.0; ++k) method.step(system);
    CHECK(system.scalar(Scalar::failed) == 1.0);
    CHECK(system.scalar(Scalar::s) > 0.0);
}
