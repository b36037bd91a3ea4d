// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow {

/// Writes to standard output. Throws MachineError where it cannot.
void print(const std::string& text);

} // namespace shadow
