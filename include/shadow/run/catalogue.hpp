// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow {

/// What `mdrun --list` prints: names with one sentence each. `kind` is "table", "force",
/// "integrator", "observe", or "all" as if it were empty; throws InputError for another word.
[[nodiscard]] std::string list_text(const std::string& kind = "");

/// What `mdrun --describe NAME` prints of a table of the input, a force, an integrator, an
/// observable, or "all": equation, reference, and keys with types, units and defaults. "all" as
/// Markdown is docs/input.md. Throws InputError, naming the nearest, if there is none of that name.
[[nodiscard]] std::string describe_text(const std::string& name, bool as_markdown = false);

/// What `mdrun --devices` prints: the CPU, its instruction sets, the GPUs, and what "auto" takes.
[[nodiscard]] std::string devices_text();

} // namespace shadow
