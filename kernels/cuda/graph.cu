// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/check.hpp"
#include "kernels/cuda/graph.hpp"

namespace shadow::cuda {

namespace {

/// Since CUDA 12.4.
constexpr int least_driver = 12040;

/// Decides about the body that stands behind a gate.
__global__ void open_gate(cudaGraphConditionalHandle body, const int* gate) {
    cudaGraphSetConditional(body, *gate != 0 ? 1u : 0u);
}

/// An error here is an answer (no graph), not a failure.
bool good(cudaError_t status) {
    if (status == cudaSuccess) return true;
    static_cast<void>(cudaGetLastError());
    return false;
}

cudaKernelNodeParams parameters(const Command& command, void** arguments) {
    cudaKernelNodeParams node{};
    node.func = const_cast<void*>(command.kernel);
    node.gridDim = dim3(command.blocks);
    node.blockDim = dim3(command.threads);
    node.kernelParams = arguments;
    return node;
}

bool add_kernel(cudaGraph_t graph, cudaGraphNode_t& last, const cudaKernelNodeParams& node) {
    const cudaGraphNode_t before = last;
    return good(cudaGraphAddKernelNode(&last, graph, &before, before ? 1 : 0, &node));
}

bool add_conditional(cudaGraph_t graph, cudaGraphNode_t& last, cudaGraphNodeParams& node) {
    const cudaGraphNode_t before = last;
#if CUDART_VERSION >= 13000
    return good(cudaGraphAddNode(&last, graph, &before, nullptr, 1, &node));
#else
    return good(cudaGraphAddNode(&last, graph, &before, 1, &node));
#endif
}

/// The end of a graph that grows by one node after the other.
class Chain {
  public:
    Chain(cudaGraph_t graph, Work& work) : graph_(graph), last_(nullptr), work_(&work) {}

    void go_on_with(Work& work) { work_ = &work; }

    bool add(const Command& command, cudaGraphNode_t& node) {
        auto arguments = work_->arguments(command);
        if (!add_kernel(graph_, last_, parameters(command, arguments.data()))) return false;
        node = last_;
        return true;
    }

    /// All that stands behind one gate.
    bool add_behind_gate(std::span<const Command> commands) {
        cudaGraphConditionalHandle handle{};
        if (!good(cudaGraphConditionalHandleCreate(&handle, graph_, 0, cudaGraphCondAssignDefault)))
            return false;
        const int* gate = commands.front().gate;
        void* arguments[] = {&handle, &gate};
        Command decide{reinterpret_cast<const void*>(open_gate), 1, 1, nullptr, 2, {}, 0};
        if (!add_kernel(graph_, last_, parameters(decide, arguments))) return false;
        cudaGraphNodeParams node{};
        node.type = cudaGraphNodeTypeConditional;
        node.conditional.handle = handle;
        node.conditional.type = cudaGraphCondTypeIf;
        node.conditional.size = 1;
        if (!add_conditional(graph_, last_, node)) return false;
        Chain body(node.conditional.phGraph_out[0], *work_);
        cudaGraphNode_t ignored = nullptr;
        for (const Command& command : commands)
            if (!body.add(command, ignored)) return false;
        return true;
    }

  private:
    cudaGraph_t graph_;
    cudaGraphNode_t last_;
    Work* work_;
};

bool add_step(Chain& chain, std::span<const Command> commands,
              std::vector<cudaGraphNode_t>& nodes) {
    nodes.assign(commands.size(), nullptr);
    for (std::size_t k = 0; k < commands.size();) {
        const int* gate = commands[k].gate;
        if (!gate) {
            if (!chain.add(commands[k], nodes[k])) return false;
            ++k;
            continue;
        }
        std::size_t end = k;
        while (end < commands.size() && commands[end].gate == gate) ++end;
        if (!chain.add_behind_gate(commands.subspan(k, end - k))) return false;
        k = end;
    }
    return true;
}

} // namespace

bool GraphDevice::supported() {
    int driver = 0, runtime = 0;
    return good(cudaDriverGetVersion(&driver)) && good(cudaRuntimeGetVersion(&runtime)) &&
           driver >= least_driver && runtime >= least_driver;
}

GraphDevice::Graph::~Graph() {
    if (executable) static_cast<void>(cudaGraphExecDestroy(executable));
    if (graph) static_cast<void>(cudaGraphDestroy(graph));
}

void GraphDevice::launch(Work& work, const Command& command) const {
    auto arguments = work.arguments(command);
    check(cudaLaunchKernel(command.kernel, dim3(command.blocks), dim3(command.threads),
                           arguments.data(), 0, stream_),
          "launching a kernel");
}

std::unique_ptr<GraphDevice::Graph> GraphDevice::build(std::span<Work> works) const {
    auto built = std::make_unique<Graph>();
    if (!good(cudaGraphCreate(&built->graph, 0))) return nullptr;
    built->nodes.resize(works.size());
    Chain chain(built->graph, works.front());
    for (std::size_t step = 0; step < works.size(); ++step) {
        chain.go_on_with(works[step]);
        if (!add_step(chain, works[step].commands(), built->nodes[step])) return nullptr;
    }
    if (!good(cudaGraphInstantiate(&built->executable, built->graph, 0))) return nullptr;
    return built;
}

bool GraphDevice::update(Graph& graph, std::size_t step, std::size_t k, Work& work) const {
    const cudaGraphNode_t node = graph.nodes[step][k];
    if (!node) return false;
    const Command& command = work.commands()[k];
    auto arguments = work.arguments(command);
    const cudaKernelNodeParams changed = parameters(command, arguments.data());
    return good(cudaGraphExecKernelNodeSetParams(graph.executable, node, &changed));
}

void GraphDevice::launch(Graph& graph) const {
    check(cudaGraphLaunch(graph.executable, stream_), "launching a graph of steps");
}

void GraphDevice::wait() const {
    check(cudaStreamSynchronize(stream_), "waiting for the device");
}

} // namespace shadow::cuda
