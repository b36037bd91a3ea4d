// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Equal bins from `low` on.
struct Bins {
    double low, inverse_width;
    std::int32_t count;

    /// -1 outside.
    [[nodiscard]] SHADOW_INLINE std::int32_t operator()(double x) const {
        const double k = floor((x - low) * inverse_width);
        return k >= 0.0 && k < count ? static_cast<std::int32_t>(k) : -1;
    }
};

/// The bin of a distance; rounding must not take it beyond the last of `bins`.
SHADOW_INLINE std::int32_t bin_of(double distance, double inverse_width, std::int32_t bins) {
    const auto k = static_cast<std::int32_t>(distance * inverse_width);
    return k < bins ? k : bins - 1;
}

} // namespace shadow
