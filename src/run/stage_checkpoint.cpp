// SPDX-License-Identifier: BSD-3-Clause
#include "stage.hpp"

#include "shadow/core/log.hpp"

#include <fmt/format.h>

/// The data of stages in a checkpoint.
namespace shadow {
namespace {

/// Prefix of the names of a stage's data in a checkpoint.
std::string prefix_of(std::size_t stage) {
    return fmt::format("stage_{}_", stage);
}

} // namespace

template <int Dim>
StageProgress progress_of(const std::vector<Stage<Dim>>& stages) {
    StageProgress all;
    for (std::size_t k = 0; k < stages.size(); ++k) {
        const Stage<Dim>& stage = stages[k];
        all[fmt::format("stage_{}_progress", k)] = {stage.begun, stage.converged, stage.first_step,
                                                    stage.steps_done, stage.observed};
    }
    return all;
}

template <int Dim>
std::vector<double> lengths_at_start(const Checkpoint<Dim>& checkpoint, std::size_t stage) {
    const auto found = checkpoint.numbers.find(prefix_of(stage) + "box");
    return found == checkpoint.numbers.end() ? std::vector<double>{} : found->second;
}

std::size_t stages_begun(const StageProgress& progress) {
    std::size_t begun = 0;
    for (const auto& [name, numbers] : progress)
        if (name.starts_with("stage_") && name.ends_with("_progress")) begun += numbers.at(0) != 0;
    return begun;
}

template <int Dim>
void Stage<Dim>::store(std::size_t index, Checkpoint<Dim>& checkpoint) {
    const std::string prefix = prefix_of(index);
    if (begun) {
        for (auto& [name, numbers] : recorder->state()) checkpoint.numbers[prefix + name] = numbers;
        checkpoint.numbers[prefix + "fluctuations"] = fluctuations.state();
        checkpoint.numbers[prefix + "configurational"] = configurational.state();
        checkpoint.numbers[prefix + "whole_motion"] = whole_motion.state();
        for (std::size_t t = 0; t < until.targets().size(); ++t)
            checkpoint.integers[prefix + "until_" + until.targets()[t].quantity] = {
                until.since()[t]};
    }
    checkpoint.numbers[prefix + "times"] = {first_time, time};
    if (begun) checkpoint.numbers[prefix + "box"] = lengths;
    checkpoint.numbers[prefix + "start"] = {start.kinetic, start.removed, start.translation,
                                            start.rotation};
    if (is_damped()) checkpoint.numbers[prefix + "friction"] = {friction_energy};
    checkpoint.integers[prefix + "arrays"] = {recorder->array_start(), settled};
}

template <int Dim>
bool Stage<Dim>::restore(std::size_t index, const Checkpoint<Dim>& checkpoint, std::int64_t now) {
    const std::string prefix = prefix_of(index);
    if (!checkpoint.integers.contains(prefix + "progress")) return false;
    const auto& reached = checkpoint.integers.at(prefix + "progress");
    begun = reached.at(0) != 0;
    first_step = reached.at(2);
    steps_done = reached.at(3);
    observed = reached.at(4) != 0;
    converged = reached.at(1) != 0;
    done = complete();
    const auto& times = checkpoint.numbers.at(prefix + "times");
    first_time = times.at(0);
    time = times.at(1);
    // Absent from checkpoints of versions that did not store it.
    if (const auto found = checkpoint.numbers.find(prefix + "start");
        found != checkpoint.numbers.end()) {
        const std::vector<double>& numbers = found->second;
        start = {numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3)};
    }
    if (const auto found = checkpoint.numbers.find(prefix + "friction");
        found != checkpoint.numbers.end())
        friction_energy = found->second.at(0);
    if (!begun) return true;
    lengths = lengths_at_start(checkpoint, index);
    std::map<std::string, std::vector<double>> state;
    for (const auto& [name, numbers] : checkpoint.numbers)
        if (name.starts_with(prefix)) state[name.substr(prefix.size())] = numbers;
    recorder->restore(state);
    fluctuations.restore(state.at("fluctuations"));
    configurational.restore(state.at("configurational"));
    if (state.contains("whole_motion")) whole_motion.restore(state.at("whole_motion"));
    restore_until(prefix, checkpoint);
    restore_arrays(checkpoint.integers.at(prefix + "arrays"), now);
    return true;
}

/// A stage that ended by its target errors is compared with the targets of this input, which may
/// differ.
template <int Dim>
void Stage<Dim>::restore_until(const std::string& prefix, const Checkpoint<Dim>& checkpoint) {
    const std::vector<Estimate> estimates = awaited();
    bool reached = !estimates.empty();
    for (std::size_t t = 0; t < estimates.size(); ++t) {
        const auto since =
            checkpoint.integers.find(prefix + "until_" + until.targets()[t].quantity);
        const bool passes = until.passes(t, estimates[t]);
        if (since != checkpoint.integers.end() && passes) until.restore(t, since->second.at(0));
        reached = reached && passes;
    }
    if (takes_time()) converged = converged && reached;
    done = complete();
}

/// Arrays continue with the start that they had; if that is still ahead, the input may change it.
template <int Dim>
void Stage<Dim>::restore_arrays(const std::vector<std::int64_t>& begun_arrays, std::int64_t now) {
    recorder->set_array_start(begun_arrays.at(0));
    settled = begun_arrays.at(1) != 0;
    if (!plan.equilibration || !recorder->has_arrays()) return;
    const std::int64_t asked = first_step + *plan.equilibration;
    if (asked == begun_arrays.at(0)) return;
    if (asked > now)
        recorder->restart_arrays(asked - 1);
    else
        log::warning(fmt::format("arrays were averaged from step {} on, not {} (what was left out "
                                 "cannot be changed later); start again if it matters",
                                 begun_arrays.at(0), asked));
}

template StageProgress progress_of(const std::vector<Stage<1>>&);
template std::vector<double> lengths_at_start(const Checkpoint<1>&, std::size_t);
template struct Stage<1>;
template StageProgress progress_of(const std::vector<Stage<2>>&);
template std::vector<double> lengths_at_start(const Checkpoint<2>&, std::size_t);
template struct Stage<2>;
template StageProgress progress_of(const std::vector<Stage<3>>&);
template std::vector<double> lengths_at_start(const Checkpoint<3>&, std::size_t);
template struct Stage<3>;

} // namespace shadow
