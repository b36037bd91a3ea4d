// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/lattice.hpp"

#include "support/catch.hpp"
#include "support/larger.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>

using namespace shadow;

namespace {

template <int Dim>
double distance2(const std::array<double, Dim>& a, const std::array<double, Dim>& b,
                 const std::array<double, Dim>& period) {
    double sum = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        double delta = a[d] - b[d];
        if (period[d] > 0.0) delta -= period[d] * std::nearbyint(delta / period[d]);
        sum += delta * delta;
    }
    return sum;
}

/// Sorted distances of particle 0 from all others in the periodic lattice of 4^Dim cells.
template <int Dim>
std::vector<double> shells(const char* name, double constant) {
    const auto cell = lattice_cell<Dim>(name);
    std::array<std::int64_t, Dim> repeat;
    repeat.fill(4);
    const auto points = lattice_points<Dim>(cell, repeat, constant);
    std::array<double, Dim> period;
    for (std::size_t d = 0; d < Dim; ++d) period[d] = 4.0 * cell.edge[d] * constant;
    std::vector<double> distances;
    for (std::size_t j = 1; j < points.size(); ++j)
        distances.push_back(std::sqrt(distance2<Dim>(points[0], points[j], period)));
    std::sort(distances.begin(), distances.end());
    return distances;
}

template <int Dim>
void check_shells(const char* name, std::size_t first, double nearest, double next) {
    CAPTURE(name);
    const auto r = shells<Dim>(name, 1.5);
    CHECK(std::abs(r[0] - 1.5 * nearest) < 1e-12);
    CHECK(std::abs(r[first - 1] - 1.5 * nearest) < 1e-12);
    CHECK(std::abs(r[first] - 1.5 * next) < 1e-12);
}

} // namespace

TEST_CASE("lattices have the neighbours of their geometry") {
    check_shells<1>("chain", 2, 1.0, 2.0);
    check_shells<2>("square", 4, 1.0, std::sqrt(2.0));
    check_shells<2>("triangular", 6, 1.0, std::sqrt(3.0));
    check_shells<3>("sc", 6, 1.0, std::sqrt(2.0));
    check_shells<3>("bcc", 8, std::sqrt(0.75), 1.0);
    check_shells<3>("fcc", 12, std::sqrt(0.5), 1.0);
    check_shells<3>("hcp", 12, 1.0, std::sqrt(2.0));
    check_shells<3>("diamond", 4, std::sqrt(3.0) / 4.0, std::sqrt(0.5));
    check_shells<2>("checkerboard", 4, 0.5, std::sqrt(0.5));
    check_shells<2>("honeycomb", 3, 1.0 / std::sqrt(3.0), 1.0);
    check_shells<3>("rock-salt", 6, 0.5, std::sqrt(0.5));
    check_shells<3>("cscl", 8, std::sqrt(0.75), 1.0);
    check_shells<3>("zincblende", 4, std::sqrt(3.0) / 4.0, std::sqrt(0.5));
    check_shells<3>("fluorite", 8, std::sqrt(3.0) / 4.0, std::sqrt(0.5));
    CHECK_THROWS_AS(lattice_cell<2>("fcc"), InputError);
}

namespace {

/// Of each point of an ordered mixture the nearest neighbours are `coordination[s]` of the other
/// sublattice, s its own, and at equal distances; all points are within the cell.
template <int Dim>
void check_order(const char* name, const std::array<int, 2>& coordination) {
    CAPTURE(name);
    const auto cell = lattice_cell<Dim>(name);
    CHECK(cell.sublattices() == 2);
    REQUIRE(cell.sublattice.size() == cell.basis.size());
    for (std::size_t i = 0; i < cell.basis.size(); ++i) {
        double nearest = 1e300;
        int other = 0, same = 0;
        for (std::size_t d = 0; d < Dim; ++d) {
            CHECK(cell.basis[i][d] >= 0.0);
            CHECK(cell.basis[i][d] < cell.edge[d]);
        }
        for (int image = 0; image < (Dim == 3 ? 27 : 9); ++image)
            for (std::size_t j = 0; j < cell.basis.size(); ++j) {
                auto to = cell.basis[j];
                for (std::size_t d = 0, rest = static_cast<std::size_t>(image); d < Dim;
                     ++d, rest /= 3)
                    to[d] += (static_cast<double>(rest % 3) - 1.0) * cell.edge[d];
                const double r2 = distance2<Dim>(cell.basis[i], to, {});
                if (r2 < 1e-12 || r2 > nearest + 1e-12) continue;
                if (r2 < nearest - 1e-12) other = same = 0;
                nearest = std::min(nearest, r2);
                ++(cell.sublattice[i] == cell.sublattice[j] ? same : other);
            }
        CHECK(same == 0);
        CHECK(other == coordination[cell.sublattice[i]]);
    }
}

} // namespace

TEST_CASE("in ordered mixtures the nearest neighbours are of the other sublattice") {
    check_order<2>("checkerboard", {4, 4});
    check_order<2>("honeycomb", {3, 3});
    check_order<3>("rock-salt", {6, 6});
    check_order<3>("nacl", {6, 6});
    check_order<3>("cscl", {8, 8});
    check_order<3>("zincblende", {4, 4});
    check_order<3>("fluorite", {8, 4});
    CHECK(lattice_cell<3>("diamond").sublattices() == 1);
}

