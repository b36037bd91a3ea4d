// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace shadow {

/// "0.1.0"
[[nodiscard]] std::string version();
/// The commit of the sources, with "-dirty" where they were changed; empty outside a repository.
[[nodiscard]] std::string commit();

} // namespace shadow
