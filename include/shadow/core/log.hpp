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

/// From now on all lines also go to this file, shown or not, and what was said so far
/// stands first. `anew`: it replaces a file which is there, else it is added to. Where that cannot
/// be, or later cannot any more, it is said once, and nothing else happens; neither does it where
/// standard error or standard output go to that file already.
void open_file(const std::filesystem::path& path, bool anew);
/// A text for the file alone.
void record(std::string_view text);

/// Where the bytes go; null: standard error. For tests.
void set_sink(std::function<void(std::string_view)> sink);

} // namespace shadow::log
