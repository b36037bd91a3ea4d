// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>
#include <vector>

namespace shadow {

template <int Dim, class Op>
struct Sweep;

/// What a sweep of a CPU has found of a cluster, for a later one over the same pairs: partners of
/// its particles, one particle after the other, and a number for each pair.
struct KnownPairs {
    std::vector<std::int32_t> count, partner;
    std::vector<double> number;
};

/// The same, where it is read or written next.
struct PairsOfCluster {
    std::int32_t *count, *partner;
    double* number;
};

/// Does this backend sweep in packs, and keep what it finds of pairs?
[[nodiscard]] inline bool sweeps_in_packs(const Backend& backend) {
    return !backend.is_cuda();
}

namespace cpu {

/// Particles of a cluster that are served together.
inline constexpr std::int32_t sweep_group = 8;

/// Clusters [first, last) of a sweep, whose op takes the partners of a particle in packs of the
/// backend's instruction set; bits are the same with all of these.
template <int Dim, class Op>
void sweep_in_packs(const Backend& backend, const Sweep<Dim, Op>& sweep, std::int64_t first,
                    std::int64_t last);

} // namespace cpu
} // namespace shadow

/// X(op, dimension) for each op of these sweeps: of those that look for pairs, and of those that
/// know them.
#define SHADOW_FIRST_SWEEPS(X)                                                                     \
    X(FindFirstPair, 1)                                                                            \
    X(FindFirstPair, 2)                                                                            \
    X(FindFirstPair, 3)                                                                            \
    X(PredictVelocities, 1)                                                                        \
    X(PredictVelocities, 2)                                                                        \
    X(PredictVelocities, 3)
#define SHADOW_SECOND_SWEEPS(X)                                                                    \
    X(AddPairFriction, 1)                                                                          \
    X(AddPairFriction, 2)                                                                          \
    X(AddPairFriction, 3)
