// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"

namespace shadow {

/// Throws InputError if the run would write a file that it reads, or if the summary would replace a
/// file that it reads or writes.
void refuse_shared_files(const Parameters& root, const OutputPlan& output,
                         const RunOptions& options);

} // namespace shadow
