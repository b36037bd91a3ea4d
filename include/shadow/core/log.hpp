// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <string_view>

/// Lines for people, on standard error. Call from one thread at a time.
namespace shadow::log {

enum class Level { debug, info, warning, error };

/// Lines below this level are dropped; `info` at the start, `warning` for --quiet.
void set_level(Level level);
[[nodiscard]] bool shows(Level level);

void debug(std::string_view line);
void info(std::string_view line);
void warning(std::string_view line); ///< "mdrun: warning: <line>"
void error(std::string_view line);   ///< "mdrun: error: <line>"

/// A last line that stays below the others on a terminal until it is replaced; "" removes it.
void status(std::string_view line);

/// Where the bytes go; null: standard error. For tests.
void set_sink(std::function<void(std::string_view)> sink);

} // namespace shadow::log
