// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/clock.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/core/progress.hpp"
#include "shadow/io/summary.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
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

/// Tells `print`, of each stage that moves, whether the step is stable, the drift to expect, and
/// what the step does to averages, with the step for which that is `accuracy` (relative). By short
/// trials with the step and half of it; writes no files. Returns whether all steps are stable.
/// Throws InputError.
bool certify_input(const RunOptions& options, double accuracy,
                   const std::function<void(const std::string&)>& print);

/// Runs the input. Returns the exit status: 0 when done; after a checkpoint 75 when its wall time
/// was over, 129, 130 or 143 when a signal stopped it. Throws InputError before anything is
/// written, SimulationError or MachineError after saving the last good state.
int run_simulation(const RunOptions& options);

/// A simulation that a program drives: an input as that of `mdrun`, of one method, without files.
///
///     Simulation simulation(input.parameters());
///     simulation.run(10000);
///     std::vector<double> x = simulation.positions();
///
/// Arrays have a row of as many numbers as there are dimensions for each particle, in the order of
/// ids, which is that of the start; all are in the units of the input. What `[[observe]]` asks for
/// is measured while it runs. All functions wait for the device, and throw SimulationError where
/// the dynamics failed; then the simulation is of no further use.
class Simulation {
  public:
    /// `run.steps` may be left out, and nothing comes of `[output]`. `folder`: what files that the
    /// input names are relative to; `check_start`: false where positions will be set before the
    /// first step, so that those of the input may be anything. Throws InputError as `mdrun` does,
    /// and where the input has `[[stage]]` or `run.until`.
    explicit Simulation(const Parameters& input, const std::filesystem::path& folder = ".",
                        bool check_start = true);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    [[nodiscard]] int dimension() const;
    [[nodiscard]] std::int64_t particles() const;
    [[nodiscard]] std::int64_t step() const;
    [[nodiscard]] double time() const;
    /// By direction; infinite where the box is open.
    [[nodiscard]] std::vector<double> box_lengths() const;
    /// Edges, a row each; off the diagonal zeros but in a tilted box.
    [[nodiscard]] std::vector<double> box_edges() const;

    /// So many steps; of a minimisation until it has arrived, at most.
    void run(std::int64_t steps);

    /// In the box where it is periodic; or, `unwrapped`, with the images undone.
    [[nodiscard]] std::vector<double> positions(bool unwrapped = false) const;
    [[nodiscard]] std::vector<double> velocities() const;
    /// Of all levels.
    [[nodiscard]] std::vector<double> forces();
    [[nodiscard]] std::vector<double> masses() const;
    [[nodiscard]] std::vector<double> charges() const;
    [[nodiscard]] std::vector<std::string> species() const;
    /// New places, of which those outside of a periodic box come in at the other side. Velocities
    /// stay. Throws InputError for another number of them and for one that is not finite.
    void set_positions(std::span<const double> positions);
    /// Likewise.
    void set_velocities(std::span<const double> velocities);

    [[nodiscard]] double potential_energy();
    [[nodiscard]] double kinetic_energy();
    [[nodiscard]] double temperature();
    /// Averages with their errors, the drift of what is conserved, and the verdict, as `mdrun` ends
    /// with. Throws InputError before the first step.
    [[nodiscard]] StageSummary summary();

  private:
    struct Driven;
    template <int Dim>
    struct DrivenRun;
    std::unique_ptr<Driven> driven_;
};

} // namespace shadow
