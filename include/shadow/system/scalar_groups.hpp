// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

#include <span>
#include <string_view>

namespace shadow {

/// A variable of the ensemble, or several consecutive ones, under one name.
struct ScalarGroup {
    /// When it is reset: to 0 at each stage, or written by each step before it is read.
    enum class Begins { with_the_run, with_each_stage, with_each_step };

    std::string_view name;
    Scalar first;
    int length = 1;
    Begins begins = Begins::with_the_run;
    int part = 0; ///< position in EnsembleParts
};

/// All of them, in the order of their slots.
[[nodiscard]] std::span<const ScalarGroup> scalar_groups();

} // namespace shadow
