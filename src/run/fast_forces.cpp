// SPDX-License-Identifier: BSD-3-Clause
#include "fast_forces.hpp"

#include "shadow/forces/harmonic_motion.hpp"
#include "shadow/integrators/composition.hpp"

#include "kernels/bonded/projection.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// A force of the fastest level that is not linear in positions, or "".
std::string nonlinear_force(const ForcePlan& forces) {
    return forces.name_where(
        [](const auto& force) { return force.level == averaged_level && !force.is_linear(); });
}

/// A force of the fastest level that is not bonded, or has no second derivatives, or "".
std::string other_fast_force(const ForcePlan& forces) {
    return forces.name_where([](const auto& force) {
        return force.level == averaged_level &&
               !(force.list().of == ForceList::Of::bonded && force.gives_hessian());
    });
}

/// A fast force with a term that has no rest position, or "".
std::string restless_force(const ForcePlan& forces) {
    for (const BondedDescription& force : forces.of<BondedDescription>(averaged_level)) {
        const std::size_t width = force.rows.size() / static_cast<std::size_t>(force.row_count);
        for (std::size_t first = 0; first < force.rows.size(); first += width)
            if (!has_rest(force.form, force.rows.data() + first)) return force.info->name;
    }
    return "";
}

/// Advice for a force that cannot be of the fastest level.
std::string slower(const ForcePlan& forces) {
    if (forces.levels.size() > 1)
        return fmt::format("give it the level \"{}\"", forces.levels.back());
    return fmt::format("write levels = [\"{0}\", \"slow\"], and level = \"{0}\" for bonded forces "
                       "alone",
                       forces.levels.front());
}

} // namespace

bool mollifies(const Integrator& integrator) {
    return has_flow(integrator.word(), FlowKind::mollified_kick);
}

void refuse_nonlinear_forces(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces) {
    if (!has_flow(integrator.word(), FlowKind::exact_motion) || forces.empty()) return;
    const std::string &fast = forces.levels.front(), method = plan.integrator.text("method");
    if (const std::string other = nonlinear_force(forces); !other.empty())
        plan.integrator.fail(
            "method", fmt::format("{} with {} of level \"{}\" (the motion under the forces of that "
                                  "level is solved exactly, so they must be linear in positions: "
                                  "harmonic-bond with r0 = 0, harmonic-trap, uniform-field, none "
                                  "of which changes in time); {}, or use method = \"respa\"",
                                  method, other, fast, slower(forces)));
    if (!forces.has(1))
        plan.integrator.fail("method",
                             fmt::format("{} without a force of level \"{}\" (there is no fast "
                                         "motion to follow); give level = \"{}\" to harmonic "
                                         "forces, or use method = \"verlet\"",
                                         method, fast, fast));
}

void refuse_missing_sum(const StagePlan& plan, const Integrator& integrator,
                        const ForcePlan& forces) {
    if (integrator.follows_pair_sum() && forces.step_sums.empty())
        plan.integrator.fail("objective",
                             "pair-sum without a [[step_sum]] (there is nothing to sum over "
                             "pairs); give one, for example { type = \"formula\", u = "
                             "\"1/r^2\", cutoff = 2.0 }");
}

void refuse_changing_forces(const StagePlan& plan, const Integrator& integrator,
                            const ForcePlan& forces) {
    if (forces.constant()) return;
    if (integrator.adapts())
        plan.integrator.fail("method",
                             fmt::format("{} with a field with modulation (it is made for a motion "
                                         "whose energy does not depend on time); use verlet",
                                         plan.integrator.text("method")));
    if (integrator.has_output_state())
        plan.integrator.fail(
            "method",
            fmt::format("{} with a field with modulation (its processor moves back and forth while "
                        "time does not); use a method without one, such as blanes-moan-6",
                        plan.integrator.text("method")));
    if (!has_flow(integrator.word(), FlowKind::gradient_kick)) return;
    plan.integrator.fail(
        "method",
        fmt::format("{} with a field with modulation (gradient kicks remove errors of forces that "
                    "do not change in time); use a method without them, such as blanes-moan-4",
                    plan.integrator.text("method")));
}

