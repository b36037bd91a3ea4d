// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/clusters.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

using namespace shadow;

namespace {

constexpr double column_length = 16.0;

/// Columns of a plane, each sorted, in bins of equal length.
struct Columns {
    Grid<2> grid{};
    std::vector<double> last;
    std::vector<std::int32_t> start;

    Columns(const std::vector<std::vector<double>>& columns, std::int32_t bins) {
        grid.count[0] = static_cast<std::int32_t>(columns.size());
        grid.count[1] = bins;
        grid.inverse_width[1] = bins / column_length;
        for (auto column : columns) {
            std::sort(column.begin(), column.end());
            for (std::int32_t b = 0; b < bins; ++b)
                start.push_back(static_cast<std::int32_t>(last.size()) +
                                static_cast<std::int32_t>(
                                    std::count_if(column.begin(), column.end(),
                                                  [&](double x) { return grid.cell(1, x) < b; })));
            last.insert(last.end(), column.begin(), column.end());
        }
        start.push_back(static_cast<std::int32_t>(last.size()));
    }
    [[nodiscard]] std::int32_t end(std::int32_t column) const {
        return start[static_cast<std::size_t>((column + 1) * grid.count[1])];
    }
};

using Clusters = std::vector<std::pair<std::int32_t, std::int32_t>>;

/// From the first particle of each column to its last.
Clusters walk(const Columns& columns, std::int32_t size, double longest) {
    const auto is_long = [&](std::int32_t from, std::int32_t to) {
        return columns.last[static_cast<std::size_t>(to - 1)] -
                   columns.last[static_cast<std::size_t>(from)] >
               longest;
    };
    Clusters found;
    std::int32_t from = 0;
    for (std::int32_t column = 0; column < columns.grid.count[0]; ++column)
        while (from < columns.end(column)) {
            std::int32_t to = std::min(from + size, columns.end(column));
            while (is_long(from, to)) --to;
            found.emplace_back(from, to);
            from = to;
        }
    return found;
}

/// By the functors, as on a backend.
Clusters cut(const Columns& columns, std::int32_t size, double longest) {
    BoxView<2> box{};
    box.length[1] = 2.0 * longest;
    const CutColumn<2> cut_column{&columns.grid, columns.start.data(), columns.last.data(), size,
                                  std::isfinite(longest) ? &box : nullptr};
    const std::int32_t most = columns.grid.count[0] + 2; // more than there are
    std::vector<std::int32_t> cuts(static_cast<std::size_t>(most)), counts(cuts), first{0};
    for (std::int32_t c = 0; c < most; ++c)
        CountClusters<2>{cut_column, cuts.data(), counts.data()}(c);
    std::partial_sum(counts.begin(), counts.end(), std::back_inserter(first));
    const auto clusters = static_cast<std::size_t>(first.back());
    std::vector<std::int32_t> begin(clusters), end(clusters);
    const FillClusters<2> fill{cut_column, cuts.data(),  first.data(),
                               most,       begin.data(), end.data()};
    for (std::int64_t k = 0; k < first.back() + 3; ++k) fill(k);
    Clusters found;
    for (std::size_t k = 0; k < clusters; ++k) found.emplace_back(begin[k], end[k]);
    return found;
}

} // namespace

TEST_CASE("columns are cut into the clusters that a walk along them finds") {
    std::mt19937 random(5);
    const auto bins = GENERATE(1, 3, 8);
    int shortened = 0;
    for (int round = 0; round < 300; ++round) {
        std::vector<std::vector<double>> columns(4);
        for (auto& column : columns) {
            // Few in the middle: a cluster may reach from one half to the other. Some are empty.
            std::uniform_int_distribution<int> number(0, 40);
            std::uniform_real_distribution<double> low(0.0, 5.0), high(11.0, 16.0);
            for (int k = number(random); k > 0; --k) column.push_back(low(random));
            for (int k = number(random); k > 0; --k) column.push_back(high(random));
        }
        const Columns made(columns, bins);
        for (const double longest :
             {0.5 * column_length, std::numeric_limits<double>::infinity()}) {
            const Clusters expected = walk(made, 8, longest);
            CHECK(cut(made, 8, longest) == expected);
            shortened += longest < column_length &&
                         expected != walk(made, 8, std::numeric_limits<double>::infinity());
        }
    }
    CHECK(shortened > 100); // the case is tried
}
