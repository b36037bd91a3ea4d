// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/core/progress.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace shadow {

/// What the command line says about a run.
struct RunOptions {
    std::filesystem::path input;
    std::vector<std::string> overrides; ///< of --set, as `a.b.c=value`
    bool resume = false;                ///< go on from the last checkpoint
    bool resume_or_start = false;       ///< the same if there is one, else start
    bool check = false;                 ///< print the resolved configuration, run nothing
    std::filesystem::path summary;      ///< write it here as JSON; "-": standard output
    bool quiet = false;                 ///< warnings and errors only; no progress, no table
    double started = steady_seconds();  ///< by that clock: when the process did
    ProgressStyle progress = ProgressStyle::automatic;
};

/// What `--check` prints: the input with all its defaults and what the run will take. Throws
/// InputError.
[[nodiscard]] std::string check_input(const Parameters& root, const RunOptions& options);

/// Runs the input. Returns the exit status: 0 when done; after a checkpoint 75 when its wall time
/// was over, 129, 130 or 143 when a signal stopped it. Throws InputError before anything is
/// written, SimulationError or MachineError after saving the last good state.
int run_simulation(const RunOptions& options);

} // namespace shadow
