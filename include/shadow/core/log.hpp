// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

/// Messages to the user, on standard error and in a file. Call from one thread at a time.
namespace shadow::log {

enum class Level { info, warning, error };

/// Lines below this level are dropped; `info` at the start, `warning` for --quiet.
void set_level(Level level);
[[nodiscard]] bool shows(Level level);

void info(std::string_view line);
void warning(std::string_view line); ///< "mdrun: warning: <line>"
void error(std::string_view line);   ///< "mdrun: error: <line>"

/// A last line that stays below the others on a terminal until it is replaced; "" removes it.
void status(std::string_view line);

/// From now on all lines also go to this file, shown or not, after the lines written so far.
/// `anew`: replaces an existing file instead of appending to it. If the file cannot be written, now
/// or later, warns once and does nothing else; does nothing if standard error or standard output
/// goes to that file already.
void open_file(const std::filesystem::path& path, bool anew);
/// Writes a text to the file alone.
void record(std::string_view text);

/// Sets where lines go; null: standard error. For tests.
void set_sink(std::function<void(std::string_view)> sink);

} // namespace shadow::log
