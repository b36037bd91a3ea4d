// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

namespace shadow {

/// Pairs of particles between which no pair force acts, in their nearest image, such as those
/// bonded to each other. Each pair is listed from both sides.
struct ExclusionView {
    const std::int32_t* begin = nullptr;   ///< by id, and the end; null: no pair is excluded
    const std::int32_t* partner = nullptr; ///< memory indices, renewed at each list rebuild

    [[nodiscard]] SHADOW_INLINE bool any() const { return begin != nullptr; }
    /// Is the pair of particle `id` and the one with memory index `j` excluded?
    [[nodiscard]] SHADOW_INLINE bool has(std::uint32_t id, std::int32_t j) const {
        for (std::int32_t k = begin[id]; k < begin[id + 1]; ++k)
            if (partner[k] == j) return true;
        return false;
    }
};

/// Is `dx` the way to the nearest image?
template <class Box, class Real, int Dim>
SHADOW_INLINE bool is_nearest(const Box& box, const Real (&dx)[Dim]) {
    for (int d = 0; d < Dim; ++d)
        if (box.periodic[d] && (dx[d] < 0 ? -dx[d] : dx[d]) > Real(0.5) * Real(box.length[d]))
            return false;
    return true;
}

} // namespace shadow
