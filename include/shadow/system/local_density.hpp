// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

namespace shadow {

/// The number density that particles have about themselves, 1/length^Dim, averaged over particles:
/// a droplet in an empty box is dense. Counted in cells of about `edge` (length), so it is at least
/// one particle in a cell. Of large systems only every so many cells are looked at; the same
/// snapshot gives the same number.
template <int Dim>
[[nodiscard]] double local_density(const Snapshot<Dim>& snapshot, const Box<Dim>& box, double edge);

} // namespace shadow
