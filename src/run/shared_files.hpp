// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

namespace shadow {

/// Throws InputError where the run would write a file that it reads, or where the summary would
/// take the place of one that it reads or writes.
void refuse_shared_files(const Parameters& root, const OutputPlan& output,
                         const RunOptions& options);

} // namespace shadow
