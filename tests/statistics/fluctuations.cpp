// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/fluctuations.hpp"

#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

using namespace shadow;

namespace {

const std::vector<std::string> names = {"potential_energy", "kinetic_energy", "total_energy",
                                        "pressure", "hypervirial"};

/// f degrees of freedom with kinetic energy and g oscillators whose stiffness goes with V^-s: then
/// P = 2 K / (d V) + s U / V, X = s^2 U, and everything is known.
struct Oscillators {
    double f = 600.0, g = 400.0, s = 4.0, volume = 50.0, kT = 0.7, k = 2.0;
    int dimension = 3;

    [[nodiscard]] double heat_capacity() const { return 0.5 * (f + g) * k; }
    [[nodiscard]] double thermal_pressure() const {
        return (f / dimension + 0.5 * s * g) * k / volume;
    }
    [[nodiscard]] double isothermal() const { return 1.0 / (thermal_pressure() * kT / k); }
    [[nodiscard]] double adiabatic() const {
        const double gamma = thermal_pressure();
        return 1.0 / (1.0 / isothermal() + kT / k * volume * gamma * gamma / heat_capacity());
    }
    [[nodiscard]] EnsembleFacts facts(bool canonical) const {
        EnsembleFacts facts{f, k, dimension, volume, {}};
        if (canonical) facts.bath_kT = kT;
        return facts;
    }
    /// Independent samples of one ensemble or the other.
    [[nodiscard]] FluctuationSeries sample(bool canonical, int samples, std::uint64_t seed) const {
        FluctuationSeries series(names);
        std::mt19937_64 random(seed);
        std::gamma_distribution<double> kinetic(0.5 * f, kT), potential(0.5 * g, kT);
        const double energy = 0.5 * (f + g) * kT;
        for (int t = 0; t < samples; ++t) {
            double K = kinetic(random), U = potential(random);
            if (!canonical) { // a ratio of gamma variates is that of the energies at constant sum
                const double scale = energy / (K + U);
                K *= scale;
                U *= scale;
            }
            const double P = 2.0 * K / (dimension * volume) + s * U / volume, X = s * s * U;
            series.take("potential_energy", {&U, 1});
            series.take("kinetic_energy", {&K, 1});
            series.take("pressure", {&P, 1});
            series.take("hypervirial", {&X, 1});
        }
        return series;
    }
};

std::map<std::string, DerivedEstimate> by_name(const std::vector<FluctuationQuantity>& all) {
    std::map<std::string, DerivedEstimate> found;
    for (const FluctuationQuantity& q : all) found[q.name] = q.estimate;
    return found;
}

} // namespace

TEST_CASE("derivatives of oscillators from fluctuations at constant energy and temperature") {
    const bool canonical = GENERATE(false, true);
    const int runs = 100;
    const Oscillators system;
    const std::map<std::string, double> exact = {
        {"heat_capacity", system.heat_capacity()},
        {"thermal_pressure_coefficient", system.thermal_pressure()},
        {"isothermal_compressibility", system.isothermal()},
        {"adiabatic_compressibility", system.adiabatic()}};
    std::map<std::string, double> mean, spread, error;
    for (int k = 0; k < runs; ++k) {
        const auto series = system.sample(canonical, 4000, 40 + static_cast<std::uint64_t>(k));
        for (const auto& [name, e] : by_name(series.quantities(system.facts(canonical)))) {
            CHECK(e.reliable);
            mean[name] += e.value / runs;
            spread[name] += std::pow(e.value - exact.at(name), 2) / runs;
            error[name] += e.error / runs;
        }
    }
    REQUIRE(mean.size() == 4);
    for (const auto& [name, value] : exact) {
        CAPTURE(canonical, name, mean[name] / value, spread[name] / value, error[name] / value);
        // The formulas of constant energy are right to 1 / f: some times 0.2%.
        const double allowed = canonical ? 0.0 : 5.0 / system.f;
        CHECK(std::abs(mean[name] / value - 1.0) <
              allowed + 4.0 * error[name] / value / std::sqrt(runs));
        CHECK(std::abs(std::sqrt(spread[name]) / error[name] - 1.0) < 4.0 / std::sqrt(2.0 * runs));
        CHECK(error[name] / value < 0.2);
    }
}

TEST_CASE("an ideal gas and a harmonic solid at constant energy") {
    // Leimkuhler and Reich 2004, table 11.2, without its 4/9: 3/2 N k where K is constant, 3 N k
    // where half the energy is kinetic.
    Moments gas(2), solid(2);
    gas.add(std::array{300.0, 0.0});
    const double spread = 300.0 / std::sqrt(600.0 + 1.0); // of a beta distribution B(f/2, f/2)
    solid.add(std::array{300.0 - spread, 300.0 + spread});
    solid.add(std::array{300.0 + spread, 300.0 - spread});
    const EnsembleFacts facts{600.0, 1.0, 3, 0.0, {}};
    CHECK(fluctuations::heat_capacity(gas, facts) == 300.0);
    CHECK(std::abs(fluctuations::heat_capacity(solid, facts) - 600.0 * 601.0 / 602.0) < 1e-9);
}

