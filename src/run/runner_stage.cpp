// SPDX-License-Identifier: BSD-3-Clause
#include "run_builder.hpp"
#include "runner.hpp"
#include "self_test.hpp"
#include "stage_driver.hpp"
#include "start_check.hpp"
#include "tuner.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/registry.hpp"

#include <cmath>
#include <fmt/format.h>

/// A stage of a run: how it begins, its steps, and how it ends.
namespace shadow {

template <int Dim>
void Runner<Dim>::run_stage(Stage<Dim>& stage) {
    run_.wall_time.set_limit(stage.plan.wall_time);
    if (!stage.begun && stage.takes_time() && !run_.tuned) {
        tune_stage(stage);
        if (!run_.tuned) return; // stopped: the stage has not begun
    }
    if (!stage.begun && run_.stage > 0 && run_.stages[run_.stage - 1].plan.barostat) settle_box();
    if (!stage.begun) begin_stage(run_, stage);
    self_test(stage);
    files_.declare_series(stage);
    connect_stage(stage, [this](const RecordBatch& batch) { take(batch); });
    begin_table(stage);
    files_.write_stages();
    if (!stage.observed) {
        watch_.begin(stage);
        observe(stage);
    }
    stage.observed = true;
    run_steps(stage);
    end(stage);
}

/// The stage before has changed the box: all that it decides is made anew.
template <int Dim>
void Runner<Dim>::settle_box() {
    save(); // what does not fit into this box ends the run
    const Box<Dim> box = run_.system->box();
    const Snapshot<Dim> now = run_.system->snapshot();
    rebuild(run_.stage, box, now);
    log::info(fmt::format("forces and observables are those of the box as it is now, of volume "
                          "{:.8g}",
                          box.volume()));
}

template <int Dim>
void Runner<Dim>::rebuild(std::size_t first, const Box<Dim>& box, const Snapshot<Dim>& from) {
    InputErrors errors;
    try {
        RunBuilder<Dim>(run_, errors).rebuild(first, box, from);
    } catch (const InputError& error) {
        throw SimulationError(fmt::format("{} (in the box that the barostat has left, of volume "
                                          "{:.8g}); change that, and go on with --resume",
                                          error.what(), box.volume()));
    }
}

template <int Dim>
void Runner<Dim>::tune_stage(const Stage<Dim>& stage) {
    const Timer::Scope scope(run_.timer, run_.timer.part("tuning"));
    tune(run_, stage);
    if (!run_.tuned) return;
    log::info("tuned: " + settings_text(run_.settings));
    files_.describe_run();
    files_.forget_saved(); // a resumed run does not try again
    save();
}

/// Of this process, if not for good.
template <int Dim>
void Runner<Dim>::end(Stage<Dim>& stage) {
    const Timer::Scope scope(run_.timer, run_.timer.part(steps_part));
    if (stage.integrator->pressure()) report_volume_steps(stage);
    stage.time = stage.time_at(run_.system->time());
    if (stage.adapts()) report_step_lengths(stage);
    if (stage.adapts() && stage.steps_done < steps_to_judge) warn_of_short_steps(stage);
    if (const auto weights = stage.boost_weights())
        log::info(fmt::format("beside {} rows are worth {:.3g} of as many without",
                              stage.boost_name(), weights->part));
    else if (stage.boosts())
        log::warning(fmt::format(
            "{} has done nothing ({} was on the other side of its threshold in all rows, or "
            "hardly beyond it for such a width); give another threshold or "
            "width",
            stage.boost_name(), stage.plan.boost ? "potential_energy" : "total_energy"));
    if (const double coarse = run_.coarseness_now();
        coarse > coarse_enough_to_tell && run_.start.coarseness <= coarse_enough_to_tell)
        log::warning("at the end of the stage there is " + far_apart(coarse));
    for (const ArrayEstimate& array : stage.recorder->estimates())
        if (!array.warning.empty()) log::warning(array.name + ": " + array.warning);
    files_.write_arrays();
    if (stage.is_damped()) stage.friction_energy = -run_.system->bath_heat();
    stage.done = stage.complete();
    if (run_.goes_back(stage)) check_range(run_.system->snapshot(), run_.spacing);
    if (!stage.done) return;
    files_.write_stages();
    {
        const OutputState<Dim> at_output(run_, stage);
        files_.write_final();
    }
    if (!stage.converged && !stage.plan.until.empty())
        log::warning(fmt::format("max_steps = {} are done before the errors of until are reached; "
                                 "give it more and go on with --resume",
                                 stage.plan.steps));
}

/// Leaves the particles, to the bit, as they were; their memory is lent to the copies meanwhile.
template <int Dim>
void Runner<Dim>::self_test(Stage<Dim>& stage) {
    if (!run_.backend.replays_steps() || !run_.plan.compute.self_test.on) return;
    const Timer::Scope scope(run_.timer, run_.timer.part("self-test"));
    const Box<Dim> box = run_.system->box();
    const SystemState<Dim> start = run_.system->state();
    const std::vector<Mollifier> mollifiers = run_.system->mollifiers();
    run_.system.reset();
    const auto make = [this](const Box<Dim>& where, const Snapshot<Dim>& from) {
        return run_.particles(where, from);
    };
    const SelfTest<Dim> test(run_.backend, make, box, start);
    test.check_forces(run_.model.forces,
                      run_.plan.compute.precision == Precision::double_precision);
    if (stage.takes_time())
        test.check_replay(
            [&] {
                auto method = make_integrator(stage.plan.integrator, {run_.model.units.boltzmann});
                method->set_first_step(stage.first_step);
                return method;
            },
            stage.degrees_of_freedom);
    run_.system = run_.particles(box, start.snapshot);
    run_.system->restore(start);
    run_.system->mollify(mollifiers);
    run_.system->set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    tested_at_ = run_.timer.seconds();
}

template <int Dim>
void Runner<Dim>::begin_table(const Stage<Dim>& stage) {
    if (!table_) table_.emplace(run_.plan.output.log, run_.model.units, Dim, run_.system->size());
    const bool goes_on = stage.steps_done > 0;
    table_->begin(stage.plan.steps, stage.recorder->interval("kinetic_energy"),
                  stage.recorder->quantities(), stage.takes_time(),
                  goes_on ? resumed_reference_ : std::nullopt);
}

/// Of a start at which what they follow was small: they are short for good then.
template <int Dim>
void Runner<Dim>::warn_of_short_steps(const Stage<Dim>& stage) const {
    constexpr double few = 0.1;
    const double dt = stage.integrator->own_step(), count = run_.system->scalar(Scalar::step_count),
                 average = run_.system->scalar(Scalar::elapsed) / count;
    if (!stage.integrator->bath_kT() && count > 0.0 && average < few * dt)
        log::warning(fmt::format(
            "steps are {:.2g} times shorter than dt on average (what they follow is larger than "
            "its reference; forces on a lattice cancel, for example); give reference, or begin "
            "with a stage that brings the motion",
            dt / average));
}

template <int Dim>
void Runner<Dim>::report_step_lengths(const Stage<Dim>& stage) const {
    if (stage.steps_done == 0) return;
    const double count = run_.system->scalar(Scalar::step_count);
    if (!(count > 0.0)) return; // all outputs lie within one step
    const double average = run_.system->scalar(Scalar::elapsed) / count;
    log::info(fmt::format("steps{} are from {:.4g} to {:.4g} long, {:.4g} on average",
                          stage.is_even() ? fmt::format(" of {}, {:.0f} of them,",
                                                        stage.plan.integrator.text("method"), count)
                                          : "",
                          run_.system->scalar(Scalar::step_shortest),
                          run_.system->scalar(Scalar::step_longest), average));
}

template <int Dim>
void Runner<Dim>::report_volume_steps(const Stage<Dim>& stage) const {
    constexpr double few = 0.2, many = 0.8, much = 1.05;
    const double tried = run_.system->scalar(Scalar::box_tried),
                 accepted = run_.system->scalar(Scalar::box_accepted);
    const std::string text =
        fmt::format("{:.0f} of {:.0f} steps of the volume were accepted", accepted, tried);
    const bool by_moves = stage.plan.barostat && stage.plan.barostat->has("amplitude");
    if (tried > 0.0 && accepted < few * tried)
        log::warning(text +
                     " (they are too long, so that the volume hardly moves); give the "
                     "barostat " +
                     (by_moves ? "a smaller amplitude: 0.3 to 0.5 of moves should be accepted"
                               : "a longer time, or a smaller every"));
    else if (tried > 30.0 && by_moves && accepted > many * tried)
        log::warning(text + " (they are short, so that the volume moves slowly); give the barostat "
                            "a larger amplitude: 0.3 to 0.5 of moves should be accepted");
    else if (tried > 0.0)
        log::info(text);
    const double longer = std::pow(run_.system->box().volume() / stage.volume(), 1.0 / Dim);
    const auto* const charges = run_.model.forces.template first<LongRangeDescription>();
    if (charges && longer > much)
        log::warning(
            fmt::format("the box is {:.3g} times as long as at the start (the mesh or wave "
                        "vectors of {} are those of the start, so that its errors have "
                        "grown); go on in another stage, which makes them anew",
                        longer, charges->type));
}

template class Runner<1>;
template class Runner<2>;
template class Runner<3>;

} // namespace shadow
