// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/time_correlator.hpp"

#include "shadow/core/error.hpp"
#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

TimeCorrelator::TimeCorrelator(Settings settings) : settings_(std::move(settings)) {
    settings_.pairs = detail::checked_pairs(std::move(settings_.pairs), settings_.channels);
    const std::size_t p = settings_.window, m = settings_.averaging;
    if (p == 0 || settings_.spacing == 0)
        throw InputError(fmt::format("a correlator with window {} and spacing {} (both count "
                                     "samples); give 1 or more",
                                     p, settings_.spacing));
    if (settings_.levels != 1 && (m < 2 || p < m || p % m != 0 || settings_.levels == 0))
        throw InputError(fmt::format("a correlator with window {}, averaging {} and {} levels (a "
                                     "level takes averages of at least two, and the window is a "
                                     "multiple of them); give for example 16, 2 and 20",
                                     p, m, settings_.levels));
    means_.mean.resize(settings_.channels);
}

/// Shorter lags are those of the level below.
std::size_t TimeCorrelator::first_lag(std::size_t level) const {
    return level == 0 ? 0 : settings_.window / settings_.averaging;
}

void TimeCorrelator::add_level() {
    const std::size_t lags = settings_.window - first_lag(levels_.size());
    levels_.push_back({0, std::vector<double>(settings_.window * settings_.channels),
                       std::vector<double>(settings_.channels), 0,
                       LagSums(lags, settings_.pairs.size())});
}

void TimeCorrelator::add(std::span<const double> row) {
    means_.add(row);
    push(0, row);
}

void TimeCorrelator::push(std::size_t number, std::span<const double> row) {
    if (number == levels_.size()) add_level();
    Level& level = levels_[number];
    const std::size_t channels = settings_.channels, window = settings_.window;
    const auto place = [&](std::int64_t index) {
        return level.history.data() + static_cast<std::size_t>(index) % window * channels;
    };
    std::copy_n(row.begin(), channels, place(level.rows));
    const std::size_t first = first_lag(number), spacing = settings_.spacing;
    const auto rows = static_cast<std::size_t>(level.rows);
    const std::size_t least = first + (rows >= first ? (rows - first) % spacing : 0);
    for (std::size_t lag = least; lag < window && lag <= rows; lag += spacing) {
        const std::size_t origin = rows - lag;
        const double* const then = place(static_cast<std::int64_t>(origin));
        double* sum = level.sums.at(static_cast<std::int64_t>(origin / spacing), lag - first);
        for (const auto& [a, b] : settings_.pairs) *sum++ += then[a] * row[b];
    }
    ++level.rows;

    if (number + 1 == settings_.levels) return;
    for (std::size_t k = 0; k < channels; ++k) level.sum[k] += row[k];
    if (++level.summed < static_cast<std::int64_t>(settings_.averaging)) return;
    std::vector<double> average = level.sum;
    for (double& value : average) value /= static_cast<double>(settings_.averaging);
    std::fill(level.sum.begin(), level.sum.end(), 0.0);
    level.summed = 0;
    push(number + 1, average);
}

std::vector<std::size_t> TimeCorrelator::lags() const {
    std::vector<std::size_t> all;
    std::size_t unit = 1;
    for (std::size_t level = 0; level < settings_.levels; ++level, unit *= settings_.averaging)
        for (std::size_t lag = first_lag(level); lag < settings_.window; ++lag)
            all.push_back(lag * unit);
    return all;
}

Correlation TimeCorrelator::result() const {
    Correlation result;
    result.width = settings_.pairs.size();
    result.mean = means_.mean;
    double unit = 1.0;
    for (std::size_t number = 0; number < levels_.size(); ++number) {
        levels_[number].sums.append_to(result, static_cast<double>(first_lag(number)), unit,
                                       unit * static_cast<double>(settings_.spacing));
        unit *= static_cast<double>(settings_.averaging);
    }
    return result;
}

void TimeCorrelator::merge(const TimeCorrelator& other) {
    if (settings_ != other.settings_)
        throw InputError("two correlators with different settings (their lags are not the same); "
                         "merge those of equal settings");
    while (levels_.size() < other.levels_.size()) add_level();
    for (std::size_t k = 0; k < levels_.size(); ++k) {
        Level& level = levels_[k];
        if (k < other.levels_.size())
            level.sums.merge(other.levels_[k].sums);
        else
            level.sums.merge(LagSums(settings_.window - first_lag(k), settings_.pairs.size()));
        level.rows = 0;
        level.summed = 0;
        std::fill(level.sum.begin(), level.sum.end(), 0.0);
    }
    means_.merge(other.means_);
}

std::vector<double> TimeCorrelator::state() const {
    std::vector<double> numbers{means_.count};
    append(numbers, means_.mean);
    for (const Level& level : levels_) {
        append(numbers,
               std::vector{static_cast<double>(level.rows), static_cast<double>(level.summed)});
        append(numbers, level.history);
        append(numbers, level.sum);
        level.sums.append_state(numbers);
    }
    return numbers;
}

void TimeCorrelator::restore(std::span<const double> state) {
    StateReader reader(state, "a correlator");
    TimeCorrelator fresh(settings_);
    fresh.means_.count = reader.number();
    reader.fill(fresh.means_.mean);
    while (!reader.empty()) {
        fresh.add_level();
        Level& level = fresh.levels_.back();
        level.rows = reader.count();
        level.summed = static_cast<std::size_t>(reader.count());
        reader.fill(level.history);
        reader.fill(level.sum);
        level.sums.assign(reader.take(level.sums.numbers()));
    }
    *this = std::move(fresh);
}

} // namespace shadow
