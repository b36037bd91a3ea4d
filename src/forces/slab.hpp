// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/long_range.hpp"

namespace shadow {

[[nodiscard]] const ParameterInfo& height_key();
[[nodiscard]] const ParameterInfo& vacuum_key();

/// The slab of a box with one open direction in space; nothing where all are periodic. `system`
/// gets its lengths, from image to image along the open direction, and the volume with charges.
/// Throws InputError, located in the table.
template <int Dim>
[[nodiscard]] std::optional<Slab> read_slab(const Parameters& table, const Box<Dim>& box,
                                            const Snapshot<Dim>& start, double accuracy,
                                            ChargedSystem& system);

} // namespace shadow
