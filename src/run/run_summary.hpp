// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run.hpp"

#include "shadow/io/summary.hpp"

namespace shadow {

/// A summary of the measurements so far.
template <int Dim>
[[nodiscard]] Summary summarise(Run<Dim>& run);

/// Writes the summary to the file of the options, to the log, and as a page.
template <int Dim>
void report(Run<Dim>& run);

/// Throws InputError if the summary cannot be written, before a long run rather than after it.
void require_summary(const RunOptions& options);

} // namespace shadow
