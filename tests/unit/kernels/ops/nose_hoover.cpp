// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/nose_hoover.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <vector>

using namespace shadow;

namespace {

/// Chains of a bath with kT = 1, and the kinetic energy that they hold.
struct Bath {
    NoseHooverChain chain;
    double twice_kinetic;
    std::vector<double> number = std::vector<double>(Scalar::count);
    Scalars x{number.data()};

    Bath(double g, int length, double temperature, double omega = 20.0)
        : chain{length, g / (omega * omega), 1.0 / (omega * omega), 1.0, g},
          twice_kinetic(g * temperature) {}
    [[nodiscard]] double energy() const { return 0.5 * twice_kinetic + chain.energy(x); }
};

} // namespace

TEST_CASE("a Nosé-Hoover chain far from equilibrium keeps its energy, however much it holds") {
    const double g = GENERATE(1.0, 1e3, 1e6, 1e8);
    const int length = GENERATE(1, 2, 3, 8);
    const double temperature = GENERATE(0.4, 2.5);
    CAPTURE(g, length, temperature);
    Bath bath(g, length, temperature);
    const double before = bath.energy();
    double farthest = 0.0;
    for (int k = 0; k < 400; ++k) {
        bath.chain.flow(bath.x, 0.0025, bath.twice_kinetic);
        const double off = std::abs(bath.energy() - before);
        farthest = off <= farthest ? farthest : off; // or not a number
    }
    CHECK(farthest < 1e-3 * g);
}

TEST_CASE("a Nosé-Hoover chain that has little to do takes one composition a flow") {
    Bath bath(300.0, 3, 1.1), same = bath;
    same.x.value = same.number.data();
    bath.chain.flow(bath.x, 0.0025, bath.twice_kinetic);
    // A composition of two halves is another one.
    for (int k = 0; k < 2; ++k) same.chain.flow(same.x, 0.00125, same.twice_kinetic);
    CHECK(std::abs(bath.twice_kinetic - same.twice_kinetic) < 1e-6);
    CHECK(bath.twice_kinetic != same.twice_kinetic);
}
