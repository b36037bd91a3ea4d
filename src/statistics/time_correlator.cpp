// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/time_correlator.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

void check(const TimeCorrelator::Settings& settings) {
    const std::size_t p = settings.window, m = settings.averaging;
    const auto& curves = settings.curves;
    if (settings.channels == 0 ||
        std::any_of(curves.begin(), curves.end(), [](const auto& curve) { return curve.empty(); }))
        throw InputError("a correlation of no channels (there is nothing to correlate); give at "
                         "least one");
    for (const TimeCorrelator::Curve& curve : curves)
        for (const auto& [a, b] : curve)
            if (std::max(a, b) >= settings.channels)
                throw InputError(fmt::format("a correlation with channel {} (there are {}, from "
                                             "0); give one that is there",
                                             std::max(a, b), settings.channels));
    if (p == 0 || settings.spacing == 0)
        throw InputError(fmt::format("a correlator with window {} and spacing {} (both count "
                                     "samples); give 1 or more",
                                     p, settings.spacing));
    if (settings.levels != 1 && (m < 2 || p < m || p % m != 0 || settings.levels == 0))
        throw InputError(fmt::format("a correlator with window {}, averaging {} and {} levels (a "
                                     "level takes averages of at least two, and the window is a "
                                     "multiple of them); give for example 16, 2 and 20",
                                     p, m, settings.levels));
}

} // namespace

TimeCorrelator::TimeCorrelator(Settings settings) : settings_(std::move(settings)) {
    check(settings_);
    if (settings_.curves.empty()) {
        settings_.curves.resize(1);
        for (std::size_t k = 0; k < settings_.channels; ++k) settings_.curves[0].emplace_back(k, k);
    }
    means_.resize(settings_.curves.size());
    mean_.resize(settings_.channels);
}

/// The level below has the shorter lags.
std::size_t TimeCorrelator::first_lag(std::size_t level) const {
    return level == 0 ? 0 : settings_.window / settings_.averaging;
}

void TimeCorrelator::add_level() {
    const std::size_t lags = settings_.window - first_lag(levels_.size());
    levels_.push_back({0, 0, std::vector<double>(settings_.window * settings_.channels),
                       std::vector<double>(settings_.channels),
                       std::vector(lags, BlockingAverage(settings_.curves.size()))});
}

void TimeCorrelator::add(std::span<const double> row) {
    if (!settings_.fluctuations) return push(0, row);
    const std::vector<double> distance = residual(row);
    if (rows_ > 1) push(0, distance);
}

std::vector<double> TimeCorrelator::residual(std::span<const double> row) {
    const auto before = static_cast<double>(rows_++);
    std::vector<double> all(row.begin(), row.end());
    for (std::size_t k = 0; k < all.size(); ++k) {
        const double distance = row[k] - mean_[k];
        mean_[k] += distance / (before + 1.0);
        all[k] = distance * std::sqrt(before / (before + 1.0));
    }
    return all;
}

void TimeCorrelator::push(std::size_t number, std::span<const double> row) {
    if (number == levels_.size()) add_level();
    Level& level = levels_[number];
    const std::size_t channels = settings_.channels, window = settings_.window;
    const auto rows = static_cast<std::size_t>(level.rows++);
    const auto place = [&](std::size_t index) {
        return level.history.begin() + static_cast<std::ptrdiff_t>(index % window * channels);
    };
    std::copy_n(row.begin(), channels, place(rows));
    const std::size_t first = first_lag(number), spacing = settings_.spacing;
    const std::size_t least = first + (rows >= first ? (rows - first) % spacing : 0);
    for (std::size_t lag = least; lag < window && lag <= rows; lag += spacing) {
        const auto then = place(rows - lag);
        for (std::size_t c = 0; c < means_.size(); ++c) {
            const Curve& curve = settings_.curves[c];
            double sum = 0.0;
            for (const auto& [a, b] : curve) sum += then[static_cast<std::ptrdiff_t>(a)] * row[b];
            means_[c] = sum / static_cast<double>(curve.size());
        }
        level.products[lag - first].add(means_);
    }

    if (number + 1 == settings_.levels) return;
    for (std::size_t k = 0; k < channels; ++k) level.sum[k] += row[k];
    if (++level.summed < static_cast<std::int64_t>(settings_.averaging)) return;
    std::vector<double> average(channels);
    average.swap(level.sum);
    for (double& value : average) value /= static_cast<double>(settings_.averaging);
    level.summed = 0;
    push(number + 1, average);
}

std::vector<LagValue> TimeCorrelator::curve(std::size_t number) const {
    const BlockingAverage nothing(settings_.curves.size());
    std::vector<LagValue> all;
    double unit = settings_.interval;
    for (std::size_t k = 0; k < settings_.levels; ++k) {
        const std::size_t first = first_lag(k);
        for (std::size_t lag = first; lag < settings_.window; ++lag) {
            const auto rows = static_cast<double>(lag);
            all.push_back(
                at_lag(rows * unit, k < levels_.size() ? levels_[k].products[lag - first] : nothing,
                       std::max(1.0, rows / static_cast<double>(settings_.spacing)), number));
        }
        unit *= static_cast<double>(settings_.averaging);
    }
    return all;
}

template <class Self, class F>
void TimeCorrelator::each(Self& level, F& f) {
    f(level.rows);
    f(level.summed);
    f(level.history);
    f(level.sum);
    f(level.products);
}

std::vector<double> TimeCorrelator::state() const {
    StateWriter writer;
    if (settings_.fluctuations) {
        writer(rows_);
        writer(mean_);
    }
    for (const Level& level : levels_) each(level, writer);
    return writer.numbers();
}

void TimeCorrelator::restore(std::span<const double> state) {
    StateReader reader(state, "a correlator");
    TimeCorrelator fresh(settings_);
    if (settings_.fluctuations) {
        reader(fresh.rows_);
        reader(fresh.mean_);
    }
    while (!reader.empty()) {
        fresh.add_level();
        each(fresh.levels_.back(), reader);
    }
    *this = std::move(fresh);
}

} // namespace shadow
