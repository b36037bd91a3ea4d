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

/// The options of the command line for a run.
struct RunOptions {
    std::filesystem::path input;
    std::vector<std::string> overrides; ///< of --set, as `a.b.c=value`
    bool resume = false;                ///< continue from the last checkpoint
    bool resume_or_start = false;       ///< the same if there is one, else start
    bool check = false;                 ///< print the resolved configuration, run nothing
    std::filesystem::path summary;      ///< file for the summary as JSON; "-": standard output
    bool quiet = false;                 ///< warnings and errors only; no progress, no table
    double started = steady_seconds();  ///< start of the process by this clock
    ProgressStyle progress = ProgressStyle::automatic;
};

/// The text of `--check`: the input with all its defaults and what the run will cost. Throws
/// InputError.
[[nodiscard]] std::string check_input(const Parameters& root, const RunOptions& options);

/// Calls `print` for each stage with motion: whether the step is stable, the expected drift, and
/// the error of averages caused by the step, with the step for which this error is `accuracy`
/// (relative). Uses short trials with the step and half of it; writes no files. Returns whether all
/// steps are stable. Throws InputError.
bool certify_input(const RunOptions& options, double accuracy,
                   const std::function<void(const std::string&)>& print);

/// Runs the input. Returns the exit status: 0 when done; after a checkpoint 75 if its wall time was
/// over, 129, 130 or 143 if a signal stopped it. Throws InputError before anything is written,
/// SimulationError or MachineError after saving the last good state.
int run_simulation(const RunOptions& options);

/// A simulation driven by a program: an input as for `mdrun`, with one method, without files.
///
///     Simulation simulation(input.parameters());
///     simulation.run(10000);
///     std::vector<double> x = simulation.positions();
///
/// Arrays have one row per particle, with one number per dimension, in the order of ids, which is
/// the initial order; all are in the units of the input. The quantities of `[[observe]]` are
/// measured during the run. All functions wait for the device, and throw SimulationError if the
/// dynamics failed; the simulation cannot be used afterwards.
class Simulation {
  public:
    /// `run.steps` may be left out, and `[output]` has no effect. `folder`: to which files that the
    /// input names are relative; `check_start`: false if positions will be set before the first
    /// step, so that those of the input are arbitrary. Throws InputError as `mdrun` does, and if
    /// the input has `[[stage]]` or `run.until`.
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
    /// Edges, one per row; off-diagonal numbers are zero unless the box is tilted.
    [[nodiscard]] std::vector<double> box_edges() const;

    /// Advances by `steps`; a minimisation ends earlier if it converges.
    void run(std::int64_t steps);

    /// Wrapped into the box where it is periodic; or, `unwrapped`, with the images undone.
    [[nodiscard]] std::vector<double> positions(bool unwrapped = false) const;
    [[nodiscard]] std::vector<double> velocities() const;
    /// Total forces of all levels.
    [[nodiscard]] std::vector<double> forces();
    [[nodiscard]] std::vector<double> masses() const;
    [[nodiscard]] std::vector<double> charges() const;
    [[nodiscard]] std::vector<std::string> species() const;
    /// Sets positions; those outside a periodic box are wrapped. Velocities do not change. Throws
    /// InputError for a wrong number of values and for one that is not finite.
    void set_positions(std::span<const double> positions);
    /// Sets velocities, with the same errors.
    void set_velocities(std::span<const double> velocities);

    [[nodiscard]] double potential_energy();
    [[nodiscard]] double kinetic_energy();
    [[nodiscard]] double temperature();
    /// Averages with their errors, the drift of the conserved quantity, and the verdict, as at the
    /// end of `mdrun`. Throws InputError before the first step.
    [[nodiscard]] StageSummary summary();

  private:
    struct Driven;
    template <int Dim>
    struct DrivenRun;
    std::unique_ptr<Driven> driven_;
};

} // namespace shadow
