// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/long_range.hpp"

#include <cmath>

namespace shadow {

[[nodiscard]] const ParameterInfo& height_key();
[[nodiscard]] const ParameterInfo& vacuum_key();

/// The extent of the charges along a direction.
struct Extent {
    double low = HUGE_VAL, high = -HUGE_VAL;
    [[nodiscard]] double length() const { return high - low; }
};
template <int Dim>
[[nodiscard]] Extent extent_of(const Snapshot<Dim>& start, std::size_t direction);

/// `height` of a table: by default `extent`, that of the start along `direction`, and half of
/// `edge`, the longest periodic one.
[[nodiscard]] double read_height(const Parameters& table, double extent, std::size_t direction,
                                 double edge);
/// `vacuum` of a table, within these bounds; by default `found`.
[[nodiscard]] double read_vacuum(const Parameters& table, double found, double least, double most);

/// Vacuum between images, over the longest periodic edge. With less than half of it pairs would
/// meet images.
inline constexpr double min_vacuum = 0.5, max_vacuum = 20.0;

/// The slab of a box in 3D with one open direction; nothing in other boxes. `system` gets its
/// lengths, from image to image along the open direction, and the volume with charges. Throws
/// InputError, located in the table.
template <int Dim>
[[nodiscard]] std::optional<Slab> read_slab(const Parameters& table, const Box<Dim>& box,
                                            const Snapshot<Dim>& start, double accuracy,
                                            ChargedSystem& system);

} // namespace shadow
