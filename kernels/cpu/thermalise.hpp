// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>

namespace shadow {

struct FlowEntry;
template <int Dim>
struct Advance;

namespace cpu {

/// The flow of a bath over particles [first, last) of a pass, in packs of the backend's instruction
/// set; bits are the same with all of these.
template <int Dim>
void thermalise(const Backend& backend, const Advance<Dim>& pass, const FlowEntry& bath,
                std::int64_t first, std::int64_t last);

} // namespace cpu
} // namespace shadow
