// SPDX-License-Identifier: BSD-3-Clause
#include "stage.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>

namespace shadow {
namespace {

/// Multiples of `every` measured before step `steps` of a stage.
std::int64_t samples_before(std::int64_t first_step, std::int64_t steps, std::int64_t every) {
    const auto up = [every](std::int64_t step) { return (step + every - 1) / every; };
    return up(first_step + steps) - up(first_step);
}

} // namespace

double SlowMotion::memory() const {
    double longest = 0.0;
    for (const auto& [name, steps] : correlation_steps) longest = std::max(longest, steps);
    return 2.0 * longest;
}

std::string SlowMotion::warning(std::int64_t steps) const {
    for (const auto& [name, each] : correlation_steps) {
        const double times = static_cast<double>(steps) / each;
        if (times < Estimate::min_independent)
            return fmt::format("{} has only {:.0f} independent samples in the same time: this "
                               "error is probably too small",
                               name, times);
    }
    return "";
}

template <int Dim>
std::vector<Quantity> Stage<Dim>::quantities() const {
    std::vector<Quantity> all = recorder->quantities();
    std::erase_if(all, [this](const Quantity& q) {
        return std::find(hidden.begin(), hidden.end(), q.name) != hidden.end();
    });
    return all;
}

template <int Dim>
std::int64_t Stage<Dim>::steady_from() const {
    constexpr std::int64_t never = std::int64_t{1} << 60;
    const double steps = std::ceil((forces_steady_from - first_time) / integrator->dt() - 1e-9);
    std::int64_t forces = 0;
    if (steps > 0.0) forces = steps < 1e15 ? static_cast<std::int64_t>(steps) : never;
    return std::max(integrator->steady_from(), forces);
}

template <int Dim>
bool Stage<Dim>::lacks_bonds(const std::string& quantity) const {
    return std::abs(step_report.balanced - 1.0) > 0.1 &&
           (quantity == "pressure" || quantity.starts_with("pressure_") ||
            quantity == "thermal_pressure_coefficient");
}

template <int Dim>
std::string Stage<Dim>::ensemble() const {
    if (!takes_time()) return "";
    const auto kT = integrator->bath_kT();
    if (kT == 0.0) return "damped motion";
    if (first_time < forces_steady_from)
        return kT ? "driven by a field, with a bath" : "driven by a field";
    std::string text = integrator->pressure() ? "NPT" : kT ? "NVT" : "NVE";
    if (const double rate = integrator->shear_rate(); rate != 0.0)
        text = fmt::format("in shear at a rate of {} along {} by {}, {} a bath", rate,
                           plan.shear->text("flow", "x"), plan.shear->text("gradient", "y"),
                           kT ? "with" : "without");
    else if (integrator->deforms())
        text = fmt::format("in a box that is deformed, {} a bath", kT ? "with" : "without");
    else if (!integrator->samples_ensemble())
        text = kT ? "held near a temperature (no ensemble)" : "losing energy to its steps";
    const auto& [linear, angular] = conserved;
    const auto kept = std::count(linear.begin(), linear.end(), true);
    if (kept == 0) return text + ", total momentum fluctuates";
    std::string along;
    for (std::size_t d = 0; d < Dim && kept < Dim; ++d)
        if (linear[d]) along += fmt::format("{}{}", along.empty() ? " along " : " and ", "xyz"[d]);
    const auto say = [&](const std::string& what, double energy) {
        text += fmt::format(", {} {}", what,
                            energy > StageStart::noteworthy * start.kinetic ? "conserved" : "zero");
    };
    say("total momentum" + along, start.translation);
    if (std::count(angular.begin(), angular.end(), true) > 0)
        say("angular momentum", start.rotation);
    return text;
}

template <int Dim>
std::int64_t Stage<Dim>::min_discarded(const std::string& quantity) const {
    const std::int64_t every = recorder->interval(quantity), ramp = steady_from();
    std::int64_t least = ramp < steps_done ? samples_before(first_step, ramp, every) : 0;
    if (boosts()) {
        // A start far from equilibrium may carry all the weight, and some quantities do not show
        // it.
        const char* boost = "boost_energy";
        const std::int64_t steps =
            equilibration(recorder->statistics(boost)->values) * recorder->interval(boost);
        least = std::max(least, (steps + every - 1) / every);
    }
    return least;
}

template <int Dim>
Estimate Stage<Dim>::settled_estimate(const std::string& quantity, double memory) const {
    const BlockedSeries& values = recorder->statistics(quantity)->values;
    if (!plan.equilibration)
        return shadow::settled_estimate(values, min_discarded(quantity), memory);
    const std::int64_t every = recorder->interval(quantity);
    return shadow::estimate(values, samples_before(first_step, *plan.equilibration, every), memory);
}

template <int Dim>
std::int64_t Stage<Dim>::before_arrays(const std::string& quantity) const {
    return samples_before(first_step,
                          std::max(recorder->array_start() - first_step, std::int64_t{0}),
                          recorder->interval(quantity));
}

template <int Dim>
std::optional<Estimate> Stage<Dim>::estimate(const std::string& quantity,
                                             const SlowMotion& slow) const {
    if (!recorder->statistics(quantity)) return std::nullopt;
    return settled_estimate(quantity,
                            slow.memory() / static_cast<double>(recorder->interval(quantity)));
}

template <int Dim>
auto Stage<Dim>::boost_weights() const -> std::optional<Weights> {
    if (!boosts()) return std::nullopt;
    const BlockedSeries& all = recorder->statistics("boost_energy")->values;
    const Estimate e = settled_estimate("boost_energy");
    const BlockedSeries rest = all.after(all.blocks_for(e.discarded));
    const double nothing = 1e-6 * *integrator->bath_kT(); // negligible in an exponent
    const auto acts = [&](const Moments& block) { return std::abs(block.mean()) > nothing; };
    if (std::none_of(all.blocks().begin(), all.blocks().end(), acts) || rest.blocks().empty())
        return std::nullopt;
    double sum = 0.0, squares = 0.0;
    if (!(rest.total().weight() > 0.0))
        return Weights{0.0, 0.0}; // all weight was in the discarded
                                  // start
    for (const Moments& block : rest.blocks()) {
        sum += block.weight();
        squares += block.weight() * block.weight();
    }
    const double part = sum * sum / (squares * static_cast<double>(rest.blocks().size()));
    // Of n independent samples a weighted mean has n part; the support is n part^4.
    if (!(e.error > 0.0)) return Weights{part, 1.0}; // one row has all the weight
    return Weights{part, e.independent_samples * part * part * part};
}

template <int Dim>
std::vector<std::string> Stage<Dim>::slow_quantities() const {
    std::vector<std::string> all;
    for (const char* name :
         {"temperature", "potential_energy", "volume", "length_x", "length_y", "length_z"})
        if (recorder->statistics(name)) all.emplace_back(name);
    return all;
}

template <int Dim>
SlowMotion Stage<Dim>::slow_motion() const {
    SlowMotion slow;
    for (const std::string& name : slow_quantities()) {
        const Estimate e = settled_estimate(name);
        if (e.samples > 1 && e.error > 0.0)
            slow.correlation_steps.emplace_back(
                name, e.inefficiency * static_cast<double>(recorder->interval(name)));
    }
    return slow;
}

template <int Dim>
std::vector<Estimate> Stage<Dim>::awaited() const {
    const SlowMotion slow = slow_motion();
    std::vector<Estimate> all;
    for (const ErrorTarget& target : until.targets())
        all.push_back(*estimate(target.quantity, slow));
    return all;
}

template <int Dim>
double Stage<Dim>::volume() const {
    return std::accumulate(lengths.begin(), lengths.end(), 1.0, std::multiplies<>());
}

template <int Dim>
void Stage<Dim>::take(const RecordBatch& batch) {
    std::vector<double> consistent(batch.values.begin(), batch.values.end());
    for (double& value : consistent) value /= batch.factor;
    fluctuations.take(batch.quantity.name, consistent, batch.log_weights);
    configurational.take(batch.quantity.name, batch.values, batch.log_weights);
    if (batch.quantity.name != "momentum") return;
    for (std::size_t row = 0; row < batch.steps.size(); ++row) {
        double square = 0.0;
        for (std::size_t d = 0; d < Dim; ++d)
            if (!conserved.linear[d]) square += std::pow(consistent[row * Dim + d], 2);
        whole_motion.add(square);
    }
}

template <int Dim>
void Stage<Dim>::settle_arrays(std::int64_t now) {
    if (plan.equilibration || !recorder->has_arrays()) return;
    const std::int64_t ramp = steady_from(), end = first_step + ramp;
    if (ramp < plan.steps && recorder->array_start() < end && now + 1 >= end) {
        recorder->restart_arrays(now);
        settled = false;
        return;
    }
    const std::int64_t since = steps_done < ramp ? 0 : ramp; // arrays have dropped what is before
    if (settled || !is_look(steps_done - since, recorder->interval("temperature"))) return;
    recorder->flush();
    std::int64_t beginning = 0;
    for (const std::string& name : slow_quantities()) {
        const BlockedSeries& all = recorder->statistics(name)->values;
        const std::int64_t every = recorder->interval(name);
        const std::size_t before = all.blocks_for(samples_before(first_step, since, every));
        beginning = std::max(beginning, equilibration(all.after(before)) * every);
    }
    if (2 * beginning > steps_done - since) return;
    settled = true;
    if (beginning > 0) recorder->restart_arrays(now);
}

template struct Stage<1>;
template struct Stage<2>;
template struct Stage<3>;

} // namespace shadow
