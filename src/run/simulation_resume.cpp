// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include <fmt/format.h>

/// What comes back from a checkpoint, and what an input may not change then.
namespace shadow {

namespace {
/// Of the names under which a checkpoint has what belongs to a stage.
std::string prefix_of(std::size_t stage) {
    return fmt::format("stage_{}_", stage);
}

std::size_t stages_begun(const std::map<std::string, std::vector<std::int64_t>>& progress) {
    std::size_t begun = 0;
    for (const auto& [name, numbers] : progress)
        if (name.starts_with("stage_") && name.ends_with("_progress")) begun += numbers.at(0) != 0;
    return begun;
}
} // namespace

/// What `restore_stage` reads, beside `progress`.
template <int Dim>
void Simulation<Dim>::store_stage(std::size_t k, Checkpoint<Dim>& checkpoint) {
    const StageType& stage = stages_[k];
    const std::string prefix = prefix_of(k);
    if (stage.begun) {
        for (auto& [name, numbers] : stage.recorder->state())
            checkpoint.numbers[prefix + name] = numbers;
        checkpoint.numbers[prefix + "fluctuations"] = stage.fluctuations.state();
        checkpoint.numbers[prefix + "configurational"] = stage.configurational.state();
        for (std::size_t t = 0; t < stage.until.targets().size(); ++t)
            checkpoint.integers[prefix + "until_" + stage.until.targets()[t].quantity] = {
                stage.until.since()[t]};
    }
    checkpoint.numbers[prefix + "times"] = {stage.first_time, stage.time};
    const StageStart& start = stage.start;
    checkpoint.numbers[prefix + "start"] = {start.kinetic, start.removed, start.translation,
                                            start.rotation};
    checkpoint.integers[prefix + "arrays"] = {stage.recorder->array_start(), stage.settled};
    if (stage.minimiser) {
        const FireState fire = stage.minimiser->state();
        checkpoint.numbers["fire"] = {fire.step_size, fire.mixing};
        checkpoint.integers["fire"] = {fire.downhill};
    }
}

/// False: the checkpoint does not know it, the stage has been added since.
template <int Dim>
bool Simulation<Dim>::restore_stage(std::size_t k, const Checkpoint<Dim>& checkpoint) {
    StageType& stage = stages_[k];
    const std::string prefix = prefix_of(k);
    if (!checkpoint.integers.contains(prefix + "progress")) return false;
    const auto& reached = checkpoint.integers.at(prefix + "progress");
    stage.begun = reached.at(0) != 0;
    stage.first_step = reached.at(2);
    stage.steps_done = reached.at(3);
    stage.observed = reached.at(4) != 0;
    stage.converged = reached.at(1) != 0;
    stage.done = stage.complete();
    const auto& times = checkpoint.numbers.at(prefix + "times");
    stage.first_time = times.at(0);
    stage.time = times.at(1);
    // Not there: of a version that did not ask.
    if (const auto start = checkpoint.numbers.find(prefix + "start");
        start != checkpoint.numbers.end()) {
        const std::vector<double>& numbers = start->second;
        stage.start = {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3)};
    }
    if (!stage.begun) return true;
    std::map<std::string, std::vector<double>> state;
    for (const auto& [name, numbers] : checkpoint.numbers)
        if (name.starts_with(prefix)) state[name.substr(prefix.size())] = numbers;
    stage.recorder->restore(state);
    stage.fluctuations.restore(state.at("fluctuations"));
    stage.configurational.restore(state.at("configurational"));
    restore_until(stage, prefix, checkpoint);
    restore_arrays(stage, checkpoint.integers.at(prefix + "arrays"));
    system_->set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    return true;
}

template <int Dim>
void Simulation<Dim>::resume() {
    const Checkpoint<Dim> checkpoint =
        read_checkpoint<Dim>(checkpoint_path(plan_.output.prefix), name(plan_.compute.precision));
    refuse_changed_past(checkpoint);
    refuse_other_results(checkpoint);
    if (checkpoint.texts.contains("start")) start_digest_ = checkpoint.texts.at("start").at(0);
    if (restore_tuning(checkpoint)) {
        const Box<Dim> box = system_->box();
        system_.reset();
        settle(box, checkpoint.state.snapshot);
    }
    system_->restore(checkpoint.state);
    stage_ = 0;
    for (std::size_t k = 0; k < stages_.size() && restore_stage(k, checkpoint); ++k)
        if (stages_[k].begun) stage_ = k;
    if (checkpoint.numbers.contains("fire")) {
        fire_state_.step_size = checkpoint.numbers.at("fire").at(0);
        fire_state_.mixing = checkpoint.numbers.at("fire").at(1);
        fire_state_.downhill = checkpoint.integers.at("fire").at(0);
    }
    refuse_changed_stages();
    if (checkpoint.numbers.contains("conserved_at_start"))
        resumed_reference_ = checkpoint.numbers.at("conserved_at_start").at(0);
    if (checkpoint.numbers.contains("watch")) watch_.restore(checkpoint.numbers.at("watch"));
    saved_step_ = good_step_ = system_->step();
    saved_progress_ = progress();
    // Until one is written: building and reading the system takes longer than that.
    wall_time_.note_checkpoint(wall_time_.elapsed());
}

