// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>
#include <string_view>
#include <unistd.h>

namespace shadow::cuda {

/// Whether this is the fault that SHADOW_EMULATED_FAULT plants into the emulated GPU, for tests of
/// the self-test. "force", "energy" and "virial" corrupt the result of a pair kernel for the first
/// particle or cluster; "graph" and "steps" make the first kernel of a graph, of launches or of
/// many steps by one kernel, run twice. With SHADOW_EMULATED_FAULT_FILE only once that file exists.
inline bool fault_planted(std::string_view which) {
    const char* const planted = std::getenv("SHADOW_EMULATED_FAULT");
    if (!planted || planted != which) return false;
    const char* const file = std::getenv("SHADOW_EMULATED_FAULT_FILE");
    return !file || access(file, F_OK) == 0;
}

} // namespace shadow::cuda
