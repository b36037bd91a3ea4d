// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/bonded/molecule_groups.hpp"

/// Sizes of groups of molecules on a backend.
namespace shadow {

/// Number of molecules of a group.
[[nodiscard]] inline int molecules_side_by_side(const Backend& backend) {
    return backend.is_cuda() ? molecules_per_warp : molecules_per_pack;
}

/// Of the `numbers` of work memory that all groups need, those in backend memory: on a CPU each
/// thread has its own memory for one group.
[[nodiscard]] inline std::size_t numbers_in_memory(const Backend& backend, std::int64_t numbers) {
    return backend.is_cuda() ? static_cast<std::size_t>(numbers) : 0;
}

} // namespace shadow
