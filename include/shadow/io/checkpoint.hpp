// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/system_state.hpp"
#include "shadow/system/topology.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// Everything a resumed run needs, with every bit: the system, and what the rest of the program
/// (stages, statistics, observables) keeps under names of its own.
template <int Dim>
struct Checkpoint {
    SystemState<Dim> state;
    /// The particles as they are observed there, where steps go on from another state.
    std::optional<Snapshot<Dim>> output;
    std::optional<Box<Dim>> box; ///< checkpoints of older versions have none
    Topology topology;
    std::string input;     ///< what decided the past of the run, as text
    std::string precision; ///< "double" or "mixed"
    std::string version;   ///< of the program that wrote it
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::vector<std::int64_t>> integers;
    std::map<std::string, std::vector<std::string>> texts;
};

/// Replaces the checkpoint at `path` in one step: an HDF5 file followed by its CRC-32. Throws
/// MachineError if the disk fails; the old checkpoint then stays.
template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const Checkpoint<Dim>& checkpoint);

/// Throws InputError if there is no checkpoint, if it is truncated or has a wrong bit, if it has
/// another dimension, or another precision than that (empty: any will do).
template <int Dim>
[[nodiscard]] Checkpoint<Dim> read_checkpoint(const std::filesystem::path& path,
                                              const std::string& precision = {});

/// Does the file end as a checkpoint does?
[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

} // namespace shadow
