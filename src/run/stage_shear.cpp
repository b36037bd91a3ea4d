// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/sheared.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Why forces do not support images that slide or have slid, as a text to follow "beside"; or "".
template <int Dim>
std::string unfit_for_tilt(const ForcePlan& forces) {
    const auto* const charges = forces.first<LongRangeDescription>();
    if (charges && (charges->slab || charges->wire))
        return charges->type + " in a box with open directions (its waves are those of a "
                               "rectangular one); give a rectangular cell";
    if (const std::string field = forces.name_without_virial<Dim>(); !field.empty())
        return field + " (a field has neither the period of such images nor their flow); remove "
                       "one of them";
    return "";
}
template <int Dim>
std::string unfit_for_shear(const ForcePlan& forces) {
    if (const auto* const charges = forces.first<LongRangeDescription>())
        return charges->type + " (its waves are those of a box at rest); use coulomb-dsf, or "
                               "another pair force";
    return unfit_for_tilt<Dim>(forces);
}

} // namespace

/// For a box with tilted edges.
template <int Dim>
void StageBuilder<Dim>::refuse_tilt() const {
    if (const std::string why = unfit_for_tilt<Dim>(run_.model.forces); !why.empty())
        run_.root.table("system").table("box").fail("tilt", "a tilted box together with " + why);
}

/// Wraps the method of a stage in its shear. Images keep their displacement, so later stages must
/// have shear, too.
template <int Dim>
void StageBuilder<Dim>::add_shear(const Setup<Dim>& setup) {
    const bool slid = std::any_of(run_.stages.data(), static_cast<const Stage<Dim>*>(&stage_),
                                  [](const Stage<Dim>& s) { return s.plan.shear.has_value(); });
    if (setup.box.is_tilted()) refuse_tilt();
    if (!stage_.plan.shear) {
        if (slid && !stage_.takes_time())
            stage_.plan.integrator.fail("method",
                                        "minimize after a stage with shear (which needs time); "
                                        "minimise before it, or in a run from its last frame");
        if (slid)
            stage_.plan.integrator.fail("method",
                                        "a stage without shear after one with it (the images of "
                                        "the box remain shifted); give it shear = { rate = 0 }");
        return;
    }
    const Parameters& table = *stage_.plan.shear;
    const ShearSettings settings = read_shear(table, Dim);
    const auto refuse = [&](const std::string& what) {
        table.fail("rate", "shear together with " + what);
    };
    if (run_.plan.compute.reversible)
        refuse("reversible = true (a shear is no multiple of a spacing); remove one of them");
    const SlidingImages& images = setup.box.sliding();
    if (images.flow != settings.flow || images.gradient != settings.gradient)
        table.fail("flow",
                   fmt::format("{} (the images of the box have slid along one); give {}the same "
                               "flow and gradient",
                               setup.box.is_tilted()
                                   ? "a shear in another direction than that of the tilt of the box"
                                   : "stages with shear in different directions",
                               setup.box.is_tilted() ? "both " : "them "));
    if (images.third_is_tilted())
        refuse("a box with more than one tilt (images would slide along several); give one in "
               "which only the edge along the gradient is tilted");
    if (!setup.box.is_periodic())
        refuse("an open box (it has no images that slide); make the box periodic in all "
               "directions");
    if (std::any_of(run_.stages.begin(), run_.stages.end(),
                    [](const Stage<Dim>& s) { return s.plan.barostat.has_value(); }))
        refuse(
            "a barostat, also of another stage (a box in shear keeps its lengths); run one after "
            "the other, the second from the trajectory of the first");
    if (!stage_.takes_time())
        refuse("minimize (a shear needs time); put it into a stage with a thermostat");
    if (const std::string why = unfit_for_shear<Dim>(run_.model.forces); !why.empty()) refuse(why);
    if (stage_.stands_in) return;
    constexpr double most = 0.1; // particles within reach slide by a fraction of their distance
    if (const double strain = settings.rate.largest() * stage_.integrator->dt(); strain > most)
        table.fail("rate", fmt::format("a shear of {:.3g} in one step of {} (more than {}: layers "
                                       "would jump over each other); give a lower rate or a "
                                       "smaller dt",
                                       strain, stage_.integrator->dt(), most));
    const std::string method = stage_.plan.integrator.text("method");
    if (const std::string why = unfit_for_shear(*stage_.integrator); !why.empty())
        refuse(fmt::format("{} ({}); use for example nose-hoover with chain = 1, or baoab", method,
                           why));
    if (settings.rate.largest() > 0.0 && !stage_.integrator->bath_kT())
        log::warning(fmt::format("shear with {} (nothing removes the heat of the shear: the "
                                 "temperature rises without bound); use a thermostat",
                                 method));
    stage_.integrator = std::make_unique<Sheared>(std::move(stage_.integrator), settings);
}

template void StageBuilder<1>::add_shear(const Setup<1>& setup);
template void StageBuilder<1>::refuse_tilt() const;
template void StageBuilder<2>::add_shear(const Setup<2>& setup);
template void StageBuilder<2>::refuse_tilt() const;
template void StageBuilder<3>::add_shear(const Setup<3>& setup);
template void StageBuilder<3>::refuse_tilt() const;

} // namespace shadow
