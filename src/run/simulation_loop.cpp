// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Steps between two looks at the status word: on a GPU each look waits for the device.
constexpr std::int64_t status_interval_cpu = 16;
constexpr std::int64_t status_interval_cuda = 1000;

/// Its own copy of a batch.
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

} // namespace

template <int Dim>
int Simulation<Dim>::execute(const std::string& resolved_input) {
    resolved_input_ = resolved_input;
    if (options_.resume) resume();
    first_step_ = system_->step();
    const bool was_finished = finished();
    if (was_finished && results_are_finished()) {
        require_summary();
        log::info(
            fmt::format("the run is finished at step {} (nothing is left to do); give it more "
                        "steps to go on",
                        system_->step()));
        report();
        return 0;
    }
    open_results();
    require_summary();
    open_log();
    if (was_finished)
        log::info(fmt::format("the run is finished at step {} (it was killed before its results "
                              "were); the results are finished now",
                              system_->step()));
    if (!options_.resume) {
        for (const std::string& line : start_text()) log::info(line);
        log::info("memory: " + memory_estimate());
    }
    if (tuned_ && !tuning_.empty()) log::info("tuned: " + settings_text(tuning_));
    timer_.restart();
    saved_at_ = 0.0;
    try {
        if (saved_step_ < 0) {
            // So that a file of a run killed at once has all its datasets, empty.
            declare_series(stages_.front());
            save();
            const Timer::Scope scope(timer_, timer_.part("checkpoint"));
            results_->finish();
        }
        if (was_finished) write_stages();
        for (; stage_ < stages_.size() && !stopped(); ++stage_) {
            run_stage(stages_[stage_]);
            if (!stages_[stage_].done) break;
        }
        save(true);
        const Timer::Scope scope(timer_, timer_.part("checkpoint"));
        results_->finish();
        replay_log_.finish();
    } catch (const SimulationError& error) {
        fail_with_checkpoint(cause_of(error));
    } catch (const MachineError& error) {
        fail_with_checkpoint(error);
    }
    const int status = finished() ? 0 : say_why_stopped();
    report();
    return status;
}

/// Returns the exit status of a run that has more to do.
template <int Dim>
int Simulation<Dim>::say_why_stopped() const {
    constexpr int wall_time_status = 75; // EX_TEMPFAIL of sysexits.h: try again
    const int of_signal = signals_.exit_status();
    log::info(fmt::format("{} at step {}; the checkpoint {} is written, go on with --continue",
                          of_signal != 0 ? "stopped by a signal" : "the wall time is over",
                          system_->step(), checkpoint_path(plan_.output.prefix).string()));
    return of_signal != 0 ? of_signal : wall_time_status;
}

template <int Dim>
void Simulation<Dim>::run_stage(StageType& stage) {
    if (stage.done) return;
    wall_time_.set_limit(stage.plan.wall_time);
    if (!stage.begun && stage.integrator && !tuned_) {
        tune(stage);
        if (!tuned_) return; // stopped: the stage has not begun
    }
    if (!stage.begun) begin(stage);
    self_test(stage);
    connect(stage);
    write_stages();
    if (!stage.observed) {
        begin_watch(stage);
        observe(stage);
    }
    stage.observed = true;
    Progress progress(options_.quiet ? ProgressStyle::none : options_.progress,
                      {.name = stage.plan.name,
                       .steps = stage.plan.steps,
                       .done = stage.steps_done,
                       .open_ended = stage.plan.minimize});
    const Timer::Scope scope(timer_, timer_.part(steps_part));
    while (stage.steps_done < stage.plan.steps && !stopped()) {
        time_parts(stage);
        stage.converged = advance(stage);
        ++stage.steps_done;
        observe(stage);
        settle_arrays(stage);
        stage.converged = stage.converged || good_enough(stage);
        housekeeping(stage, progress);
        if (stage.converged) break;
    }
    look_now(stage);
    table_->finish();
    system_->check_status();
    check_box();
    if (stage.integrator && stage.integrator->pressure()) report_volume_steps(stage);
    write_arrays();
    stage.time = system_->time() - stage.first_time;
    stage.done = stage.complete();
    if (stage.done) {
        stage.minimiser.reset();
        write_stages();
        write_final();
    }
    if (stage.done && !stage.converged && !stage.plan.until.empty())
        log::warning(fmt::format("max_steps = {} are done before the errors of until are reached; "
                                 "give it more and go on with --resume",
                                 stage.plan.steps));
}

/// Ends the run where the box is at its least; what is there is kept, as a start for another run.
template <int Dim>
void Simulation<Dim>::check_box() {
    if (!box_changes() || system_->scalar(Scalar::box_least) == 0.0) return;
    save();
    throw SimulationError(fmt::format(
        "step {}: the box would shrink to less than lists are planned for, 0.7 of its lengths at "
        "the start, or to less than two cut-offs (the pressure is far from the one that is wanted, "
        "or the system small); begin a run with the last checkpoint (system.file)",
        system_->step()));
}

template <int Dim>
void Simulation<Dim>::report_volume_steps(const StageType& stage) const {
    constexpr double few = 0.2, much = 1.05;
    const double tried = system_->scalar(Scalar::box_tried),
                 accepted = system_->scalar(Scalar::box_accepted);
    const std::string text =
        fmt::format("{:.0f} of {:.0f} steps of the volume were accepted", accepted, tried);
    if (accepted >= few * tried)
        log::info(text);
    else
        log::warning(text + " (they are too long, so that the volume hardly moves); give the "
                            "barostat a longer time, or a smaller every");
    const double longer = std::pow(system_->box().volume() / stage.start_volume, 1.0 / Dim);
    if (forces_.fourier && longer > much)
        log::warning(
            fmt::format("the box is {:.3g} times as long as at the start (the mesh or wave "
                        "vectors of {} are those of the start, so that its errors have "
                        "grown); begin another run with the final configuration",
                        longer, forces_.fourier->type));
}

