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
    /// Steps as one executable graph. What stands behind one gate is the body of a conditional
    /// node, so that launches which would do nothing are not made.
    struct Graph {
        Graph() = default;
        Graph(const Graph&) = delete;
        Graph& operator=(const Graph&) = delete;
        ~Graph();
        cudaGraph_t graph = nullptr;
        cudaGraphExec_t executable = nullptr;
        std::vector<std::vector<cudaGraphNode_t>> nodes; ///< by step and command; null in a body

        /// What a persistent kernel reads from step to step.
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
    /// One persistent kernel. Null where its blocks cannot all be at work at the same time.
    [[nodiscard]] std::unique_ptr<Graph> build_persistent(std::span<CommandBuffer> buffers,
                                                          const PersistentSteps& steps,
                                                          std::string& why) const;
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, CommandBuffer& buffer,
                              std::string& why) const;
    /// Throws MachineError where the device itself has failed.
    [[nodiscard]] bool launch(Graph& graph, std::string& why) const;
    void wait() const;

    /// The best way to do steps that this device and its driver know. `why`: what they lack.
    [[nodiscard]] static ReplayMode best(int device, std::string& why);

  private:
    /// Of this device are the calls of the runtime that follow.
    void select() const;

    int device_;
    cudaStream_t stream_;
};

} // namespace shadow::cuda