TEST_CASE("the 20 x 20 square lattice has the energy of the seeds") {
    // seed-002 X4.2: H0 of Lennard-Jones with eps = 0.4, r_min = 1, all pairs.
    const auto points = lattice_points<2>(lattice_cell<2>("square"), {20, 20}, 1.0);
    REQUIRE(points.size() == 400);
    double energy = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const double x = 1.0 / std::pow(distance2<2>(points[i], points[j], {0.0, 0.0}), 3);
            energy += 0.4 * (x * x - 2.0 * x);
        }
    CHECK(std::abs(energy - -393.4147223269) < 1e-9); // digits of the reference
}

TEST_CASE("a lattice of given density has it") {
    const double density = GENERATE(0.05, 0.8442, 1.3);
    const auto check = [density](const auto& cell, auto dim) {
        constexpr int Dim = decltype(dim)::value;
        double volume = std::pow(lattice_constant(cell, density), Dim);
        for (const double edge : cell.edge) volume *= edge;
        CHECK(std::abs(static_cast<double>(cell.basis.size()) / volume / density - 1.0) < 1e-14);
    };
    check(lattice_cell<1>("chain"), std::integral_constant<int, 1>{});
    for (const char* name : {"square", "triangular", "checkerboard", "honeycomb"})
        check(lattice_cell<2>(name), std::integral_constant<int, 2>{});
    for (const char* name : {"sc", "bcc", "fcc", "hcp", "diamond", "rock-salt", "fluorite"})
        check(lattice_cell<3>(name), std::integral_constant<int, 3>{});
    // lj_melt of LAMMPS: fcc at 0.8442 has the constant 1.6795962.
    CHECK(std::abs(lattice_constant(lattice_cell<3>("fcc"), 0.8442) - 1.6795962) < 1e-7);
}

TEST_CASE("jitter is uniform in every component") {
    const auto start = lattice_points<3>(lattice_cell<3>("sc"), {40, 40, 40}, 2.0);
    auto points = start;
    jitter_points<3>(points, 0.3, 11);
    for (std::size_t d = 0; d < 3; ++d) {
        double mean = 0.0, square = 0.0, largest = 0.0, product = 0.0;
        for (std::size_t i = 0; i < points.size(); ++i) {
            const double u = (points[i][d] - start[i][d]) / 0.3;
            mean += u;
            square += u * u;
            largest = test::larger(largest, std::abs(u));
            product += u * (points[i][(d + 1) % 3] - start[i][(d + 1) % 3]) / 0.3;
        }
        // 64,000 draws in [-1, 1]: the mean has deviation 0.577 / 253, the square 0.298 / 253 about
        // 1/3, the product of two 0.333 / 253; five of them.
        const auto n = static_cast<double>(points.size());
        CHECK(std::abs(mean / n) < 0.0114);
        CHECK(std::abs(square / n - 1.0 / 3.0) < 0.0059);
        CHECK(std::abs(product / n) < 0.0066);
        CHECK(largest <= 1.0 + 1e-12);
        CHECK(largest > 0.999);
    }
    auto other = start;
    jitter_points<3>(other, 0.3, 12);
    CHECK(other != points);
}

TEMPLATE_TEST_CASE_SIG("random points keep their distance and fill the region", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const bool across = GENERATE(true, false);
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(Dim == 1 ? 2000.0 : Dim == 2 ? 40.0 : 12.0);
    periodic.fill(across);
    const auto points = random_points<Dim>(1000, 0.9, lengths, periodic, 5);
    REQUIRE(points.size() == 1000);
    double closest = 1e300, sum = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (const double x : points[i]) {
            CHECK((x >= 0.0 && x < lengths[0]));
            sum += x / lengths[0];
        }
        for (std::size_t j = 0; j < i; ++j)
            closest =
                std::min(closest, distance2<Dim>(points[i], points[j],
                                                 across ? lengths : std::array<double, Dim>{}));
    }
    CHECK(closest >= 0.81);
    CHECK(closest < 0.9); // there are many pairs near contact at this density
    // Uniform: a mean of 1000 Dim numbers of deviation 0.289; five of them.
    CHECK(std::abs(sum / (1000.0 * Dim) - 0.5) < 5.0 * 0.289 / std::sqrt(1000.0 * Dim));
    CHECK(points == random_points<Dim>(1000, 0.9, lengths, periodic, 5));
}

TEST_CASE("random points that cannot fit end in an error") {
    CHECK_THROWS_AS(random_points<2>(1000, 1.0, {25.0, 25.0}, {true, true}, 1), InputError);
    CHECK_THROWS_AS(random_points<3>(2, 10.0, {1.0, 1.0, 1.0}, {false, false, false}, 1),
                    InputError);
    CHECK(random_points<3>(2, 0.1, {1.0, 1.0, 1.0}, {true, true, true}, 1).size() == 2);
    CHECK(random_points<1>(500, 0.0, {1.0}, {true}, 1).size() == 500);
}
