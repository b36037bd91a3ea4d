// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/observables/recorder.hpp"

#include <map>
#include <string>

namespace shadow {

/// The steps of a stage, without the files.

/// Takes over the final state of the previous stage.
template <int Dim>
void begin_stage(Run<Dim>& run, Stage<Dim>& stage);

/// Prepares a stage for its first step in this process; rows of observables go to `sink`.
template <int Dim>
void connect_stage(Stage<Dim>& stage, typename Recorder<Dim>::Sink sink);

/// One step; true if the method has reached the end that it determines itself.
template <int Dim>
[[nodiscard]] bool advance(Run<Dim>& run, Stage<Dim>& stage);

/// While it exists the particles are in the observed state, if that differs from the one from which
/// steps continue.
template <int Dim>
class OutputState {
  public:
    OutputState(Run<Dim>& run, const Stage<Dim>& stage);
    ~OutputState();
    OutputState(const OutputState&) = delete;
    OutputState& operator=(const OutputState&) = delete;

  private:
    ParticleSystem<Dim>* system_ = nullptr; ///< null: no other state, or it is already there
};

/// Enqueues the observables that are due now.
template <int Dim>
void sample(Run<Dim>& run, Stage<Dim>& stage);

/// The current scalars of thermo, by name. Waits for the device.
template <int Dim>
[[nodiscard]] std::map<std::string, double> measure_thermo(Run<Dim>& run, Stage<Dim>& stage);

/// The error message if a barostat would make the box smaller or larger than allowed; or "". Waits
/// for the device.
template <int Dim>
[[nodiscard]] std::string box_failure(const Run<Dim>& run);

/// Throws SimulationError with this message, if any.
template <int Dim>
void refuse_box(const Run<Dim>& run);

} // namespace shadow
