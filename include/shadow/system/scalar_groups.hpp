// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <span>
#include <string_view>

namespace shadow {

/// Scalars that belong together, one after the other, and the name that they have in checkpoints.
struct ScalarGroup {
    /// When they begin anew, with 0.
    enum class Begins { with_the_run, with_each_stage };

    std::string_view name;
    Scalar first;
    int length = 1;
    Begins begins = Begins::with_the_run;
    /// Checkpoints of before this group was there are read, too: it begins with 0 then.
    bool may_be_absent = false;
};

/// All scalars, in the order of their slots.
[[nodiscard]] std::span<const ScalarGroup> scalar_groups();

} // namespace shadow
