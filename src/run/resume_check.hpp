// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/checkpoint.hpp"

namespace shadow {

/// Changes of the input that are refused when a run is continued. Both functions throw InputError.

/// Does the checkpoint belong to this run, and do the results belong to the checkpoint?
template <int Dim>
void refuse_other_past(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint);

/// Stages before the current one must have the same length as before.
template <int Dim>
void refuse_changed_stages(const Run<Dim>& run);

} // namespace shadow
