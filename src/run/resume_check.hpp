// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/checkpoint.hpp"

namespace shadow {

/// What an input may not change when a run goes on. Both throw InputError.

/// Is the checkpoint that of this run, and do the results belong to it?
template <int Dim>
void refuse_other_past(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint);

/// Stages before the one that goes on must be as long as they were.
template <int Dim>
void refuse_changed_stages(const Run<Dim>& run);

} // namespace shadow
