// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/replay.hpp"

#include <cuda_runtime_api.h>

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
    };

    explicit GraphDevice(cudaStream_t stream) : stream_(stream) {}

    void launch(Work& work, const Command& command) const;
    [[nodiscard]] std::unique_ptr<Graph> build(std::span<Work> works) const;
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, Work& work) const;
    void launch(Graph& graph) const;
    void wait() const;

    /// Whether the driver knows conditional nodes.
    [[nodiscard]] static bool supported();

  private:
    cudaStream_t stream_;
};

} // namespace shadow::cuda
