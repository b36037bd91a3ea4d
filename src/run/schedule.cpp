// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/schedule.hpp"

#include "shadow/core/text.hpp"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace shadow {

std::optional<double> seconds_of(std::string_view text) {
    const char* end = text.data() + text.size();
    double value = 0.0;
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc() || !std::isfinite(value) || value <= 0.0) return std::nullopt;
    std::string_view unit(stop, static_cast<std::size_t>(end - stop));
    while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
    if (unit == "s" || unit == "sec" || unit == "seconds") return value;
    if (unit == "min" || unit == "minutes") return 60.0 * value;
    if (unit == "h" || unit == "hours") return 3600.0 * value;
    if (unit == "d" || unit == "days") return 86400.0 * value;
    return std::nullopt;
}

namespace {

std::int64_t positive_steps(const Parameters& parameters, std::string_view key,
                            std::int64_t value) {
    if (value < 1)
        parameters.fail(key, fmt::format("{} is {} (a number of steps between two events is at "
                                         "least 1); give a positive integer, or leave the section "
                                         "out",
                                         key, value));
    return value;
}

} // namespace

std::int64_t read_every(const Parameters& parameters, std::int64_t default_value,
                        std::string_view key) {
    return positive_steps(parameters, key, parameters.integer(key, default_value));
}

double read_wall_time(const Parameters& parameters, std::string_view key) {
    if (!parameters.has(key)) return std::numeric_limits<double>::infinity();
    const std::string text = parameters.text(key);
    const auto seconds = seconds_of(text);
    if (!seconds)
        parameters.fail(key, fmt::format("{} is {} (not a time above zero with its unit); write {} "
                                         "= \"30 min\", \"23 h\" or \"2 d\"",
                                         key, in_quotes(text, 60), key));
    return *seconds;
}

Interval read_interval(const Parameters& parameters, std::string_view default_value,
                       std::string_view key) {
    Interval interval;
    const std::string type = parameters.type(key);
    if (type == "integer" || type == "number") {
        interval.steps = positive_steps(parameters, key, parameters.integer(key));
        return interval;
    }
    const std::string text = parameters.text(key, default_value);
    const auto seconds = seconds_of(text);
    if (!seconds)
        parameters.fail(key, fmt::format("{} is {} (neither a number of steps nor a time above "
                                         "zero); write {} = 1000, or \"30 s\", \"5 min\", \"2 h\"",
                                         key, in_quotes(text, 60), key));
    interval.seconds = *seconds;
    return interval;
}

} // namespace shadow
