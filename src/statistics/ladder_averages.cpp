// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/ladder_averages.hpp"

namespace shadow {

LagValue at_lag(std::int64_t lag, const BlockingAverage& average, const LagLadder& ladder,
                double interval) {
    return at_lag(static_cast<double>(lag) * interval, average, ladder.overlap(lag));
}

OriginIntegrals::OriginIntegrals(const LagLadder& ladder, double interval, double divisor)
    : ladder_(ladder), interval_(interval), divisor_(divisor),
      integral_(static_cast<std::size_t>(ladder.places())), last_(integral_.size()),
      averages_(static_cast<std::size_t>(ladder.window()) + 1) {}

void OriginIntegrals::begin(const LagLadder::Task& task, double product) {
    if (ladder_.level(task.place) > 0) return;
    const auto place = static_cast<std::size_t>(task.place);
    integral_[place] = 0.0;
    last_[place] = product;
    averages_[0].add(0.0);
}

void OriginIntegrals::add(const LagLadder::Task& task, double product) {
    if (ladder_.level(task.place) > 0) return;
    const auto place = static_cast<std::size_t>(task.place);
    integral_[place] += 0.5 * (last_[place] + product) * interval_ / divisor_;
    last_[place] = product;
    averages_[static_cast<std::size_t>(task.quotient)].add(integral_[place]);
}

std::vector<LagValue> OriginIntegrals::values() const {
    std::vector<LagValue> all;
    for (std::size_t k = 0; k < averages_.size(); ++k)
        all.push_back(at_lag(static_cast<std::int64_t>(k), averages_[k], ladder_, interval_));
    return all;
}

OriginSlopes::OriginSlopes(const LagLadder& ladder, double interval, double divisor)
    : ladder_(ladder), interval_(interval), divisor_(divisor),
      half_(static_cast<std::size_t>(ladder.places())),
      averages_(static_cast<std::size_t>(ladder.level(ladder.places() - 1)) + 1) {}

void OriginSlopes::add(const LagLadder::Task& task, double square) {
    const auto place = static_cast<std::size_t>(task.place);
    const std::int64_t window = ladder_.window(), level = ladder_.level(task.place);
    if (task.quotient == window / 2 + 1) half_[place] = square;
    if (task.quotient != window) return;
    const double between = static_cast<double>((window / 2 - 1) << level) * interval_;
    averages_[static_cast<std::size_t>(level)].add((square - half_[place]) /
                                                   (2.0 * divisor_ * between));
}

std::vector<LagValue> OriginSlopes::values() const {
    std::vector<LagValue> all;
    for (std::size_t level = 0; level < averages_.size(); ++level)
        all.push_back(at_lag(ladder_.window() << level, averages_[level], ladder_, interval_));
    return all;
}

} // namespace shadow
