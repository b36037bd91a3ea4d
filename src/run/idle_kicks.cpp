// SPDX-License-Identifier: BSD-3-Clause
#include "idle_kicks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shadow {

std::string idle_kicks(const StagePlan& plan, const Integrator& integrator,
                       const ForcePlan& forces) {
    if (forces.empty()) return "";
    const Word& word = integrator.word();
    const auto kicks_with = [&](ForceLevel level) {
        return std::any_of(word.begin(), word.end(),
                           [&](const Flow& flow) { return flow.is_kick() && flow.level == level; });
    };
    std::vector<std::string> idle;
    for (std::size_t k = 0; k < forces.levels.size(); ++k) {
        const auto level = static_cast<ForceLevel>(k) + 1;
        if (kicks_with(level) && !forces.has(level)) idle.push_back(forces.levels[k]);
    }
    if (idle.empty()) return "";
    return fmt::format(
        "{}{} without a force of level \"{}\" (level = \"{}\" for all of them: {}; other kicks do "
        "nothing); give level = \"{}\" to one of several forces, or split one, or use a method "
        "without "
        "levels, such as verlet",
        plan.prefix(), plan.integrator.text("method"), fmt::join(idle, "\" and \""),
        fmt::join(forces.used_levels(), "\" or \""), fmt::join(forces.names(), ", "), idle.front());
}

} // namespace shadow
