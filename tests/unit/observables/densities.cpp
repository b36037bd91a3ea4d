// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/observables/shells.hpp"
#include "shadow/system/lattice.hpp"

#include <numeric>

using namespace shadow;

namespace {

/// Points within a ball around a place.
template <int Dim>
test::Vectors<Dim> ball(std::size_t n, double radius, const std::array<double, Dim>& centre) {
    std::array<double, Dim> lengths;
    lengths.fill(2.0 * radius);
    test::Vectors<Dim> points;
    for (auto x : random_points<Dim>(20 * static_cast<std::int64_t>(n), 0.0, lengths, {}, 4)) {
        for (double& coordinate : x) coordinate -= radius;
        if (test::length_of<Dim>(x) >= radius || points.size() == n) continue;
        for (std::size_t d = 0; d < Dim; ++d) x[d] += centre[d];
        points.push_back(x);
    }
    REQUIRE(points.size() == n);
    return points;
}

/// Number of particles that a density over shells stands for.
template <int Dim>
double total(const ArrayEstimate& array, double radius) {
    const auto volumes = shell_volumes<Dim>(radius, static_cast<int>(array.value.size()));
    return std::inner_product(volumes.begin(), volumes.end(), array.value.begin(), 0.0);
}

template <int Dim>
void check_pair_density(const TestBackend& where) {
    CAPTURE(Dim);
    std::array<double, Dim> centre;
    centre.fill(3.0);
    const std::size_t n = 90; // species A, B, C in turn
    const auto points = ball<Dim>(n, 2.0, centre);
    test::World<Dim> world(where, test::setup_of<Dim>(points, Box<Dim>(), 3),
                           "[[observe]]\ntype = \"pair-density\"\nradius = 4\nbins = 8\n");
    world.measure();
    const auto arrays = world.arrays();
    REQUIRE(arrays.size() == 7);
    // All distances are below 4.
    CHECK(std::abs(total<Dim>(arrays.at("pair_density"), 4.0) - 89.0) < 1e-11);
    CHECK(std::abs(total<Dim>(arrays.at("pair_density_B_B"), 4.0) - 29.0) < 1e-11);
    CHECK(std::abs(total<Dim>(arrays.at("pair_density_A_C"), 4.0) - 30.0) < 1e-11);
    CHECK(arrays.at("pair_density").unit == per_volume(Dim));
    std::vector<double> all(8), mixed(8);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) continue;
            const auto k = static_cast<std::size_t>(
                2.0 * test::length_of<Dim>(test::between<Dim>(points[i], points[j], Box<Dim>())));
            all[k] += 1.0 / 90.0;
            if (i % 3 == 0 && j % 3 == 1) mixed[k] += 1.0 / 30.0;
        }
    const auto volumes = shell_volumes<Dim>(4.0, 8);
    for (std::size_t k = 0; k < 8; ++k) {
        CHECK(std::abs(arrays.at("pair_density").value[k] * volumes[k] - all[k]) < 1e-11);
        CHECK(std::abs(arrays.at("pair_density_A_B").value[k] * volumes[k] - mixed[k]) < 1e-11);
    }
}

template <int Dim>
void check_radial_density(const TestBackend& where, const Box<Dim>& box,
                          const std::array<double, Dim>& centre) {
    CAPTURE(Dim, box.is_open());
    const std::size_t n = 60;
    auto points = ball<Dim>(n, 2.0, centre);
    // Of particles and their mirror images the centre is known.
    for (std::size_t i = 0; i < n; ++i) {
        auto mirrored = points[i];
        for (std::size_t d = 0; d < Dim; ++d) mirrored[d] = 2.0 * centre[d] - points[i][d];
        points.push_back(mirrored);
    }
    std::vector<double> counts(5);
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> dx;
        for (std::size_t d = 0; d < Dim; ++d) dx[d] = points[i][d] - centre[d];
        counts[static_cast<std::size_t>(2.0 * test::length_of<Dim>(dx))] += 2.0;
    }
    for (auto& x : points)
        for (std::size_t d = 0; d < Dim; ++d)
            if (box.periodic()[d]) {
                const double low = box.origin()[d], length = box.lengths()[d];
                x[d] -= length * std::floor((x[d] - low) / length);
            }
    test::World<Dim> world(where, test::setup_of<Dim>(points, box),
                           "[[observe]]\ntype = \"radial-density\"\nradius = 2.5\nbins = 5\n");
    world.measure();
    const auto found = world.arrays().at("radial_density");
    const auto volumes = shell_volumes<Dim>(2.5, 5);
    CHECK(std::abs(total<Dim>(found, 2.5) - 120.0) < 1e-10);
    for (std::size_t k = 0; k < 5; ++k)
        CHECK(std::abs(found.value[k] * volumes[k] - counts[k]) < 1e-10);
    CHECK(found.axes.at(0).values.at(1) == 0.75);
}

} // namespace

