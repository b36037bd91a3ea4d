// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::cuda {

/// How repeated steps are executed, each mode in addition to the one before: launch by launch; as
/// graphs; small systems by one persistent kernel.
enum class ReplayMode { launches, graphs, steps };

/// How the launches of a stream were executed so far.
struct ReplayReport {
    ReplayMode mode = ReplayMode::launches; ///< the best mode that is used
    std::int64_t launches = 0;              ///< made one by one
    std::int64_t graphs = 0;                ///< launched, of launches
    std::int64_t persistent_graphs = 0; ///< launched, in which a persistent kernel does all steps
    std::int64_t exchanges = 0;         ///< launches in a graph whose arguments were updated
    std::vector<std::string> problems;  ///< what the device refused: the call and its error
    /// The functor or argument of the first launch of a small system that prevents a persistent
    /// kernel; "": there was none.
    std::string apart;
};

} // namespace shadow::cuda
