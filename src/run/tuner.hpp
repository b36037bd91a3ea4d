// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/checkpoint.hpp"

#include <cstddef>
#include <string>

namespace shadow {

/// Chooses settings by rule: `facts`, `settings` and `tuned` of a run.
template <int Dim>
void choose_settings(Run<Dim>& run, const Setup<Dim>& setup);

/// The chosen settings, and those to be tried at the start, in words.
template <int Dim>
[[nodiscard]] std::string tuning_text(const Run<Dim>& run);

/// Tries settings at the start of the first stage that takes time, on copies of the particles that
/// are discarded. A run that is stopped by a signal meanwhile is tuned when it is continued. If the
/// wall time is too short for a trial, it always will be: the rules decide. `run.tuned` is set when
/// tuning is done.
template <int Dim>
void tune(Run<Dim>& run, const Stage<Dim>& stage);

/// Writes what `restore_tuning` reads.
template <int Dim>
void store_tuning(const Run<Dim>& run, Checkpoint<Dim>& checkpoint);
/// Restores the settings, which hold for the whole run unless the input now gives them. Returns
/// whether they changed.
template <int Dim>
[[nodiscard]] bool restore_tuning(Run<Dim>& run, const Checkpoint<Dim>& checkpoint);

} // namespace shadow
