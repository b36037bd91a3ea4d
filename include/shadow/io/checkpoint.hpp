// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/particle_system.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace shadow {

/// Everything a resumed run needs, with every bit: the system, and what the rest of the program
/// (stages, statistics, observables) keeps under names of its own.
template <int Dim>
struct Checkpoint {
    SystemState<Dim> state;
    std::string input;     ///< what must be the same in the resumed run, as text
    std::string precision; ///< "double" or "mixed"
    std::string version;   ///< of the program that wrote it
    std::map<std::string, std::vector<double>> numbers;
    std::map<std::string, std::vector<std::int64_t>> integers;
    std::map<std::string, std::vector<std::string>> texts;
};

/// What a checkpoint must agree with before a run goes on from it. Empty or negative: anything.
struct CheckpointExpectation {
    std::int64_t particles = -1;
    std::string input;
    std::string precision;
};

/// Replaces the checkpoint at `path` in one step: an HDF5 file followed by its CRC-32. Throws
/// MachineError if the disk fails; the old checkpoint then stays.
template <int Dim>
void write_checkpoint(const std::filesystem::path& path, const Checkpoint<Dim>& checkpoint);

/// Throws InputError if there is no checkpoint, if it is truncated or has a wrong bit, or if it
/// belongs to another system (dimension, number of particles, precision, or input; the first line
/// that differs is named).
template <int Dim>
[[nodiscard]] Checkpoint<Dim> read_checkpoint(const std::filesystem::path& path,
                                              const CheckpointExpectation& expected = {});

} // namespace shadow