TEST_CASE("densities around particles count all others, in an open box too") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    check_pair_density<1>(where);
    check_pair_density<2>(where);
    check_pair_density<3>(where);
}

TEST_CASE("in a periodic box the density around particles is g(r) of the gas") {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    const Box<3> box({7.0, 8.0, 9.0}, {true, true, true});
    const auto points = random_points<3>(400, 0.0, {7.0, 8.0, 9.0}, {true, true, true}, 2);
    test::World<3> world(where, test::setup_of<3>(points, box, 2),
                         "[[observe]]\ntype = \"pair-density\"\nbins = 10\n"
                         "[[observe]]\ntype = \"rdf\"\nbins = 10\nradius = 3.5\n");
    world.measure();
    const auto arrays = world.arrays();
    for (std::size_t k = 0; k < 10; ++k) {
        const double others = 399.0 / box.volume(), unlike = 200.0 / box.volume();
        CHECK(std::abs(arrays.at("pair_density").value[k] - others * arrays.at("rdf").value[k]) <
              1e-13);
        CHECK(std::abs(arrays.at("pair_density_A_B").value[k] -
                       unlike * arrays.at("rdf_A_B").value[k]) < 1e-13);
    }
}

TEST_CASE("of many particles some look around, in turn") {
    // 3000 particles have 9 million pairs, more than are looked at: every third looks around.
    const auto where = few_test_backends().front();
    const auto points = random_points<2>(3000, 0.0, {60.0, 60.0}, {}, 2);
    test::World<2> world(where, test::setup_of<2>(points, Box<2>()),
                         "[[observe]]\ntype = \"pair-density\"\nradius = 90\nbins = 4\n");
    for (int turn = 0; turn < 3; ++turn) world.measure();
    const auto found = world.arrays().at("pair_density");
    CHECK(found.samples == 3);
    CHECK(std::abs(total<2>(found, 90.0) - 2999.0) < 1e-9);
}

TEST_CASE("the density around the centre of mass is found wherever that is") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    check_radial_density<1>(where, Box<1>(), {31.0});
    check_radial_density<2>(where, Box<2>(), {31.0, -7.0});
    check_radial_density<3>(where, Box<3>(), {31.0, -7.0, 0.5});
    const std::array<double, 3> origin = {-3.0, 0.0, 0.0};
    for (const double x : {0.1, 4.0, 8.9}) // across the faces, too
        check_radial_density<3>(where, Box<3>({9.0, 10.0, 11.0}, {true, true, true}, origin),
                                {x, 0.2, 5.0});
    check_radial_density<3>(where, Box<3>({9.0, 10.0, 0.0}, {true, true, false}), {8.8, 0.2, 31.0});
    check_radial_density<2>(where, Box<2>({8.0, 9.0}, {true, true}), {7.9, 4.0});
}

TEST_CASE("unequal masses move the centre, and each species has its density around that of all") {
    // A (mass 1) at x = 0, B (mass 2) at x = 3: the centre at 2.
    test::World<1> world(few_test_backends().front(),
                         test::setup_of<1>({{0.0}, {3.0}}, Box<1>(), 2),
                         "[[observe]]\ntype = \"radial-density\"\nradius = 4\nbins = 8\n");
    world.measure();
    const auto arrays = world.arrays();
    for (std::size_t k = 0; k < 8; ++k) {
        CHECK(arrays.at("radial_density_A").value[k] == (k == 4 ? 1.0 : 0.0));
        CHECK(arrays.at("radial_density_B").value[k] == (k == 2 ? 1.0 : 0.0));
        CHECK(arrays.at("radial_density").value[k] == (k == 2 || k == 4 ? 1.0 : 0.0));
    }
}
