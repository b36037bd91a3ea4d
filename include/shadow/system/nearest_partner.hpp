// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

namespace shadow {

/// Another particle and how far away it is.
struct Partner {
    std::uint32_t id = 0;
    double distance = 0.0; ///< infinite for a lonely particle; 0 where coordinates are not finite
};

/// The particle nearest to `id` (minimum image), the one to blame for an exploding force. O(N).
template <int Dim>
[[nodiscard]] Partner nearest_partner(const Snapshot<Dim>& snapshot, const Box<Dim>& box,
                                      std::uint32_t id);

} // namespace shadow
