// SPDX-License-Identifier: BSD-3-Clause
#include "fast_forces.hpp"
#include "stage_builder.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/deformed.hpp"
#include "shadow/integrators/isobaric.hpp"
#include "shadow/integrators/mtk.hpp"
#include "shadow/integrators/nose_poincare_andersen.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

constexpr const char* baths_of_species =
    "its energy does not follow the box); give "
    "one number for all, or use baoab with friction by species";

/// Throws unless the method works with boxes of this type.
template <class Refuse>
void check_method(const Integrator& integrator, const std::string& method, BarostatType type,
                  const Refuse& refuse) {
    if (integrator.scales_species()) refuse(method + " by species", baths_of_species);
    const bool plain = integrator.word().front().level == all_levels;
    const bool has_mass = type == BarostatType::mtk || type == BarostatType::nose_poincare_andersen;
    if (has_mass && integrator.claims().order > 2)
        refuse(fmt::format("{} of order {}", method, integrator.claims().order),
               integrator.has_bath_variables()
                   ? "a box with a mass moves with one step of order 2); leave order out"
                   : "a box with a mass moves with one step of order 2); leave order out, or write "
                     "type = \"cell-rescaling\"");
    const auto* poincare = dynamic_cast<const NosePoincare*>(&integrator);
    if (type == BarostatType::nose_poincare_andersen && (!poincare || !plain))
        refuse(method, "of type nose-poincare-andersen, whose Hamiltonian is that of nose-poincare "
                       "with forces of one level); use nose-poincare, or type = "
                       "\"cell-rescaling\"");
    if (type != BarostatType::nose_poincare_andersen &&
        (integrator.has_bath_variables() || mollifies(integrator)))
        refuse(method, poincare && plain
                           ? "its Hamiltonian has a box of its own kind); write type = "
                             "\"nose-poincare-andersen\", or use for example baoab or nose-hoover"
                           : "the energy of that method does not follow the box); use for example "
                             "baoab, baoab-respa or nose-hoover");
    if (type == BarostatType::mtk && (!dynamic_cast<const NoseHoover*>(&integrator) || !plain))
        refuse(method, "of type mtk, whose equations are those of nose-hoover with forces of one "
                       "level); use nose-hoover, or type = \"cell-rescaling\"");
}

} // namespace

