// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/blocked_series.hpp"

#include "support/catch.hpp"
#include "support/correlated.hpp"

#include "shadow/core/error.hpp"

#include <array>
#include <cmath>
#include <vector>

using namespace shadow;

namespace {

/// Two channels which are correlated with each other, large against their fluctuation, and a
/// weight.
struct WeightedRow {
    std::array<double, 2> values;
    double weight;
};

std::vector<WeightedRow> weighted_rows(int count, std::uint64_t seed) {
    Correlated x(0.6, seed), y(0.2, seed + 1000), w(0.1, seed + 2000);
    std::vector<WeightedRow> all;
    for (int k = 0; k < count; ++k) {
        const double first = x.next();
        all.push_back({{1e4 + first, -3e3 + 0.5 * first + y.next()}, std::exp(0.3 * w.next())});
    }
    return all;
}

void add(BlockedSeries& series, const std::vector<WeightedRow>& all, std::size_t first,
         std::size_t last) {
    for (std::size_t k = first; k < last; ++k) series.add(all[k].values, all[k].weight);
}

/// Against sums in two passes. Values of 1e4 and terms n of rounding 1e4 eps sqrt(n) each: means
/// to 1e-15 of themselves times a few, covariances of about 1 to 1e4 eps times a few.
void check_totals(const Moments& total, const std::vector<WeightedRow>& all) {
    long double weight = 0, mean[2] = {}, moment[3] = {};
    for (const WeightedRow& r : all) {
        weight += r.weight;
        for (int c = 0; c < 2; ++c) mean[c] += r.weight * static_cast<long double>(r.values[c]);
    }
    for (auto& m : mean) m /= weight;
    for (const WeightedRow& r : all) {
        const long double a = r.values[0] - mean[0], b = r.values[1] - mean[1];
        moment[0] += r.weight * a * a;
        moment[1] += r.weight * a * b;
        moment[2] += r.weight * b * b;
    }
    CHECK(total.samples() == static_cast<std::int64_t>(all.size()));
    CHECK(std::abs(total.weight() / static_cast<double>(weight) - 1.0) < 1e-12);
    for (std::size_t c = 0; c < 2; ++c)
        CHECK(std::abs(total.mean(c) / static_cast<double>(mean[c]) - 1.0) < 1e-13);
    CHECK(std::abs(total.variance(0) - static_cast<double>(moment[0] / weight)) < 1e-10);
    CHECK(std::abs(total.covariance(1, 0) - static_cast<double>(moment[1] / weight)) < 1e-10);
    CHECK(std::abs(total.variance(1) - static_cast<double>(moment[2] / weight)) < 1e-10);
}

} // namespace

TEST_CASE("blocks are the series itself, then means of equal lengths") {
    BlockedSeries series(1, 8);
    for (int k = 0; k < 7; ++k) series.add(k);
    REQUIRE(series.blocks().size() == 7);
    CHECK(series.block_length() == 1);
    CHECK(series.blocks()[3].mean() == 3.0);
    for (int k = 7; k < 43; ++k) series.add(k);
    CHECK(series.block_length() == 8);
    REQUIRE(series.blocks().size() == 5);
    for (std::size_t k = 0; k < 5; ++k) {
        CHECK(series.blocks()[k].mean() == 8.0 * static_cast<double>(k) + 3.5);
        CHECK(std::abs(series.blocks()[k].variance() - 63.0 / 12.0) < 1e-13);
    }
    CHECK(series.open().samples() == 3);
    CHECK(series.total().samples() == 43);
    CHECK(series.total().mean() == 21.0);
    CHECK(series.blocks_for(0) == 0);
    CHECK(series.blocks_for(1) == 1);
    CHECK(series.blocks_for(16) == 2);
    CHECK(series.blocks_for(1000) == 5);
    CHECK(series.after(2).total().samples() == 27);
    CHECK(series.after(2).total().mean() == 29.0);
}

TEST_CASE("memory is bounded and totals are those of all rows") {
    const auto all = weighted_rows(GENERATE(1, 15, 16, 1000, 4097), 3);
    BlockedSeries series(2, 16);
    add(series, all, 0, all.size());
    CHECK(series.blocks().size() < 16);
    check_totals(series.total(), all);
}

