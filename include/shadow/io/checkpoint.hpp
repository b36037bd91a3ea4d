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

/// The complete bitwise state for resuming a run: the system, and the state of the rest of the
/// program (stages, statistics, observables) under their own names.
template <int Dim>
struct Checkpoint {
    SystemState<Dim> state;
    /// The particles as observed at this step, if the steps continue from a different state.
    std::optional<Snapshot<Dim>> output;
    std::optional<Box<Dim>> box; ///< empty in checkpoints of older versions
    Topology topology;
    std::string input;     ///< the parts of the input that determine the past of the run, as text
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

/// Throws InputError if there is no checkpoint, if it is truncated or corrupt, or if its dimension
/// or its precision differs (an empty `precision` accepts any).
template <int Dim>
[[nodiscard]] Checkpoint<Dim> read_checkpoint(const std::filesystem::path& path,
                                              const std::string& precision = {});

/// Does the file end with the trailer of a checkpoint?
[[nodiscard]] bool is_checkpoint(const std::filesystem::path& path);

} // namespace shadow
