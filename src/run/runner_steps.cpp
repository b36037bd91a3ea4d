// SPDX-License-Identifier: BSD-3-Clause
#include "runner.hpp"
#include "stage_driver.hpp"

#include "shadow/core/log.hpp"

#include <fmt/format.h>

/// The steps of a stage, and the checks between them.
namespace shadow {
namespace {

/// Steps between two checks of the status word: on a GPU each check waits for the device.
constexpr std::int64_t look_interval = 16;
constexpr std::int64_t look_interval_waiting = 1000;

} // namespace

template <int Dim>
void Runner<Dim>::run_steps(Stage<Dim>& stage) {
    Progress progress(run_.options.quiet ? ProgressStyle::none : run_.options.progress,
                      {.name = stage.plan.name,
                       .steps = stage.plan.steps,
                       .done = stage.steps_done,
                       .open_ended = !stage.takes_time()});
    const Timer::Scope scope(run_.timer, run_.timer.part(steps_part));
    while (stage.steps_done < stage.plan.steps && !run_.stopped()) {
        time_parts(stage);
        stage.converged = advance(run_, stage);
        ++stage.steps_done;
        observe(stage);
        stage.settle_arrays(run_.system->step());
        stage.converged = stage.converged || good_enough(stage);
        housekeeping(stage, progress);
        if (stage.converged) break;
    }
    watch_.look_now(stage);
    table_->finish();
    run_.system->check_status();
    check_box();
}

/// In a small system only some steps are timed, as reading the clock takes a part of such a step;
/// the interval is prime, so that it does not coincide with anything periodic.
template <int Dim>
void Runner<Dim>::time_parts(const Stage<Dim>& stage) {
    constexpr std::int64_t small = 2000, interval = 61;
    if (run_.backend.is_asynchronous()) return;
    const bool timed = run_.system->size() >= small || stage.steps_done % interval == 0;
    if (timed != run_.system->is_timed()) run_.system->set_timer(timed ? &run_.timer : nullptr);
}

template <int Dim>
void Runner<Dim>::observe(Stage<Dim>& stage) {
    const bool frame = is_due(run_.system->step(), stage.plan.trajectory_every);
    if (!frame) return sample(run_, stage);
    const OutputState<Dim> at_output(run_, stage);
    sample(run_, stage);
    files_.write_frame();
}

/// Are the errors of `until` reached? Checked rarely, as it waits for the device.
template <int Dim>
bool Runner<Dim>::good_enough(Stage<Dim>& stage) const {
    if (!stage.until.due(stage.steps_done) || !stage.steady(stage.steps_done)) return false;
    stage.recorder->flush();
    const std::vector<Estimate> estimates = stage.awaited();
    if (!stage.until.look(stage.steps_done, estimates)) return false;
    log::info(fmt::format("all errors of until are reached after {} steps, {} last",
                          stage.steps_done,
                          stage.until.targets()[stage.until.decided_by(estimates)].quantity));
    return true;
}

template <int Dim>
void Runner<Dim>::housekeeping(Stage<Dim>& stage, Progress& progress) {
    const std::int64_t step = run_.system->step();
    if (stage.adapts() && stage.steps_done == steps_to_judge) warn_of_short_steps(stage);
    const bool waits = run_.backend.is_asynchronous();
    // On a CPU forces are checked after each step: the next step would lose the positions of a pair
    // with an infinite force.
    const bool failed = !waits && run_.system->force_failed();
    if (failed || step % (waits ? look_interval_waiting : look_interval) == 0) {
        const double before = run_.timer.seconds();
        run_.system->check_status();
        check_box();
        run_.wall_time.note_wait(run_.timer.seconds() - before);
        replay_log_.look();
    }
    show_table(stage);
    if (progress.due()) {
        stage.recorder->flush();
        shown_.step = stage.steps_done;
        progress.show(shown_);
    }
    watch_.refuse_explosion();
    const double every = run_.plan.compute.self_test.every_seconds;
    if (every > 0.0 && stage.takes_time() && run_.timer.seconds() - tested_at_ >= every)
        self_test(stage);
    run_.wall_time.look();
    const bool asked = run_.signals && run_.signals->take_checkpoint_request();
    if (asked || run_.plan.output.checkpoint.due(step, saved_at_, run_.timer.seconds())) save();
}

/// Passes rows of observables to the file, the table, and the watch over the energy.
template <int Dim>
void Runner<Dim>::take(const RecordBatch& batch) {
    const std::string& name = batch.quantity.name;
    files_.take(batch);
    if (batch.values.empty()) return;
    table_->take(batch);
    Stage<Dim>& stage = run_.stages[run_.stage];
    stage.take(batch);
    watch_.take(batch);
    if (name == "temperature") shown_.temperature = batch.values.back();
    if (name != "conserved_energy" || !stage.takes_time()) return;
    if (const SeriesStatistics* statistics = stage.recorder->statistics(name)) {
        const Drift drift = statistics->drift.estimate();
        const double kT = run_.model.units.boltzmann * shown_.temperature.value_or(0.0);
        const double scale = kT * stage.degrees_of_freedom;
        if (scale > 0.0) shown_.drift = (drift.last - drift.first) / scale;
    }
}

/// Rows wait on the backend; they are collected for a line of the table, but not often.
template <int Dim>
void Runner<Dim>::show_table(Stage<Dim>& stage) {
    constexpr double seconds = 0.5; // between two collections, so that waiting costs little
    if (!table_->due(run_.system->step()) || run_.timer.seconds() - tabled_at_ < seconds) return;
    tabled_at_ = run_.timer.seconds();
    stage.recorder->flush();
}

/// Ends the run if the box has reached its smallest or largest size; the state is saved, as a start
/// for another run.
template <int Dim>
void Runner<Dim>::check_box() {
    try {
        refuse_box(run_);
    } catch (const SimulationError&) {
        save();
        throw;
    }
}

template class Runner<1>;
template class Runner<2>;
template class Runner<3>;

} // namespace shadow
