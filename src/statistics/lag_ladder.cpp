// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/lag_ladder.hpp"

#include <algorithm>

namespace shadow {

LagLadder::LagLadder(std::int64_t window, std::int64_t origins, std::int64_t longest)
    : window_(window), origins_(origins) {
    while (window_ << (levels_ - 1) < longest) ++levels_;
    for (std::int64_t level = 0; level < levels_; ++level)
        for (std::int64_t q = level == 0 ? 1 : window_ / 2 + 1; q <= window_; ++q)
            lags_.push_back(q << level);
}

double LagLadder::overlap(std::int64_t lag) const {
    std::int64_t spacing = window_ / origins_;
    for (std::int64_t reach = window_; reach < lag; reach *= 2) spacing *= 2;
    return std::max(1.0, static_cast<double>(lag) / static_cast<double>(spacing));
}

std::vector<LagLadder::Task> LagLadder::tasks(std::int64_t n) const {
    std::vector<Task> all;
    for (std::int64_t level = 0; level < levels_ && n % (std::int64_t{1} << level) == 0; ++level)
        for (std::int64_t slot = 0; slot < origins_; ++slot) {
            const std::int64_t age = (n >> level) - slot * (window_ / origins_);
            if (age < 0) continue;
            Task task{level * origins_ + slot, -1, 0, age % window_ == 0};
            if (age > 0) task.quotient = task.store ? window_ : age % window_;
            const std::int64_t least = level == 0 ? 1 : window_ / 2 + 1;
            if (task.quotient >= least)
                task.lag = task.quotient - least +
                           (level == 0 ? 0 : window_ + (level - 1) * (window_ / 2));
            if (task.store || task.lag >= 0) all.push_back(task);
        }
    return all;
}

} // namespace shadow
