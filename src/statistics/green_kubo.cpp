// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/green_kubo.hpp"

#include "shadow/statistics/state.hpp"

#include <cmath>
#include <limits>

namespace shadow {

namespace {

TimeCorrelator::Settings up_to_longest(std::size_t components, const LagLadder& ladder) {
    TimeCorrelator::Settings settings;
    settings.channels = components;
    settings.levels = 1;
    const auto longest = static_cast<std::size_t>(ladder.lags().back());
    while ((settings.window - 1) << (settings.levels - 1) < longest) ++settings.levels;
    return settings;
}

GreenKubo::Lag lag_of(double time, const BlockingAverage& average, double overlap) {
    const Estimate e = average.estimate(overlap);
    return {time, e.samples > 0 ? e.mean : std::numeric_limits<double>::quiet_NaN(), e.error};
}

} // namespace

GreenKubo::GreenKubo(Settings settings)
    : settings_(std::move(settings)),
      correlator_(up_to_longest(settings_.components, settings_.ladder)),
      last_(settings_.components), moment_(settings_.components),
      origins_(static_cast<std::size_t>(settings_.ladder.places())),
      integral_(static_cast<std::size_t>(settings_.ladder.window()) + 1),
      slope_(static_cast<std::size_t>(settings_.ladder.level(settings_.ladder.places() - 1)) + 1) {
    for (Origin& origin : origins_)
        origin.flux = origin.moment = std::vector<double>(settings_.components);
}

void GreenKubo::add(std::span<const double> flux) {
    correlator_.add(flux);
    for (std::size_t c = 0; c < flux.size(); ++c) {
        if (rows_ > 0) moment_[c] += 0.5 * (last_[c] + flux[c]) * settings_.interval;
        last_[c] = flux[c];
    }
    for (const LagLadder::Task& task : settings_.ladder.tasks(rows_)) {
        Origin& origin = origins_[static_cast<std::size_t>(task.place)];
        if (task.lag >= 0) compare(origin, task, flux);
        if (task.store) renew(origin, task, flux);
    }
    ++rows_;
}

void GreenKubo::compare(Origin& origin, const LagLadder::Task& task, std::span<const double> flux) {
    const auto components = static_cast<double>(flux.size());
    double product = 0.0, square = 0.0;
    for (std::size_t c = 0; c < flux.size(); ++c) {
        const double gone = moment_[c] - origin.moment[c];
        product += origin.flux[c] * flux[c] / components;
        square += gone * gone / components;
    }
    const std::int64_t window = settings_.ladder.window(),
                       level = settings_.ladder.level(task.place);
    if (level == 0) {
        origin.integral += 0.5 * (origin.last + product) * settings_.interval;
        origin.last = product;
        integral_[static_cast<std::size_t>(task.quotient)].add(origin.integral);
    }
    if (task.quotient == window / 2 + 1) origin.half = square;
    if (task.quotient != window) return;
    const double between = static_cast<double>((window / 2 - 1) << level) * settings_.interval;
    slope_[static_cast<std::size_t>(level)].add((square - origin.half) / (2.0 * between));
}

void GreenKubo::renew(Origin& origin, const LagLadder::Task& task, std::span<const double> flux) {
    origin.flux.assign(flux.begin(), flux.end());
    origin.moment = moment_;
    origin.integral = origin.last = 0.0;
    if (settings_.ladder.level(task.place) > 0) return;
    for (const double j : flux) origin.last += j * j / static_cast<double>(flux.size());
    integral_[0].add(0.0);
}

std::vector<GreenKubo::Lag> GreenKubo::correlation() const {
    const Correlation found = correlator_.result();
    std::vector<Lag> all;
    std::size_t known = 0;
    for (const std::size_t lag : correlator_.lags()) {
        Lag& mean = all.emplace_back();
        mean = {static_cast<double>(lag) * settings_.interval, 0.0, 0.0};
        if (known == found.lag.size() || found.lag[known] != static_cast<double>(lag)) {
            mean.value = std::numeric_limits<double>::quiet_NaN();
            mean.error = std::numeric_limits<double>::infinity();
            continue;
        }
        const auto components = static_cast<double>(found.width);
        double variance = 0.0;
        for (std::size_t k = known * found.width; k < (known + 1) * found.width; ++k) {
            mean.value += found.value[k] / components;
            variance += found.error[k] * found.error[k];
        }
        mean.error = std::sqrt(variance) / components;
        ++known;
    }
    return all;
}

std::vector<GreenKubo::Lag> GreenKubo::integral() const {
    std::vector<Lag> all;
    for (std::size_t k = 0; k < integral_.size(); ++k)
        all.push_back(lag_of(static_cast<double>(k) * settings_.interval, integral_[k],
                             settings_.ladder.overlap(static_cast<std::int64_t>(k))));
    return all;
}

std::vector<GreenKubo::Lag> GreenKubo::half_slope() const {
    std::vector<Lag> all;
    for (std::size_t level = 0; level < slope_.size(); ++level) {
        const std::int64_t lag = settings_.ladder.window() << level;
        all.push_back(lag_of(static_cast<double>(lag) * settings_.interval, slope_[level],
                             settings_.ladder.overlap(lag)));
    }
    return all;
}

template <class Self, class F>
void GreenKubo::each_number(Self& self, const F& f) {
    for (auto* numbers : {&self.last_, &self.moment_})
        for (auto& x : *numbers) f(x);
    for (auto& origin : self.origins_) {
        for (auto* numbers : {&origin.flux, &origin.moment})
            for (auto& x : *numbers) f(x);
        for (auto* x : {&origin.half, &origin.integral, &origin.last}) f(*x);
    }
}

template <class Self, class F>
void GreenKubo::each_average(Self& self, const F& f) {
    for (auto* group : {&self.integral_, &self.slope_})
        for (auto& average : *group) f(average);
}

/// Rows; numbers; then averages and the correlator, each counted.
std::vector<double> GreenKubo::state() const {
    std::vector<double> numbers{static_cast<double>(rows_)};
    each_number(*this, [&](double x) { numbers.push_back(x); });
    each_average(*this,
                 [&](const BlockingAverage& average) { append_counted(numbers, average.state()); });
    append_counted(numbers, correlator_.state());
    return numbers;
}

void GreenKubo::restore(std::span<const double> state) {
    StateReader reader(state, "a transport coefficient");
    GreenKubo fresh(settings_);
    fresh.rows_ = reader.count();
    each_number(fresh, [&](double& x) { x = reader.number(); });
    each_average(fresh, [&](BlockingAverage& average) { average.restore(reader.counted()); });
    fresh.correlator_.restore(reader.counted());
    reader.finish();
    *this = std::move(fresh);
}

} // namespace shadow
