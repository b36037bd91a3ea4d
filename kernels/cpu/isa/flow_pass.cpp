// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/flow_pass.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_FLOW_PASS(Dim)                                                                      \
    template void flow_pass(const Advance<Dim>&, std::int64_t, std::int64_t,                       \
                            const cpu::ForcesApart<Dim>&);
SHADOW_FLOW_PASS(1)
SHADOW_FLOW_PASS(2)
SHADOW_FLOW_PASS(3)

} // namespace shadow::SHADOW_ISA
