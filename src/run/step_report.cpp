// SPDX-License-Identifier: BSD-3-Clause
#include "step_report.hpp"

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/step_stability.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <vector>

namespace shadow {
namespace {

/// Contribution, relative to the square of the frequency, of a level without bonded forces that
/// kicks separately, of either sign: enough to show where its kicks are in resonance with the
/// vibration.
constexpr double probe = 0.01;
/// A step is near an unstable one if they differ by less than this factor.
constexpr double margin = 1.1;

bool kicks_by_level(const Word& word) {
    return std::any_of(word.begin(), word.end(),
                       [](const Flow& flow) { return flow.is_kick() && flow.level != all_levels; });
}

std::vector<double> curvatures(const Vibration& vibration, const ForcePlan& forces,
                               const Word& word, double other) {
    std::vector<double> all = vibration.share;
    const bool by_level = kicks_by_level(word);
    for (std::size_t k = 0; k < all.size(); ++k) {
        const bool has_others = by_level && forces.has(static_cast<ForceLevel>(k) + 1);
        if (!(all[k] > 1e-6) && has_others) all[k] = other;
        all[k] *= vibration.frequency * vibration.frequency;
    }
    return all;
}

/// With attractive and with repulsive curvature of the slow forces: a liquid has both.
std::vector<StepRange> unstable_steps(const Vibration& vibration, const ForcePlan& forces,
                                      const Word& word, double longest,
                                      const std::string& mollifier) {
    std::vector<StepRange> all;
    for (const double other : {probe, -probe})
        for (const StepRange& range :
             unstable_steps(word, curvatures(vibration, forces, word, other), longest, mollifier))
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

/// The verb for a step that is unstable, or nearly so: "is", "with a dt less than 10 % longer is"
/// ...
std::string nearness(const StepRange& range, double dt) {
    if (margin * range.to < dt || range.from > margin * dt) return "";
    return range.from > dt ? "with a dt less than 10 % longer is"
           : range.to < dt ? "with a dt less than 10 % shorter is"
                           : "is";
}

std::string in_words(const std::vector<StepRange>& ranges, double longest) {
    std::vector<std::string> words;
    for (const StepRange& range : ranges)
        words.push_back(range.to < longest ? fmt::format("{:.4g} to {:.4g}", range.from, range.to)
                                           : fmt::format("from {:.4g} on", range.from));
    return fmt::format("{}", fmt::join(words, ", "));
}

/// For a method that kicks with the other forces once in several steps of the vibration.
double balanced_part(const Vibration& vibration, const ForcePlan& forces, const Word& word,
                     double dt, const std::string& mollifier) {
    const std::vector<double> curvature = curvatures(vibration, forces, word, 0.0);
    const auto own = std::max_element(curvature.begin(), curvature.end()) - curvature.begin() + 1;
    bool has_others = false;
    for (ForceLevel level = 1; level <= static_cast<ForceLevel>(curvature.size()); ++level)
        has_others = has_others || (level != own && forces.has(level));
    return has_others ? balance_at_whole_steps(word, curvature, dt, mollifier) : 1.0;
}

std::string unbalanced(double part, const std::string& method, const std::string& stage) {
    if (std::abs(part - 1.0) < 0.01) return "";
    return fmt::format("{}pressure and energies of bonds under {} (at full steps, where slow "
                       "forces kick, the fastest vibration balances {:.2g} of them on average, not "
                       "1); take molecular-pressure, or a smaller dt",
                       stage, method, part);
}

/// "vibration by bonded forces (period 0.1, of atoms 3 and 4)"
std::string in_words(const Vibration& vibration, const Topology& topology) {
    const std::string of =
        vibration.is_of_molecules()
            ? fmt::format("atoms {}", fmt::join(topology.called(vibration.atoms), " and "))
            : "species " + vibration.species;
    return fmt::format("vibration by {} (period {:.4g}, of {})",
                       fmt::join(vibration.forces, " and "),
                       2.0 * std::numbers::pi / vibration.frequency, of);
}

/// The longest time between two kicks with motion between them: the last kicks of a step and the
/// first of the next are one.
double time_between_kicks(const Integrator& integrator, ForceLevel level) {
    double longest = 0.0, first = -1.0, sum = 0.0;
    for (const Flow& flow : integrator.word()) {
        if (flow.is_kick() && (flow.level == level || flow.level == all_levels))
            sum += std::abs(flow.fraction);
        if (!flow.moves()) continue;
        longest = std::max(longest, sum);
        if (first < 0.0) first = sum;
        sum = 0.0;
    }
    longest = std::max(longest, sum + std::max(first, 0.0));
    return integrator.dt() * (longest > 0.0 ? std::min(1.0, longest) : 1.0);
}

/// The step relative to the time of an oscillation or (without inertia) of a relaxation, in words.
std::string compared(double dt, double time, bool swings) {
    if (time < dt)
        return fmt::format("{:.3g} {} of", dt / time, swings ? "periods" : "relaxations");
    return fmt::format("1/{:.3g} of{}", time / dt, swings ? "" : " the relaxation of");
}

} // namespace

StepReport report_step(const StagePlan& plan, const Integrator& integrator, const ForcePlan& forces,
                       const std::vector<Vibration>& vibrations, const Topology& topology) {
    if (vibrations.empty()) return {};
    const Word& word = integrator.word();
    const std::string mollifier = integrator.mollifier();
    const double dt = integrator.own_step(), flow_time = integrator.flow_time();
    const bool swings = integrator.moves_with_momenta();
    const std::string name = plan.integrator.text("method"),
                      stage = plan.name.empty() ? "" : fmt::format("stage {}: ", plan.name);
    StepReport report;
    const auto molecules = std::find_if(vibrations.begin(), vibrations.end(),
                                        [](const Vibration& v) { return v.has_bonds_alone(); });
    if (molecules != vibrations.end() && swings) {
        report.balanced = balanced_part(*molecules, forces, word, dt, mollifier);
        report.balance = unbalanced(report.balanced, name, stage);
    }
    for (const Vibration& vibration : vibrations) {
        const bool fastest = &vibration == &vibrations.front();
        const double period = 2.0 * std::numbers::pi / vibration.frequency;
        const double longest_flow = std::max(2.0 * flow_time, period);
        auto unstable = unstable_steps(vibration, forces, word, longest_flow, mollifier);
        for (StepRange& range : unstable)
            range = {integrator.step_of(range.from), integrator.step_of(range.to)};
        const double longest = integrator.step_of(longest_flow);
        const std::string said = in_words(unstable, longest),
                          whose = (fastest ? "the fastest " : "a ") + in_words(vibration, topology);
        if (fastest) {
            const double time =
                swings ? period : 2.0 * integrator.step_of(1.0 / vibration.frequency);
            report.note = fmt::format("{}dt = {} of {} is {} {}", stage, dt, name,
                                      compared(dt, time, swings), whose);
            if (!unstable.empty()) report.note += fmt::format("; unstable for it: {}", said);
            report.swings =
                swings && !kicks_by_level(word) && flow_time * vibration.frequency > 1.0;
            if (report.swings)
                report.blame = report.note.substr(stage.size()) + "; use a smaller dt";
        }
        for (const StepRange& range : unstable) {
            const std::string near = nearness(range, dt);
            if (near.empty()) continue;
            const double stable = unstable.front().from / margin;
            report.blame = fmt::format("dt = {} ({} {} unstable for {}: {}); use a dt below {:.2g}",
                                       dt, name, near, whose, said, stable);
            report.warning = stage + report.blame;
            report.swings = report.swings && range.from > dt;
            return report;
        }
    }
    return report;
}

std::string fast_bath(const StagePlan& plan, const Integrator& integrator,
                      double degrees_of_freedom) {
    const double period = integrator.bath_period(degrees_of_freedom);
    if (period == 0.0 || !(integrator.dt() > 0.1 * period)) return "";
    const bool by_mass = integrator.has_bath_variables();
    return fmt::format(
        "{}dt = {} is {:.2g} of the period of the bath variable, {}{:.3g} (it needs a tenth); use "
        "a {}, or a smaller dt",
        plan.prefix(), integrator.dt(), integrator.dt() / period,
        by_mass ? "2 pi sqrt(Q / 2 f kT) = " : "", period,
        by_mass ? "larger mass or period" : "longer period");
}

std::string fast_waves(const StagePlan& plan, const Integrator& integrator,
                       const ForcePlan& forces) {
    if (!integrator.takes_time()) return "";
    for (const FieldDescription& field : forces.of<FieldDescription>()) {
        const double between = time_between_kicks(integrator, field.level);
        const double left = std::abs(field.modulation.kept_by_means(between));
        if (left > 0.9) continue;
        return fmt::format(
            "{}the modulation of {} changes within a step: {} kicks with its mean over {:.3g}, in "
            "which {:.2g} of it is left (a wave needs some steps a period); use a smaller dt, or a "
            "longer period",
            plan.prefix(), field.name, plan.integrator.text("method"), between, left);
    }
    return "";
}

/// A pair exchanges if it is the first one of both particles: one step in 2 n - 1 for n partners.
std::string crowded_pairs(const StagePlan& plan, const Integrator& integrator, double partners) {
    double longest = 0.0;
    for (const Flow& flow : integrator.word())
        if (flow.bath == BathKind::pair_exchange)
            longest = std::max(longest, flow.fraction * integrator.dt());
    const double chance = integrator.bath_rate() * longest * (2.0 * partners - 1.0);
    if (!(chance > 1.0)) return "";
    return fmt::format(
        "{}particles have some {:.3g} partners within radius = {}, of which one at most exchanges "
        "in a step (a pair does so with a rate of at most {:.3g}, not {:.3g}); use a smaller dt, a "
        "smaller radius or a smaller rate",
        plan.prefix(), partners, integrator.pair_radius(), integrator.bath_rate() / chance,
        integrator.bath_rate());
}

} // namespace shadow
