// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/graph.hpp"
#include "kernels/cuda/shapes.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>

/// Host side of the CUDA kernels: the one checked call and the content of `Backend::stream()`.
namespace shadow::cuda {

/// Throws MachineError unless `status` is success; `doing` completes "while ...". An error of an
/// earlier kernel is reported by the next call, so the message names the call that detected it.
void check(cudaError_t status, const char* doing);

/// "12.4" of 12040.
inline std::string version_text(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The target of the opaque pointer of a Backend: a stream, its launches not yet submitted, and
/// scratch memory, which is allocated once so that reductions and scans never allocate. Work of one
/// stream is in order, therefore one piece of scratch is enough.
struct Stream {
    cudaStream_t stream = nullptr;
    std::optional<Replay<GraphDevice>> queue;
    int device = 0;
    void* scratch = nullptr;
    unsigned* blocks_done = nullptr; ///< of a reduction
    int multiprocessors = 1;
};

inline Stream& stream_of(void* opaque) {
    return *static_cast<Stream*>(opaque);
}

/// All launches use this function. The kernel does nothing if `gate` is not null and holds 0, and
/// also receives the gate among its arguments.
template <class... Parameters>
void enqueue(Stream& stream, void (*kernel)(Parameters...), unsigned blocks, int threads,
             const int* gate, const std::type_identity_t<Parameters>&... arguments) {
    stream.queue->add(reinterpret_cast<const void*>(kernel), blocks, static_cast<unsigned>(threads),
                      gate, arguments...);
}

/// The same for a kernel with further attributes.
template <class... Parameters>
void enqueue(Stream& stream, void (*kernel)(Parameters...), const void* functor,
             const PersistentKernel* persistent, unsigned blocks, int threads, const int* gate,
             const std::type_identity_t<Parameters>&... arguments) {
    stream.queue->add(Kernel(reinterpret_cast<const void*>(kernel), functor, persistent), blocks,
                      static_cast<unsigned>(threads), gate, arguments...);
}

} // namespace shadow::cuda