/// Are the errors of `until` reached? It looks rarely, as it waits for the device.
template <int Dim>
bool Simulation<Dim>::good_enough(StageType& stage) {
    if (!stage.until.due(stage.steps_done) || !stage.steady(stage.steps_done)) return false;
    stage.recorder->flush();
    const std::vector<Estimate> estimates = stage.awaited();
    if (!stage.until.look(stage.steps_done, estimates)) return false;
    log::info(fmt::format("all errors of until are reached after {} steps, {} last",
                          stage.steps_done,
                          stage.until.targets()[stage.until.decided_by(estimates)].quantity));
    return true;
}

/// Of a small system only a step now and then is looked into, as reading the clock takes a part of
/// such a step; a prime, so that it falls in with nothing that comes regularly.
template <int Dim>
void Simulation<Dim>::time_parts(const StageType& stage) {
    constexpr std::int64_t small = 2000, interval = 61;
    if (backend_.is_cuda()) return;
    const bool timed = system_->size() >= small || stage.steps_done % interval == 0;
    if (timed != parts_timed_) system_->set_timer(timed ? &timer_ : nullptr);
    parts_timed_ = timed;
}

/// One step; true when a minimisation has arrived.
template <int Dim>
bool Simulation<Dim>::advance(StageType& stage) {
    if (stage.integrator) {
        system_->expect_energies(stage.recorder->energy_due(system_->step() + 1));
        stage.integrator->step(*system_);
        return false;
    }
    stage.minimiser->step();
    if ((stage.steps_done + 1) % 32 != 0 && stage.steps_done + 1 < stage.plan.steps) return false;
    const double force = stage.minimiser->largest_force();
    if (force <= stage.force_tolerance) {
        log::info(fmt::format("minimised in {} steps: largest force {:.3g}", stage.steps_done + 1,
                              force));
        system_->rest();
        return true;
    }
    if (stage.steps_done + 1 == stage.plan.steps) {
        log::warning(fmt::format("the minimisation stopped after {} steps with a largest force of "
                                 "{:.3g} (force_tolerance is {:.3g}); give it more steps",
                                 stage.plan.steps, force, stage.force_tolerance));
        system_->rest();
    }
    return false;
}

template <int Dim>
void Simulation<Dim>::observe(StageType& stage) {
    const std::int64_t step = system_->step();
    if (stage.recorder->due(step)) {
        const Timer::Scope scope(timer_, timer_.part("observables"));
        system_->prepare_observation(stage.recorder->energy_due(step));
        if (stage.integrator)
            stage.recorder->set_extended_energy(stage.integrator->extended_energy(*system_));
        stage.recorder->sample(*system_);
    }
    if (is_due(step, stage.plan.trajectory_every)) write_frame();
}

template <int Dim>
void Simulation<Dim>::housekeeping(StageType& stage, Progress& progress) {
    const std::int64_t step = system_->step();
    // On a CPU forces are looked at after each step: the next one would lose the places of a pair
    // whose force is infinite.
    const bool failed = !backend_.is_cuda() && system_->force_failed();
    if (failed || step % (backend_.is_cuda() ? status_interval_cuda : status_interval_cpu) == 0) {
        const double before = timer_.seconds();
        system_->check_status();
        check_box();
        wall_time_.note_wait(timer_.seconds() - before);
        replay_log_.look();
    }
    show_table(stage);
    if (progress.due()) {
        stage.recorder->flush();
        shown_.step = stage.steps_done;
        progress.show(shown_);
    }
    if (watch_.exploded()) throw explosion();
    self_test_again(stage);
    wall_time_.look();
    const bool asked = signals_.take_checkpoint_request();
    if (asked || plan_.output.checkpoint.due(step, saved_at_, timer_.seconds())) save();
}

/// Rows of observables arrive: to the file, and to the watch over the energy.
template <int Dim>
void Simulation<Dim>::take(const RecordBatch& batch) {
    const std::string& name = batch.quantity.name;
    if (const auto series = series_.find(name); series != series_.end()) {
        results_->later(batch.steps.size() * 16 + batch.values.size_bytes(),
                        [number = series->second, rows = Rows(batch)](ResultFile& results) {
                            rows.append_to(results, number);
                        });
    }
    if (batch.values.empty()) return;
    table_->take(batch);
    std::vector<double> consistent(batch.values.begin(), batch.values.end());
    for (double& value : consistent) value /= batch.factor;
    stages_[stage_].fluctuations.take(name, consistent);
    stages_[stage_].configurational.take(name, batch.values);
    const double last = batch.values.back();
    if (name == "temperature") shown_.temperature = last;
    // These stand before the conserved quantity in the rows of thermo.
    if (name == "kinetic_energy") kinetic_.assign(batch.values.begin(), batch.values.end());
    if (name == "potential_energy") potential_.assign(batch.values.begin(), batch.values.end());
    if (name != "conserved_energy" || !stages_[stage_].integrator) return;
    for (std::size_t row = 0; row < batch.steps.size(); ++row)
        watch_.look({batch.steps[row], kinetic_[row], potential_[row], batch.values[row]});
    if (const SeriesStatistics* statistics = stages_[stage_].recorder->statistics(name)) {
        const Drift drift = statistics->drift.estimate();
        const double kT = units_.boltzmann * shown_.temperature.value_or(0.0);
        const double scale = kT * stages_[stage_].degrees_of_freedom;
        if (scale > 0.0) shown_.drift = (drift.last - drift.first) / scale;
    }
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
