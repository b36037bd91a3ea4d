// SPDX-License-Identifier: BSD-3-Clause
#include "replay_log.hpp"

#include "shadow/core/log.hpp"

#include "kernels/cuda/runtime.hpp"

#include <fmt/format.h>

namespace shadow {

void ReplayLog::look() {
    if (!backend_.replays_steps()) return;
    const cuda::ReplayReport report = cuda::replay_report(backend_.stream());
    for (; problems_reported_ < report.problems.size(); ++problems_reported_)
        log::warning(
            fmt::format("the GPU does not replay steps in the fastest way ({}); the run continues "
                        "with the same bits, but slower: update the driver, or report it",
                        report.problems[problems_reported_]));
    if (apart_reported_ || report.apart.empty() || report.persistent_graphs > 0) return;
    apart_reported_ = true;
    log::info(fmt::format(
        "the GPU does steps launch by launch, in graphs (so small a system can be stepped by one "
        "kernel, which has a pair force and flows of particles, but not {})",
        report.apart));
}

void ReplayLog::finish() {
    if (!backend_.replays_steps()) return;
    look();
    const cuda::ReplayReport report = cuda::replay_report(backend_.stream());
    log::info(fmt::format("GPU: {} graphs of many steps by one kernel, {} graphs of launches, {} "
                          "single launches",
                          report.persistent_graphs, report.graphs, report.launches));
}

} // namespace shadow
