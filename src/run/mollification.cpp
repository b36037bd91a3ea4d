// SPDX-License-Identifier: BSD-3-Clause
#include "mollification.hpp"

#include "shadow/integrators/composition.hpp"

#include "kernels/bonded/projection.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

/// A force of the fastest level that is not bonded, or "".
std::string other_fast_force(const ForcePlan& forces) {
    for (const PairForceDescription& force : forces.descriptions)
        if (force.level == averaged_level) return force.name;
    if (forces.fourier && forces.fourier->level == averaged_level) return forces.fourier->name;
    for (const FieldDescription& field : forces.fields)
        if (field.level == averaged_level) return field.info->name;
    for (const BondedDescription& force : forces.bonded)
        if (force.level == averaged_level && force.info->internal) return force.name;
    return "";
}

/// A fast force with something that has no rest, or "".
std::string restless_force(const ForcePlan& forces) {
    for (const BondedDescription& force : forces.bonded) {
        if (force.level != averaged_level) continue;
        const std::size_t width = force.rows.size() / static_cast<std::size_t>(force.row_count);
        for (std::size_t first = 0; first < force.rows.size(); first += width)
            if (!has_rest(force.form, force.rows.data() + first)) return force.info->name;
    }
    return "";
}

} // namespace

bool mollifies(const Integrator* integrator) {
    return integrator != nullptr && has_flow(integrator->word(), FlowKind::mollified_kick);
}

void refuse_unlike_molecules(const StagePlan& plan, const Integrator* integrator,
                             const ForcePlan& forces) {
    if (!mollifies(integrator) || forces.empty()) return;
    const std::string& fast = forces.levels.front();
    const auto refuse = [&](const std::string& problem, const std::string& reason,
                            const std::string& remedy) {
        plan.integrator.fail("method", fmt::format("{} {} ({}); {}", plan.integrator.text("method"),
                                                   problem, reason, remedy));
    };
    if (const std::string other = other_fast_force(forces); !other.empty())
        refuse(fmt::format("with {} of level \"{}\"", other, fast),
               "fast motion is averaged molecule by molecule, under bonded forces alone",
               fmt::format("give it the level \"{}\", or use method = \"respa\"",
                           forces.levels.back()));
    const bool at_rest = integrator->mollifier() == equilibrium_mollifier;
    if (const std::string other = restless_force(forces); at_rest && !other.empty())
        plan.integrator.fail(
            "mollifier",
            fmt::format("equilibrium with {} of level \"{}\" (of bonds and angles it needs the "
                        "lengths, above 0, and angles, not straight ones, at rest); give it the "
                        "level \"{}\", or take long-average",
                        other, fast, forces.levels.back()));
    if (forces.bonded_of(averaged_level).empty())
        refuse(fmt::format("without a bonded force of level \"{}\"", fast),
               "there is no fast motion to average",
               fmt::format("give level = \"{}\" to the forces on stiff bonds", fast));
}

void refuse_overdetermined(const StagePlan& plan, const Integrator* integrator,
                           const std::string& problem) {
    if (!mollifies(integrator) || integrator->mollifier() != equilibrium_mollifier) return;
    if (!problem.empty())
        plan.integrator.fail("mollifier",
                             fmt::format("equilibrium of {}; give angles the slow level, or take "
                                         "long-average",
                                         problem));
}

} // namespace shadow
