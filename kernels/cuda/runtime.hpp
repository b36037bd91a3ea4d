// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// The CUDA runtime as the host sees it. Defined in runtime.cu, or in stub.cpp without CUDA.
namespace shadow::cuda {

/// Names of the GPUs; empty without a GPU or a driver.
std::vector<std::string> devices();
/// Makes `device` current and opens a stream on it; throws MachineError.
void* open_stream(int device);
void close_stream(void* stream) noexcept;
void synchronize(void* stream);
/// What was enqueued since the last call is a step; those that repeat are replayed as graphs.
void mark_step(void* stream);
/// Whether steps may be replayed; they are by default, where the driver can. To measure without.
void set_replay(void* stream, bool on);
/// Whether one kernel may do the steps of a small system that repeat; it does by default, where the
/// device can. Changes no bits.
void set_small_steps(void* stream, bool on);
/// Graphs launched so far in which one kernel does all steps; waits for nothing.
[[nodiscard]] std::int64_t small_graphs(void* stream);

/// Zeroed memory; throws MachineError.
void* allocate(void* stream, std::size_t bytes);
void deallocate(void* stream, void* memory) noexcept;
void copy_to_device(void* stream, void* to, const void* from, std::size_t bytes);
void copy_to_host(void* stream, void* to, const void* from, std::size_t bytes);
void copy_within(void* stream, void* to, const void* from, std::size_t bytes);
void fill_zero(void* stream, void* memory, std::size_t bytes);

} // namespace shadow::cuda
