// SPDX-License-Identifier: BSD-3-Clause
#include "step_report.hpp"

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/step_stability.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <vector>

namespace shadow {
namespace {

/// Of the square of the frequency, what a level without bonded forces adds that kicks by itself, or
/// takes away: enough to show where its kicks are in resonance with the vibration.
constexpr double probe = 0.01;
/// Steps so much shorter or longer than an unstable one are near it.
constexpr double margin = 1.1;

std::vector<double> curvatures(const Vibration& vibration, const ForcePlan& forces,
                               const Word& word, double other) {
    std::vector<double> all = vibration.share;
    const bool by_level = std::any_of(word.begin(), word.end(), [](const Flow& flow) {
        return flow.kind == FlowKind::kick && flow.level != all_levels;
    });
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool has_others = by_level && forces.has(static_cast<ForceLevel>(k) + 1);
        if (!(all[k] > 1e-6) && has_others) all[k] = other;
        all[k] *= vibration.frequency * vibration.frequency;
    }
    return all;
}

/// With slow forces that pull back and with such that push away: a liquid has both.
std::vector<StepRange> unstable_steps(const Vibration& vibration, const ForcePlan& forces,
                                      const Word& word, double longest) {
    std::vector<StepRange> all;
    for (const double other : {probe, -probe})
        for (const StepRange& range :
             unstable_steps(word, curvatures(vibration, forces, word, other), longest))
            all.push_back(range);
    std::sort(all.begin(), all.end(), [](auto& a, auto& b) { return a.from < b.from; });
    std::vector<StepRange> joined;
    for (const StepRange& range : all)
        if (joined.empty() || range.from > joined.back().to + 0.005 * longest)
            joined.push_back(range);
        else
            joined.back().to = std::max(joined.back().to, range.to);
    return joined;
}

} // namespace

StepReport report_step(const StagePlan& plan, const Integrator* integrator, const ForcePlan& forces,
                       const Vibration& vibration, const Topology& topology) {
    const auto* method = dynamic_cast<const Composition*>(integrator);
    if (method == nullptr) return {};
    const double dt = method->dt(), period = 2.0 * std::numbers::pi / vibration.frequency;
    const double longest = std::max(2.0 * dt, period);
    const auto unstable = unstable_steps(vibration, forces, method->word(), longest);
    std::vector<std::string> ranges;
    for (const StepRange& range : unstable)
        ranges.push_back(range.to < longest ? fmt::format("{:.4g} to {:.4g}", range.from, range.to)
                                            : fmt::format("from {:.4g} on", range.from));
    const std::string name = plan.integrator.text("method"),
                      fastest =
                          fmt::format("the fastest vibration by bonded forces (period "
                                      "{:.4g}, of atoms {})",
                                      period, fmt::join(topology.called(vibration.atoms), " and "));
    StepReport report;
    report.note = fmt::format("dt = {} of {} is 1/{:.3g} of {}", dt, name, period / dt, fastest);
    if (!unstable.empty())
        report.note += fmt::format("; unstable for it: {}", fmt::join(ranges, ", "));
    for (const StepRange& range : unstable) {
        if (margin * range.to < dt || range.from > margin * dt) continue;
        report.warning =
            fmt::format("{}dt = {} ({} {} unstable for {}: {}); use a dt below {:.2g}",
                        plan.name.empty() ? "" : fmt::format("stage {}: ", plan.name), dt, name,
                        range.from > dt ? "with a dt less than 10 % longer is"
                        : range.to < dt ? "with a dt less than 10 % shorter is"
                                        : "is",
                        fastest, fmt::join(ranges, ", "), unstable.front().from / margin);
        break;
    }
    return report;
}

} // namespace shadow
