// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/apply_flows.hpp"

#include "kernels/cpu/dispatch.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void flow_pass(const Advance<Dim>& pass, std::int64_t first, std::int64_t last,                \
                   const cpu::ForcesApart<Dim>& apart);                                            \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {

template <int Dim>
void apply_flows(const Backend& backend, const Advance<Dim>& pass, std::int64_t first,
                 std::int64_t last, const ForcesApart<Dim>& apart) {
    SHADOW_DISPATCH(backend, flow_pass, pass, first, last, apart);
}

#define SHADOW_APPLY_FLOWS(Dim)                                                                    \
    template void apply_flows(const Backend&, const Advance<Dim>&, std::int64_t, std::int64_t,     \
                              const ForcesApart<Dim>&);
SHADOW_APPLY_FLOWS(1)
SHADOW_APPLY_FLOWS(2)
SHADOW_APPLY_FLOWS(3)

} // namespace cpu

} // namespace shadow
