// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow {

/// The text of `mdrun --list`: names with one sentence each. `kind` is "table", "force",
/// "integrator", "observe", or "all", which is the same as empty; throws InputError for another
/// word.
[[nodiscard]] std::string list_text(const std::string& kind = "");

/// The text of `mdrun --describe NAME` for a table of the input, a force, an integrator, an
/// observable, or "all": equation, reference, and keys with types, units and defaults. "all" as
/// Markdown is docs/input.md. Throws InputError, naming the nearest, for an unknown name.
[[nodiscard]] std::string describe_text(const std::string& name, bool as_markdown = false);

/// The text of `mdrun --devices`: the CPU, its instruction sets, the GPUs, and the choice of
/// "auto".
[[nodiscard]] std::string devices_text();

} // namespace shadow
