// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/parameters.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace shadow {

/// Reads `every`: a number of steps, at least 1. Throws InputError located at the key.
[[nodiscard]] std::int64_t read_every(const Parameters& parameters, std::int64_t default_value,
                                      std::string_view key = "every");

/// Is an event with an interval of `every` steps (0: never) due at this step?
[[nodiscard]] constexpr bool is_due(std::int64_t step, std::int64_t every) {
    return every > 0 && step % every == 0;
}

/// Seconds of a time with its unit such as "30 s", "5 min", "1.5 h", "1 d"; empty for another text.
[[nodiscard]] std::optional<double> seconds_of(std::string_view text);

/// An interval in steps or in seconds of wall time.
struct Interval {
    std::int64_t steps = 0; ///< 0: by time
    double seconds = 0.0;   ///< 0: by steps

    /// `last_seconds`, `now`: times of a clock, at the last event and now.
    [[nodiscard]] bool due(std::int64_t step, double last_seconds, double now) const {
        if (steps > 0) return is_due(step, steps);
        return seconds > 0.0 && now - last_seconds >= seconds;
    }
};

/// Reads a wall time such as "30 s", "5 min", "1.5 h" or "2 d", in seconds; infinite if absent.
/// Throws InputError located at the key.
[[nodiscard]] double read_wall_time(const Parameters& parameters,
                                    std::string_view key = "wall_time");

/// Reads a number of steps or a text such as "5 min", "30 s", "1.5 h", "1 d"; `default_value` is
/// such a text. Throws InputError located at the key.
[[nodiscard]] Interval read_interval(const Parameters& parameters, std::string_view default_value,
                                     std::string_view key = "every");

} // namespace shadow
