// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/gpus.hpp"

#include "kernels/cuda/replay_report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

/// The CUDA runtime as the host sees it. Defined in runtime.cu, or in stub.cpp without CUDA.
namespace shadow::cuda {

/// Whether this binary has kernels for GPUs.
[[nodiscard]] bool is_built() noexcept;
/// The GPUs found, by number, queried without use.
Gpus devices();
/// The CUDA version that the driver supports: "12.4".
std::string driver();
/// Opens a stream on a device; throws MachineError. Streams of several devices may be open.
void* open_stream(int device);
void close_stream(void* stream) noexcept;
void synchronize(void* stream);
/// The launches enqueued since the last call are a step; repeated steps are replayed as graphs.
void mark_step(void* stream);
/// The mode of the following repeated steps; without a call, the best mode of the device. Changes
/// no bits.
void set_replay(void* stream, ReplayMode mode);
/// How the launches were executed so far; does not wait.
[[nodiscard]] ReplayReport replay_report(void* stream);

/// Zeroed memory; throws MachineError.
void* allocate(void* stream, std::size_t bytes);
void deallocate(void* stream, void* memory) noexcept;
void copy_to_device(void* stream, void* to, const void* from, std::size_t bytes);
void copy_to_host(void* stream, void* to, const void* from, std::size_t bytes);
void fill_zero(void* stream, void* memory, std::size_t bytes);

} // namespace shadow::cuda
