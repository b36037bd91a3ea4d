// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/checkpoint.hpp"
#include "shadow/io/result_writer.hpp"

#include <atomic>
#include <map>
#include <optional>
#include <string>

namespace shadow {

/// The files that a run writes: results with series, arrays and frames, and checkpoints.
template <int Dim>
class RunFiles {
  public:
    explicit RunFiles(Run<Dim>& run) : run_(run) {}

    /// Opens the files of a new run, or of one that is continued. Throws InputError.
    void open();
    /// Are the results complete to the end of all stages? If the run was killed after its last
    /// checkpoint they may not be, and the working file is left. Throws InputError if there are no
    /// results.
    [[nodiscard]] bool results_are_finished() const;
    /// Writes the information about the run again, after the settings of the tuning have changed.
    void describe_run();
    /// Creates the series for the rows of a stage.
    void declare_series(const Stage<Dim>& stage);
    /// Receives rows.
    void take(const RecordBatch& batch);
    /// Writes the first and last steps of the stages so far, for programs that read the file
    /// meanwhile.
    void write_stages();
    /// Writes the averages of the observables of the current stage so far.
    void write_arrays();
    void write_frame();
    /// Writes the final configuration of a stage.
    void write_final();
    /// Waits until everything is on the disk.
    void finish() { results_->finish(); }
    /// Publishes the measurements up to a failure, and records the failure.
    void publish_failed(const std::string& why) {
        ResultFile& results = results_->settled();
        results.note_failure(why);
        results.publish();
    }

    [[nodiscard]] bool is_saved(const StageProgress& progress) const {
        return saved_step_ == run_.system->step() && saved_progress_ == progress;
    }
    /// Writes the results, then the checkpoint, both of the current state; the caller may have
    /// added scalars and texts to the checkpoint. A resumed run truncates rows after the
    /// checkpoint.
    void write_checkpoint(Checkpoint<Dim> checkpoint, bool last);
    /// Finishes the results: the working file itself replaces them, and no rows can be added.
    void write_last() {
        results_->later(0, [](ResultFile& results) { results.finish(); });
    }
    /// Records the checkpoint from which the run continues.
    void note_resumed(const Checkpoint<Dim>& checkpoint);
    /// Has this process written or read a checkpoint?
    [[nodiscard]] bool any_saved() const { return saved_step_ >= 0; }
    /// The checkpoint on the disk is no longer valid.
    void forget_saved() { saved_step_ = -1; }
    /// Step of the checkpoint on the disk.
    [[nodiscard]] std::int64_t good_step() const { return good_step_.load(); }

  private:
    [[nodiscard]] RunInformation information() const;
    [[nodiscard]] std::vector<StageFacts> stage_facts() const;
    void describe_frames();

    Run<Dim>& run_;
    std::string start_digest_; ///< of the initial state of the run
    std::atomic<std::int64_t> good_step_{-1};
    std::optional<ResultWriter> results_; // its thread writes good_step_
    std::map<std::string, int> series_;
    std::int64_t saved_step_ = -1; ///< of the last checkpoint passed to the writer
    StageProgress saved_progress_;
};

} // namespace shadow
