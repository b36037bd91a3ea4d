// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/core/standard_output.hpp"

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>

/// What the programs share.
namespace shadow {

/// What is wrong with a command line, in the grammar of all messages; `one_word` says why a word
/// is one too many.
[[nodiscard]] std::string usage_error(const CLI::App& app, const CLI::ParseError& error,
                                      std::string_view one_word);

/// "NAME 0.1.0 (commit)" and a new line
[[nodiscard]] std::string version_text(const std::string& program);

} // namespace shadow