/// Wraps the method of a stage in its barostat.
template <int Dim>
void StageBuilder<Dim>::add_barostat(const Setup<Dim>& setup) {
    if (!stage_.plan.barostat) return;
    const Parameters& table = *stage_.plan.barostat;
    BarostatSettings settings =
        read_barostat(table, Dim, Dim == 3 ? run_.model.units.pressures : 1.0);
    const std::string method = stage_.plan.integrator.text("method");
    const bool deforms = settings.type == BarostatType::deform;
    const auto refuse = [&](const std::string& what, const std::string& why) {
        table.fail(deforms ? "rates" : "pressure",
                   fmt::format("a {} together with {} ({}", deforms ? "deformation" : "barostat",
                               what, why));
    };
    if (!setup.box.is_periodic())
        refuse("an open box", "it has no volume); make the box periodic in all directions");
    if (!stage_.takes_time())
        refuse("minimize", "pressure needs motion); put it into a stage with a thermostat");
    const ForcePlan& forces = run_.model.forces;
    const auto* const charges = forces.first<LongRangeDescription>();
    if (charges && !charges->neutral)
        refuse("a background of charge",
               "its pressure is that of no matter); make the charges neutral");
    const std::string jumping = forces.name_where([](const auto&f) { return f.jumps(); }),
                      field = forces.name_without_virial<Dim>();
    if (!jumping.empty())
        refuse(
            jumping + " that is cut off",
            "its energy jumps at the cut-off, which its force does not include, so the sampled "
            "ensemble has no well-defined pressure); write truncation = \"shift\", or tail = true");
    if (!field.empty()) refuse(field, "a field does not follow the box); remove one of them");
    if (stage_.stands_in) return;
    if (deforms) return deform(settings, method, refuse);
    const auto kT = stage_.integrator->bath_kT();
    if (!kT || !(*kT > 0.0))
        refuse(
            method + (kT ? " at zero temperature" : ""),
            "its noise has the temperature that a thermostat keeps); use one, for example baoab or "
            "nose-hoover, at a temperature above zero");
    if (!stage_.integrator->samples_ensemble())
        refuse(method, "it samples no ensemble); use for example bussi or baoab");
    check_method(*stage_.integrator, method, settings.type, refuse);
    if (!settings.has_mass() && settings.every >= stage_.plan.steps && stage_.plan.steps > 0)
        table.fail("every", fmt::format("every is {} of {} steps (the volume would never change); "
                                        "give fewer",
                                        settings.every, stage_.plan.steps));
    const double longest =
        std::max(run_.model.forces.longest_cutoff(), stage_.integrator->pair_radius());
    const double least = min_length(setup.box, longest);
    settings.min_volume = setup.box.volume() * std::pow(least, Dim);
    settings.max_volume = setup.box.volume() * std::pow(largest_growth, Dim);
    constexpr double narrow = 0.9;
    if (least > narrow)
        log::warning(
            fmt::format("the run ends where the barostat makes the box shorter than {:.3g} "
                        "of what it is (the longest cut-off, {:.6g}, is half of that); "
                        "take more particles, or a shorter cut-off, also of charges",
                        least, longest));
    if (const std::string cut = forces.name_where([](const auto& f) { return f.jumps(true); });
        !cut.empty() && !settings.has_mass())
        log::warning(fmt::format(
            "{} accepts volumes by energies, and that of {} jumps at its cut-off (its tail "
            "corrects for this only as far as g(r) is 1 there: of a Lennard-Jones liquid the mean "
            "pressure is off by 0.04 epsilon/sigma^3 with a cut-off of 2.5, and by 0.005 with 3); "
            "use force-shift or a smooth truncation, or mtk",
            table.text("type", "cell-rescaling"), cut));
    if (settings.has_mass()) {
        // A dense liquid oscillates with a fifteenth of the period, and needs ten steps for that.
        if (const double dt = stage_.integrator->dt(); settings.period < 150.0 * dt)
            log::warning(
                fmt::format("period = {} of the barostat is {:.3g} steps (a liquid oscillates with "
                            "about a tenth of it, which needs ten steps); give it 150 or more",
                            settings.period, settings.period / dt));
        const Integrator* const with = stage_.integrator.get();
        if (const auto* chain = dynamic_cast<const NoseHoover*>(with))
            stage_.integrator = std::make_unique<MartynaTobiasKlein>(*chain, settings, Dim);
        else if (const auto* poincare = dynamic_cast<const NosePoincare*>(with))
            stage_.integrator = std::make_unique<NosePoincareAndersen>(*poincare, settings, Dim);
        return;
    }
    stage_.integrator = std::make_unique<Isobaric>(std::move(stage_.integrator), settings, Dim,
                                                   static_cast<std::int64_t>(setup.start.size()));
}

/// Wraps the method of the stage in a box that changes at given rates.
template <int Dim>
void StageBuilder<Dim>::deform(const BarostatSettings& settings, const std::string& method,
                               const Refuse& refuse) {
    constexpr double longest = 0.005; // largest change of a length in a step, relative
    const Integrator& integrator = *stage_.integrator;
    if (integrator.scales_species()) refuse(method + " by species", baths_of_species);
    if (integrator.has_bath_variables() || mollifies(integrator) || integrator.adapts() ||
        integrator.has_output_state() || !integrator.moves_with_momenta())
        refuse(method,
               "its momenta or energy do not follow the box); use for example verlet, baoab "
               "or nose-hoover");
    const double time = integrator.dt() * static_cast<double>(settings.every);
    for (const Ramp& of : settings.rates)
        if (const double rate = of.largest(); !(rate * time < longest))
            stage_.plan.barostat->fail(
                "rates", fmt::format("a rate of {} changes a length by {:.2g} of it every {} steps "
                                     "(more than {}: particles would jump); give a smaller one, or "
                                     "a smaller every",
                                     rate, rate * time, settings.every, longest));
    if (!integrator.bath_kT())
        log::info(
            fmt::format("{} in a box that is deformed: heat and work stay in the system", method));
    stage_.integrator = std::make_unique<Deformed>(std::move(stage_.integrator), settings);
}

template class StageBuilder<1>;
template class StageBuilder<2>;
template class StageBuilder<3>;

} // namespace shadow
