// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/system/lattice.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <random>

using namespace shadow;

namespace {

/// The lowest id in the cluster of each particle, by going through all pairs until nothing changes.
template <int Dim>
std::vector<std::size_t> label_directly(const test::Vectors<Dim>& points, const Box<Dim>& box,
                                        double radius) {
    std::vector<std::size_t> label(points.size());
    std::iota(label.begin(), label.end(), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t j = 0; j < points.size(); ++j) {
                if (!(test::length_of<Dim>(test::between<Dim>(points[i], points[j], box)) < radius))
                    continue;
                const std::size_t low = std::min(label[i], label[j]);
                changed = changed || label[i] != low;
                label[i] = low;
            }
    }
    return label;
}

std::string observe(double radius, int sizes) {
    return fmt::format(
        "[[observe]]\ntype = \"clusters\"\nradius = {}\nsizes = {}\nper_particle = true\n", radius,
        sizes);
}

template <int Dim>
void check_random(const TestBackend& where, const Box<Dim>& box, const test::Vectors<Dim>& points,
                  double radius) {
    const auto label = label_directly<Dim>(points, box, radius);
    std::map<std::size_t, double> members;
    for (const std::size_t l : label) ++members[l];
    std::vector<double> sizes(20);
    double largest = 0.0, squares = 0.0;
    for (const auto& [l, n] : members) {
        largest = std::max(largest, n);
        squares += n * n;
        if (n <= 20.0) ++sizes[static_cast<std::size_t>(n) - 1];
    }
    test::World<Dim> world(where, test::setup_of<Dim>(points, box), observe(radius, 20));
    for (int again = 0; again < 2; ++again) {
        const auto& found = world.measure();
        CHECK(found.at("clusters").at(0) == static_cast<double>(members.size()));
        CHECK(found.at("largest_cluster").at(0) == largest);
        CHECK(found.at("cluster_size").at(0) == squares / static_cast<double>(points.size()));
    }
    const ArrayEstimate array = world.arrays().at("cluster_sizes");
    CHECK(array.value == sizes);
    CHECK(array.axes.at(0).values.at(2) == 3.0);
    const auto named = world.particle_values().at(0);
    for (std::size_t i = 0; i < points.size(); ++i)
        CHECK(named[i] == static_cast<double>(label[i]));
}

template <int Dim>
void check_densities(const TestBackend& where, double length) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> all, none{};
    lengths.fill(length);
    all.fill(true);
    const auto points = random_points<Dim>(400, 0.01, lengths, none, 3);
    for (const double radius : {0.3, 0.7, 1.1})
        for (const Box<Dim>& box : {Box<Dim>(lengths, all), Box<Dim>()}) {
            CAPTURE(Dim, radius, box.is_open());
            check_random<Dim>(where, box, points, radius);
        }
}

} // namespace

TEST_CASE("clusters are the connected components of the pairs within a radius") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    check_densities<1>(where, 300.0);
    check_densities<2>(where, 20.0); // percolates between the last two radii
    check_densities<3>(where, 9.0);
}

TEST_CASE("a long thread is one cluster, and two where it is cut") {
    // Random order in memory: the worst case of methods that pass labels on.
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const std::size_t n = 4000;
    std::vector<std::size_t> place(n);
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), std::mt19937(5));
    for (const bool cut : {false, true}) {
        test::Vectors<2> points;
        for (const std::size_t k : place) {
            const double angle = 0.001 * static_cast<double>(k);
            points.push_back({(100.0 + 10.0 * angle) * std::cos(4.0 * angle),
                              (100.0 + 10.0 * angle) * std::sin(4.0 * angle)});
            if (cut && k >= 1500) points.back()[0] += 500.0;
        }
        test::World<2> world(where, test::setup_of<2>(points, Box<2>()), observe(0.6, 4000));
        const auto& found = world.measure();
        CHECK(found.at("clusters").at(0) == (cut ? 2.0 : 1.0));
        CHECK(found.at("largest_cluster").at(0) == (cut ? 2500.0 : 4000.0));
        CHECK(world.arrays().at("cluster_sizes").value.at(cut ? 1499 : 3999) == 1.0);
    }
}
