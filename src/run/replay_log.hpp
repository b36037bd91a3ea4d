// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstddef>

namespace shadow {

/// Tells how a GPU does the steps of a run; says nothing on the CPU.
class ReplayLog {
  public:
    explicit ReplayLog(const Backend& backend) : backend_(backend) {}

    /// Warns, once each, of what the device has refused, and says what keeps a small system from
    /// being stepped by one kernel.
    void look();
    /// The same, and one line of how steps were done.
    void finish();

  private:
    const Backend& backend_;
    std::size_t told_ = 0;
    bool told_apart_ = false;
};

} // namespace shadow
