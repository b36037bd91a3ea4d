// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/memory.hpp"
#include "kernels/cuda/replay.hpp"

#include <cuda_runtime_api.h>
#include <optional>

/// Graphs of the CUDA runtime for `Replay`.
namespace shadow::cuda {

class GraphDevice {
  public:
    /// Steps as one executable graph. The launches of one gate are the body of a conditional node,
    /// so that launches which would do nothing are not made.
    struct Graph {
        Graph() = default;
        Graph(const Graph&) = delete;
        Graph& operator=(const Graph&) = delete;
        ~Graph();
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        std::vector<std::vector<cudaGraphNode_t>> nodes; ///< by step and command; null in a body

        /// The data that a persistent kernel reads from step to step.
        struct Persistent {
            Advances advances;
            DeviceMemory memory; ///< see PersistentMemory in graph.cu
        };
        std::optional<Persistent> persistent;
    };

    GraphDevice(int device, cudaStream_t stream) : device_(device), stream_(stream) {}

    void launch(CommandBuffer& buffer, const Command& command) const;
    [[nodiscard]] std::unique_ptr<Graph> build(std::span<CommandBuffer> buffers,
                                               std::string& why) const;
    /// One persistent kernel. Null if its blocks cannot all run at the same time.
    [[nodiscard]] std::unique_ptr<Graph> build_persistent(std::span<CommandBuffer> buffers,
                                                          const PersistentSteps& steps,
                                                          std::string& why) const;
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, CommandBuffer& buffer,
                              std::string& why) const;
    /// Throws MachineError if the device itself has failed.
    [[nodiscard]] bool launch(Graph& graph, std::string& why) const;
    void wait() const;

    /// The best replay mode that this device and its driver support. `why`: what they lack.
    [[nodiscard]] static ReplayMode best(int device, std::string& why);

  private:
    /// Makes this device the current one for the following calls of the runtime.
    void select() const;

    int device_;
    cudaStream_t stream_;
};

} // namespace shadow::cuda
