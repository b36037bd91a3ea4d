// SPDX-License-Identifier: BSD-3-Clause
/// Eigenvalues, defects and windows of maps that are known.
#include "src/models/linear_map.hpp"
#include "src/models/linear_models.hpp"
#include "src/models/windows.hpp"
#include "support/catch.hpp"

#include <atomic>
#include <cmath>

using namespace shadow::models;

TEST_CASE("eigenvalues of rotations and of what stretches") {
    const Map turns = [](State& z) {
        rotate(z[0], z[2], 0.7);
        rotate(z[1], z[3], 2.1);
    };
    double found[2] = {0.0, 0.0};
    for (const auto lambda : eigenvalues(matrix_of(turns, 4))) {
        CHECK(std::abs(std::abs(lambda) - 1.0) < 1e-14);
        for (const auto& [k, angle] : {std::pair{0, 0.7}, {1, 2.1}})
            if (std::abs(std::abs(std::arg(lambda)) - angle) < 1e-14) found[k] += 1.0;
    }
    CHECK(found[0] == 2.0);
    CHECK(found[1] == 2.0);
    const Map stretches = [](State& z) {
        z[0] *= -3.0;
        z[1] /= -3.0;
    };
    CHECK(std::abs(growth(matrix_of(stretches, 2)) - 3.0) < 1e-14);
    const Map both = [&](State& z) {
        rotate(z[0], z[2], 0.7);
        z[1] *= 1.5;
        z[3] /= 1.5;
    };
    CHECK(std::abs(growth(matrix_of(both, 4)) - 1.5) < 1e-14);
    CHECK_THROWS_AS(eigenvalues(Matrix(3)), std::logic_error);
}

TEST_CASE("defects see what is not symplectic and not reversible") {
    const Map shear = [](State& z) { z[1] += 0.5 * z[0]; };
    CHECK(symplectic_defect(matrix_of(shear, 2)) == 0.0);
    CHECK(reversal_defect(matrix_of(shear, 2)) == 0.0);
    const Map damped = [](State& z) { z[1] *= 0.9; };
    CHECK(std::abs(symplectic_defect(matrix_of(damped, 2)) - 0.1) < 1e-15);
    CHECK(std::abs(reversal_defect(matrix_of(damped, 2)) - 0.19) < 1e-15);
    const Map kick_and_drift = [](State& z) { // symplectic Euler
        z[1] -= 0.5 * z[0];
        z[0] += 0.5 * z[1];
    };
    CHECK(symplectic_defect(matrix_of(kick_and_drift, 2)) < 1e-15);
    CHECK(reversal_defect(matrix_of(kick_and_drift, 2)) > 0.1);
}

TEST_CASE("windows have their ends and their largest growth") {
    const auto growth = [](double x) {
        return 1.0 + std::max(0.0, 0.3 - (x - 2.0) * (x - 2.0)) +
               std::max(0.0, 1e-3 - (x - 7.123) * (x - 7.123));
    };
    const auto windows = unstable_windows(growth, 0.0, 10.0, 0.01);
    REQUIRE(windows.size() == 2);
    CHECK(std::abs(windows[0].from - (2.0 - std::sqrt(0.3 - min_growth))) < 1e-12);
    CHECK(std::abs(windows[0].to - (2.0 + std::sqrt(0.3 - min_growth))) < 1e-12);
    CHECK(std::abs(windows[0].most - 1.3) < 1e-12);
    // A maximum is flat: its place is good to the root of rounding.
    CHECK(std::abs(windows[1].at - 7.123) < 1e-6);
    CHECK(window_near(windows, 6.0).at == windows[1].at);
    CHECK_THROWS_AS(window_near({}, 1.0), std::logic_error);
    // One that the range cuts.
    const auto cut = unstable_windows(growth, 2.0, 3.0, 0.01);
    REQUIRE(cut.size() == 1);
    CHECK(cut[0].from == 2.0);
}

TEST_CASE("all of a range are done, each once") {
    std::vector<std::atomic<int>> done(1001);
    in_parallel(done.size(), [&](std::size_t k) { ++done[k]; });
    for (const auto& d : done) CHECK(d == 1);
    CHECK(grid(1.0, 10.0, 0.01).size() == 901);
    CHECK(grid(1.0, 10.0, 0.01).back() == Approx(10.0).epsilon(1e-14));
}
