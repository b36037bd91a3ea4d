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

    /// Those of a new run, or of one that goes on. Throws InputError.
    void open();
    /// Do the results tell the end of all stages? Of a run that was killed behind its last
    /// checkpoint they may not, and the working file is left. Throws InputError where there are
    /// none.
    [[nodiscard]] bool results_are_finished() const;
    /// The settings of speed are others now.
    void describe_run();
    /// Where the rows of a stage go.
    void declare_series(const Stage<Dim>& stage);
    /// Rows arrive.
    void take(const RecordBatch& batch);
    /// Where the stages so far begin and end, for programs that read the file meanwhile.
    void write_stages();
    /// What the observables of the stage at work have averaged so far.
    void write_arrays();
    void write_frame();
    /// The configuration with which a stage ends.
    void write_final();
    /// Waits until everything is on the disk.
    void finish() { results_->finish(); }
    /// What was measured up to a failure, and that it is of one.
    void publish_failed(const std::string& why) {
        ResultFile& results = results_->settled();
        results.note_failure(why);
        results.publish();
    }

    [[nodiscard]] bool is_saved(const StageProgress& progress) const {
        return saved_step_ == run_.system->step() && saved_progress_ == progress;
    }
    /// Results first, then the checkpoint, of the state now, to whose scalars and texts more may
    /// have been added: rows behind the checkpoint are cut off by a resumed run.
    void write_checkpoint(Checkpoint<Dim> checkpoint, bool last);
    /// No row can be added: the working file itself takes the place of the results.
    void write_last() {
        results_->later(0, [](ResultFile& results) { results.finish(); });
    }
    /// A checkpoint from which the run goes on.
    void note_resumed(const Checkpoint<Dim>& checkpoint);
    /// A checkpoint was written or read, by this process.
    [[nodiscard]] bool any_saved() const { return saved_step_ >= 0; }
    /// What is on the disk does not serve any more.
    void forget_saved() { saved_step_ = -1; }
    /// Step of the checkpoint that is on the disk.
    [[nodiscard]] std::int64_t good_step() const { return good_step_.load(); }

  private:
    [[nodiscard]] RunInformation information() const;
    [[nodiscard]] std::vector<StageFacts> stage_facts() const;
    void describe_frames();

    Run<Dim>& run_;
    std::string start_digest_; ///< of the state with which the run began
    std::atomic<std::int64_t> good_step_{-1};
    std::optional<ResultWriter> results_; // its thread writes good_step_
    std::map<std::string, int> series_;
    std::int64_t saved_step_ = -1; ///< of the last that was handed to the writer
    StageProgress saved_progress_;
};

} // namespace shadow
