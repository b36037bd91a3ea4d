// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/version.hpp"

#include <fmt/format.h>

/// The table of a run while it goes on, and the file PREFIX.log.
namespace shadow {

/// Not before the results are open: a run that is refused writes nothing.
template <int Dim>
void Simulation<Dim>::open_log() const {
    log::open_file(log_path(plan_.output.prefix), plan_.output.overwrite && !options_.resume);
    log::record(fmt::format("{}Shadow {} ({}), {}, {} precision, seed {}, input {}\n",
                            options_.resume ? "\n" : "", version(), commit(),
                            backend_.description(), name(plan_.compute.precision), plan_.seed,
                            options_.input.string()));
}

/// Lines are rows of thermo, so they can only stand where there are such.
template <int Dim>
void Simulation<Dim>::refuse_log(const Parameters& root, const StageType& stage) const {
    const std::int64_t every = plan_.output.log.every;
    const std::int64_t rows = stage.recorder->interval("kinetic_energy");
    if (every % rows == 0) return;
    root.table("output").table("log").fail(
        "every", fmt::format("every is {} (lines of the log are rows of thermo, which are {} steps "
                             "apart{}); give a multiple of {}",
                             every, rows,
                             stage.plan.name.empty() ? "" : " in stage " + stage.plan.name, rows));
}

template <int Dim>
void Simulation<Dim>::begin_table(const StageType& stage) {
    if (!table_) table_.emplace(plan_.output.log, units_, Dim, system_->size());
    const bool goes_on = stage.steps_done > 0;
    table_->begin(stage.plan.steps, stage.recorder->interval("kinetic_energy"),
                  stage.recorder->quantities(), stage.integrator != nullptr,
                  goes_on ? resumed_reference_ : std::nullopt);
}

/// Rows wait on the backend; they are collected for a line, but not often.
template <int Dim>
void Simulation<Dim>::show_table(StageType& stage) {
    constexpr double seconds = 0.5; // between two, so that waiting costs nothing
    if (!table_->due(system_->step()) || timer_.seconds() - tabled_at_ < seconds) return;
    tabled_at_ = timer_.seconds();
    stage.recorder->flush();
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
