// SPDX-License-Identifier: BSD-3-Clause
#include "idle_kicks.hpp"

#include "shadow/integrators/composition.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shadow {

std::string idle_kicks(const StagePlan& plan, const Integrator* integrator,
                       const ForcePlan& forces) {
    const auto* method = dynamic_cast<const Composition*>(integrator);
    if (method == nullptr || forces.empty()) return "";
    const auto kicks_with = [&](ForceClass c) {
        return std::any_of(method->word().begin(), method->word().end(), [c](const Flow& flow) {
            return flow.kind == FlowKind::kick && flow.forces == c;
        });
    };
    const bool fast = forces.has(ForceClass::fast);
    if (fast && forces.has(ForceClass::slow)) return "";
    if (!kicks_with(fast ? ForceClass::slow : ForceClass::fast)) return "";
    const char* const here = fast ? "fast" : "slow";
    const char* const missing = fast ? "slow" : "fast";
    return fmt::format(
        "{0}{1} without a {2} force (class = \"{3}\" for all of them: {4}; its kicks "
        "with {2} forces do nothing); give class = \"{2}\" to one of several forces, "
        "or split one, or use a method without classes, such as verlet",
        plan.name.empty() ? "" : "stage " + plan.name + ": ", plan.integrator.text("method"),
        missing, here, fmt::join(forces.names(), ", "));
}

} // namespace shadow
