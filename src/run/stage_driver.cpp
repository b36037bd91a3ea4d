// SPDX-License-Identifier: BSD-3-Clause
#include "stage_driver.hpp"

#include "stage_entry.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"

#include <fmt/format.h>
#include <utility>

namespace shadow {
namespace {

/// For a stage that may have begun in another process.
template <int Dim>
void go_to_output(const Stage<Dim>& stage, ParticleSystem<Dim>& system) {
    stage.integrator->set_first_step(stage.first_step);
    stage.integrator->go_to_output(system);
}

} // namespace

template <int Dim>
void begin_stage(Run<Dim>& run, Stage<Dim>& stage) {
    if (!stage.plan.name.empty()) log::info(fmt::format("stage \"{}\"", stage.plan.name));
    if (&stage != run.stages.data() && (&stage - 1)->has_output_state())
        go_to_output(*(&stage - 1), *run.system); // and stays in the output state
    stage.start = enter(run, stage, *run.system);
    if (&stage != run.stages.data() && !(&stage - 1)->takes_time())
        for (const std::string& note :
             run.report_steps(run.system->box(), run.system->snapshot(), &stage))
            log::info(note);
    stage.integrator->set_first_step(run.system->step()); // parameters are counted from there
    stage.integrator->prepare(*run.system);
    if (const std::string note = stage.integrator->note_of_start(*run.system); !note.empty())
        log::info(note);
    if (stage.takes_time()) report_entry(run, stage);
    stage.first_step = run.system->step();
    stage.first_time = run.system->time();
    const auto& lengths = run.system->box().lengths();
    stage.lengths = {lengths.begin(), lengths.end()};
    stage.recorder->set_array_start(stage.first_step + stage.plan.equilibration.value_or(0));
    stage.begun = true;
}

template <int Dim>
void connect_stage(Stage<Dim>& stage, typename Recorder<Dim>::Sink sink) {
    stage.recorder->set_sink(std::move(sink));
    stage.recorder->set_first_step(stage.first_step);
    stage.integrator->set_first_step(stage.first_step);
}

template <int Dim>
bool advance(Run<Dim>& run, Stage<Dim>& stage) {
    ParticleSystem<Dim>& system = *run.system;
    const std::int64_t next = system.step() + 1;
    // With an output state energies are not needed where steps continue; they are computed at the
    // output state.
    system.expect_energies(stage.recorder->energy_due(next) && !stage.has_output_state());
    system.follow_action(stage.recorder->action_due(next));
    stage.integrator->step(system);
    const Arrival end = stage.integrator->arrival(system, stage.steps_done + 1, stage.plan.steps);
    if (end.text.empty()) return false;
    const bool mixed = run.plan.compute.precision == Precision::mixed;
    end.reached ? log::info(end.text)
                : log::warning(end.text + (mixed ? ", or compute.precision = \"double\", as pair "
                                                   "forces in mixed precision have errors of about "
                                                   "1e-6"
                                                 : ""));
    system.rest();
    return end.reached;
}

template <int Dim>
OutputState<Dim>::OutputState(Run<Dim>& run, const Stage<Dim>& stage) {
    if (!stage.has_output_state() || run.system->is_kept()) return;
    run.system->keep();
    try {
        go_to_output(stage, *run.system);
    } catch (...) {
        run.system->put_back();
        throw;
    }
    system_ = run.system.get();
}

template <int Dim>
OutputState<Dim>::~OutputState() {
    if (system_) system_->put_back();
}

template <int Dim>
void sample(Run<Dim>& run, Stage<Dim>& stage) {
    const std::int64_t step = run.system->step();
    if (!stage.recorder->due(step)) return;
    const Timer::Scope scope(run.timer, run.timer.part("observables"));
    const OutputState<Dim> at_output(run, stage);
    run.system->prepare_observation(stage.recorder->energy_due(step));
    stage.recorder->set_extended_energy(stage.integrator->extended_energy(*run.system));
    stage.recorder->sample(*run.system);
}

template <int Dim>
std::map<std::string, double> measure_thermo(Run<Dim>& run, Stage<Dim>& stage) {
    ParticleSystem<Dim>& system = *run.system;
    const OutputState<Dim> at_output(run, stage);
    system.prepare_observation(true);
    Array<double> row(run.backend, stage.thermo->width());
    stage.thermo->set_extended_energy(stage.integrator->extended_energy(system));
    stage.thermo->enqueue(system, row.data());
    const std::vector<double> values = row.to_host();
    std::map<std::string, double> scalars;
    std::size_t at = 0;
    for (const Quantity& q : stage.thermo->quantities()) {
        if (q.width == 1) scalars[q.name] = values[at];
        at += q.width;
    }
    return scalars;
}

template <int Dim>
std::string box_failure(const Run<Dim>& run) {
    const double end = run.box_changes() ? run.system->scalar(Scalar::box_least) : 0.0;
    if (end == 0.0) return "";
    if (end == 2.0)
        return fmt::format("step {}: the box would grow to more than {} times its lengths at the "
                           "start (nothing holds the particles together at this pressure, or its "
                           "period is so short that the box oscillates wildly); give the barostat "
                           "a higher pressure or a longer period, or begin nearer to equilibrium",
                           run.system->step(), largest_growth);
    return fmt::format(
        "step {}: the box would shrink to less than lists are planned for, 0.7 of its lengths at "
        "the start, or to less than two cut-offs (the pressure is far from the target, or the "
        "system is small); begin a run with the last checkpoint (system.file)",
        run.system->step());
}

template <int Dim>
void refuse_box(const Run<Dim>& run) {
    if (const std::string failure = box_failure(run); !failure.empty())
        throw SimulationError(failure);
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template class OutputState<Dim>;                                                               \
    template void begin_stage(Run<Dim>&, Stage<Dim>&);                                             \
    template void connect_stage(Stage<Dim>&, Recorder<Dim>::Sink);                                 \
    template bool advance(Run<Dim>&, Stage<Dim>&);                                                 \
    template void sample(Run<Dim>&, Stage<Dim>&);                                                  \
    template std::map<std::string, double> measure_thermo(Run<Dim>&, Stage<Dim>&);                 \
    template std::string box_failure(const Run<Dim>&);                                             \
    template void refuse_box(const Run<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
