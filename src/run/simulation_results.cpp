// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/core/version.hpp"
#include "shadow/run/report_page.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

template <int Dim>
std::string digest_of(const std::vector<std::array<double, Dim>>& vectors) {
    return digest(
        {reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof vectors[0]});
}

} // namespace

template <int Dim>
RunInformation Simulation<Dim>::information() const {
    RunInformation information;
    information.input = resolved_input_;
    information.title = plan_.title;
    information.version = version();
    information.commit = commit();
    information.device = backend_.description();
    information.precision = name(plan_.compute.precision);
    information.units = units_.name;
    information.tune = settings_text(tuning_);
    information.seed = plan_.seed;
    information.past = identity_.text();
    information.start = start_digest_;
    return information;
}

template <int Dim>
void Simulation<Dim>::open_results() {
    if (options_.resume) {
        results_.emplace(ResultFile::resume(plan_.output.prefix, information(), system_->step()));
        log::info(fmt::format("resumed at step {} from {}", system_->step(),
                              checkpoint_path(plan_.output.prefix).string()));
    } else {
        const Snapshot<Dim> start = system_->snapshot();
        start_digest_ = digest_of<Dim>(start.position) + digest_of<Dim>(start.momentum);
        const auto page = report_path(plan_.output.prefix);
        if (plan_.output.report && !plan_.output.overwrite && std::filesystem::exists(page))
            throw InputError(fmt::format("{} exists (a report is not destroyed unasked); use "
                                         "`output.overwrite = true`, or another `output.prefix`",
                                         page.string()));
        results_.emplace(
            ResultFile::create(plan_.output.prefix, information(), plan_.output.overwrite));
    }
    results_->settled().describe_topology(topology_);
    if (plan_.has_trajectory()) describe_frames();
}

/// Where the rows of a stage go.
template <int Dim>
void Simulation<Dim>::declare_series(const StageType& stage) {
    series_.clear();
    for (const Quantity& q : stage.quantities()) {
        Series series{q.name, q.unit, {}};
        if (q.width > 1) series.shape = {q.width};
        series_[q.name] = results_->settled().add_series(series);
    }
}

template <int Dim>
void Simulation<Dim>::connect(StageType& stage) {
    declare_series(stage);
    stage.recorder->set_sink([this](const RecordBatch& batch) { take(batch); });
    if (stage.integrator)
        stage.integrator->set_first_step(stage.first_step);
    else
        stage.minimiser =
            std::make_unique<Fire<Dim>>(*system_, stage.largest_step, stage.longest_move);
    if (stage.minimiser && stage.steps_done > 0) stage.minimiser->restore(fire_state_);
    begin_table(stage);
}

/// Where the stages so far begin and end, for programs that read the file meanwhile.
template <int Dim>
void Simulation<Dim>::write_stages() {
    std::vector<std::int64_t> first, last;
    for (const StageType& stage : stages_) {
        if (stage.begun) first.push_back(stage.first_step);
        if (stage.done) last.push_back(stage.first_step + stage.steps_done);
    }
    results_->later(0, [first = std::move(first), last = std::move(last),
                        facts = stage_facts()](ResultFile& results) {
        results.set_stages(first, last);
        results.describe_stages(facts);
    });
}

/// What the observables of this stage have averaged so far.
template <int Dim>
void Simulation<Dim>::write_arrays() {
    if (stage_ >= stages_.size()) return; // each was written when it ended
    std::vector<ArrayEstimate> arrays = stages_[stage_].recorder->estimates();
    std::size_t bytes = 0;
    for (const ArrayEstimate& array : arrays)
        bytes += (array.value.size() + array.error.size()) * sizeof(double);
    results_->later(
        bytes, [arrays = std::move(arrays), stage = static_cast<std::int64_t>(stage_),
                left_out = stages_[stage_].recorder->array_start() - stages_[stage_].first_step,
                step = system_->step(), time = system_->time()](ResultFile& results) {
            for (const ArrayEstimate& array : arrays) {
                ArraySeries series{array.name,  array.unit,    {},      array.value,
                                   array.error, array.samples, left_out};
                for (const Axis& axis : array.axes)
                    series.axes.push_back({axis.name, axis.unit, axis.values});
                results.set_array(series, stage, step, time);
            }
        });
}