TEST_CASE("an ideal gas has the compressibilities of paper and pencil") {
    // P = N kT / V, 1 / beta_T = P, 1 / beta_S = (1 + 2/d) P, and neither a virial nor a
    // hypervirial.
    const int d = 3;
    const double N = 100.0, kT = 1.5, V = 40.0, P = N * kT / V, K = 0.5 * d * N * kT;
    Moments still(4);
    still.add(std::array{K, 0.0, P, 0.0}); // K and P do not change at constant energy
    EnsembleFacts facts{d * N, 1.0, d, V, {}};
    CHECK(std::abs(fluctuations::isothermal_modulus(still, facts) / P - 1.0) < 1e-14);
    CHECK(std::abs(fluctuations::adiabatic_modulus(still, facts) / P * 3.0 / 5.0 - 1.0) < 1e-14);
    // In a bath K scatters by d N / 2 (kT)^2, and P with it.
    Moments bath(4);
    const double spread = std::sqrt(0.5 * d * N) * kT;
    for (const double k : {K - spread, K + spread})
        bath.add(std::array{k, 0.0, 2.0 * k / (d * V), 0.0});
    facts.bath_kT = kT;
    CHECK(std::abs(fluctuations::isothermal_modulus(bath, facts) / P - 1.0) < 1e-14);
    CHECK(std::abs(fluctuations::adiabatic_modulus(bath, facts) / P * 3.0 / 5.0 - 1.0) < 1e-14);
}

TEST_CASE("a compressibility is not known where the modulus may be zero") {
    // <P> + <X>/V is 1, 8.5 or 20, and var P takes some of it away, by blocks of which the half is
    // calm.
    for (const double stiffness : {1.0, 8.5, 20.0}) {
        CAPTURE(stiffness);
        FluctuationSeries series(std::vector<std::string>{"kinetic_energy", "potential_energy",
                                                          "pressure", "hypervirial"});
        std::mt19937 random(3);
        std::normal_distribution<double> gauss;
        for (int k = 0; k < 400; ++k) {
            const double size = k % 40 < 20 ? 0.2 : 1.4;
            series.take("kinetic_energy", std::array{15.0 + 4.0 * gauss(random)});
            series.take("potential_energy", std::array{gauss(random)});
            series.take("pressure", std::array{stiffness + size * gauss(random)});
            series.take("hypervirial", std::array{0.0});
        }
        const auto found = by_name(series.quantities({30.0, 1.0, 3, 1.0, 1.0}));
        const DerivedEstimate beta = found.at("isothermal_compressibility");
        CHECK(std::isinf(beta.error) == (stiffness < 10.0));
        if (stiffness < 10.0) CHECK_FALSE(beta.reliable);
        if (stiffness == 8.5) CHECK(beta.value > 0.0); // by less than four errors
    }
}

TEST_CASE("what is divided by a number that may be zero is not known") {
    // 1 - (f/2) var K / <K>^2 is f / (f + g) = 1/11, known from n samples to sqrt(2/n) 10/11.
    Oscillators system;
    system.f = 60.0;
    system.g = 600.0;
    const EnsembleFacts facts = system.facts(false);
    int known = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed)
        for (const FluctuationQuantity& q : system.sample(false, 200, seed).quantities(facts)) {
            CAPTURE(seed, q.name, q.estimate.value, q.unknown);
            CHECK(q.unknown.empty() == std::isfinite(q.estimate.error));
            if (q.name != "heat_capacity" || !q.unknown.empty()) continue;
            ++known;
            CHECK(q.estimate.value > 0.0);
        }
    CHECK(known < 3);
    for (const FluctuationQuantity& q : system.sample(false, 200, 1).quantities(facts)) {
        CAPTURE(q.name);
        if (q.name == "adiabatic_compressibility") continue; // has no heat capacity in it
        CHECK_FALSE(q.estimate.reliable);
        CHECK(q.unknown.find("1 - (f/2) var K / <K>^2") != std::string::npos);
    }
    // Of more samples the error is bounded, and right; with a bath nothing is divided by.
    for (const auto& q : system.sample(false, 20'000, 1).quantities(facts)) {
        CAPTURE(q.name);
        if (q.name == "isothermal_compressibility") continue; // what 1 / beta itself may be
        CHECK(q.unknown.empty());
        if (q.name == "heat_capacity")
            CHECK(std::abs(q.estimate.value - system.heat_capacity()) <
                  4.0 * q.estimate.error + 5.0 / system.f * system.heat_capacity());
    }
    const auto bath = system.sample(true, 200, 1).quantities(system.facts(true));
    CHECK(bath[0].unknown.empty());
    CHECK(bath[1].unknown.empty());
}

