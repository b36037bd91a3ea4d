// SPDX-License-Identifier: BSD-3-Clause
#include "run_files.hpp"

#include "particle_fields.hpp"
#include "stage_driver.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/core/version.hpp"
#include "shadow/run/report_page.hpp"

#include <fmt/format.h>
#include <string_view>

namespace shadow {
namespace {

template <int Dim>
std::string digest_of(const std::vector<std::array<double, Dim>>& vectors) {
    return digest(
        {reinterpret_cast<const char*>(vectors.data()), vectors.size() * sizeof vectors[0]});
}

/// Memory of the particles in a frame.
template <int Dim>
std::size_t bytes_of(const Snapshot<Dim>& frame) {
    return frame.size() *
           (Dim * (2 * sizeof(double) + sizeof(std::int32_t)) + sizeof(std::uint16_t));
}

/// A copy of a batch.
struct Rows {
    explicit Rows(const RecordBatch& batch)
        : steps(batch.steps.begin(), batch.steps.end()),
          times(batch.times.begin(), batch.times.end()),
          values(batch.values.begin(), batch.values.end()), width(batch.quantity.width) {}

    void append_to(ResultFile& results, int series) const {
        for (std::size_t row = 0; row < steps.size(); ++row)
            results.append(series, steps[row], times[row],
                           std::span(values).subspan(row * width, width));
    }

