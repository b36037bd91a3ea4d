// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"

#include <atomic>

namespace shadow {

/// Watches over the wall time that a process may take, so that it ends, with its last checkpoint on
/// the disk, before a batch system ends it.
class WallTime {
  public:
    /// `started`: when the process did, by `clock`.
    explicit WallTime(double started, Clock clock = steady_seconds);

    /// Seconds after the start by which all must be done; infinity: no limit.
    void set_limit(double seconds) { limit_ = seconds; }
    /// Looks at the clock. True, from then on, when what is left is the time that the end takes:
    /// twice the longest checkpoint so far, and the longest that the host waited for the device.
    bool look();
    /// What the last `look` said.
    [[nodiscard]] bool over() const noexcept { return over_; }
    /// A checkpoint took so long; from any thread.
    void note_checkpoint(double seconds);
    /// The host waited so long until the device had done all that was asked of it.
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
