// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/mesh_influence.hpp"

#include <vector>

namespace shadow {

/// Factors for all indices along a direction of `count` points, with splines of this order.
[[nodiscard]] std::vector<SplineFactors> spline_factors(std::int32_t count, int order);

} // namespace shadow
