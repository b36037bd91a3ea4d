// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

namespace shadow {

/// Calls `done(lane, sum)` on each of `lanes` adjacent threads, a power of 2 up to 32; `sum` has
/// `count` numbers, to which `part(lane, sum)` adds the contribution of each thread. The
/// contributions of threads are summed over one tree. All active threads of a warp must call it; on
/// a host the call of lane 0 does everything.
template <int lanes, int count, class T, class Part, class Done>
SHADOW_INLINE void sum_over_lanes(int lane, const Part& part, const Done& done) {
#if defined(__CUDA_ARCH__)
    T sum[count] = {};
    part(lane, sum);
    for (int distance = 1; distance < lanes; distance *= 2)
        for (int n = 0; n < count; ++n) sum[n] += __shfl_xor_sync(0xFFFFFFFFu, sum[n], distance);
    done(lane, sum);
#else
    if (lane != 0) return;
    T sum[lanes][count] = {};
    for (int l = 0; l < lanes; ++l) part(l, sum[l]);
    for (int distance = 1; distance < lanes; distance *= 2)
        for (int l = 0; l < lanes; l += 2 * distance)
            for (int n = 0; n < count; ++n) sum[l][n] += sum[l + distance][n];
    for (int l = 0; l < lanes; ++l) done(l, sum[0]);
#endif
}

} // namespace shadow
