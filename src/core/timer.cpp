// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/timer.hpp"

namespace shadow {

Timer::Timer(Clock clock) : clock_(std::move(clock)), start_(clock_()), last_(start_) {
    parts_.emplace_back("other", 0.0);
}

std::size_t Timer::part(std::string_view name) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (parts_[i].first == name) return i;
    parts_.emplace_back(name, 0.0);
    return parts_.size() - 1;
}

std::size_t Timer::enter(std::size_t part) {
    const double now = clock_();
    parts_[running_].second += now - last_;
    last_ = now;
    return std::exchange(running_, part);
}

void Timer::restart() {
    start_ = last_ = clock_();
    for (auto& part : parts_) part.second = 0.0;
}

double Timer::seconds() const {
    return clock_() - start_;
}

std::vector<std::pair<std::string, double>> Timer::shares() {
    enter(running_);
    auto shares = parts_;
    const double total = last_ - start_;
    for (auto& share : shares) share.second = total > 0.0 ? share.second / total : 0.0;
    return shares;
}

} // namespace shadow
