// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include <string>

namespace shadow {

/// Fills `run.start` with what is known before forces are computed: the system, its charges, the
/// vibrations that limit the steps, and the sizes of the files.
template <int Dim>
void describe_start(Run<Dim>& run, const Setup<Dim>& setup);

/// The memory of the particles, in words.
template <int Dim>
[[nodiscard]] std::string memory_text(const Run<Dim>& run);

} // namespace shadow
