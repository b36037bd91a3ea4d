// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <csignal>

namespace shadow {

/// While it exists, SIGINT, SIGTERM and SIGHUP (unless ignored, as under nohup) ask the run to stop
/// after a checkpoint, and SIGUSR1 asks for a checkpoint only. A second signal of the first three
/// ends the process at once, with the status of the signal; files are complete at every moment, so
/// the last checkpoint remains. SIGPIPE and SIGXFSZ are ignored: a write then fails with an error
/// instead. Only one instance may exist at a time.
class SignalGuard {
  public:
    SignalGuard();
    ~SignalGuard(); ///< restores the former handlers
    SignalGuard(const SignalGuard&) = delete;
    SignalGuard& operator=(const SignalGuard&) = delete;

    /// The signal that asked to stop, or 0.
    [[nodiscard]] int stop_signal() const noexcept;
    /// Did SIGUSR1 arrive since the last call?
    [[nodiscard]] bool take_checkpoint_request() noexcept;
    /// 129 for SIGHUP, 130 for SIGINT, 143 for SIGTERM, 0 for none.
    [[nodiscard]] int exit_status() const noexcept;

  private:
    struct sigaction interrupt_, terminate_, hang_up_, user_, pipe_, size_;
};

} // namespace shadow
