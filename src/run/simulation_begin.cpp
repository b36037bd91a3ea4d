// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"
#include "shadow/system/net_motion.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <fmt/format.h>

/// How a stage takes over the state that the one before left: velocities, and the motion of the
/// whole, which is heat to a Langevin bath and none to a method that conserves it.
namespace shadow {
namespace {

/// Relative to all kinetic energy: rounding of a sum that is zero leaves some 1e-32.
constexpr double rounding = 1e-20;
/// What no average shows.
constexpr double worth_a_word = 1e-6;

} // namespace

/// Whether no time has passed before this stage.
template <int Dim>
bool Simulation<Dim>::only_minimised_before(const StageType& stage) const {
    return std::all_of(stages_.data(), &stage, [](const StageType& s) { return !s.integrator; });
}

/// Velocities that are drawn at the start of the stage: its own, or those of the start of the run,
/// which minimisations took.
template <int Dim>
auto Simulation<Dim>::draw(const StageType& stage) const -> std::optional<Draw> {
    const auto index = static_cast<std::uint64_t>(&stage - stages_.data());
    if (stage.plan.temperature) return Draw{*stage.plan.temperature, index + 1};
    if (stage.integrator && index > 0 && only_minimised_before(stage) && velocities_.temperature)
        return Draw{*velocities_.temperature, 0};
    return std::nullopt;
}

/// The state flows in from the stage before, with physical momenta. Where that let the motion of
/// the whole come and go and this one does not, or where a bath would take it for heat, it ends.
template <int Dim>
StageStart Simulation<Dim>::enter(const StageType& stage, ParticleSystem<Dim>& system) const {
    system.detach_bath();
    system.set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    if (!stage.integrator) {
        system.rest();
        return {};
    }
    const auto drawn = draw(stage);
    if (!drawn && !stage.conserves_momentum()) return {};
    Snapshot<Dim> now = system.snapshot();
    if (drawn)
        set_maxwell_boltzmann(now, conserved_, units_.boltzmann * drawn->temperature, plan_.seed,
                              drawn->occasion);
    const NetMotion<Dim> whole = net_motion(now, stage.conserved);
    StageStart start{whole.kinetic, 0.0, whole.translation, whole.rotation};
    const bool let_go = &stage != stages_.data() && !(&stage - 1)->conserves_momentum();
    const double energy = whole.translation + whole.rotation;
    if ((let_go || stage.integrator->bath_kT()) && energy > rounding * whole.kinetic) {
        remove_net_motion(now, stage.conserved);
        start = {whole.kinetic, energy, 0.0, 0.0};
    }
    if (drawn || start.removed > 0.0) system.set_momenta(now.momentum);
    return start;
}

template <int Dim>
void Simulation<Dim>::begin(StageType& stage) {
    if (!stage.plan.name.empty()) log::info(fmt::format("stage \"{}\"", stage.plan.name));
    stage.start = enter(stage, *system_);
    if (stage.integrator) {
        if (&stage != stages_.data() && !(&stage - 1)->integrator)
            for (const std::string& note :
                 report_steps(system_->box(), system_->snapshot(), &stage))
                log::info(note);
        stage.integrator->prepare(*system_);
        report_start(stage);
    } else {
        system_->mollify({});
    }
    stage.first_step = system_->step();
    stage.first_time = system_->time();
    stage.recorder->set_array_start(stage.first_step + stage.plan.equilibration.value_or(0));
    stage.begun = true;
}

/// What the stage begins with, where it is not what the one before ended with.
template <int Dim>
void Simulation<Dim>::report_start(const StageType& stage) const {
    const StageStart& start = stage.start;
    const std::string method = stage.plan.integrator.text("method");
    if (const auto drawn = draw(stage))
        log::info(fmt::format("velocities are drawn at the temperature {}{}", drawn->temperature,
                              stage.plan.temperature ? ""
                                                     : " of system.velocity, as the minimisation "
                                                       "took those of the start"));
    else if (&stage != stages_.data() && only_minimised_before(stage) && velocities_.from_file)
        log::warning("the velocities of the file are lost (a minimisation starts and ends at "
                     "rest); give the stage after it velocity = { temperature = ... }");
    if (start.removed > worth_a_word * start.kinetic)
        log::info(fmt::format(
            "the motion of the whole is removed: {:.4g} of the kinetic energy {:.6g} ({} conserves "
            "it, so it is no heat)",
            start.removed, start.kinetic, method));
    if (start.rotation > worth_a_word * start.kinetic)
        log::warning(fmt::format(
            "the particles rotate as a whole, with {:.4g} of the kinetic energy {:.6g} (a start "
            "keeps what its file has at constant energy; the temperature counts it as heat); "
            "remove the angular momentum from the file where it is not meant",
            start.rotation, start.kinetic));
    log::info(
        fmt::format("{}; {:.10g} degrees of freedom", ensemble(stage), stage.degrees_of_freedom));
    if (!stage.conserves_momentum()) return;
    tell_hidden_momenta(method);
    if (start.kinetic > 0.0) return;
    const bool meant = stage.plan.temperature == 0.0 ||
                       (only_minimised_before(stage) && velocities_.temperature == 0.0);
    if (meant)
        log::info("the particles start at rest");
    else
        log::warning(fmt::format("the particles start at rest (no velocities are given, and {} "
                                 "adds no heat); give {} = {{ temperature = ... }}, of 0 where "
                                 "that is meant",
                                 method,
                                 plan_.stages.size() > 1 || !stage.plan.name.empty()
                                     ? "the stage velocity"
                                     : "system.velocity"));
}

/// Of what is conserved and not known to be, the degrees of freedom are not less.
template <int Dim>
void Simulation<Dim>::tell_hidden_momenta(const std::string& method) const {
    const HiddenMomenta hidden = hidden_momenta<Dim>(forces_.fields);
    if (hidden.linear > 0)
        log::warning(fmt::format(
            "the total momentum across an oblique field is conserved and counted as heat (only "
            "momenta along the axes are told apart, and {} lets it stay what it is); turn the "
            "system so that the field is along an axis, or use a bath such as baoab",
            method));
    if (hidden.angular)
        log::warning(fmt::format(
            "the angular momentum about the centre of the trap is conserved and counted as heat "
            "({} lets it stay what it is, so that averages of few particles depend on the start); "
            "use a bath such as baoab, or different stiffnesses",
            method));
}

/// "NVE, total momentum zero"
template <int Dim>
std::string Simulation<Dim>::ensemble(const StageType& stage) const {
    if (!stage.integrator) return "";
    const auto kT = stage.integrator->bath_kT();
    if (kT == 0.0) return "damped motion";
    if (stage.first_time < stage.forces_steady_from)
        return kT ? "driven by a field, with a bath" : "driven by a field";
    std::string text = stage.integrator->pressure() ? "NPT" : kT ? "NVT" : "NVE";
    const auto& [linear, angular] = stage.conserved;
    const auto kept = std::count(linear.begin(), linear.end(), true);
    if (kept == 0) return text + ", total momentum fluctuates";
    std::string along;
    for (std::size_t d = 0; d < Dim && kept < Dim; ++d)
        if (linear[d]) along += fmt::format("{}{}", along.empty() ? " along " : " and ", "xyz"[d]);
    const auto say = [&](const std::string& what, double energy) {
        text += fmt::format(", {} {}", what,
                            energy > worth_a_word * stage.start.kinetic ? "conserved" : "zero");
    };
    say("total momentum" + along, stage.start.translation);
    if (std::count(angular.begin(), angular.end(), true) > 0)
        say("angular momentum", stage.start.rotation);
    return text;
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
