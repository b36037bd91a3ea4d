// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shadow::cuda {

/// How steps that repeat are done, each way on top of the one before: launch by launch; as graphs;
/// those of small systems by one persistent kernel.
enum class ReplayMode { launches, graphs, steps };

/// What became of the launches of a stream so far.
struct ReplayReport {
    ReplayMode mode = ReplayMode::launches; ///< the best way that is taken
    std::int64_t launches = 0;              ///< made one by one
    std::int64_t graphs = 0;                ///< launched, of launches
    std::int64_t persistent_graphs = 0; ///< launched, in which a persistent kernel does all steps
    std::int64_t exchanges = 0;         ///< launches in a graph whose arguments were exchanged
    std::vector<std::string> problems;  ///< what the device refused: the call and its error
    /// A launch of a small system for whose sake no persistent kernel does its steps: what it calls
    /// or is given. The first one; "": there was none.
    std::string apart;
};

} // namespace shadow::cuda
