// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>

namespace shadow {

template <int Dim, class Op>
struct Sweep;

namespace cpu {

/// Clusters [first, last) of a sweep, whose op takes the partners of a particle in packs of the
/// backend's instruction set; bits are the same with all of these.
template <int Dim, class Op>
void sweep_in_packs(const Backend& backend, const Sweep<Dim, Op>& sweep, std::int64_t first,
                    std::int64_t last);

} // namespace cpu
} // namespace shadow

/// X(op, dimension) for each op of these sweeps.
#define SHADOW_PACKED_SWEEPS_OF(X, Dim)                                                            \
    X(FindFirstPair, Dim)                                                                          \
    X(PredictVelocities, Dim)                                                                      \
    X(AddPairFriction, Dim)
#define SHADOW_PACKED_SWEEPS(X)                                                                    \
    SHADOW_PACKED_SWEEPS_OF(X, 1)                                                                  \
    SHADOW_PACKED_SWEEPS_OF(X, 2)                                                                  \
    SHADOW_PACKED_SWEEPS_OF(X, 3)
