// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace shadow {

/// Refuses what toml++ 3.3 does not handle (fuzzing found assertions and undefined behaviour):
/// bytes that are not text, and, outside texts and comments, letters beyond ASCII, dates, and keys
/// of more than 33 parts. Throws InputError located in `name`.
void refuse_odd_text(std::string_view text, std::string_view name);

} // namespace shadow
