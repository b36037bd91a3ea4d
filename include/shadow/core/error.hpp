// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace shadow {

/// The kind of failure, which is the exit status of mdrun.
enum class Failure { input = 2, simulation = 3, machine = 4 };

/// An error with a message in the grammar `<problem> (<why it is one>); <what to do>`.
class Error : public std::runtime_error {
  public:
    Error(Failure failure, const std::string& message)
        : std::runtime_error(message), failure_(failure) {}
    [[nodiscard]] Failure failure() const noexcept { return failure_; }
    [[nodiscard]] int exit_status() const noexcept { return static_cast<int>(failure_); }

  private:
    Failure failure_;
};

/// The input is wrong; nothing was written.
struct InputError : Error {
    explicit InputError(const std::string& message) : Error(Failure::input, message) {}
};

/// The simulation failed: a non-finite force, an escape, an exploding energy.
struct SimulationError : Error {
    explicit SimulationError(const std::string& message) : Error(Failure::simulation, message) {}
};

/// The machine failed: disk full, device lost, out of memory.
struct MachineError : Error {
    explicit MachineError(const std::string& message) : Error(Failure::machine, message) {}
};

} // namespace shadow
