// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"

#include "kernels/ops/barostat.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

using namespace shadow;

namespace {

/// A state of a box: what a step of the volume looks at.
struct State {
    double volume, virial, potential;
};

/// Scalars of a step from `from` with this normal number, proposed, and in the box `to`.
struct Step {
    Step(const VolumeStep& step, const State& from, double normal, const State& to)
        : numbers(Scalar::count), x{numbers.data()} {
        x[Scalar::volume] = from.volume;
        x[Scalar::virial] = from.virial;
        x[Scalar::potential] = from.potential;
        x[Scalar::normal] = normal;
        ProposeVolume{step}(x);
        proposed = from.volume * std::pow(x[Scalar::strain], step.dimension);
        x[Scalar::volume] = to.volume;
        x[Scalar::virial] = to.virial;
        x[Scalar::potential] = to.potential;
    }
    std::vector<double> numbers;
    Scalars x;
    double proposed;
};

/// ln of p(L) of a state and its scaled places.
double log_density(const VolumeStep& step, const State& s) {
    const double energy = s.potential + step.pressure * s.volume;
    return -energy / step.kT + (0.5 + step.particles) * std::log(s.volume);
}

/// ln of the density of a step from one to the other, up to a constant.
double log_step(const VolumeStep& step, const State& from, const State& to) {
    const double drift = step.drift(from.volume, from.virial);
    const double noise = (std::sqrt(to.volume) - std::sqrt(from.volume) - drift) / step.noise();
    return -0.5 * noise * noise;
}

} // namespace

TEST_CASE("steps of the volume are in detailed balance with constant pressure") {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 200; ++round) {
        const int dimension = 1 + round % 3;
        // The drift is bounded where the virial is large.
        const VolumeStep step{
            uniform(random), uniform(random), 0.02 * uniform(random), round % 2 ? 1.0 : 20.0, 1.0,
            dimension};
        const double scale = round % 5 == 0 ? 1e4 : 30.0;
        const State a{50.0 * uniform(random), scale * normal(random), 20.0 * normal(random)};
        const double r = normal(random);
        const double proposed = Step(step, a, r, a).proposed;
        const State b{proposed, scale * normal(random), 20.0 * normal(random)};
        const Step there(step, a, r, b);
        const double expected = log_density(step, b) + log_step(step, b, a) - log_density(step, a) -
                                log_step(step, a, b);
        const double found = AcceptVolume{step}.log_ratio(there.x);
        CHECK(std::abs(found - expected) < 1e-9 * (1.0 + std::abs(expected)));
        const double back =
            (std::sqrt(a.volume) - std::sqrt(b.volume) - step.drift(b.volume, b.virial)) /
            step.noise();
        const Step here(step, b, back, a);
        CHECK(std::abs(here.proposed / a.volume - 1.0) < 1e-12);
        CHECK(std::abs(AcceptVolume{step}.log_ratio(here.x) + found) <
              1e-9 * (1.0 + std::abs(found)));
        CHECK(std::abs(step.drift(a.volume, a.virial)) <= step.noise());
    }
}

TEST_CASE("a step of the volume that is rejected is taken back, with its work") {
    const VolumeStep step{1.5, 0.2, 0.01, 20.0, 1.0, 3};
    const State a{100.0, 10.0, -20.0}, worse{101.0, 10.0, 1e6};
    Step tried(step, a, 1.0, worse);
    const double strain = tried.x[Scalar::strain];
    tried.x[Scalar::uniform] = 0.5;
    AcceptVolume{step}(tried.x);
    CHECK(tried.x[Scalar::strain] == 1.0 / strain);
    CHECK(tried.x[Scalar::box_work] == 0.0);
    CHECK(tried.x[Scalar::box_tried] == 1.0);
    CHECK(tried.x[Scalar::box_accepted] == 0.0);
    Step taken(step, a, 1.0, {101.0, 10.0, -40.0});
    taken.x[Scalar::uniform] = 0.5;
    AcceptVolume{step}(taken.x);
    CHECK(taken.x[Scalar::strain] == 1.0);
    CHECK(taken.x[Scalar::box_work] == -20.0);
    CHECK(taken.x[Scalar::box_accepted] == 1.0);
}

namespace {

/// Scalars of a Monte Carlo move, proposed from a state by this normal number.
struct TriedMove {
    TriedMove(const VolumeMove& move, const State& from, double normal)
        : numbers(Scalar::count), x{numbers.data()} {
        enter(from);
        x[Scalar::normal] = normal;
        ProposeMove{move}(x);
        proposed = from.volume * std::pow(x[Scalar::strain], move.dimension);
    }
    void enter(const State& state) const {
        x[Scalar::volume] = state.volume;
        x[Scalar::potential] = state.potential;
    }
    std::vector<double> numbers;
    Scalars x;
    double proposed;
};

/// ln of the density of ln V of a state and its scaled places.
double log_density_of_logarithm(const VolumeMove& move, const State& s) {
    return (move.particles + 1.0) * std::log(s.volume) -
           (s.potential + move.pressure * s.volume) / move.kT;
}

} // namespace

