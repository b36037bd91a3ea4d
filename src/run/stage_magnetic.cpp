// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

/// Why a method is not compatible with gyrating charges, and what to do; or "".
std::string unfit_for_magnetic_field(const Integrator& method) {
    if (!method.moves_with_momenta())
        return "it has no momenta that the field could turn); use baoab with large friction";
    if (method.has_bath_variables())
        return "its drifts go by canonical momenta, and charges turn by their velocities); use for "
               "example nose-hoover or baoab";
    if (method.light_mass() > 0.0)
        return "it moves light atoms without the field); use verlet or respa";
    for (const Flow& flow : method.word()) {
        using enum FlowKind;
        if (flow.kind != drift && flow.kind != kick && flow.kind != gradient_kick &&
            flow.kind != bath)
            return "between its kicks it moves particles without the field); use verlet or respa";
    }
    return "";
}

} // namespace

/// Refuses a magnetic field with methods and options that do not support it.
template <int Dim>
void StageBuilder<Dim>::refuse_magnetic() const {
    if (!run_.model.is_magnetic()) return;
    const std::string method = stage_.plan.integrator.text("method");
    if (const std::string why = unfit_for_magnetic_field(*stage_.integrator); !why.empty())
        stage_.plan.integrator.fail("method",
                                    fmt::format("{} in a magnetic field ({}", method, why));
    if (stage_.plan.shear)
        stage_.plan.shear->fail("rate", "shear in a magnetic field (which acts on the flow as an "
                                        "electric field); remove one of them");
    if (run_.plan.compute.reversible)
        run_.root.table("compute").fail(
            "reversible",
            "reversible = true in a magnetic field (rotations are no multiples of a spacing, and "
            "reversing velocities alone does not reverse them); remove one of them");
}

template void StageBuilder<1>::refuse_magnetic() const;
template void StageBuilder<2>::refuse_magnetic() const;
template void StageBuilder<3>::refuse_magnetic() const;

} // namespace shadow
