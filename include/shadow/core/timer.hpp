// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace shadow {

/// Wall time by part. At every moment one part is running, so shares add up to the total; a part
/// entered inside another one interrupts it. One reading of the clock per change.
class Timer {
  public:
    /// Starts now, with a first part called "other" running.
    explicit Timer(Clock clock = steady_seconds);

    /// The number of a part, created at the first call. Look it up once, not in a loop.
    std::size_t part(std::string_view name);

    /// Runs a part until the end of the scope, then returns to the part that ran before.
    class Scope {
      public:
        Scope(Timer& timer, std::size_t part) : Scope(&timer, part) {}
        /// Without a timer it does nothing.
        Scope(Timer* timer, std::size_t part)
            : timer_(timer), before_(timer ? timer->enter(part) : 0) {}
        ~Scope() {
            if (timer_) timer_->enter(before_);
        }
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        Timer* timer_;
        std::size_t before_;
    };

    /// Switches to a part; returns the one that was running.
    std::size_t enter(std::size_t part);

    /// Starts counting again from now; the parts keep their numbers, and their times are zero.
    void restart();
    [[nodiscard]] double seconds() const; ///< since the start
    /// Every part with its share of the total (0 to 1), in the order they were made.
    [[nodiscard]] std::vector<std::pair<std::string, double>> shares();

  private:
    Clock clock_;
    double start_, last_;
    std::size_t running_ = 0;
    std::vector<std::pair<std::string, double>> parts_;
};

} // namespace shadow
