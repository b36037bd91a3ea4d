// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay_log.hpp"
#include "run.hpp"
#include "run_files.hpp"
#include "stage_watch.hpp"
#include "thermo_table.hpp"

#include "shadow/core/progress.hpp"

#include <optional>

namespace shadow {

/// Drives a run through its stages, and writes its files.
template <int Dim>
class Runner {
  public:
    explicit Runner(Run<Dim>& run)
        : run_(run), files_(run), watch_(run), replay_log_(run.backend) {}

    /// Runs all stages; returns the exit status.
    int execute();

  private:
    void resume();
    [[nodiscard]] bool rebuild_for(const Checkpoint<Dim>& checkpoint);
    void open();
    void run_stages();
    void run_stage(Stage<Dim>& stage);
    void tune_stage(const Stage<Dim>& stage);
    void settle_box();
    void rebuild(std::size_t first, const Box<Dim>& box, const Snapshot<Dim>& from);
    void run_steps(Stage<Dim>& stage);
    void end(Stage<Dim>& stage);
    void observe(Stage<Dim>& stage);
    [[nodiscard]] bool good_enough(Stage<Dim>& stage) const;
    void time_parts(const Stage<Dim>& stage);
    void housekeeping(Stage<Dim>& stage, Progress& progress);
    void self_test(Stage<Dim>& stage);
    void take(const RecordBatch& batch);
    void open_log() const;
    void begin_table(const Stage<Dim>& stage);
    void show_table(Stage<Dim>& stage);
    void report_volume_steps(const Stage<Dim>& stage) const;
    void report_step_lengths(const Stage<Dim>& stage) const;
    /// Steps of a stage after which step lengths are checked, or at its end.
    static constexpr std::int64_t steps_to_judge = 100;
    void warn_of_short_steps(const Stage<Dim>& stage) const;
    void check_box();
    void save(bool last = false);
    [[noreturn]] void fail_with_checkpoint(const Error& error);
    [[nodiscard]] int say_why_stopped() const;

    Run<Dim>& run_;
    RunFiles<Dim> files_;
    StageWatch<Dim> watch_;
    ReplayLog replay_log_;
    double saved_at_ = 0.0, tested_at_ = 0.0;
    ProgressState shown_;
    std::optional<ThermoTable> table_;
    std::optional<double> resumed_reference_; ///< of the table, from the checkpoint
    double tabled_at_ = 0.0;                  ///< when rows were last collected for the table
};

} // namespace shadow
