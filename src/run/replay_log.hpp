// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include <cstddef>

namespace shadow {

/// Reports how a GPU executes the steps of a run; reports nothing on the CPU.
class ReplayLog {
  public:
    explicit ReplayLog(const Backend& backend) : backend_(backend) {}

    /// Warns, once each, of what the device has refused, and reports why a small system cannot be
    /// advanced by a single kernel.
    void look();
    /// The same, and one line on how steps were executed.
    void finish();

  private:
    const Backend& backend_;
    std::size_t problems_reported_ = 0;
    bool apart_reported_ = false;
};

} // namespace shadow
