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

/// The watch over the energy of a stage. It looks at the rows of thermo as they arrive, at the
/// start of a stage, at its end, and at what a checkpoint is to hold.
template <int Dim>
class StageWatch {
  public:
    explicit StageWatch(Run<Dim>& run) : run_(run) {}

    /// From the first step of a stage on.
    void begin(Stage<Dim>& stage);
    /// Rows of a stage arrive.
    void take(const RecordBatch& batch);
    /// The present state, which no row shows. The kinetic energy is cheap and tells an explosion,
    /// but for a start at rest; only what it does not explain takes all energies. These would come
    /// with other rounding of the forces, so the state is put back as it was. Throws
    /// SimulationError.
    void look_now(Stage<Dim>& stage);
    /// Throws SimulationError where rows told of an explosion.
    void refuse_explosion() const;
    /// Of a failure that the explosion brought about before a row told of it.
    [[nodiscard]] SimulationError cause_of(const SimulationError& error);

    void store(Checkpoint<Dim>& checkpoint) const;
    void restore(const Checkpoint<Dim>& checkpoint);

  private:
    [[nodiscard]] EnergyLook measure(Stage<Dim>& stage) const;
    [[nodiscard]] SimulationError explosion() const;
    [[nodiscard]] std::string largest_force(const Snapshot<Dim>& now) const;

    Run<Dim>& run_;
    EnergyWatch watch_;
    std::vector<double> kinetic_, potential_; ///< of the batch that arrives
};

} // namespace shadow
