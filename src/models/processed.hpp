// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/flow_word.hpp"

namespace shadow::models {

/// A method with a processor: a step is the kernel; starts are processed by the word before, and
/// what is looked at is processed back by that after.
struct Processed {
    Word before, kernel, after;
};

/// Blanes' method of order six (Leimkuhler and Reich 2004, table 6.3).
[[nodiscard]] Processed blanes_processed_6();

} // namespace shadow::models
