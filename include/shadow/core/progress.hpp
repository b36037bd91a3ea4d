// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace shadow {

/// How a run shows its progress: `automatic` is a bar on a terminal, plain lines elsewhere.
enum class ProgressStyle { automatic, plain, bar, none };

/// The task whose progress is shown.
struct ProgressTask {
    std::string name = {}; ///< of the stage, if it has one
    std::int64_t steps = 0;
    std::int64_t done = 0;   ///< steps done before this process
    bool open_ended = false; ///< `steps` is an upper bound
};

/// The contents of a line of progress.
struct ProgressState {
    std::int64_t step = 0;                  ///< of the task
    std::optional<double> temperature = {}; ///< in the units of the run
    std::optional<double> drift = {}; ///< of the conserved quantity, in kT per degree of freedom
};

/// Reports the progress of a run through `log`. `due` is cheap (one reading of the clock), so that
/// temperature and drift need only be measured when a line is about to be shown.
class Progress {
  public:
    Progress(ProgressStyle style, ProgressTask task, Clock clock = steady_seconds);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    [[nodiscard]] bool due() const;
    void show(const ProgressState& state);
    /// Removes the bar; also called by the destructor.
    void finish();

  private:
    [[nodiscard]] std::string facts(const ProgressState& state, double rate) const;
    [[nodiscard]] double fraction(std::int64_t step) const;

    ProgressStyle style_;
    ProgressTask task_;
    Clock clock_;
    double shown_at_, next_, interval_;
    std::int64_t shown_step_;
    double rate_ = 0.0; ///< steps per second, smoothed
};

/// "45 s", "12:05", "3:10:00", "2 d 3 h": a time to wait, in seconds.
[[nodiscard]] std::string duration_text(double seconds);

} // namespace shadow
