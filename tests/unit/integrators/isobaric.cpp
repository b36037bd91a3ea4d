// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"

#include "kernels/ops/barostat.hpp"

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
        : numbers(static_cast<std::size_t>(Scalar::count)), x{numbers.data()} {
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
