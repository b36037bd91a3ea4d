// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/summary.hpp"

namespace shadow {

/// What a run has measured so far.
template <int Dim>
[[nodiscard]] Summary summarise(Run<Dim>& run);

/// Writes the summary where the options say, to the log, and as a page.
template <int Dim>
void report(Run<Dim>& run);

/// Throws InputError where the summary cannot be written: better before a long run than after it.
void require_summary(const RunOptions& options);

} // namespace shadow
