// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/checkpoint.hpp"

#include <cstddef>
#include <string>

namespace shadow {

/// Settings of speed by rule: `facts`, `settings` and `tuned` of a run.
template <int Dim>
void choose_settings(Run<Dim>& run, const Setup<Dim>& setup);

/// What is chosen, and what will be tried at the start, in words.
template <int Dim>
[[nodiscard]] std::string tuning_text(const Run<Dim>& run);

/// Tries settings at the start of the first stage that moves in time, on copies of the particles
/// which are thrown away. A run that a signal stops meanwhile is tuned when it goes on. Where the
/// wall time has no room for a trial, it never will have: the rules decide. `run.tuned` says
/// whether it was done.
template <int Dim>
void tune(Run<Dim>& run, const Stage<Dim>& stage);

/// What `restore_tuning` reads.
template <int Dim>
void store_tuning(const Run<Dim>& run, Checkpoint<Dim>& checkpoint);
/// What was chosen holds for the whole run, unless the input now gives it. Is it another choice?
template <int Dim>
[[nodiscard]] bool restore_tuning(Run<Dim>& run, const Checkpoint<Dim>& checkpoint);

} // namespace shadow