TEST_CASE("Monte Carlo moves of the volume are in detailed balance with constant pressure") {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(0.5, 1.5);
    std::normal_distribution<double> normal;
    for (int round = 0; round < 200; ++round) {
        const VolumeMove move{
            uniform(random), uniform(random), 0.3 * uniform(random), round % 2 ? 1.0 : 200.0, 1.0,
            1 + round % 3};
        const State a{50.0 * uniform(random), 0.0, 20.0 * normal(random)};
        const double r = normal(random);
        const TriedMove there(move, a, r);
        CHECK(std::abs(std::log(there.proposed / a.volume) -
                       move.amplitude * std::erf(r / std::sqrt(2.0))) < 1e-13);
        const State b{there.proposed, 0.0, 20.0 * normal(random)};
        there.enter(b);
        const double expected =
            log_density_of_logarithm(move, b) - log_density_of_logarithm(move, a);
        const double found = AcceptMove{move}.log_ratio(there.x);
        CHECK(std::abs(found - expected) < 1e-10 * (1.0 + std::abs(expected)));
        // And the same number with the other sign leads back.
        CHECK(std::abs(TriedMove(move, b, -r).proposed / a.volume - 1.0) < 1e-13);
    }
}

TEST_CASE("Monte Carlo moves are uniform in the logarithm of the volume") {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    const VolumeMove move{1.0, 1.0, 0.2, 10.0, 1.0, 3};
    constexpr int n = 100'000, bins = 10;
    std::vector<int> count(bins);
    double largest = 0.0;
    for (int k = 0; k < n; ++k) {
        const double change =
            std::log(TriedMove(move, {100.0, 0.0, 0.0}, normal(random)).proposed / 100.0);
        largest = std::max(largest, std::abs(change));
        const int bin = static_cast<int>((change / 0.2 + 1.0) * bins / 2);
        ++count[static_cast<std::size_t>(std::clamp(bin, 0, bins - 1))];
    }
    CHECK(largest <= 0.2 * (1.0 + 1e-13));
    // Five deviations of a binomial number of mean n/bins.
    for (const int c : count) CHECK(std::abs(c - n / bins) < 5.0 * std::sqrt(n * 0.09));
}

TEST_CASE("volumes of an ideal gas by Monte Carlo moves") {
    // p(V) ~ V^N exp(-P V / kT): a gamma distribution.
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform;
    std::normal_distribution<double> normal;
    const int dimension = GENERATE(1, 2, 3);
    const VolumeMove move{1.5, 0.2, 0.5, 3.0, 0.0, dimension};
    double volume = 30.0, sum = 0.0, squares = 0.0;
    int accepted = 0;
    constexpr int n = 400'000;
    for (int k = 0; k < n; ++k) {
        const TriedMove tried(move, {volume, 0.0, 0.0}, normal(random));
        tried.enter({tried.proposed, 0.0, 0.0});
        tried.x[Scalar::uniform] = uniform(random);
        AcceptMove{move}(tried.x);
        if (tried.x[Scalar::strain] == 1.0) {
            volume = tried.proposed;
            ++accepted;
        }
        sum += volume;
        squares += volume * volume;
    }
    const double mean = sum / n, variance = squares / n - mean * mean;
    // Deviations of V are half of its mean, ln V needs some 20 moves to forget: errors of 0.35 % of
    // the mean, and of the variance, whose relative deviation is sqrt(2 + 6/4), of 1.3 %.
    CHECK(std::abs(mean / (4.0 * 7.5) - 1.0) < 0.015);
    CHECK(std::abs(variance / (4.0 * 7.5 * 7.5) - 1.0) < 0.06);
    CHECK(accepted > 0.6 * n);
}

TEST_CASE("a Monte Carlo move that is rejected is taken back, with its work") {
    const VolumeMove move{1.5, 0.2, 0.1, 20.0, 99.0, 3};
    const State a{100.0, 0.0, -20.0};
    const TriedMove tried(move, a, 1.0), taken(move, a, 1.0), small(move, a, -1.0),
        smaller(move, {105.0, 0.0, -20.0}, -2.0);
    const double strain = tried.x[Scalar::strain];
    CHECK(strain > 1.0);
    tried.enter({tried.proposed, 0.0, 1e6});
    tried.x[Scalar::uniform] = taken.x[Scalar::uniform] = small.x[Scalar::uniform] = 0.5;
    AcceptMove{move}(tried.x);
    CHECK(tried.x[Scalar::strain] == 1.0 / strain);
    CHECK(tried.x[Scalar::box_work] == 0.0);
    CHECK(tried.x[Scalar::box_tried] == 1.0);
    CHECK(tried.x[Scalar::box_accepted] == 0.0);
    taken.enter({taken.proposed, 0.0, -40.0});
    AcceptMove{move}(taken.x);
    CHECK(taken.x[Scalar::strain] == 1.0);
    CHECK(taken.x[Scalar::box_work] == -20.0);
    CHECK(taken.x[Scalar::box_accepted] == 1.0);
    // To 93 and 95, which is less than the least volume, from near it and from farther away.
    CHECK(small.x[Scalar::strain] == 1.0);
    CHECK(small.x[Scalar::box_least] == 1.0);
    CHECK(smaller.x[Scalar::strain] == 1.0);
    CHECK(smaller.x[Scalar::box_least] == 0.0);
    AcceptMove{move}(small.x);
    CHECK(small.x[Scalar::box_accepted] == 0.0);
}