void refuse_unlike_molecules(const StagePlan& plan, const Integrator& integrator,
                             const ForcePlan& forces) {
    const bool implicit = has_flow(integrator.word(), FlowKind::implicit_kick);
    const bool light = integrator.light_mass() > 0.0;
    if (!(mollifies(integrator) || implicit || light) || forces.empty()) return;
    const std::string& fast = forces.levels.front();
    const auto refuse = [&](const std::string& problem, const std::string& reason,
                            const std::string& remedy) {
        plan.integrator.fail("method", fmt::format("{} {} ({}); {}", plan.integrator.text("method"),
                                                   problem, reason, remedy));
    };
    if (const std::string other = other_fast_force(forces); !other.empty())
        refuse(fmt::format("with {} of level \"{}\"", other, fast),
               implicit ? "implicit forces are found molecule by molecule, so they must be bonded"
               : light  ? "light atoms are followed molecule by molecule, under bonded forces alone"
                        : "fast motion is averaged molecule by molecule, under bonded forces alone",
               slower(forces) + ", or use method = \"respa\"");
    const bool at_rest = mollifies(integrator) && integrator.mollifier() == equilibrium_mollifier;
    if (const std::string other = restless_force(forces); at_rest && !other.empty())
        plan.integrator.fail(
            "mollifier",
            fmt::format(
                "equilibrium with {} of level \"{}\" (it needs rest lengths above 0 of bonds and "
                "rest angles below 180 degrees of angles); {}, or take long-average",
                other, fast, slower(forces)));
    if (forces.of<BondedDescription>(averaged_level).empty())
        refuse(fmt::format("without a bonded force of level \"{}\"", fast),
               implicit ? "no force would be implicit"
               : light  ? "there is no fast motion to follow"
                        : "there is no fast motion to average",
               fmt::format("give level = \"{}\" to the forces on stiff bonds", fast));
}

template <int Dim>
void refuse_unlike_masses(const StagePlan& plan, const Integrator& integrator,
                          const ForcePlan& forces, const Snapshot<Dim>& start) {
    if (!(integrator.light_mass() > 0.0) || forces.empty()) return;
    double lightest = std::numeric_limits<double>::infinity(), heaviest = 0.0;
    for (const BondedDescription& force : forces.of<BondedDescription>(averaged_level))
        for (const std::uint32_t id : force.members) {
            lightest = std::min(lightest, start.mass(id));
            heaviest = std::max(heaviest, start.mass(id));
        }
    const double limit = integrator.light_mass();
    if (lightest < limit && heaviest >= limit) return;
    plan.integrator.fail(
        "light_mass",
        fmt::format("light_mass = {} of atoms with masses from {} to {} (forces on heavy atoms are "
                    "averages over the motion of light ones in the same molecules: {} are light); "
                    "give a mass between theirs, or use method = \"respa\"",
                    limit, lightest, heaviest, lightest < limit ? "all" : "none"));
}
template void refuse_unlike_masses(const StagePlan&, const Integrator&, const ForcePlan&,
                                   const Snapshot<1>&);
template void refuse_unlike_masses(const StagePlan&, const Integrator&, const ForcePlan&,
                                   const Snapshot<2>&);
template void refuse_unlike_masses(const StagePlan&, const Integrator&, const ForcePlan&,
                                   const Snapshot<3>&);

void refuse_overdetermined(const StagePlan& plan, const Integrator& integrator,
                           const std::string& problem) {
    if (!mollifies(integrator) || integrator.mollifier() != equilibrium_mollifier) return;
    if (!problem.empty())
        plan.integrator.fail("mollifier",
                             fmt::format("equilibrium of {}; give angles the slow level, or take "
                                         "long-average",
                                         problem));
}

} // namespace shadow
