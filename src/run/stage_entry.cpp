// SPDX-License-Identifier: BSD-3-Clause
#include "stage_entry.hpp"

#include "shadow/core/log.hpp"
#include "shadow/system/net_motion.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace shadow {
namespace {

/// Relative to the total kinetic energy: rounding of a sum that is zero gives about 1e-32.
constexpr double rounding = 1e-20;

struct Draw {
    double temperature;
    std::uint64_t occasion;
};

/// Are all stages before this one minimisations?
template <int Dim>
bool only_minimised_before(const Run<Dim>& run, const Stage<Dim>& stage) {
    return std::all_of(run.stages.data(), &stage,
                       [](const Stage<Dim>& s) { return !s.takes_time(); });
}

/// Velocities drawn at the start of the stage: its own, or the initial ones of the run, which
/// minimisations removed.
template <int Dim>
std::optional<Draw> draw(const Run<Dim>& run, const Stage<Dim>& stage) {
    const auto index = static_cast<std::uint64_t>(&stage - run.stages.data());
    if (stage.plan.temperature) return Draw{*stage.plan.temperature, index + 1};
    if (index > 0 && only_minimised_before(run, stage) && run.model.velocities.temperature)
        return Draw{*run.model.velocities.temperature, 0};
    return std::nullopt;
}

template <int Dim>
void reverse(Snapshot<Dim>& now) {
    for (auto& momentum : now.momentum)
        for (double& p : momentum) p = -p;
}

/// Do all species have the same charge per mass, so that the total momentum gyrates as a whole in a
/// magnetic field?
template <int Dim>
bool turns_as_a_whole(const Run<Dim>& run) {
    const auto ratio = [](const Species& s) { return s.charge / s.mass; };
    const std::vector<Species>& table = run.system->species_table();
    return run.model.forces.template name_without_virial<Dim>().empty() &&
           std::all_of(table.begin(), table.end(),
                       [&](const Species& s) { return ratio(s) == ratio(table.front()); });
}

/// Warns of conserved momenta that are not detected as such, and so do not reduce the degrees of
/// freedom.
template <int Dim>
void warn_of_hidden_momenta(const Run<Dim>& run, const std::string& method) {
    const HiddenMomenta hidden =
        hidden_momenta<Dim>(run.model.forces.template of<FieldDescription>());
    if (hidden.linear > 0)
        log::warning(fmt::format(
            "the total momentum across an oblique field, or along fields that change alike and "
            "cancel, is conserved and counted as heat (only momenta along the axes, where no field "
            "changes, are distinguished, and {} conserves it); turn the system so that the field "
            "is along an axis, or use a bath such as baoab",
            method));
    if (run.model.is_magnetic() && turns_as_a_whole(run))
        log::warning(fmt::format(
            "the centre of mass turns in the magnetic field, and its energy is conserved and "
            "counted as heat (all particles have the same charge over mass, and {} conserves it); "
            "use a bath such as baoab, or start at rest as a whole",
            method));
    if (hidden.angular)
        log::warning(
            fmt::format("the angular momentum about the centre of the trap is conserved and "
                        "counted as heat ({} conserves it, so averages of few particles depend on "
                        "the start); use a bath such as baoab, or different stiffnesses",
                        method));
}

} // namespace

