// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/system/lattice.hpp"

#include <algorithm>
#include <complex>
#include <fmt/format.h>
#include <numbers>
#include <random>

using namespace shadow;

namespace {

std::string observe(int fold, double radius, double width, double largest, int bins) {
    return fmt::format("[[observe]]\ntype = \"positional-correlation\"\nfold = {}\nradius = {}\n"
                       "width = {}\nlargest = {}\nbins = {}\n",
                       fold, radius, width, largest, bins);
}

/// Area of the part of strips along `fold` directions that is nearer to the centre than `largest`,
/// by bins of the way along them: on a grid of midpoints in the sector of one direction.
std::vector<double> areas_directly(int fold, double width, double largest, int bins) {
    const int points = 800; // of a bin, and across
    std::vector<double> areas;
    for (int k = 0; k < bins; ++k) {
        double area = 0.0;
        const double dx = largest / bins / points;
        for (int p = 0; p < points; ++p) {
            const double x = (k + (p + 0.5) / points) * largest / bins;
            area += 2.0 * fold * dx *
                    std::min({0.5 * width, x * std::tan(std::numbers::pi / fold),
                              std::sqrt(largest * largest - x * x)});
        }
        areas.push_back(area);
    }
    return areas;
}

} // namespace

TEST_CASE("along its directions a triangular lattice has particles at multiples of its constant") {
    const auto where = GENERATE(from_range(test_backends()));
    const bool upright = GENERATE(false, true); // rows along y
    CAPTURE(where.name, upright);
    auto points = lattice_points<2>(lattice_cell<2>("triangular"), {16, 10}, 1.1);
    std::array<double, 2> lengths = {16 * 1.1, 10 * 1.1 * std::sqrt(3.0)};
    if (upright) {
        std::swap(lengths[0], lengths[1]);
        for (auto& x : points) std::swap(x[0], x[1]);
    }
    const Box<2> box(lengths, {true, true});
    // Bins of 0.22: five to a lattice constant, which lies in the middle of one.
    const double largest = 38.5 * 0.22;
    test::World<2> world(where, test::setup_of<2>(points, box),
                         observe(6, 1.3, 0.4, largest, 38) + "[[observe]]\ntype = \"bond-order\"\n"
                                                             "radius = 1.3\nglobal = true\n");
    const auto& order = world.measure();
    CHECK(std::abs(order.at("global_psi_6").at(0) - 1.0) < 1e-12);
    CHECK(order.at("global_psi_4").at(0) < 1e-12);
    const ArrayEstimate g = world.arrays().at("positional_correlation_6");
    const auto areas = areas_directly(6, 0.4, largest, 38);
    for (std::size_t k = 0; k < 38; ++k) {
        const double at = g.axes.at(0).values.at(k) / 1.1;
        const bool on = std::abs(at - std::round(at)) < 0.1 && at > 0.5;
        const double uncorrelated = 320.0 * 319.0 / box.volume() * areas[k];
        CAPTURE(k, at);
        // The grid errs where an arc or the meeting of strips is in a bin.
        CHECK(std::abs(g.value[k] * uncorrelated - (on ? 320.0 * 6.0 : 0.0)) < 0.02);
    }
}

TEST_CASE("correlations along a lattice are those of all pairs, and 1 without any correlation") {
    const Box<2> box({30.0, 26.0}, {true, true});
    const std::size_t n = 1500;
    const auto points = random_points<2>(n, 0.0, {30.0, 26.0}, {true, true}, 8);
    const double width = 0.8, largest = 13.0, radius = 1.5;
    const int fold = GENERATE(2, 4, 5, 6);
    const int bins = 13;
    std::complex<double> sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        std::complex<double> psi = 0.0;
        int near = 0;
        for (std::size_t j = 0; j < n; ++j) {
            const auto dx = test::between<2>(points[i], points[j], box);
            if (i == j || !(test::length_of<2>(dx) < radius)) continue;
            psi += std::polar(1.0, fold * std::atan2(dx[1], dx[0]));
            ++near;
        }
        if (near > 0) sum += psi / static_cast<double>(near);
    }
    std::vector<double> pairs(bins);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const auto dx = test::between<2>(points[i], points[j], box);
            const double r = test::length_of<2>(dx);
            if (i == j || !(r < largest)) continue;
            // The angle to the nearest of the directions.
            const double sector = 2.0 * std::numbers::pi / fold;
            const double angle =
                std::remainder(std::atan2(dx[1], dx[0]) - std::arg(sum) / fold, sector);
            if (std::abs(r * std::sin(angle)) < 0.5 * width && std::cos(angle) > 0.0)
                ++pairs[static_cast<std::size_t>(r * std::cos(angle) / largest * bins)];
        }
    const auto areas = areas_directly(fold, width, largest, bins);
    for (const TestBackend& where : test_backends()) {
        CAPTURE(where.name, fold);
        test::World<2> world(
            where, test::setup_of<2>(points, box),
            observe(fold, radius, width, largest, bins) +
                fmt::format("[[observe]]\ntype = \"bond-order\"\nfolds = [{}]\nradius = {}\n"
                            "global = true\n",
                            fold, radius));
        const double order =
            world.measure().at(fmt::format("global_psi_{}", fold)).at(0) * static_cast<double>(n);
        CHECK(std::abs(order - std::abs(sum)) < 1e-9 * static_cast<double>(n));
        const auto g = world.arrays().at(fmt::format("positional_correlation_{}", fold));
        for (std::size_t k = 0; k < bins; ++k) {
            const double uncorrelated = static_cast<double>(n * (n - 1)) / box.volume() * areas[k];
            CAPTURE(k, pairs[k]);
            CHECK(std::abs(g.value[k] * uncorrelated - pairs[k]) < 1e-3 * pairs[k] + 1e-9);
            // Each pair counts twice, so the variance of a count is twice the mean; five
            // deviations.
            CHECK(std::abs(g.value[k] - 1.0) < 5.0 * std::sqrt(2.0 / uncorrelated));
        }
    }
}