TEST_CASE("a heat capacity that is negative for certain is known") {
    // As of what attracts itself over all distances: K scatters more than with a bath.
    FluctuationSeries series(std::vector<std::string>{"kinetic_energy", "potential_energy"});
    for (int k = 0; k < 1000; ++k) {
        const double K = k % 2 == 0 ? 10.0 : 20.0, U = -K;
        series.take("kinetic_energy", {&K, 1});
        series.take("potential_energy", {&U, 1});
    }
    const auto found = series.quantities({30.0, 1.0, 3, 0.0, {}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].unknown.empty());
    CHECK(found[0].estimate.value < 0.0);
}

TEST_CASE("only what is measured is derived") {
    const std::vector<std::string> open = {"kinetic_energy", "potential_energy"}, none = {"mu_4"};
    FluctuationSeries series(open);
    CHECK(series.any());
    CHECK(series.names().size() == 2);
    CHECK(series.quantities({100.0, 1.0, 2, 0.0, {}}).size() == 1);
    CHECK_FALSE(FluctuationSeries(none).any());
    CHECK(FluctuationSeries(none).quantities({}).empty());
    CHECK(FluctuationSeries(std::span(names).first(4)).quantities({10.0, 1.0, 2, 5.0, {}}).size() ==
          2);
}

TEST_CASE("the configurational temperature is a ratio of means, with the error of a ratio") {
    // Independent F ~ 300 +- 10 and L ~ 60 +- 1 have a ratio 5 with 5 sqrt(1/30^2 + 1/60^2) a row.
    const std::vector<std::string> both = {"hypervirial", "squared_force", "laplacian"};
    FluctuationSeries series(both, FluctuationSeries::Kind::configurational);
    CHECK(series.names() == std::vector<std::string>{"squared_force", "laplacian"});
    std::mt19937_64 random(8);
    std::normal_distribution<> unit;
    const int rows = 5000;
    for (int t = 0; t < rows; ++t) {
        const double square = 300.0 + 10.0 * unit(random), laplacian = 60.0 + unit(random);
        series.take("squared_force", {&square, 1});
        series.take("laplacian", {&laplacian, 1});
    }
    const auto found = series.quantities({0.0, 2.0, 3, 0.0, {}});
    REQUIRE(found.size() == 1);
    CHECK(found[0].name == "configurational_temperature");
    const double error = 2.5 * std::sqrt(1.0 / 900 + 1.0 / 3600) / std::sqrt(rows);
    CHECK(std::abs(found[0].estimate.error / error - 1.0) < 0.2); // of 312 blocks: 4 %
    CHECK(std::abs(found[0].estimate.value - 2.5) < 4.0 * error);
}

TEST_CASE("rows of fluctuations arrive in batches and survive a file") {
    const std::vector<std::string> two = {"kinetic_energy", "potential_energy"};
    FluctuationSeries one(two), batches(two), resumed(two);
    std::mt19937_64 random(3);
    std::vector<double> K(1000), U(1000);
    for (std::size_t t = 0; t < K.size(); ++t) {
        K[t] = static_cast<double>(random() % 1000);
        U[t] = static_cast<double>(random() % 1000);
        one.take("kinetic_energy", {&K[t], 1});
        one.take("potential_energy", {&U[t], 1});
        one.take("pressure", {&U[t], 1}); // has no part
    }
    batches.take("potential_energy", std::span(U).first(333));
    batches.take("kinetic_energy", std::span(K).first(333));
    resumed.restore(batches.state());
    for (FluctuationSeries* series : {&batches, &resumed}) {
        series->take("kinetic_energy", std::span(K).subspan(333));
        series->take("potential_energy", std::span(U).subspan(333));
        CHECK(series->state() == one.state());
    }
}

TEST_CASE("moments of fluctuations have the weights of rows") {
    const std::vector<std::string> two = {"kinetic_energy", "potential_energy"};
    FluctuationSeries weighted(two), repeated(two);
    std::mt19937_64 random(4);
    for (int t = 0; t < 400; ++t) {
        const double K = static_cast<double>(random() % 1000), U = -K,
                     weight = K < 500.0 ? 1.0 : 5.0;
        const double log_weight = std::log(weight);
        weighted.take("potential_energy", {&U, 1}, {&log_weight, 1});
        weighted.take("kinetic_energy", {&K, 1}, {&log_weight, 1});
        for (int k = 0; k < weight; ++k) {
            repeated.take("kinetic_energy", {&K, 1});
            repeated.take("potential_energy", {&U, 1});
        }
    }
    const EnsembleFacts facts{.degrees_of_freedom = 30.0, .bath_kT = 1.0};
    const double found = weighted.quantities(facts)[0].estimate.value,
                 expected = repeated.quantities(facts)[0].estimate.value;
    // The jackknife takes other blocks away: by the bias of a variance, 1/n of it.
    CHECK(found == Approx(expected).epsilon(0.02));
}
