// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"

#include <atomic>

namespace shadow {

/// Monitors the wall time limit of a process, so that the process ends, with its last checkpoint on
/// the disk, before a batch system ends it.
class WallTime {
  public:
    /// `started`: start of the process by `clock`.
    explicit WallTime(double started, Clock clock = steady_seconds);

    /// Seconds after the start by which the process must end; infinity: no limit.
    void set_limit(double seconds) { limit_ = seconds; }
    /// Reads the clock. Returns true, from then on, when the remaining time is what the end takes:
    /// twice the longest checkpoint so far, plus the longest time that the host waited for the
    /// device.
    bool look();
    /// The result of the last `look`.
    [[nodiscard]] bool over() const noexcept { return over_; }
    /// Records the duration of a checkpoint; may be called from any thread.
    void note_checkpoint(double seconds);
    /// Records how long the host waited for the device to finish all its work.
    void note_wait(double seconds);
    /// Seconds since the start.
    [[nodiscard]] double elapsed() const { return clock_() - started_; }

  private:
    Clock clock_;
    double started_, limit_, longest_wait_ = 0.0;
    std::atomic<double> longest_checkpoint_{0.0};
    bool over_ = false;
};

} // namespace shadow
