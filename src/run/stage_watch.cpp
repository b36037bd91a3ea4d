// SPDX-License-Identifier: BSD-3-Clause
#include "stage_watch.hpp"

#include "stage_driver.hpp"
#include "start_check.hpp"

#include "shadow/system/nearest_partner.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

template <int Dim>
bool is_finite(const Snapshot<Dim>& now) {
    return std::all_of(now.position.begin(), now.position.end(), [](const auto& x) {
        return std::all_of(x.begin(), x.end(), [](double c) { return std::isfinite(c); });
    });
}

} // namespace

template <int Dim>
EnergyLook StageWatch<Dim>::measure(Stage<Dim>& stage) const {
    const std::map<std::string, double> thermo = measure_thermo(run_, stage);
    return {run_.system->step(), thermo.at("kinetic_energy"), thermo.at("potential_energy"),
            thermo.at("conserved_energy")};
}

template <int Dim>
void StageWatch<Dim>::begin(Stage<Dim>& stage) {
    watch_ = {};
    if (!stage.takes_time()) return;
    const double kT = stage.integrator->bath_kT().value_or(0.0);
    watch_.begin(measure(stage), 0.5 * kT * stage.degrees_of_freedom, !run_.model.forces.constant(),
                 stage.degrees_of_freedom);
}

template <int Dim>
void StageWatch<Dim>::look_now(Stage<Dim>& stage) {
    stage.recorder->flush();
    if (!watch_.begun()) return;
    if (watch_.last_good().step < run_.system->step() &&
        !watch_.plausible(run_.system->kinetic_energy())) {
        EnergyWatch watch = watch_;
        const SystemState<Dim> state = run_.system->state();
        watch.look(measure(stage));
        watch.exploded() ? void(watch_ = watch) : run_.system->restore(state);
    }
    refuse_explosion();
}

/// Describes the particle with the largest force, with its nearest partner if pairs interact. This
/// pair started the explosion for certain only if the previous step was good.
template <int Dim>
std::string StageWatch<Dim>::largest_force(const Snapshot<Dim>& now) const {
    const auto largest = run_.system->largest_force();
    const std::int64_t step = run_.system->step();
    const Partner partner = nearest_partner(now, run_.system->box(), largest.id);
    const std::string acting = run_.model.forces.name_where(
        [](const auto& force) { return force.template claims<Dim>().members > 1; });
    if (acting.empty() || !std::isfinite(partner.distance))
        return fmt::format("; at step {} the largest force is that on particle {}", step,
                           largest.id);
    if (watch_.last_good().step + 1 == step)
        return fmt::format("; at step {} particles {} and {} are at distance {:.4g}", step,
                           largest.id, partner.id, partner.distance);
    return fmt::format("; when it is seen, at step {}, the largest force is that on particle {}, "
                       "at distance {:.4g} from {}: it may have begun elsewhere",
                       step, largest.id, partner.distance, partner.id);
}

/// Names the particle with the largest force if positions are still finite, and infinite forces if
/// they may be the cause. A step that is too long for the known forces is named.
template <int Dim>
SimulationError StageWatch<Dim>::explosion() const {
    if (const std::string left = run_.system->escape(); !left.empty()) return SimulationError(left);
    if (const std::string box = box_failure(run_); !box.empty()) return SimulationError(box);
    std::string more;
    const Snapshot<Dim> now = run_.system->snapshot();
    const bool finite = is_finite(now);
    bool infinite = !finite;
    if (finite) {
        infinite = !std::isfinite(run_.system->largest_force().force);
        more = largest_force(now);
    }
    if (infinite) more += run_.system->infinite_forces();
    const StepReport& steps = run_.stages.at(run_.stage).step_report;
    if (!steps.blame.empty())
        return SimulationError(
            watch_.explosion(more, steps.swings && !infinite ? "swings" : "explodes") + "; " +
            steps.blame);
    return SimulationError(watch_.explosion(more) + "; use a smaller dt, " +
                           (run_.system->box_moves() ? "give the barostat a longer period, " : "") +
                           "or equilibrate the start first");
}

template <int Dim>
SimulationError StageWatch<Dim>::cause_of(const SimulationError& error) {
    if (run_.stage >= run_.stages.size()) return error;
    const bool told = watch_.exploded();
    if (!told) run_.stages[run_.stage].recorder->flush();
    const SimulationError cause = !told && watch_.exploded() ? explosion() : error;
    const bool known = run_.system && is_finite(run_.system->snapshot()); // there is no system
                                                                          // during a self-test
    const double coarse = known ? run_.coarseness_now() : 0.0;
    if (!(coarse > coarse_enough_to_fail)) return cause;
    return SimulationError(
        fmt::format("{}; first set compute.precision = \"double\", as groups of particles are far "
                    "apart (distances of neighbours are good to {:.1g} of them there)",
                    cause.what(), coarse));
}

template <int Dim>
void StageWatch<Dim>::take(const RecordBatch& batch) {
    const std::string& name = batch.quantity.name;
    // These precede the conserved quantity in the rows of thermo.
    if (name == "kinetic_energy") kinetic_.assign(batch.values.begin(), batch.values.end());
    if (name == "potential_energy") potential_.assign(batch.values.begin(), batch.values.end());
    if (name != "conserved_energy") return;
    for (std::size_t row = 0; row < batch.steps.size(); ++row)
        watch_.look({batch.steps[row], kinetic_[row], potential_[row], batch.values[row]});
}

template <int Dim>
void StageWatch<Dim>::refuse_explosion() const {
    if (watch_.exploded()) throw explosion();
}

template <int Dim>
void StageWatch<Dim>::store(Checkpoint<Dim>& checkpoint) const {
    if (watch_.begun()) checkpoint.numbers["watch"] = watch_.state();
}

template <int Dim>
void StageWatch<Dim>::restore(const Checkpoint<Dim>& checkpoint) {
    if (!checkpoint.numbers.contains("watch") || run_.stage >= run_.stages.size()) return;
    watch_.restore(checkpoint.numbers.at("watch"), run_.stages[run_.stage].degrees_of_freedom);
}

template class StageWatch<1>;
template class StageWatch<2>;
template class StageWatch<3>;

} // namespace shadow
