// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/grid.hpp"

#include "support/catch.hpp"

#include "shadow/system/box.hpp"

#include "kernels/ops/ranges.hpp"
#include "kernels/ops/sort.hpp"
#include "kernels/ops/wrap.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

using namespace shadow;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
} // namespace

TEST_CASE("every number has a cell") {
    const Grid<2> grid{{-1.0, 2.0}, {0.5, 0.25}, {2.0, 4.0}, {6, 8}};
    CHECK(grid.columns() == 6);
    CHECK(grid.bins() == 8);
    CHECK(grid.cell(0, -1.0) == 0);
    CHECK(grid.cell(0, -0.5000001) == 0);
    CHECK(grid.cell(0, -0.5) == 1);
    CHECK(grid.cell(0, 1.99) == 5);
    for (const double low : {-1e300, -infinity, not_a_number, -1.5}) CHECK(grid.cell(0, low) == 0);
    for (const double high : {2.0, 1e300, infinity}) CHECK(grid.cell(0, high) == 5);
    double x[] = {0.1}, y[] = {2.6};
    CHECK(grid.bin(VectorView<2, double>{{x, y}}, 0) == 2 * 8 + 2);
}

TEST_CASE("cells in reach are those with a gap of at most the reach") {
    for (const double width : {0.3, 0.7, 1.0, 2.0, 3.1})
        for (const double reach : {0.5, 1.0, 2.0, 2.8}) {
            const int steps = cells_in_reach(reach, width);
            CHECK(cell_gap(steps, width) <= reach);
            CHECK(cell_gap(-steps, width) <= reach);
            CHECK(cell_gap(steps + 1, width) > reach);
        }
    CHECK(cell_gap(0, 2.0) == 0.0);
    CHECK(cell_gap(1, 2.0) == 0.0);
    CHECK(cell_gap(-3, 2.0) == 4.0);
    CHECK(cells_in_reach(1.0, not_a_number) == 0);
    CHECK(cells_in_reach(1.0, infinity) == 0);
}

TEST_CASE("the stride of neighbour ranges counts the columns in reach") {
    const BoxView<3> open{}, periodic = Box<3>({50, 50, 50}, {true, true, true}).view();
    const double width[3] = {2.1, 2.1, 2.1};
    // Offsets up to 2 in both directions, the corners (2.1 sqrt 2 = 2.97 away) only from 3 on.
    CHECK(range_stride<3>(open, width, 2.8, 1) == 21 + 1);
    CHECK(range_stride<3>(open, width, 3.0, 1) == 25 + 1);
    CHECK(range_stride<3>(periodic, width, 2.8, 2) == 2 * 21 + 1);
    const double line[1] = {2.1};
    CHECK(range_stride<1>(BoxView<1>{}, line, 2.8, 1) == 2);
}

TEST_CASE("the grid fits the limits and the density") {
    GridLimits<3> limits{};
    const BoxView<3> box = Box<3>({30.0, 40.0, 50.0}, {true, true, true}).view();
    limits.reach = 2.8;
    limits.narrowest = 2.1;
    limits.widest = 5.0;
    limits.cluster_size = 8;
    limits.max_columns = 1000;
    limits.max_bins = 20'000;
    limits.particles = 40'000;
    limits.mean_density = 40'000.0 / 60'000.0;
    Grid<3> grid{};
    const auto plan = [&](const std::int64_t* pairs) {
        PlanGrid<3>{limits, &box, nullptr, pairs, &grid}(0);
        for (int d = 0; d < 3; ++d) {
            CHECK(std::abs(grid.width[d] * grid.count[d] - box.length[d]) < 1e-12);
            CHECK(grid.origin[d] == 0.0);
        }
        CHECK(grid.columns() <= limits.max_columns);
        CHECK(grid.columns() * grid.bins() <= limits.max_bins);
        CHECK(grid.width[0] >= limits.narrowest);
    };
    plan(nullptr);
    // (8 / density)^(1/3) = 2.29: 13 and 17 columns; two particles to a bin would be
    // 20000 bins: just what is allowed.
    CHECK(grid.count[0] == 13);
    CHECK(grid.count[1] == 17);
    CHECK(grid.count[2] == 20'000 / (13 * 17));
    // Dense droplets: as narrow as allowed.
    const std::int64_t many = 40'000ll * 1000;
    plan(&many);
    CHECK(grid.count[0] == 14);
    // Few columns allowed: wider.
    limits.max_columns = 7;
    limits.max_bins = 7;
    plan(nullptr);
    CHECK(grid.bins() == 1);
    // Next to nothing in a large space: as wide as allowed.
    limits.max_columns = 1000;
    limits.max_bins = 20'000;
    limits.mean_density = 1e-9;
    plan(nullptr);
    CHECK(grid.count[0] == 6);
    CHECK(grid.bins() == 1);
}

TEST_CASE("an open direction is covered where the bulk is") {
    Window<1> window{};
    window.low[0] = 100.0;
    window.high[0] = 110.0;
    const BoxView<1> box{};
    GridLimits<1> limits{};
    limits.reach = 2.0;
    limits.narrowest = 1.5;
    limits.widest = infinity;
    limits.cluster_size = 4;
    limits.max_columns = 1;
    limits.max_bins = 100;
    limits.particles = 150;
    const std::int64_t pairs = 150 * 20;
    Grid<1> grid{};
    PlanGrid<1>{limits, &box, &window, &pairs, &grid}(0);
    CHECK(grid.origin[0] == 97.0);
    CHECK(grid.width[0] * grid.bins() > 15.9);
    // Not finite, or nothing known: still a grid.
    for (const double bad : {not_a_number, infinity, -infinity}) {
        window.high[0] = bad;
        PlanGrid<1>{limits, &box, &window, nullptr, &grid}(0);
        CHECK(grid.count[0] >= 1);
        CHECK(grid.width[0] > 0.0);
    }
}

TEST_CASE("ranks of a sample give its quantiles, with ties") {
    const std::int32_t samples = GENERATE(1, 2, 15, 16, 17, 256);
    Window<2> window{};
    std::vector<double> sorted;
    for (std::int32_t k = 0; k < samples; ++k) {
        window.sample[0][k] = (k * 37) % 11;
        window.sample[1][k] = -1.0 * ((k * 37) % 11);
        sorted.push_back(window.sample[0][k]);
    }
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t t = 0; t < 2 * samples; ++t) RankWindow<2>{&window, samples}(t);
    const auto cut = static_cast<std::size_t>(samples / 16);
    CHECK(window.low[0] == sorted[cut]);
    CHECK(window.high[0] == sorted[sorted.size() - 1 - cut]);
    CHECK(window.high[1] == -sorted[cut]);
}

