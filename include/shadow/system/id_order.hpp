// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>
#include <span>

namespace shadow {

/// Copies the components of n particles to `out`, host memory of n * components.size(), in id
/// order, those of one particle next to each other. `components` are in memory order; they and `id`
/// are backend memory. A GPU puts them in order; waits for it.
template <class T>
void copy_by_id(const Backend& backend, const std::uint32_t* id, std::int64_t n,
                std::span<const T* const> components, T* out);

} // namespace shadow
