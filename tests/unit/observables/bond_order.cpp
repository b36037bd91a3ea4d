// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/bond_order.hpp"

#include "support/catch.hpp"

#include "shadow/system/lattice.hpp"

#include <cmath>
#include <vector>

using namespace shadow;

namespace {

/// The op driven over all pairs on the host.
struct Result {
    std::vector<double> order, psi; ///< as BondOrder has them
    double total(std::size_t k, std::size_t n) const {
        double sum = 0.0;
        for (std::size_t i = 0; i < n; ++i) sum += order[k * n + i];
        return sum;
    }
};

Result bond_order(const Points<2>& points, std::vector<int> folds, double radius) {
    const std::size_t n = points.size();
    Result result{std::vector<double>(folds.size() * n), std::vector<double>(2 * folds.size() * n)};
    BondOrder op{static_cast<int>(folds.size()),
                 {},
                 static_cast<std::int64_t>(n),
                 result.order.data(),
                 result.psi.data()};
    std::copy(folds.begin(), folds.end(), op.fold);
    for (std::size_t i = 0; i < n; ++i) {
        auto sums = op.begin();
        for (std::size_t j = 0; j < n; ++j) {
            const double dx[2] = {points[j][0] - points[i][0], points[j][1] - points[i][1]};
            const double r2 = dx[0] * dx[0] + dx[1] * dx[1];
            if (j != i && r2 < radius * radius)
                op.pair(sums, dx, r2, static_cast<std::int64_t>(i), static_cast<std::int64_t>(j));
        }
        op.end(static_cast<std::int64_t>(i), sums);
    }
    return result;
}

/// By its definition: over unordered pairs of neighbours, with the angle between the bonds.
double direct(const Points<2>& points, int fold, double radius) {
    double sum = 0.0;
    for (const auto& centre : points) {
        std::vector<double> angles;
        for (const auto& other : points) {
            const double x = other[0] - centre[0], y = other[1] - centre[1];
            if (&other != &centre && std::hypot(x, y) < radius) angles.push_back(std::atan2(y, x));
        }
        for (std::size_t a = 0; a < angles.size(); ++a)
            for (std::size_t b = 0; b < a; ++b) sum += std::cos(fold * (angles[a] - angles[b]));
    }
    return sum;
}

} // namespace

TEST_CASE("the 20 x 20 square lattice has the order parameters of the seeds") {
    // seed-002 X4.2: radius 1.3; 324 atoms inside, 72 on edges, 4 in corners.
    const auto points = lattice_points<2>(lattice_cell<2>("square"), {20, 20}, 1.0);
    const auto result = bond_order(points, {4, 6}, 1.3);
    CHECK(std::abs(result.total(0, 400) - 2164.0) < 1e-9);
    CHECK(std::abs(result.total(1, 400) - -724.0) < 1e-9);
    CHECK(std::abs(result.order[21] - 6.0) < 1e-14);
    CHECK(std::abs(result.psi[21] - 1.0) < 1e-15);
}

TEST_CASE("an atom inside a triangular lattice has mu_6 = 15 and mu_4 = -3") {
    const auto points = lattice_points<2>(lattice_cell<2>("triangular"), {6, 4}, 1.1);
    const auto result = bond_order(points, {4, 6}, 1.3);
    const std::size_t inside = 2 * (3 * 4 + 2); // cell (3, 2), first particle
    CHECK(std::abs(result.order[48 + inside] - 15.0) < 1e-13);
    CHECK(std::abs(result.order[inside] - -3.0) < 1e-13);
    CHECK(std::abs(result.psi[2 * 48 + inside] - 1.0) < 1e-14);
    CHECK(std::abs(result.psi[3 * 48 + inside]) < 1e-14);
}

TEST_CASE("bond order agrees with its definition for any folds") {
    const auto points = random_points<2>(300, 0.3, {12.0, 12.0}, {false, false}, 21);
    const std::vector<int> folds{1, 2, 3, 5, 6, 8, 12, 24};
    const auto result = bond_order(points, folds, 1.3);
    // Rounding of the recursion grows with m / sin a; bonds near the axis are rare.
    for (std::size_t k = 0; k < folds.size(); ++k) {
        CAPTURE(folds[k]);
        CHECK(std::abs(result.total(k, 300) - direct(points, folds[k], 1.3)) < 1e-9);
    }
}

TEST_CASE("a particle without neighbours has no order") {
    const auto result = bond_order({{0.0, 0.0}, {5.0, 0.0}, {5.0, 1.0}}, {6}, 1.3);
    CHECK(result.order == std::vector<double>{0.0, 0.0, 0.0}); // one neighbour makes no pair
    CHECK(result.psi[0] == 0.0);
    CHECK(std::abs(result.psi[1] - -1.0) < 1e-15); // bonds along y: cos 6 (pi / 2)
}