TEST_CASE("a bin is sorted by last coordinate and id, however many it holds") {
    const std::int32_t n = GENERATE(0, 1, 2, 5, 32, 33, 64, 1000);
    std::mt19937 random(3);
    std::vector<double> last;
    std::vector<std::uint32_t> id;
    for (std::int32_t i = 0; i < n; ++i) {
        last.push_back(static_cast<double>(random() % 7)); // with many ties
        id.push_back(static_cast<std::uint32_t>(i));
    }
    std::shuffle(id.begin(), id.end(), random);
    std::vector<std::int32_t> order(last.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    auto truth = order;
    const std::int32_t start[] = {0, n};
    SortBin{last.data(), id.data(), start, order.data()}(0);
    std::sort(truth.begin(), truth.end(), [&](std::int32_t a, std::int32_t b) {
        return std::pair(last[static_cast<std::size_t>(a)], id[static_cast<std::size_t>(a)]) <
               std::pair(last[static_cast<std::size_t>(b)], id[static_cast<std::size_t>(b)]);
    });
    CHECK(order == truth);
}

TEST_CASE("wrapping puts positions inside, once and for all") {
    const BoxView<1> box = Box<1>({3.3}, {true}, {-0.1}).view();
    std::vector<double> x{-0.1, 3.2, 3.1999999, -0.1000001, 10,    -1e-9,    1e5,
                          -1e5, 0,   -3.4,      6.5,        1e-20, 3.2000003};
    for (int k = -40; k < 40; ++k) x.push_back(-0.1 + 3.3 * k);
    std::vector<std::int32_t> image(x.size());
    const auto before = x;
    const WrapPositions<1> wrap{&box, {{x.data()}}, {{image.data()}}};
    for (std::size_t i = 0; i < x.size(); ++i) wrap(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < x.size(); ++i) {
        CAPTURE(before[i]);
        CHECK(x[i] >= -0.1);
        CHECK(x[i] < -0.1 + 3.3);
        // One rounding of the position before, and one of the origin to the next number inside.
        const double error = std::numeric_limits<double>::epsilon() * (std::abs(before[i]) + 1.0);
        CHECK(std::abs(x[i] + 3.3 * image[i] - before[i]) <= error);
    }
    const auto once = x;
    const auto images = image;
    for (std::size_t i = 0; i < x.size(); ++i) wrap(static_cast<std::int64_t>(i));
    CHECK(x == once);
    CHECK(image == images);
    // What is not finite stays so.
    x[0] = std::numeric_limits<double>::infinity();
    wrap(0);
    CHECK(x[0] == std::numeric_limits<double>::infinity());
}

TEST_CASE("what is outside by less than half the box may stay, and else comes back into it") {
    const BoxView<1> box = Box<1>({4.0}, {true}, {-1.0}).view();
    std::vector<double> x{-3.0, -3.01, 4.99, 5.0, 1.0, 13.5};
    std::vector<std::int32_t> image(x.size());
    const WrapPositions<1> far{&box, {{x.data()}}, {{image.data()}}, 0.5};
    for (std::size_t i = 0; i < x.size(); ++i) far(static_cast<std::int64_t>(i));
    CHECK(x[1] == Approx(0.99));
    x[1] = 0.99;
    CHECK(x == std::vector{-3.0, 0.99, 4.99, 1.0, 1.0, 1.5});
    CHECK(image == std::vector<std::int32_t>{0, -1, 0, 1, 0, 3});
}
