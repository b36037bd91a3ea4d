// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/particle_system.hpp"

#include "kernels/ops/fire.hpp"

namespace shadow {

/// Energy minimisation by the fast inertial relaxation engine (Bitzek, Koskinen, Gähler, Moseler,
/// Gumbsch 2006). Starts from rest and leaves the particles at rest. No particle moves more than
/// `longest_move` (length) in a step, so overlapping particles are pushed apart gently.
template <int Dim>
class Fire {
  public:
    /// `largest_step` > 0 bounds the step size, in units of time for unit masses.
    Fire(ParticleSystem<Dim>& system, double largest_step, double longest_move);

    void step();
    /// Largest force on any particle at the last step; waits for the device.
    [[nodiscard]] double largest_force() const { return state_.get(0).largest_force; }
    /// For a restart in the middle.
    [[nodiscard]] FireState state() const { return state_.get(0); }
    /// The largest step stays as it was built.
    void restore(FireState state) {
        state.largest_step = state_.get(0).largest_step;
        state_.set(0, state);
    }

  private:
    ParticleSystem<Dim>& system_;
    double longest_move_;
    Array<FireSums> sums_;
    Array<FireState> state_;
};

} // namespace shadow