template <int Dim>
StageStart enter(const Run<Dim>& run, const Stage<Dim>& stage, ParticleSystem<Dim>& system) {
    system.detach_bath();
    system.set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    if (!stage.takes_time()) {
        system.rest();
        return {};
    }
    const auto drawn = draw(run, stage);
    const bool settles = run.goes_back(stage);
    if (!drawn && !stage.plan.reverses && !stage.conserves_momentum()) {
        if (settles) system.settle();
        return {};
    }
    Snapshot<Dim> now = system.snapshot();
    if (stage.plan.reverses) reverse(now);
    if (drawn)
        set_maxwell_boltzmann(now, run.model.conserved,
                              run.model.units.boltzmann * drawn->temperature, run.plan.seed,
                              drawn->occasion);
    const NetMotion<Dim> whole = net_motion(now, stage.conserved);
    StageStart start{whole.kinetic, 0.0, whole.translation, whole.rotation};
    const bool let_go = &stage != run.stages.data() && !(&stage - 1)->conserves_momentum();
    const double energy = whole.translation + whole.rotation;
    if ((let_go || stage.integrator->bath_kT()) && energy > rounding * whole.kinetic) {
        remove_net_motion(now, stage.conserved);
        start = {whole.kinetic, energy, 0.0, 0.0};
    }
    if (drawn || stage.plan.reverses || start.removed > 0.0) system.set_momenta(now.momentum);
    if (settles) system.settle();
    return start;
}

template <int Dim>
void report_entry(const Run<Dim>& run, const Stage<Dim>& stage) {
    const StageStart& start = stage.start;
    const std::string method = stage.plan.integrator.text("method");
    if (const auto drawn = draw(run, stage))
        log::info(fmt::format("velocities are drawn at the temperature {}{}", drawn->temperature,
                              stage.plan.temperature ? ""
                                                     : " of system.velocity, as the minimisation "
                                                       "took those of the start"));
    else if (&stage != run.stages.data() && only_minimised_before(run, stage) &&
             run.model.velocities.from_file)
        log::warning("the velocities of the file are lost (a minimisation starts and ends at "
                     "rest); give the stage after it velocity = { temperature = ... }");
    if (start.removed > StageStart::noteworthy * start.kinetic)
        log::info(fmt::format(
            "the motion of the whole is removed: {:.4g} of the kinetic energy {:.6g} ({} conserves "
            "it, so it is no heat)",
            start.removed, start.kinetic, method));
    const bool first = &stage == run.stages.data();
    const bool still = draw(run, stage) || (first ? !run.model.velocities.from_file
                                                  : (&stage - 1)->conserves_momentum());
    if (still && stage.integrator->scales_species())
        log::warning(fmt::format("the centre of mass is at rest, and {} by species thermalises it "
                                 "slowly (until then all other motion is too hot by 1/N, {:.2g} % "
                                 "here, for tens of time units); run a stage of baoab before",
                                 method, 100.0 / static_cast<double>(run.system->size())));
    if (start.rotation > StageStart::noteworthy * start.kinetic)
        log::warning(fmt::format(
            "the particles rotate as a whole, with {:.4g} of the kinetic energy {:.6g} (a start "
            "keeps the velocities of its file at constant energy; the temperature counts it as "
            "heat); remove the angular momentum from the file where it is not meant",
            start.rotation, start.kinetic));
    log::info(
        fmt::format("{}; {:.10g} degrees of freedom", stage.ensemble(), stage.degrees_of_freedom));
    if (!stage.conserves_momentum()) return;
    warn_of_hidden_momenta(run, method);
    if (start.kinetic > 0.0) return;
    const bool meant = stage.plan.temperature == 0.0 || (only_minimised_before(run, stage) &&
                                                         run.model.velocities.temperature == 0.0);
    if (meant)
        log::info("the particles start at rest");
    else
        log::warning(fmt::format("the particles start at rest (no velocities are given, and {} "
                                 "adds no heat); give {} = {{ temperature = ... }}, of 0 where "
                                 "that is meant",
                                 method,
                                 run.plan.stages.size() > 1 || !stage.plan.name.empty()
                                     ? "the stage velocity"
                                     : "system.velocity"));
}

template StageStart enter(const Run<1>&, const Stage<1>&, ParticleSystem<1>&);
template void report_entry(const Run<1>&, const Stage<1>&);
template StageStart enter(const Run<2>&, const Stage<2>&, ParticleSystem<2>&);
template void report_entry(const Run<2>&, const Stage<2>&);
template StageStart enter(const Run<3>&, const Stage<3>&, ParticleSystem<3>&);
template void report_entry(const Run<3>&, const Stage<3>&);

} // namespace shadow
