// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Access of tests to the packs of each instruction set.
namespace shadow {

enum class PackFunction {
    reciprocal,
    inverse_sqrt,
    exponential,
    exponential_minus_one,
    power,
    erfc,
    gauss,
    screened_potential, ///< for alpha = 1 at r = x
    screened_field,
    abs,
    max,
    select_less,  ///< x < y ? x : 0
    compress_less ///< the x with x < y first, then -1
};

#define SHADOW_PROBE(isa)                                                                          \
    namespace isa {                                                                                \
    /** Applies a function to as many numbers as a pack has lanes (at most 16) and returns those.  \
     */                                                                                            \
    int pack_probe(PackFunction function, const double* x, const double* y, double* out);          \
    int pack_probe(PackFunction function, const float* x, const float* y, float* out);             \
    /** Normal numbers of ids 0, 1, ... in single precision: [which][id], at most 16. */           \
    int normal_probe(std::uint64_t seed, std::uint64_t step, float* z);                            \
    }
SHADOW_PROBE(sse)
SHADOW_PROBE(avx2)
SHADOW_PROBE(avx512)
#undef SHADOW_PROBE

} // namespace shadow
