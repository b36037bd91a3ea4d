// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <functional>

namespace shadow {

/// Seconds since some moment, never decreasing. Tests substitute their own.
using Clock = std::function<double()>;

/// The seconds of the steady clock.
[[nodiscard]] inline double steady_seconds() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

} // namespace shadow
