// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/stopping.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <tuple>
#include <utility>

namespace shadow {
namespace {

constexpr std::int64_t first_look = 128; // samples
constexpr int min_samples = 100;         // an error is then known to 7%

} // namespace

StopRule::StopRule(std::vector<ErrorTarget> targets, std::int64_t interval)
    : targets_(std::move(targets)), interval_(std::max<std::int64_t>(1, interval)),
      since_(targets_.size(), -1) {}

bool is_look(std::int64_t steps, std::int64_t interval) {
    if (steps % interval != 0) return false;
    const std::int64_t samples = steps / interval;
    std::int64_t look = first_look;
    while (look < samples) look += (look + 3) / 4;
    return look == samples;
}

bool StopRule::due(std::int64_t steps) const {
    return !targets_.empty() && is_look(steps, interval_);
}

std::string StopRule::missing(std::size_t target, const Estimate& estimate) const {
    const double samples =
        std::min(estimate.independent_samples, static_cast<double>(estimate.samples));
    if (samples < min_samples)
        return fmt::format("it has {:.0f} of {} independent samples", samples, min_samples);
    if (const std::string warning = estimate.warning(); !warning.empty()) return warning;
    const double error = targets_[target].error;
    return estimate.larger_error() <= error ? "" : fmt::format("its error is above {:.4g}", error);
}

bool StopRule::look(std::int64_t steps, std::span<const Estimate> estimates) {
    bool all = true;
    for (std::size_t k = 0; k < targets_.size(); ++k) {
        const bool passed = passes(k, estimates[k]);
        if (!passed)
            since_[k] = -1;
        else if (since_[k] < 0)
            since_[k] = steps;
        all = all && passed;
    }
    return all;
}

std::size_t StopRule::decided_by(std::span<const Estimate> estimates) const {
    const auto rank = [&](std::size_t k) {
        // A target that passes now but at no look before passed last; or it does not pass.
        return std::tuple(since_[k] < 0, since_[k],
                          estimates[k].larger_error() / targets_[k].error);
    };
    std::size_t last = 0;
    for (std::size_t k = 1; k < targets_.size(); ++k)
        if (rank(k) > rank(last)) last = k;
    return last;
}

} // namespace shadow
