// SPDX-License-Identifier: BSD-3-Clause
#include "mollification.hpp"

#include "shadow/integrators/composition.hpp"

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
    if (forces.bonded_of(averaged_level).empty())
        refuse(fmt::format("without a bonded force of level \"{}\"", fast),
               "there is no fast motion to average",
               fmt::format("give level = \"{}\" to the forces on stiff bonds", fast));
}

} // namespace shadow
