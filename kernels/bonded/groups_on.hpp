// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/molecule_groups.hpp"

/// What groups of molecules are on a backend.
namespace shadow {

/// Of a group.
[[nodiscard]] inline int molecules_side_by_side(const Backend& backend) {
    return backend.is_cuda() ? molecules_per_warp : molecules_per_pack;
}

/// Of `numbers` that all groups need while they are worked on, those in memory of the backend: a
/// thread of a CPU has those of one group to itself.
[[nodiscard]] inline std::size_t numbers_in_memory(const Backend& backend, std::int64_t numbers) {
    return backend.is_cuda() ? static_cast<std::size_t>(numbers) : 0;
}

} // namespace shadow
