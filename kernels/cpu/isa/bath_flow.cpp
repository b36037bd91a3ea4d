// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/bath_flow.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_BATH_FLOW(Dim)                                                                      \
    template void bath_flow(const Advance<Dim>&, const FlowEntry&, std::int64_t, std::int64_t);
SHADOW_BATH_FLOW(1)
SHADOW_BATH_FLOW(2)
SHADOW_BATH_FLOW(3)

} // namespace shadow::SHADOW_ISA
