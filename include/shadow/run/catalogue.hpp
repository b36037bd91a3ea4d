// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow {

/// What `mdrun --list` prints: names with one sentence each. `kind` is "force", "integrator",
/// "observe", or "" for all of them; throws InputError for another word.
[[nodiscard]] std::string list_text(const std::string& kind = "");

/// What `mdrun --describe NAME` prints: equation, reference, parameters with units and defaults.
/// Throws InputError, naming the nearest, if there is no such force, integrator or observable.
[[nodiscard]] std::string describe_text(const std::string& name);

/// What `mdrun --devices` prints: the CPU, its instruction sets, the GPUs, and what "auto" takes.
[[nodiscard]] std::string devices_text();

} // namespace shadow
