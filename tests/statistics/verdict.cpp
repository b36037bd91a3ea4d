// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/verdict.hpp"

#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <vector>

using namespace shadow;

namespace {

/// 500 particles at T = 1 for 20 units of time: kT f = 1500, kT sqrt(f/2) = 27.
Conservation conserving_liquid() {
    return {.name = "total energy",
            .drift = {.samples = 1000, .slope = 1e-4, .error_about_line = 2e-4, .fluctuation = 0.1},
            .time = 20.0,
            .degrees_of_freedom = 1500.0,
            .kT = 1.0,
            .kinetic_deviation = 20.0,
            .energy = 3250.0};
}

/// Independent samples about a mean.
Estimate estimate_of(double mean, double error, std::int64_t samples = 1000,
                     std::int64_t discarded = 0) {
    Estimate e;
    e.samples = samples;
    e.discarded = discarded;
    e.mean = mean;
    e.error = e.autocorrelation_error = error;
    e.deviation = error * std::sqrt(static_cast<double>(samples));
    e.independent_samples = static_cast<double>(samples);
    e.plateau = true;
    return e;
}

BathTemperature bath(double mean, double error) {
    return {.mean = estimate_of(mean, error),
            .bath = 1.0,
            .degrees_of_freedom = 1500.0,
            .time = 100.0,
            .friction = 1.0};
}

bool contains(const Finding& finding, const std::string& part) {
    return finding.message.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("what is conserved passes, and a few values are not judged") {
    CHECK(judge_conservation(conserving_liquid()).judged);
    CHECK(judge_conservation(conserving_liquid()).passed);
    Conservation few = conserving_liquid();
    few.drift = {.samples = 2, .slope = 1e9, .fluctuation = 1e9};
    CHECK_FALSE(judge_conservation(few).judged);
    CHECK(judge_conservation(few).passed);
}

TEST_CASE("a drift fails if it is significant and matters over the stage") {
    Conservation c = conserving_liquid();
    c.drift.slope = GENERATE(1.0, -1.0) * 0.076; // 0.00101 kT per degree of freedom in 20
    c.drift.error_about_line = 0.01;
    CHECK_FALSE(judge_conservation(c).passed);
    CHECK(contains(judge_conservation(c), "over the stage"));
    CHECK(contains(judge_conservation(c),
                   "(0.001 is no matter; the drift is 7.6 times its error about a line); use"));
    c.drift.error_about_line = 0.02; // 3.8 of these
    CHECK(judge_conservation(c).passed);
    c.drift.error_about_line = 0.01;
    c.time = 19.0; // 0.00096 kT
    CHECK(judge_conservation(c).passed);
}

TEST_CASE("a drift of the shadow energy shows where that of the energy is lost in its swings") {
    Conservation c = conserving_liquid();
    c.drift.slope = 0.1;
    c.drift.error_about_line = 0.05;
    CHECK(judge_conservation(c).passed);
    c.shadow = Drift{.samples = 1000, .slope = 0.1, .error = 0.005, .fluctuation = 0.001};
    CHECK_FALSE(judge_conservation(c).passed);
    CHECK(contains(judge_conservation(c), "shadow energy drifts by 2 over the stage"));
    c.drift.fluctuation = 2.0; // of the energy, whatever the other one does
    c.shadow->slope = 0.0;
    CHECK(contains(judge_conservation(c), "total energy fluctuates"));
    c = conserving_liquid();
    c.shadow = Drift{.samples = 2, .slope = 1e9, .error = 0.0};
    CHECK(judge_conservation(c).passed);
}

TEST_CASE("under friction only the drift within a relaxation time counts") {
    Conservation c = conserving_liquid();
    c.friction = 1.0;
    c.drift.slope = 1.4; // 0.019 kT over the stage, 0.00093 in 1/friction
    CHECK(judge_conservation(c).passed);
    c.drift.slope = 1.6;
    CHECK_FALSE(judge_conservation(c).passed);
    CHECK(contains(judge_conservation(c), "in a relaxation time of the bath"));
    c.friction = 0.001; // longer than the stage
    c.drift.slope = 0.074;
    CHECK(judge_conservation(c).passed);
    c.drift.slope = 0.076;
    CHECK_FALSE(judge_conservation(c).passed);
}

TEST_CASE("with a thermostat that swings only the drift within its period counts") {
    Conservation c = conserving_liquid();
    c.period = 1.0;
    c.drift.slope = 1.4;
    CHECK(judge_conservation(c).passed);
    c.drift.slope = 1.6;
    CHECK(contains(judge_conservation(c), "in a period of the bath"));
    c.drift = conserving_liquid().drift; // it has no noise that would hide how far it swings
    c.drift.fluctuation = 2.0;
    CHECK(contains(judge_conservation(c), "total energy fluctuates"));
}

TEST_CASE("a fluctuation fails from a twentieth of that of kinetic energy on") {
    Conservation c = conserving_liquid();
    c.drift.fluctuation = 0.99;
    CHECK(judge_conservation(c).passed);
    c.drift.fluctuation = 1.01;
    CHECK_FALSE(judge_conservation(c).passed);
    c.friction = 1.0; // noise makes it walk
    CHECK(judge_conservation(c).passed);
}

TEST_CASE("what hardly moves is not judged by its rounding") {
    // An ideal gas: kinetic energy does not change at all.
    Conservation gas = conserving_liquid();
    gas.kinetic_deviation = 0.0;
    gas.drift = {.samples = 1000, .slope = 1e-9, .error_about_line = 1e-12, .fluctuation = 1e-10};
    CHECK(judge_conservation(gas).passed);
    // A perfect lattice at rest.
    Conservation crystal = gas;
    crystal.kT = 0.0;
    CHECK(judge_conservation(crystal).passed);
    crystal.drift.slope = 0.001; // 0.02 of 3250: not by rounding
    CHECK_FALSE(judge_conservation(crystal).passed);
    // Nosé-Poincaré without velocities.
    crystal.drift = {.samples = 1000, .slope = 1.0, .error_about_line = 1.0, .fluctuation = 825.0};
    CHECK_FALSE(judge_conservation(crystal).passed);
}

TEST_CASE("a mean temperature that is not the bath's fails from 1 % and a chance of 1e-4 on") {
    CHECK(judge_temperature(bath(1.0, 0.001)).passed);
    CHECK(judge_temperature(bath(1.0, 0.001)).message.empty());
    const double sign = GENERATE(1.0, -1.0);
    CHECK(judge_temperature(bath(1.0 + sign * 0.0194, 0.005)).passed); // 1e-4 are 3.891 errors
    CHECK_FALSE(judge_temperature(bath(1.0 + sign * 0.0196, 0.005)).passed);
    // What a step does is said, and passes.
    const Finding step = judge_temperature(bath(1.0 + sign * 0.0099, 0.001));
    CHECK(step.passed);
    CHECK(contains(step, "as the square of dt"));
    CHECK_FALSE(judge_temperature(bath(1.0 + sign * 0.0101, 0.001)).passed);
}

TEST_CASE("a stage of less than ten relaxation times is not equilibrated with its bath") {
    // As BAOAB at T = 1 with friction 0.001 over 25 units of time, and at the bath's T by chance.
    for (const double mean : {0.508, 1.0}) {
        BathTemperature short_stage = bath(mean, 0.002);
        short_stage.time = 25.0;
        short_stage.friction = 0.001;
        const Finding found = judge_temperature(short_stage);
        CHECK_FALSE(found.passed);
        CHECK(contains(found, "not equilibrated"));
        CHECK(contains(found, "0.025 relaxation times"));
    }
    BathTemperature enough = bath(1.0, 0.002);
    enough.friction = 0.1;
    CHECK(judge_temperature(enough).passed);
    enough.friction = 0.0999;
    CHECK_FALSE(judge_temperature(enough).passed);
    enough.friction = 0.0; // of a method whose rate is not known
    CHECK(judge_temperature(enough).passed);
}

TEST_CASE("a direction with another temperature fails from 1 % and a chance of 1e-4 on") {
    const Estimate all = estimate_of(1.0, 0.003);
    const auto z = [&](double mean, double error, double uneven = 0.0) {
        const std::array directions{DirectionalMean{"temperature_x", estimate_of(1.0, error)},
                                    DirectionalMean{"temperature_z", estimate_of(mean, error)}};
        return judge_directions(all, directions, 500.0, uneven);
    };
    CHECK(z(1.0, 0.004).judged);
    CHECK(z(1.0, 0.004).passed);
    // Errors of 0.003 and 0.004 are 0.005 together; 1e-4 are 3.891 of these.
    const double sign = GENERATE(-1.0, 1.0);
    CHECK(z(1.0 + sign * 0.0194, 0.004).passed);
    CHECK_FALSE(z(1.0 + sign * 0.0196, 0.004).passed);
    CHECK(contains(z(1.0 + sign * 0.5, 0.004), "temperature_z is "));
    CHECK(z(1.0 + sign * 0.029, 0.004, 10.0).passed); // ten of 500 degrees of freedom are 2 %
    CHECK_FALSE(z(1.0 + sign * 0.031, 0.004, 10.0).passed);
    CHECK_FALSE(judge_directions(all, {}, 500.0).judged);
}

TEST_CASE("a direction whose temperature never changes is judged by one measurement") {
    Estimate frozen = estimate_of(1.2, 1e-9);
    frozen.deviation = 1e-9; // of 500 degrees of freedom it is 0.063, of ten 0.45
    const std::array directions{DirectionalMean{"temperature_x", frozen}};
    for (const double degrees_of_freedom : {10.0, 500.0}) {
        const Finding finding =
            judge_directions(estimate_of(1.0, 0.003), directions, degrees_of_freedom);
        CHECK(finding.passed);
        CHECK(contains(finding, "temperature_x hardly changes"));
    }
    CHECK_FALSE(judge_directions(estimate_of(1.0, 0.003), directions, 2000.0).passed);
}

TEST_CASE("motion of the whole fails where it is more than its share of the heat") {
    // 100 particles of mass 2 at T = 0.5: M kT = 100, so P^2 is 100 along each direction.
    const auto judge = [](double squares, int directions) {
        return judge_whole_motion({.squares = estimate_of(squares, 40.0),
                                   .directions = directions,
                                   .mass = 200.0,
                                   .kT = 0.5,
                                   .degrees_of_freedom = 298.0});
    };
    CHECK(judge(100.0, 1).judged);
    CHECK(judge(100.0, 1).passed);
    CHECK_FALSE(judge(1e6, 0).judged); // conserved, and so none of the degrees of freedom
    CHECK(judge(100.0 + 0.0099 * 29800.0, 1).passed);
    CHECK_FALSE(judge(100.0 + 0.0101 * 29800.0, 1).passed);
    CHECK(judge(200.0 + 0.0099 * 29800.0, 2).passed);
    CHECK(contains(judge(15000.0, 1), "50 % of the temperature is motion of the centre of mass"));
    Estimate noisy = estimate_of(600.0, 140.0); // 3.6 errors
    CHECK(judge_whole_motion({noisy, 1, 200.0, 0.5, 298.0}).passed);
    // While it grows its error is of its size; of one square 24 in the place of 1 has a chance of
    // at most 5e-5, 22 one of 1.3e-4.
    for (const double squares : {22.0, 24.0})
        CHECK(judge_whole_motion({estimate_of(100.0 * squares, 2000.0), 1, 200.0, 0.5, 298.0})
                  .passed == (squares == 22.0));
}

TEST_CASE("without a bath, or without samples, no temperature is judged") {
    BathTemperature none = bath(0.5, 0.001);
    none.bath = 0.0;
    CHECK_FALSE(judge_temperature(none).judged);
    none = bath(0.5, 0.001);
    none.mean.samples = 0;
    CHECK_FALSE(judge_temperature(none).judged);
}

TEST_CASE("equilibrium fails where most is left out, or the start is kept") {
    std::vector<Average> all{{"temperature", estimate_of(1.0, 0.01), estimate_of(1.0, 0.01)}};
    CHECK(judge_equilibrium(all).judged);
    CHECK(judge_equilibrium(all).passed);
    all[0].settled = all[0].kept = estimate_of(1.0, 0.01, 499, 501);
    CHECK_FALSE(judge_equilibrium(all).passed);
    CHECK(contains(judge_equilibrium(all), "temperature is not in equilibrium for the first 50 %"));
    // Equilibration = 0, where detection leaves 100 out: by 3.8 and by 4 errors.
    all[0].settled = estimate_of(1.038, 0.01, 900, 100);
    all[0].kept = estimate_of(1.0, 0.01);
    CHECK(judge_equilibrium(all).passed);
    all[0].settled.mean = 1.04;
    CHECK_FALSE(judge_equilibrium(all).passed);
    CHECK(contains(judge_equilibrium(all), "shifts temperature by 4.0 errors"));
    all[0].kept.discarded = 100; // what remains differs by chance
    CHECK(judge_equilibrium(all).passed);
    all[0].kept = estimate_of(0.0, 0.0, 0, 1000);
    CHECK(contains(judge_equilibrium(all), "leaves no sample"));
    CHECK_FALSE(judge_equilibrium({}).judged);
}

TEST_CASE("samples fail below 50 independent ones, and where both errors disagree") {
    std::vector<Average> all{{"temperature", estimate_of(1.0, 0.01), {}},
                             {"potential_energy", estimate_of(-2500.0, 2.0), {}}};
    CHECK(judge_samples(all).passed);
    all[1].kept.independent_samples = 17.0;
    CHECK_FALSE(judge_samples(all).passed);
    CHECK(contains(judge_samples(all), "potential_energy has only 17 independent samples"));
    CHECK(contains(judge_samples(all), "at least 3 times as long"));
    CHECK_FALSE(contains(judge_samples(all), "thermo"));
    CHECK(contains(judge_samples(all, 40), "without thermo they are 40 steps apart"));
    CHECK(contains(judge_samples(all, 40), "times as long, or observe thermo"));
    all[1].kept.inefficiency = 2.5; // more samples would say nothing new
    CHECK_FALSE(contains(judge_samples(all, 40), "thermo"));
    all[1].kept.inefficiency = 1.0;
    all[1].kept.independent_samples = 50.0;
    CHECK(judge_samples(all).passed);
    all[1].kept.autocorrelation_error = 0.1; // the one that is quoted is larger
    CHECK(judge_samples(all).passed);
    all[1].kept.autocorrelation_error = 4.0;
    CHECK_FALSE(judge_samples(all).passed);
    all[1].kept.inefficiency = 0.3; // what swings about its mean
    CHECK(judge_samples(all).passed);
    all[1].kept.inefficiency = 1.0;
    all[1].kept.autocorrelation_error = 2.0;
    all[1].kept.plateau = false;
    CHECK_FALSE(judge_samples(all).passed);
    all[1].kept = estimate_of(1.0, 0.0); // a constant has no error
    CHECK(judge_samples(all).passed);
}

TEST_CASE("errors of few samples are those of Student's t") {
    // Two-sided probability 1e-4: t = 15.54, 6.211 and 4.053 with 4, 10 and 100 degrees of freedom.
    CHECK(std::abs(normal_errors(15.54, 5.0) - 3.891) < 0.07);
    CHECK(std::abs(normal_errors(6.211, 11.0) - 3.891) < 0.02);
    CHECK(std::abs(normal_errors(4.053, 101.0) - 3.891) < 0.01);
    CHECK(normal_errors(100.0, 1.5) == 0.0);
}

TEST_CASE("kinetic energy must fluctuate as a bath lets it") {
    const auto judged = [](double value, double error, double samples = 1e4) {
        DerivedEstimate ratio;
        ratio.value = value;
        ratio.error = error;
        return judge_fluctuations(ratio, samples);
    };
    CHECK(judged(1.02, 0.001).passed); // so much a step may do
    CHECK(judged(0.6, 0.2).passed);
    CHECK(judged(0.6, 0.1).passed); // 2.8 errors of 72 samples, by their chi^2
    CHECK_FALSE(judged(0.6, 0.07).passed);
    CHECK_FALSE(judged(1.4, 0.1).passed);
    CHECK(contains(judged(0.6, 0.07), "0.6 +- 0.07 of (f/2)(kT)^2"));
    CHECK_FALSE(judged(0.6, HUGE_VAL).judged);
    // The variance of few samples is known to sqrt(2 / n) at best, whatever its error.
    CHECK(judged(0.457, 0.11, 4.0).passed);
    CHECK(judged(0.485, 0.1, 28.7).passed);
    CHECK(judged(1.9, 0.2, 8.0).passed);
    CHECK_FALSE(judged(0.26, 0.031, 7.3).passed);
    CHECK_FALSE(judged(1.4, 0.1, 600.0).passed);
}

TEST_CASE("a verdict passes if all of it does") {
    Verdict verdict;
    CHECK(verdict.passed());
    CHECK_FALSE(verdict.judged());
    const auto parts = std::array{&verdict.conserved, &verdict.temperature, &verdict.fluctuations,
                                  &verdict.equilibrium, &verdict.samples};
    for (Finding* part : parts) {
        *part = {true, false, "why"};
        CHECK(verdict.judged());
        CHECK_FALSE(verdict.passed());
        *part = {};
    }
}
