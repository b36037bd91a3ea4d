// SPDX-License-Identifier: BSD-3-Clause
/// Baths of several variables: order, symplecticity, reversal.
#include "src/models/generalized_bath.hpp"

#include "support/catch.hpp"
#include "support/maps.hpp"

#include <stdexcept>
#include <utility>

using namespace shadow;
using namespace shadow::models;

namespace {

const NoseOfMany::Potential spring = {[](double q) { return 0.5 * q * q; },
                                      [](double q) { return q; }};

State start_of_balls() {
    State z = {0.3, 1.1, 1.0, 0.1, 0.0, 0.0, 1.1, 0.2, 0.0, 0.0, -1.05, 1.0, 0.2};
    for (int i = 0; i < 9; ++i) z.push_back(0.2 * (i - 4));
    return z;
}

} // namespace

TEST_CASE("baths of several variables are of order two, symplectic and go back") {
    const std::pair<BathOfMany, State> baths[] = {
        {vertex_bath(), {0.3, 1.1, 1.0, 0.5, 1.0, 0.1, 0.3, -0.7}},
        {ball_bath(), start_of_balls()}};
    for (const auto& [bath, first] : baths) {
        const State& start = first; // clang 14 captures no binding
        CAPTURE(start.size());
        NoseOfMany motion(spring, bath, 0.8, start);
        CHECK(motion.excess(start) == 0.0);
        const auto steps = [&](double h) { return [&, h](State& z) { motion.step(z, h); }; };
        const State exact = after(steps(1.0 / 8192), start, 8192);
        const auto error = [&](int n) { return distance(after(steps(1.0 / n), start, n), exact); };
        CHECK(std::abs(std::log2(error(256) / error(512)) - 2.0) < 0.2);
        CHECK(defect_at(steps(0.01), start) < 1e-7);
        const State there = after(steps(0.01), start, 50);
        CHECK(distance(there, start) > 0.1);
        CHECK(std::abs(motion.excess(there)) < 1e-2);
        CHECK(distance(after(steps(0.01), flipped(there), 50), flipped(start)) < 1e-11);
        State far = start;
        CHECK_THROWS_AS(motion.step(far, 1e3), std::runtime_error);
    }
}
