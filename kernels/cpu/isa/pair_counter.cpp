// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/pair_counter.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_COUNT_PAIRS(Dim)                                                                    \
    template void count_pairs(const PairHistogram<Dim>&, int, int, std::int64_t, std::int64_t,     \
                              std::int64_t*);
SHADOW_COUNT_PAIRS(1)
SHADOW_COUNT_PAIRS(2)
SHADOW_COUNT_PAIRS(3)

} // namespace shadow::SHADOW_ISA