TEST_CASE("weights by their logarithms may be of any size") {
    // A start whose weight is far below, or far above, what comes behind it.
    for (const double start : {-3600.0, -240.0, 0.0, 180.0, 240.0, 500.0, 3600.0})
        for (const double offset : {-5000.0, 0.0, 700.0}) {
            BlockedSeries series, plain;
            for (int k = 0; k < 600; ++k) {
                const double value = std::sin(0.7 * k), log_weight = std::cos(0.3 * k);
                series.add_by_log(k < 100 ? 9.0 : value, offset + (k < 100 ? start : log_weight));
                if (k >= 100) plain.add(value, std::exp(log_weight));
            }
            CAPTURE(start, offset);
            const Moments total = series.total();
            CHECK(total.samples() == 600);
            if (start < -100.0) CHECK(total.mean() == Approx(plain.total().mean()).margin(1e-12));
            if (start > 100.0) CHECK(total.mean() == Approx(9.0).margin(1e-12));
            // Behind the start, unless numbers hold nothing of it.
            const BlockedSeries behind = series.after(100);
            const Moments rest = behind.total();
            CHECK(rest.samples() == 500);
            if (start < 700.0) {
                CHECK(rest.mean() == Approx(plain.total().mean()).margin(1e-12));
                CHECK(rest.variance() == Approx(plain.total().variance()).margin(1e-12));
                double squares = 0.0; // also of what is small beside the start
                for (const Moments& block : behind.blocks())
                    squares += block.weight() * block.weight();
                CHECK(squares > 0.0);
            } else {
                CHECK(rest.weight() == 0.0);
            }
            BlockedSeries other;
            other.restore(series.state());
            CHECK(other.state() == series.state());
            other.add_by_log(0.5, offset);
            series.add_by_log(0.5, offset);
            CHECK(other.state() == series.state());
        }
}

TEST_CASE("series whose weights have different units become one") {
    BlockedSeries a, b, both;
    for (int k = 0; k < 50; ++k) {
        const double value = std::sin(0.7 * k), log_weight = 1000.0 + std::cos(0.3 * k);
        (k < 20 ? a : b).add_by_log(value, k < 20 ? log_weight - 300.0 : log_weight - 302.0);
        both.add_by_log(value, k < 20 ? log_weight - 300.0 : log_weight - 302.0);
    }
    a.merge(b);
    CHECK(a.total().mean() == Approx(both.total().mean()).margin(1e-12));
    CHECK(a.total().variance() == Approx(both.total().variance()).margin(1e-12));
}

TEST_CASE("a row without weight counts and says nothing") {
    BlockedSeries series;
    series.add(1.0, 2.0);
    series.add(1e9, 0.0);
    series.add(4.0, 1.0);
    CHECK(series.total().samples() == 3);
    CHECK(series.total().mean() == 2.0);
    CHECK(series.total().variance() == 2.0);
}

TEST_CASE("merged series have the totals of one") {
    const int first = GENERATE(0, 7, 100, 1000), second = GENERATE(0, 1, 333, 5000);
    CAPTURE(first, second);
    const auto a = weighted_rows(first, 5), b = weighted_rows(second, 6);
    BlockedSeries one(2, 64), two(2, 64);
    add(one, a, 0, a.size());
    add(two, b, 0, b.size());
    const std::int64_t longest = std::max(one.block_length(), two.block_length());
    one.merge(two);
    std::vector<WeightedRow> all = a;
    all.insert(all.end(), b.begin(), b.end());
    if (all.empty()) return;
    check_totals(one.total(), all);
    CHECK(one.blocks().size() < 64);
    CHECK(one.block_length() >= longest);
    BlockedSeries three(2, 64);
    add(three, a, 0, a.size());
    three.merge(one); // and again
    CHECK(three.total().samples() == 2 * first + second);
    CHECK_THROWS_AS(one.merge(BlockedSeries(1)), InputError);
}

TEST_CASE("a restored series goes on with the same bits") {
    const auto all = weighted_rows(3000, 9);
    BlockedSeries whole(2, 32), part(2, 32), resumed(2, 32);
    add(whole, all, 0, 3000);
    add(part, all, 0, 1234);
    add(resumed, all, 0, 3);
    resumed.restore(part.state());
    CHECK(resumed.state() == part.state());
    add(resumed, all, 1234, 3000);
    CHECK(whole.state() == resumed.state());
    const std::vector<double> state = whole.state();
    CHECK_THROWS_AS(resumed.restore(std::vector<double>(3)), InputError);
    CHECK_THROWS_AS(resumed.restore(std::span(state).first(state.size() - 1)), InputError);
    BlockedSeries small(2, 4);
    CHECK_THROWS_AS(small.restore(state), InputError);
}
