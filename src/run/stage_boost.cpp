// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

#include "shadow/integrators/boosted.hpp"

#include <fmt/format.h>

namespace shadow {

/// Wraps the method of a stage in its boost.
template <int Dim>
void StageBuilder<Dim>::add_boost() {
    if (!stage_.plan.boost) return;
    const Parameters& table = *stage_.plan.boost;
    const Boost boost = read_boost(table);
    const auto refuse = [&](const std::string& what) {
        table.fail("threshold", "boost together with " + what);
    };
    if (stage_.plan.barostat)
        refuse("a barostat (the pressure would be that of other forces); remove one of them");
    if (stage_.plan.shear) refuse("shear (a steady state has no weights); remove one of them");
    if (run_.plan.compute.reversible)
        refuse("reversible = true (it has a bath, which does not go back); remove one of them");
    if (!run_.model.forces.constant())
        refuse("a field with modulation (weights are those of forces that stay); remove one of "
               "them");
    if (stage_.stands_in) return;
    const std::string method = stage_.plan.integrator.text("method");
    if (const std::string why = unfit_for_boost(*stage_.integrator); !why.empty())
        refuse(fmt::format("{} ({}", method, why));
    stage_.integrator = std::make_unique<Boosted>(std::move(stage_.integrator), boost);
}

template void StageBuilder<1>::add_boost();
template void StageBuilder<2>::add_boost();
template void StageBuilder<3>::add_boost();

} // namespace shadow
