// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/adaptive.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace shadow {
namespace {

/// The largest number of steps of a method in one interval between outputs.
constexpr std::int64_t max_steps = 10'000;

} // namespace

void AdaptiveSteps::prepare(System& system) {
    system.mollify({});
    system.begin_clock();
    if (of_potential()) system.measure_potential();
    measure(system);
    system.advance(BeginSteps{objective(), settings_.steps.reference});
    if (system.scalar(Scalar::failed) == 0.0) return;
    throw SimulationError("no first step (the quantity that steps follow is zero at the start, or "
                          "differs in sign from its reference); give reference and longest, or for "
                          "an energy an offset that keeps its sign");
}

void AdaptiveSteps::measure(System& system) const {
    if (objective().of == StepMeasure::pair_sum)
        system.measure_slope(objective().of);
    else
        system.measure_motion();
}

void AdaptiveSteps::keep_energy(System& system) {
    system.set_scalar(Scalar::energy_0, 0.5 * system.scalar(Scalar::motion_kinetic) +
                                            system.scalar(Scalar::potential));
}

void AdaptiveSteps::step(System& system) {
    if (is_even())
        advance_to(system, settings_.steps.interval * (step_of_stage(system) + 1.0));
    else
        advance(system);
    system.end_step();
}

/// Steps follow an energy below zero: attracting bodies have short steps where they are near each
/// other, repelling ones do not.
std::string AdaptiveSteps::note_of_start(System& system) const {
    if (!of_potential() || system.scalar(Scalar::step_reference) > 0.0) return "";
    return "what steps follow, the potential energy and its offset, is below zero: they are short "
           "where it is deep, as for bodies that attract each other; for walls, contacts and "
           "liquids give an offset that makes it positive";
}

/// Advances to the end of the first step that does not end before the time.
void AdaptiveSteps::advance_to(System& system, double time) {
    constexpr double off = 1.1; // steps stay within their bounds up to the error of the method
    const double longest = settings_.dt / objective().inverse_longest; // or infinite
    double now = system.scalar(Scalar::elapsed);
    for (std::int64_t done = 0; now < time;) {
        if (done >= max_steps)
            throw SimulationError(fmt::format(
                "step {}: {} steps of the method have not reached the end of an interval (they are "
                "{:.3g} long now: the motion explodes, or the quantity they follow was small at "
                "the start); use a smaller dt, or give reference, and a shortest step",
                system.step(), done, settings_.dt * system.scalar(Scalar::step_factor)));
        const auto sure = static_cast<std::int64_t>((time - now) / (off * longest)),
                   count = std::clamp(sure, std::int64_t{1}, max_steps - done);
        for (std::int64_t k = 0; k < count; ++k) {
            advance(system);
            system.end_substep();
        }
        done += count;
        const double before = now;
        now = system.scalar(Scalar::elapsed);
        if (now > before) continue;
        system.set_scalar(Scalar::failed, no_step_length);
        return;
    }
}

void AdaptiveSteps::go_to_output(System& system) {
    const double time = settings_.steps.interval * step_of_stage(system),
                 left = time - system.scalar(Scalar::elapsed);
    if (left != 0.0) {
        system.drift(0.5 * left);
        system.kick(left);
        system.drift(0.5 * left);
        system.set_scalar(Scalar::elapsed, time);
    }
    system.set_scalar(Scalar::step_weight, 1.0);
}

/// The potential energy is measured before the kick, so that forces are evaluated once.
void AdaptiveVerlet::advance(System& system) {
    system.drift(part(0.5));
    if (of_potential()) system.measure_potential();
    system.kick(part(0.5));
    if (!of_potential()) measure(system);
    system.advance(AdaptStep{objective(), settings_.steps.rule, settings_.dt});
    system.kick(part(0.5));
    system.drift(part(0.5));
}

Claims AdaptiveVerlet::claims() const {
    return {2,
            true,
            false,
            false,
            true,
            "Huang and Leimkuhler 1997, SIAM J. Sci. Comput. 18, 239; Leimkuhler and Reich 2004, "
            "eqs. 9.19 and 9.20"};
}

void StepDensityVerlet::advance(System& system) {
    system.advance(StepDensityFirst{settings_.dt});
    system.kick(part(0.5));
    system.drift(part(1.0));
    system.arrive();
    if (of_potential()) system.measure_potential();
    system.kick(part(0.5));
    measure(system);
    system.advance(StepDensitySecond{objective(), settings_.dt});
}

Claims StepDensityVerlet::claims() const {
    return {
        2,     true,
        false, false,
        true,  "Hairer and Söderlind 2005, SIAM J. Sci. Comput. 26, 1838; Modin 2009, Paper III"};
}

void EnergyScaledVerlet::prepare(System& system) {
    if (!of_potential()) system.measure_potential();
    AdaptiveSteps::prepare(system);
    keep_energy(system);
}

void EnergyScaledVerlet::advance(System& system) {
    const double dt = settings_.dt;
    const ScaleByEnergy kick{objective(), StepMeasure::potential_energy, dt},
        drift{objective(), StepMeasure::kinetic_energy, dt};
    system.advance(kick);
    system.kick(part(0.5));
    system.measure_kinetic();
    system.advance(drift);
    system.drift(part(1.0));
    system.measure_potential();
    system.advance(kick);
    system.kick(part(0.5));
}

Claims EnergyScaledVerlet::claims() const {
    return {2, true, true, false, true, "Modin 2009, thesis, Paper III"};
}

void PoincareVerlet::prepare(System& system) {
    AdaptiveSteps::prepare(system);
    keep_energy(system);
}

void PoincareVerlet::advance(System& system) {
    system.measure_kinetic();
    system.measure_slope(StepMeasure::potential_energy);
    system.advance(PoincareKick{objective(), settings_.dt});
    system.kick({1.0, Scalar::kick_scale});
    system.drift(part(1.0));
    system.arrive();
    system.measure_potential();
    system.advance(PoincareEnd{objective(), settings_.dt});
    system.kick(part(0.5));
}

Claims PoincareVerlet::claims() const {
    return {2,    false,
            true, false,
            true, "Leimkuhler and Reich 2004, eqs. 9.33 and 9.34; Modin 2009, thesis, Paper II"};
}

} // namespace shadow