template <int Dim>
void Simulation<Dim>::refuse_changed_past(const Checkpoint<Dim>& checkpoint) const {
    const std::filesystem::path path = checkpoint_path(plan_.output.prefix);
    const auto refuse = [&](const std::string& why) {
        throw InputError(
            fmt::format("{}: this is the checkpoint of another run ({}); undo that, or "
                        "start anew with another `output.prefix`",
                        path.string(), why));
    };
    const std::string why = changed_past(Identity::of_text(checkpoint.input), identity_,
                                         stages_begun(checkpoint.integers));
    if (!why.empty()) refuse(why);
    const std::size_t particles = checkpoint.state.snapshot.size();
    if (particles != static_cast<std::size_t>(system_->size()))
        refuse(fmt::format("it has {} particles, the input {}", particles, system_->size()));
    const Box<Dim>& box = system_->box();
    if (checkpoint.box &&
        ((checkpoint.box->lengths() != box.lengths() && !box_changes()) ||
         checkpoint.box->periodic() != box.periodic() || checkpoint.box->origin() != box.origin()))
        refuse("it has another box, as the file of the start may have now");
    if (const std::string change = changed_terms(checkpoint.topology, topology_); !change.empty())
        refuse(change);
    if (const std::string change = changed_coefficients(checkpoint.topology, topology_);
        !change.empty())
        refuse(change);
    if (checkpoint.topology.excluded != topology_.excluded)
        refuse("pairs of other particles are excluded");
    if (checkpoint.topology.scaled != topology_.scaled)
        refuse("pairs of other particles are scaled, or by other factors");
}

/// Of what older versions do not say, nothing is known.
template <int Dim>
void Simulation<Dim>::refuse_other_results(const Checkpoint<Dim>& checkpoint) const {
    const auto results = origin_of_results(plan_.output.prefix);
    if (!results) return;
    const auto refuse = [&](const std::string& what, const std::string& why) {
        throw InputError(fmt::format("{}: these results are {} than {} ({}); bring back those that "
                                     "belong to it, or start anew with another `output.prefix`",
                                     result_path(plan_.output.prefix).string(), what,
                                     checkpoint_path(plan_.output.prefix).string(), why));
    };
    if (!results->past.empty()) {
        // Results are written first, and may know of stages what the checkpoint does not know yet.
        const Identity of_results = Identity::of_text(results->past);
        const Identity of_checkpoint = Identity::of_text(checkpoint.input);
        const std::size_t begun = stages_begun(checkpoint.integers);
        const std::string why = changed_past(of_results, of_checkpoint, begun);
        if (!why.empty() && !changed_past(of_checkpoint, of_results, begun).empty())
            refuse("of another run", why);
    }
    if (!results->precision.empty() && results->precision != checkpoint.precision)
        refuse("of another run", fmt::format("they are in {} precision, the checkpoint in {}",
                                             results->precision, checkpoint.precision));
    const auto start = checkpoint.texts.find("start");
    if (!results->start.empty() && start != checkpoint.texts.end() &&
        results->start != start->second.at(0))
        refuse("of another run", "it began elsewhere");
    const std::int64_t step = checkpoint.state.snapshot.step;
    if (results->checkpoint_step.value_or(step) < step)
        refuse("older", fmt::format("they are of step {}, the checkpoint is of step {}",
                                    *results->checkpoint_step, step));
}

/// A stage that ended by its errors is measured against those of this input, which may be others.
template <int Dim>
void Simulation<Dim>::restore_until(StageType& stage, const std::string& prefix,
                                    const Checkpoint<Dim>& checkpoint) {
    const std::vector<Estimate> estimates = stage.awaited();
    bool reached = !estimates.empty();
    for (std::size_t t = 0; t < estimates.size(); ++t) {
        const auto since =
            checkpoint.integers.find(prefix + "until_" + stage.until.targets()[t].quantity);
        const bool passes = stage.until.passes(t, estimates[t]);
        if (since != checkpoint.integers.end() && passes)
            stage.until.restore(t, since->second.at(0));
        reached = reached && passes;
    }
    if (stage.integrator) stage.converged = stage.converged && reached;
    stage.done = stage.complete();
}

/// Stages before the one that goes on must be as long as they were.
template <int Dim>
void Simulation<Dim>::refuse_changed_stages() const {
    for (std::size_t k = 0; k < stage_; ++k) {
        const StageType& stage = stages_[k];
        if (stage.converged || stage.steps_done == stage.plan.steps) continue;
        const std::string has =
            stage.plan.until.empty()
                ? fmt::format("has {} steps but ended after {}", stage.plan.steps, stage.steps_done)
                : fmt::format("has smaller errors in until than those with which it ended after {} "
                              "steps",
                              stage.steps_done);
        throw InputError(fmt::format("stage \"{}\" {} (a stage cannot change once the next has "
                                     "begun); give it its {} back, or start anew",
                                     stage.plan.name, has,
                                     stage.plan.until.empty()
                                         ? fmt::format("{} steps", stage.steps_done)
                                         : std::string("errors")));
    }
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;
} // namespace shadow
