// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/thermalise.hpp"

#include "kernels/cpu/dispatch.hpp"

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim>                                                                             \
    void bath_flow(const Advance<Dim>& pass, const FlowEntry& bath, std::int64_t first,            \
                   std::int64_t last);                                                             \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

template <int Dim>
void thermalise(const Backend& backend, const Advance<Dim>& pass, const FlowEntry& bath,
                std::int64_t first, std::int64_t last) {
    SHADOW_DISPATCH(backend, bath_flow, pass, bath, first, last);
}

#define SHADOW_THERMALISE(Dim)                                                                     \
    template void thermalise(const Backend&, const Advance<Dim>&, const FlowEntry&, std::int64_t,  \
                             std::int64_t);
SHADOW_THERMALISE(1)
SHADOW_THERMALISE(2)
SHADOW_THERMALISE(3)

} // namespace cpu

} // namespace shadow
