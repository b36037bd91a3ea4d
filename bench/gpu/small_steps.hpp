// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/advance.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/pair_force.hpp"

/// A prototype: many steps of velocity Verlet of a small system by one kernel that never returns.
namespace shadow::bench {

/// The flows of a step, and what they need. They are the engine's own functors, so that the bits
/// are those of separate kernels.
struct SmallSteps {
    Advance<3, double> first; ///< B½ A1
    Advance<3, double> next;  ///< B½ B½ A1
    Advance<3, double> last;  ///< B½
    TestDisplacement<3, double> test;
    PairForcePayload<3, double, float> pair;
    int steps;
    int* done; ///< backend memory: steps that were done before a list would have been too old
};

/// Particles that the kernel takes: a cluster of 32 for each of its warps.
inline constexpr int small_blocks = 8, small_warps = 16;

/// Enqueues them. Forces and staged lists are valid before; after fewer than `steps` of them
/// positions are those after the drift that was too far. Throws MachineError before sm_90.
void run_small_steps(const Backend& backend, const SmallSteps& steps);

} // namespace shadow::bench
