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

        /// What a kernel of small steps reads as it goes on.
        struct Small {
            Advances advances;
            DeviceMemory memory; ///< where it stopped, and behind it a copy of the advances
        };
        std::optional<Small> small;
    };

    explicit GraphDevice(cudaStream_t stream) : stream_(stream) {}

    void launch(Work& work, const Command& command) const;
    [[nodiscard]] std::unique_ptr<Graph> build(std::span<Work> works) const;
    /// One kernel, and a loop around the rebuild and that kernel, for as often as it stops. Null
    /// where the device has no clusters of blocks or they cannot hold it.
    [[nodiscard]] std::unique_ptr<Graph> build_small(std::span<Work> works,
                                                     const SmallSteps& steps) const;
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, Work& work) const;
    void launch(Graph& graph) const;
    void wait() const;

    /// Whether the driver knows conditional nodes.
    [[nodiscard]] static bool supported();

  private:
    [[nodiscard]] static bool fill_small(Graph& graph, std::span<Work> works,
                                         const SmallSteps& steps);

    cudaStream_t stream_;
};

} // namespace shadow::cuda