/// How far each stage is, as checkpoints keep it.
template <int Dim>
std::map<std::string, std::vector<std::int64_t>> Simulation<Dim>::progress() const {
    std::map<std::string, std::vector<std::int64_t>> all;
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        const StageType& stage = stages_[k];
        all[fmt::format("stage_{}_progress", k)] = {stage.begun, stage.converged, stage.first_step,
                                                    stage.steps_done, stage.observed};
    }
    return all;
}

template <int Dim>
bool Simulation<Dim>::finished() const {
    return std::all_of(stages_.begin(), stages_.end(),
                       [](const StageType& stage) { return stage.complete(); });
}

/// Do they tell the end of all stages? Of a run that was killed behind its last checkpoint they may
/// not, and the working file is left. Throws InputError where there are none.
template <int Dim>
bool Simulation<Dim>::results_are_finished() const {
    const auto results = origin_of_results(plan_.output.prefix);
    if (!results)
        throw InputError(fmt::format("{} is missing (the run is finished at step {}, and its "
                                     "results are gone); bring them back, or run it anew with "
                                     "output.overwrite = true",
                                     result_path(plan_.output.prefix).string(), system_->step()));
    std::vector<std::int64_t> ended;
    for (const StageType& stage : stages_) ended.push_back(stage.first_step + stage.steps_done);
    return results->ended == ended && !results->unfinished;
}

/// Results first, then the checkpoint: rows behind the checkpoint are cut off by a resumed run. The
/// one before must be on the disk by then, so that they do not queue up where the disk is slower.
/// After the last no row can be added: the working file itself takes the place of the results.
template <int Dim>
void Simulation<Dim>::save(bool last) {
    saved_at_ = timer_.seconds();
    Checkpoint<Dim> checkpoint;
    checkpoint.integers = progress();
    // A stage may begin or end without a step.
    if (saved_step_ == system_->step() && saved_progress_ == checkpoint.integers) {
        if (last) results_->later(0, [](ResultFile& results) { results.finish(); });
        return;
    }
    saved_progress_ = checkpoint.integers;
    const Timer::Scope scope(timer_, timer_.part("checkpoint"));
    results_->finish();
    if (stage_ < stages_.size() && stages_[stage_].begun) look_now(stages_[stage_]);
    if (stage_ < stages_.size() && stages_[stage_].begun)
        stages_[stage_].time = system_->time() - stages_[stage_].first_time;
    for (std::size_t k = 0; k < stages_.size(); ++k) store_stage(k, checkpoint);
    if (table_ && table_->reference())
        checkpoint.numbers["conserved_at_start"] = {*table_->reference()};
    if (watch_.begun()) checkpoint.numbers["watch"] = watch_.state();
    store_tuning(checkpoint);
    system_->check_status();
    write_arrays();
    checkpoint.state = system_->state();
    checkpoint.box = system_->box();
    checkpoint.topology = topology_;
    checkpoint.texts["units"] = {units_.name};
    checkpoint.texts["start"] = {start_digest_};
    checkpoint.input = identity_.text();
    checkpoint.precision = name(plan_.compute.precision);
    checkpoint.version = version();
    const bool moved = stages_.front().observed; // else nothing is worth keeping
    const std::size_t bytes = bytes_of(checkpoint.state.snapshot);
    results_->later(bytes, [this, last, moved, began = wall_time_.elapsed(), box = system_->box(),
                            scale = 1.0 / system_->scalar(Scalar::s),
                            path = checkpoint_path(plan_.output.prefix),
                            checkpoint = std::move(checkpoint)](ResultFile& results) {
        if (moved) results.set_final(box, checkpoint.state.snapshot, scale);
        results.note_checkpoint(checkpoint.state.snapshot.step);
        last ? results.finish() : results.publish();
        write_checkpoint(path, checkpoint);
        good_step_ = checkpoint.state.snapshot.step;
        wall_time_.note_checkpoint(wall_time_.elapsed() - began);
    });
    saved_step_ = system_->step();
}

/// Keeps what was measured up to the failure and names the last good checkpoint.
template <int Dim>
void Simulation<Dim>::fail_with_checkpoint(const Error& error) {
    try {
        results_->settled().publish();
    } catch (const Error& second) {
        log::warning(second.what());
    }
    const std::string message =
        fmt::format("{}; the last good checkpoint is {} (step {})", error.what(),
                    checkpoint_path(plan_.output.prefix).string(), good_step_.load());
    if (error.failure() == Failure::machine) throw MachineError(message);
    throw SimulationError(message);
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
