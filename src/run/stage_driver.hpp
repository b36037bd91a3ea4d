// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/observables/recorder.hpp"

#include <map>
#include <string>

namespace shadow {

/// The steps of a stage, without the files.

/// Takes over the state that the stage before left.
template <int Dim>
void begin_stage(Run<Dim>& run, Stage<Dim>& stage);

/// Before its first step in this process; rows of observables go to `sink`.
template <int Dim>
void connect_stage(Stage<Dim>& stage, typename Recorder<Dim>::Sink sink);

/// One step; true when its method has arrived where it ends by itself.
template <int Dim>
[[nodiscard]] bool advance(Run<Dim>& run, Stage<Dim>& stage);

/// The particles at what is observed, where that is another state than the one from which steps go
/// on; as long as it lives.
template <int Dim>
class OutputState {
  public:
    OutputState(Run<Dim>& run, const Stage<Dim>& stage);
    ~OutputState();
    OutputState(const OutputState&) = delete;
    OutputState& operator=(const OutputState&) = delete;

  private:
    ParticleSystem<Dim>* system_ = nullptr; ///< null: it is the same, or they are there already
};

/// Enqueues the observables that are due now.
template <int Dim>
void sample(Run<Dim>& run, Stage<Dim>& stage);

/// The scalars of thermo, by name, now. Waits for the device.
template <int Dim>
[[nodiscard]] std::map<std::string, double> measure_thermo(Run<Dim>& run, Stage<Dim>& stage);

/// Where a barostat would make the box smaller or larger than it may be: the whole error; or "".
/// Waits.
template <int Dim>
[[nodiscard]] std::string box_failure(const Run<Dim>& run);

/// Throws SimulationError with that.
template <int Dim>
void refuse_box(const Run<Dim>& run);

} // namespace shadow
