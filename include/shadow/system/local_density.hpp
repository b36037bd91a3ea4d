// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

namespace shadow {

/// The number density around particles, 1/length^Dim, averaged over particles: high for a droplet
/// in an empty box. Counted in cells of about `edge` (length), so it is at least one particle per
/// cell. In large systems only a sample of the cells is counted; the same snapshot gives the same
/// number.
template <int Dim>
[[nodiscard]] double local_density(const Snapshot<Dim>& snapshot, const Box<Dim>& box, double edge);

} // namespace shadow
