// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>
#include <span>

namespace shadow {

/// Numbers of n particles by id, those of one particle next to each other: `out`, host memory of
/// n * components.size(), from `components` in memory order. These and `id` are backend memory. A
/// GPU puts them in order; waits for it.
template <class T>
void copy_by_id(const Backend& backend, const std::uint32_t* id, std::int64_t n,
                std::span<const T* const> components, T* out);

} // namespace shadow
