// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/green_kubo.hpp"

#include "shadow/statistics/state.hpp"

namespace shadow {

namespace {

TimeCorrelator::Settings up_to_longest(const GreenKubo::Settings& asked) {
    TimeCorrelator::Settings settings{
        .channels = asked.components, .levels = 1, .interval = asked.interval};
    const auto longest = static_cast<std::size_t>(asked.ladder.lags().back());
    while ((settings.window - 1) << (settings.levels - 1) < longest) ++settings.levels;
    return settings;
}

} // namespace

GreenKubo::GreenKubo(Settings settings)
    : settings_(std::move(settings)), correlator_(up_to_longest(settings_)),
      last_(settings_.components), moment_(settings_.components),
      origin_flux_(static_cast<std::size_t>(settings_.ladder.places()), last_),
      origin_moment_(origin_flux_), integrals_(settings_.ladder, settings_.interval),
      slopes_(settings_.ladder, settings_.interval) {}

void GreenKubo::add(std::span<const double> flux) {
    correlator_.add(flux);
    for (std::size_t c = 0; c < flux.size(); ++c) {
        if (rows_ > 0) moment_[c] += 0.5 * (last_[c] + flux[c]) * settings_.interval;
        last_[c] = flux[c];
    }
    for (const LagLadder::Task& task : settings_.ladder.tasks(rows_)) {
        if (task.lag >= 0) compare(task, flux);
        if (task.store) renew(task, flux);
    }
    ++rows_;
}

void GreenKubo::compare(const LagLadder::Task& task, std::span<const double> flux) {
    const auto components = static_cast<double>(flux.size());
    const auto place = static_cast<std::size_t>(task.place);
    double product = 0.0, square = 0.0;
    for (std::size_t c = 0; c < flux.size(); ++c) {
        const double gone = moment_[c] - origin_moment_[place][c];
        product += origin_flux_[place][c] * flux[c] / components;
        square += gone * gone / components;
    }
    integrals_.add(task, product);
    slopes_.add(task, square);
}

void GreenKubo::renew(const LagLadder::Task& task, std::span<const double> flux) {
    const auto place = static_cast<std::size_t>(task.place);
    origin_flux_[place].assign(flux.begin(), flux.end());
    origin_moment_[place] = moment_;
    double square = 0.0;
    for (const double j : flux) square += j * j / static_cast<double>(flux.size());
    integrals_.begin(task, square);
}

template <class Self, class F>
void GreenKubo::each(Self& self, F& f) {
    f(self.rows_);
    for (auto* numbers : {&self.last_, &self.moment_}) f(*numbers);
    for (auto* origins : {&self.origin_flux_, &self.origin_moment_}) f(*origins);
    OriginIntegrals::each(self.integrals_, f);
    OriginSlopes::each(self.slopes_, f);
    f(self.correlator_);
}

std::vector<double> GreenKubo::state() const {
    StateWriter writer;
    each(*this, writer);
    return writer.numbers();
}

void GreenKubo::restore(std::span<const double> state) {
    StateReader reader(state, "a transport coefficient");
    GreenKubo fresh(settings_);
    each(fresh, reader);
    reader.finish();
    *this = std::move(fresh);
}

} // namespace shadow
