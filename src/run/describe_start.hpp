// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include <string>

namespace shadow {

/// Fills `run.start` with what is known before forces are: of the system, its charges, what they
/// ask of the steps, and how large the files become.
template <int Dim>
void describe_start(Run<Dim>& run, const Setup<Dim>& setup);

/// The memory that it takes, in words.
template <int Dim>
[[nodiscard]] std::string memory_text(const Run<Dim>& run);

} // namespace shadow
