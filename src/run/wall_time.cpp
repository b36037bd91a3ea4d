// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/wall_time.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace shadow {

WallTime::WallTime(double started, Clock clock)
    : clock_(std::move(clock)), started_(started), limit_(std::numeric_limits<double>::infinity()) {
}

bool WallTime::look() {
    over_ = over_ || elapsed() + 2.0 * longest_checkpoint_ + longest_wait_ >= limit_;
    return over_;
}

void WallTime::note_checkpoint(double seconds) {
    longest_checkpoint_ = std::max(longest_checkpoint_.load(), seconds);
}

void WallTime::note_wait(double seconds) {
    longest_wait_ = std::max(longest_wait_, seconds);
}

} // namespace shadow
