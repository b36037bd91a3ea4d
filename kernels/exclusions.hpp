// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

namespace shadow {

/// For each particle, entries that contain other particles, with memory indices as of the last list
/// rebuild.
struct EntryView {
    const std::int32_t* begin = nullptr;   ///< by particle, and the end; null: there are none
    const std::int32_t* partner = nullptr; ///< memory indices, equally many in each entry
    const std::int32_t* tag = nullptr;     ///< a number attached to an entry
};

/// Pairs of particles between which no pair force acts, in their nearest image, such as those
/// bonded to each other. Each pair is listed from both sides.
struct ExclusionView {
    const std::int32_t* begin = nullptr;   ///< as EntryView
    const std::int32_t* partner = nullptr; ///< one in each entry

    [[nodiscard]] SHADOW_INLINE bool any() const { return begin != nullptr; }
    /// Whether the pair of particles with memory indices i and j is excluded.
    [[nodiscard]] SHADOW_INLINE bool has(std::int64_t i, std::int32_t j) const {
        for (std::int32_t k = begin[i]; k < begin[i + 1]; ++k)
            if (partner[k] == j) return true;
        return false;
    }
};

/// Whether `dx` is the separation of nearest images.
template <class Box, class Real, int Dim>
SHADOW_INLINE bool is_nearest(const Box& box, const Real (&dx)[Dim]) {
    for (int d = 0; d < Dim; ++d)
        if (box.periodic[d] && (dx[d] < 0 ? -dx[d] : dx[d]) > Real(0.5) * Real(box.length[d]))
            return false;
    return true;
}

} // namespace shadow
