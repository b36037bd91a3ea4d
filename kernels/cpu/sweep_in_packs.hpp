// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstdint>
#include <vector>

namespace shadow {

template <int Dim, class Op>
struct Sweep;

/// The pairs that a CPU sweep has found for a cluster, kept for a later sweep over the same pairs:
/// partners of its particles, one particle after the other, and a number for each pair.
struct KnownPairs {
    std::vector<std::int32_t> count, partner;
    std::vector<double> number;
};

/// Pointers to the next entries of such pairs to be read or written.
struct PairsOfCluster {
    std::int32_t *count, *partner;
    double* number;
};

/// Does this backend sweep in packs, and keep the pairs that it finds?
[[nodiscard]] inline bool sweeps_in_packs(const Backend& backend) {
    return !backend.is_cuda();
}

namespace cpu {

/// Number of particles of a cluster that are processed together.
inline constexpr std::int32_t sweep_group = 8;

/// Sweeps clusters [first, last); the op handles the partners of a particle in packs of the
/// backend's instruction set. Bits are the same for all instruction sets.
template <int Dim, class Op>
void sweep_in_packs(const Backend& backend, const Sweep<Dim, Op>& sweep, std::int64_t first,
                    std::int64_t last);

} // namespace cpu
} // namespace shadow

/// X(op, dimension) for each op of these sweeps: those that search for pairs, and those that reuse
/// known pairs.
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
