// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/macros.hpp"

#include <cstdint>

/// Small systems whose pair forces a GPU sums over all pairs (kernels/cuda/all_pairs.hpp), and how
/// their particles are divided among blocks: functions only of their number, since bits depend on
/// it.
namespace shadow {

/// For more particles lists are faster, first in 2D (bench/README.md).
inline constexpr std::int64_t max_all_pairs_particles = 2048;
/// Maximum number of blocks: all run at the same time.
inline constexpr std::int64_t max_all_pairs_blocks = 128;

/// Whether this backend has such kernels.
[[nodiscard]] inline bool sums_all_pairs(const Backend& backend) {
    return backend.is_cuda();
}

/// Particles of a block, a power of two.
SHADOW_FUNCTION constexpr int all_pairs_own(std::int64_t particles) {
    int own = 4;
    while (own * max_all_pairs_blocks < particles) own *= 2;
    return own;
}
SHADOW_FUNCTION constexpr std::int64_t all_pairs_blocks(std::int64_t particles) {
    return (particles + all_pairs_own(particles) - 1) / all_pairs_own(particles);
}

} // namespace shadow