    std::vector<std::int64_t> steps;
    std::vector<double> times, values;
    std::size_t width;
};

/// A resolved input without [output] and [compute], its last tables.
std::string_view of_physics(std::string_view input) {
    return input.substr(0, input.find("\n[output]\n"));
}

} // namespace

template <int Dim>
RunInformation RunFiles<Dim>::information() const {
    RunInformation information;
    information.input = run_.resolved_input;
    information.title = run_.plan.title;
    information.version = version();
    information.commit = commit();
    information.device = run_.backend.description();
    information.precision = name(run_.plan.compute.precision);
    information.units = run_.model.units.name;
    information.tune = settings_text(run_.settings);
    information.seed = run_.plan.seed;
    information.past = run_.identity.text();
    information.start = start_digest_;
    return information;
}

template <int Dim>
void RunFiles<Dim>::open() {
    if (run_.options.resume) {
        results_.emplace(
            ResultFile::resume(run_.plan.output.prefix, information(), run_.system->step()));
        log::info(fmt::format("resumed at step {} from {}", run_.system->step(),
                              checkpoint_path(run_.plan.output.prefix).string()));
    } else {
        const Snapshot<Dim> start = run_.system->snapshot();
        start_digest_ = digest_of<Dim>(start.position) + digest_of<Dim>(start.momentum);
        if (const auto place = checkpoint_path(run_.plan.output.prefix);
            std::filesystem::is_directory(place))
            throw InputError(
                fmt::format("{} is a folder (checkpoints are written to a file of this "
                            "name); move it, or choose another `output.prefix`",
                            place.string()));
        const auto page = report_path(run_.plan.output.prefix);
        if (run_.plan.output.report && !run_.plan.output.overwrite && std::filesystem::exists(page))
            throw InputError(
                fmt::format("{} exists (an existing report is never overwritten by default); use "
                            "`output.overwrite = true`, or another `output.prefix`",
                            page.string()));
        results_.emplace(
            ResultFile::create(run_.plan.output.prefix, information(), run_.plan.output.overwrite));
    }
    results_->settled().describe_topology(run_.model.topology);
    if (run_.plan.has_trajectory()) describe_frames();
}

template <int Dim>
bool RunFiles<Dim>::results_are_finished() const {
    const auto results = origin_of_results(run_.plan.output.prefix);
    if (!results)
        throw InputError(
            fmt::format("{} is missing (the run is finished at step {}, and its results are gone); "
                        "restore them, or run it again with output.overwrite = true",
                        result_path(run_.plan.output.prefix).string(), run_.system->step()));
    std::vector<std::int64_t> ended;
    for (const Stage<Dim>& stage : run_.stages)
        ended.push_back(stage.first_step + stage.steps_done);
    return results->ended == ended && !results->unfinished &&
           of_physics(results->input) == of_physics(run_.resolved_input);
}

template <int Dim>
void RunFiles<Dim>::write_checkpoint(Checkpoint<Dim> checkpoint, bool last) {
    ParticleSystem<Dim>& system = *run_.system;
    saved_progress_ = progress_of(run_.stages);
    saved_step_ = system.step();
    write_arrays();
    checkpoint.state = system.state();
    if (const Stage<Dim>* stage = run_.last_begun(); stage && stage->has_output_state()) {
        const OutputState<Dim> at_output(run_, *stage);
        checkpoint.output = system.snapshot();
    }
    checkpoint.box = system.box();
    checkpoint.topology = run_.model.topology;
    checkpoint.texts["units"] = {run_.model.units.name};
    checkpoint.texts["start"] = {start_digest_};
    checkpoint.input = run_.identity.text();
    checkpoint.precision = name(run_.plan.compute.precision);
    checkpoint.version = version();
    const bool moved = run_.stages.front().observed; // else there is no state to store
    const std::size_t bytes = bytes_of(checkpoint.state.snapshot) * (checkpoint.output ? 2 : 1);
    results_->later(bytes, [this, last, moved, began = run_.wall_time.elapsed(), box = system.box(),
                            path = checkpoint_path(run_.plan.output.prefix),
                            checkpoint = std::move(checkpoint)](ResultFile& results) {
        const Snapshot<Dim>& seen =
            checkpoint.output ? *checkpoint.output : checkpoint.state.snapshot;
        if (moved) results.set_final(box, seen);
        results.note_checkpoint(checkpoint.state.snapshot.step);
        last ? results.finish() : results.publish();
        shadow::write_checkpoint(path, checkpoint);
        good_step_ = checkpoint.state.snapshot.step;
        run_.wall_time.note_checkpoint(run_.wall_time.elapsed() - began);
    });
}

template <int Dim>
void RunFiles<Dim>::note_resumed(const Checkpoint<Dim>& checkpoint) {
    if (checkpoint.texts.contains("start")) start_digest_ = checkpoint.texts.at("start").at(0);
    saved_step_ = good_step_ = run_.system->step();
    saved_progress_ = progress_of(run_.stages);
}

template <int Dim>
void RunFiles<Dim>::describe_run() {
    results_->settled().write_information(information());
}

template <int Dim>
void RunFiles<Dim>::take(const RecordBatch& batch) {
    const auto series = series_.find(batch.quantity.name);
    if (series == series_.end()) return;
    results_->later(batch.steps.size() * 16 + batch.values.size_bytes(),
                    [number = series->second, rows = Rows(batch)](ResultFile& results) {
                        rows.append_to(results, number);
                    });
}

template <int Dim>
void RunFiles<Dim>::declare_series(const Stage<Dim>& stage) {
    series_.clear();
    for (const Quantity& q : stage.quantities()) {
        Series series{q.name, q.unit, {}};
        if (q.width > 1) series.shape = {q.width};
        series_[q.name] = results_->settled().add_series(series);
    }
}

/// Facts of the stages that have begun.
template <int Dim>
std::vector<StageFacts> RunFiles<Dim>::stage_facts() const {
    std::vector<StageFacts> all;
    for (const Stage<Dim>& stage : run_.stages) {
        if (!stage.begun) break;
        StageFacts facts{stage.plan.name, stage.plan.integrator.text("method"), stage.ensemble(),
                         0.0, stage.degrees_of_freedom};
        if (stage.integrator->samples_ensemble())
            facts.bath_temperature =
                stage.integrator->bath_kT().value_or(0.0) / run_.model.units.boltzmann;
        all.push_back(std::move(facts));
    }
    return all;
}

template <int Dim>
void RunFiles<Dim>::write_stages() {
    std::vector<std::int64_t> first, last;
    for (const Stage<Dim>& stage : run_.stages) {
        if (stage.begun) first.push_back(stage.first_step);
        if (stage.done) last.push_back(stage.first_step + stage.steps_done);
    }
    results_->later(0, [first = std::move(first), last = std::move(last),
                        facts = stage_facts()](ResultFile& results) {
        results.set_stages(first, last);
        results.describe_stages(facts);
    });
}

template <int Dim>
void RunFiles<Dim>::write_arrays() {
    // Earlier stages were written when they ended; a stage that has not begun may be rebuilt.
    if (run_.stage > 0 && !run_.current()) return;
    std::vector<ArrayEstimate> arrays = run_.stages[run_.stage].recorder->estimates();
    std::size_t bytes = 0;
    for (const ArrayEstimate& array : arrays)
        bytes += (array.value.size() + array.error.size()) * sizeof(double);
    results_->later(bytes,
                    [arrays = std::move(arrays), stage = static_cast<std::int64_t>(run_.stage),
                     left_out = run_.stages[run_.stage].recorder->array_start() -
                                run_.stages[run_.stage].first_step,
                     step = run_.system->step(), time = run_.system->time()](ResultFile& results) {
                        for (const ArrayEstimate& array : arrays) {
                            ArraySeries series{array.name,  array.unit,    {},      array.value,
                                               array.error, array.samples, left_out};
                            for (const Axis& axis : array.axes)
                                series.axes.push_back({axis.name, axis.unit, axis.values});
                            results.set_array(series, stage, step, time);
                        }
                    });
}

template <int Dim>
void RunFiles<Dim>::describe_frames() {
    TrajectoryFields fields{false, false, false, {}};
    for (const std::string& field : run_.plan.output.fields) {
        if (field == "position") fields.position = true;
        if (field == "velocity") fields.velocity = true;
        if (field == "image") fields.image = true;
    }
    std::vector<Quantity> extra = field_quantities<Dim>(run_.plan.output.fields);
    for (Quantity& q : run_.stages[run_.stage < run_.stages.size() ? run_.stage : 0]
                           .recorder->particle_quantities())
        extra.push_back(std::move(q));
    // Vectors and tensors have the same rank in 1D as in 3D.
    for (const Quantity& q : extra)
        fields.extra.push_back({q.name, q.unit, q.width, q.name == "force" || q.name == "stress"});
    run_.system->release();
    results_->settled().describe_particles(run_.system->box(), run_.system->snapshot(), fields);
}

template <int Dim>
void RunFiles<Dim>::write_frame() {
    const Timer::Scope scope(run_.timer, run_.timer.part("trajectory"));
    Snapshot<Dim> frame = run_.system->snapshot();
    auto extra = measure_fields(*run_.system, run_.plan.output.fields,
                                run_.stages[run_.stage].conserved, frame);
    for (auto& values : run_.stages[run_.stage].recorder->measure_particles(*run_.system))
        extra.push_back(std::move(values));
    std::size_t bytes = bytes_of(frame);
    for (const auto& values : extra) bytes += values.size() * sizeof(double);
    results_->later(bytes,
                    [box = run_.system->box(), frame = std::move(frame), extra = std::move(extra)](
                        ResultFile& results) { results.append_frame(box, frame, extra); });
}

template <int Dim>
void RunFiles<Dim>::write_final() {
    Snapshot<Dim> frame = run_.system->snapshot();
    results_->later(bytes_of(frame), [box = run_.system->box(), frame = std::move(frame)](
                                         ResultFile& results) { results.set_final(box, frame); });
}

template class RunFiles<1>;
template class RunFiles<2>;
template class RunFiles<3>;

} // namespace shadow
