// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/checkpoint.hpp"
#include "shadow/statistics/energy_watch.hpp"

#include <span>
#include <string>
#include <vector>

namespace shadow {

/// Monitors the energy of a stage: in the rows of thermo, at the start and the end of the stage,
/// and before a checkpoint.
template <int Dim>
class StageWatch {
  public:
    explicit StageWatch(Run<Dim>& run) : run_(run) {}

    /// Starts at the first step of a stage.
    void begin(Stage<Dim>& stage);
    /// Receives rows of a stage.
    void take(const RecordBatch& batch);
    /// Checks the current state, which no row shows. The kinetic energy is cheap and reveals an
    /// explosion, except for a start at rest; only if it is not plausible are all energies
    /// computed. Computing them changes the rounding of the forces, so the state is restored
    /// afterwards. Throws SimulationError.
    void look_now(Stage<Dim>& stage);
    /// Throws SimulationError if rows showed an explosion.
    void refuse_explosion() const;
    /// The cause of a failure: an explosion that no row had shown before, if there is one.
    [[nodiscard]] SimulationError cause_of(const SimulationError& error);

    void store(Checkpoint<Dim>& checkpoint) const;
    void restore(const Checkpoint<Dim>& checkpoint);

  private:
    [[nodiscard]] EnergyLook measure(Stage<Dim>& stage) const;
    [[nodiscard]] SimulationError explosion() const;
    [[nodiscard]] std::string largest_force(const Snapshot<Dim>& now) const;

    Run<Dim>& run_;
    EnergyWatch watch_;
    std::vector<double> kinetic_, potential_; ///< of the current batch
};

} // namespace shadow
