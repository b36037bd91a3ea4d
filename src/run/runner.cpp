// SPDX-License-Identifier: BSD-3-Clause
#include "runner.hpp"

#include "describe_start.hpp"
#include "resume_check.hpp"
#include "run_summary.hpp"
#include "tuner.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/version.hpp"

#include <algorithm>
#include <fmt/format.h>

/// A run from its start, or from a checkpoint, to its end.
namespace shadow {

template <int Dim>
int Runner<Dim>::execute() {
    if (run_.options.resume) resume();
    run_.first_step = run_.system->step();
    const bool was_finished = run_.finished();
    require_summary(run_.options);
    if (was_finished && files_.results_are_finished()) {
        log::info(fmt::format("the run is finished at step {} (nothing is left to do); give it "
                              "more steps to continue",
                              run_.system->step()));
        report(run_);
        return 0;
    }
    open();
    run_.timer.restart();
    saved_at_ = 0.0;
    try {
        run_stages();
    } catch (const SimulationError& error) {
        fail_with_checkpoint(watch_.cause_of(error));
    } catch (const MachineError& error) {
        fail_with_checkpoint(error);
    }
    const int status = run_.finished() ? 0 : say_why_stopped();
    report(run_);
    return status;
}

template <int Dim>
void Runner<Dim>::open() {
    files_.open();
    open_log();
    if (run_.finished())
        log::info(fmt::format("the run is finished at step {} (its results are not, or have "
                              "another input); the results are finished now",
                              run_.system->step()));
    if (!run_.options.resume) {
        for (const std::string& line : start_lines(run_.start, run_.model.units)) log::info(line);
        log::info("memory: " + memory_text(run_));
    }
    if (run_.tuned && !run_.settings.empty()) log::info("tuned: " + settings_text(run_.settings));
}

template <int Dim>
void Runner<Dim>::run_stages() {
    if (!files_.any_saved()) {
        // So that the file of a run that is killed at once has all its datasets, empty.
        files_.declare_series(run_.stages.front());
        save();
        const Timer::Scope scope(run_.timer, run_.timer.part("checkpoint"));
        files_.finish();
    }
    if (run_.finished()) files_.write_stages();
    for (; run_.stage < run_.stages.size() && !run_.stopped(); ++run_.stage) {
        Stage<Dim>& stage = run_.stages[run_.stage];
        if (!stage.done) run_stage(stage);
        if (!stage.done) break;
    }
    save(true);
    const Timer::Scope scope(run_.timer, run_.timer.part("checkpoint"));
    files_.finish();
    replay_log_.finish();
}

/// Reports why an unfinished run stops; returns its exit status.
template <int Dim>
int Runner<Dim>::say_why_stopped() const {
    constexpr int wall_time_status = 75; // EX_TEMPFAIL of sysexits.h: try again
    const int of_signal = run_.signals ? run_.signals->exit_status() : 0;
    log::info(fmt::format("{} at step {}; the checkpoint {} is written, continue with --continue",
                          of_signal != 0 ? "stopped by a signal" : "the wall time is over",
                          run_.system->step(), checkpoint_path(run_.plan.output.prefix).string()));
    return of_signal != 0 ? of_signal : wall_time_status;
}

template <int Dim>
void Runner<Dim>::resume() {
    const Checkpoint<Dim> checkpoint = read_checkpoint<Dim>(
        checkpoint_path(run_.plan.output.prefix), name(run_.plan.compute.precision));
    refuse_other_past(run_, checkpoint);
    const bool other_settings = restore_tuning(run_, checkpoint);
    if (!rebuild_for(checkpoint) && other_settings) {
        const Box<Dim> box = run_.system->box();
        run_.system.reset(); // frees its memory
        run_.system = run_.particles(box, checkpoint.state.snapshot);
    }
    ParticleSystem<Dim>& system = *run_.system;
    system.restore(checkpoint.state);
    run_.stage = 0;
    for (std::size_t k = 0; k < run_.stages.size(); ++k) {
        Stage<Dim>& stage = run_.stages[k];
        if (!stage.restore(k, checkpoint, system.step())) break;
        if (!stage.begun) continue;
        run_.stage = k;
        system.set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    }
    refuse_changed_stages(run_);
    // Older versions stored the state of the minimiser separately from the system.
    if (const auto fire = checkpoint.numbers.find("fire"); fire != checkpoint.numbers.end()) {
        system.set_scalar(Scalar::descent_step, fire->second.at(0));
        system.set_scalar(Scalar::descent_mixing, fire->second.at(1));
        system.set_scalar(Scalar::descent_downhill,
                          static_cast<double>(checkpoint.integers.at("fire").at(0)));
    }
    if (checkpoint.numbers.contains("conserved_at_start"))
        resumed_reference_ = checkpoint.numbers.at("conserved_at_start").at(0);
    watch_.restore(checkpoint);
    files_.note_resumed(checkpoint);
    // Until a checkpoint is written, its time is estimated by that of building and reading the
    // system, which takes longer.
    run_.wall_time.note_checkpoint(run_.wall_time.elapsed());
}

/// A stage that continues in a box changed by an earlier stage is rebuilt for the box at its start.
/// Returns whether this was needed.
template <int Dim>
bool Runner<Dim>::rebuild_for(const Checkpoint<Dim>& checkpoint) {
    const std::size_t begun = stages_begun(checkpoint.integers);
    if (begun == 0 || begun > run_.stages.size()) return false;
    const auto before = run_.barostat_before(begun - 1);
    if (!before) return false;
    const std::vector<double> lengths = lengths_at_start(checkpoint, *before + 1);
    const Box<Dim>& box = *checkpoint.box;
    std::array<double, Dim> of_start = box.lengths();
    std::copy(lengths.begin(), lengths.end(), of_start.begin());
    rebuild(*before + 1, box.with_lengths(of_start), checkpoint.state.snapshot);
    return true;
}

/// Waits until the previous checkpoint is on the disk, so that checkpoints do not queue up for a
/// slow disk.
template <int Dim>
void Runner<Dim>::save(bool last) {
    saved_at_ = run_.timer.seconds();
    Checkpoint<Dim> checkpoint;
    checkpoint.integers = progress_of(run_.stages);
    // A stage may begin or end without a step.
    if (files_.is_saved(checkpoint.integers)) {
        if (last) files_.write_last();
        return;
    }
    const Timer::Scope scope(run_.timer, run_.timer.part("checkpoint"));
    files_.finish();
    if (Stage<Dim>* stage = run_.current()) {
        watch_.look_now(*stage);
        stage->time = stage->time_at(run_.system->time());
    }
    for (std::size_t k = 0; k < run_.stages.size(); ++k) run_.stages[k].store(k, checkpoint);
    if (table_ && table_->reference())
        checkpoint.numbers["conserved_at_start"] = {*table_->reference()};
    watch_.store(checkpoint);
    store_tuning(run_, checkpoint);
    run_.system->check_status();
    files_.write_checkpoint(std::move(checkpoint), last);
}

/// Publishes the measurements up to the failure and names the last good checkpoint.
template <int Dim>
void Runner<Dim>::fail_with_checkpoint(const Error& error) {
    try {
        files_.publish_failed(error.what());
    } catch (const Error& second) {
        log::warning(second.what());
    }
    const std::string last =
        files_.good_step() < 0
            ? "there is no good checkpoint"
            : fmt::format("the last good checkpoint is {} (step {})",
                          checkpoint_path(run_.plan.output.prefix).string(), files_.good_step());
    const std::string message = fmt::format("{}; {}", error.what(), last);
    if (error.failure() == Failure::machine) throw MachineError(message);
    throw SimulationError(message);
}

/// Called after the results are open: a run that is refused writes nothing.
template <int Dim>
void Runner<Dim>::open_log() const {
    log::open_file(log_path(run_.plan.output.prefix),
                   run_.plan.output.overwrite && !run_.options.resume);
    log::record(fmt::format("{}Shadow {} ({}), {}, {} precision, seed {}, input {}\n",
                            run_.options.resume ? "\n" : "", version(), commit(),
                            run_.backend.description(), name(run_.plan.compute.precision),
                            run_.plan.seed, run_.options.input.string()));
}

template class Runner<1>;
template class Runner<2>;
template class Runner<3>;

} // namespace shadow
