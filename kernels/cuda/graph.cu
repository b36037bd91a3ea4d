// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/check.hpp"
#include "kernels/cuda/graph.hpp"

namespace shadow::cuda {

namespace {

/// Since CUDA 12.4.
constexpr int min_driver = 12040;

/// Sets the condition of the body that a gate controls.
__global__ void open_gate(cudaGraphConditionalHandle body, const int* gate) {
    cudaGraphSetConditional(body, *gate != 0 ? 1u : 0u);
}

/// An error here is an answer (no graph), not a failure; `why` stores it.
bool good(cudaError_t status, const char* call, std::string& why) {
    if (status == cudaSuccess) return true;
    static_cast<void>(cudaGetLastError());
    why = std::string(call) + ": " + cudaGetErrorString(status) + " (" + cudaGetErrorName(status) +
          ")";
    return false;
}

cudaKernelNodeParams parameters(const Command& command, void** arguments) {
    cudaKernelNodeParams node{};
    node.func = const_cast<void*>(command.kernel.function);
    node.gridDim = dim3(command.blocks);
    node.blockDim = dim3(command.threads);
    node.kernelParams = arguments;
    return node;
}

/// The end of a graph to which nodes are appended one by one.
class Chain {
  public:
    Chain(cudaGraph_t graph, cudaStream_t stream, CommandBuffer& buffer, std::string& why)
        : graph_(graph), stream_(stream), last_(nullptr), buffer_(&buffer), why_(why) {}

    void go_on_with(CommandBuffer& buffer) { buffer_ = &buffer; }

    bool add(const Command& command, cudaGraphNode_t& node) {
        auto arguments = buffer_->arguments(command);
        if (command.kernel.library) return add_library(command.kernel.library, arguments.data());
        if (!add_kernel(parameters(command, arguments.data()))) return false;
        node = last_;
        return true;
    }

    /// All launches with one gate.
    bool add_gated(std::span<const Command> commands) {
        cudaGraphConditionalHandle handle{};
        if (!good(cudaGraphConditionalHandleCreate(&handle, graph_, 0, cudaGraphCondAssignDefault),
                  "cudaGraphConditionalHandleCreate", why_))
            return false;
        const int* gate = commands.front().gate;
        void* arguments[] = {&handle, &gate};
        Command decide{reinterpret_cast<const void*>(open_gate), 1, 1, nullptr, 2, {}, 0};
        if (!add_kernel(parameters(decide, arguments))) return false;
        cudaGraphNodeParams node{};
        node.type = cudaGraphNodeTypeConditional;
        node.conditional.handle = handle;
        node.conditional.type = cudaGraphCondTypeIf;
        node.conditional.size = 1;
        if (!add_conditional(node)) return false;
        Chain body(node.conditional.phGraph_out[0], stream_, *buffer_, why_);
        cudaGraphNode_t ignored = nullptr;
        for (const Command& command : commands)
            if (!body.add(command, ignored)) return false;
        return true;
    }

    /// A kernel whose blocks all run at the same time.
    bool add_cooperative(const cudaKernelNodeParams& node) {
        cudaLaunchAttributeValue value{};
        value.cooperative = 1;
        return add_kernel(node) &&
               good(cudaGraphKernelNodeSetAttribute(last_, cudaLaunchAttributeCooperative, &value),
                    "cudaGraphKernelNodeSetAttribute", why_);
    }

  private:
    bool add_kernel(const cudaKernelNodeParams& node) {
        const cudaGraphNode_t before = last_;
        return good(cudaGraphAddKernelNode(&last_, graph_, &before, before ? 1 : 0, &node),
                    "cudaGraphAddKernelNode", why_);
    }

    /// The launches of the library on its stream, as a graph within this one.
    bool add_library(LibraryCall call, void* const* arguments) {
        if (!good(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed),
                  "cudaStreamBeginCapture", why_))
            return false;
        const std::string refused = call(arguments);
        cudaGraph_t captured = nullptr;
        bool added = good(cudaStreamEndCapture(stream_, &captured), "cudaStreamEndCapture", why_);
        if (!refused.empty()) why_ = refused;
        const cudaGraphNode_t before = last_;
        added = added && refused.empty() &&
                good(cudaGraphAddChildGraphNode(&last_, graph_, &before, before ? 1 : 0, captured),
                     "cudaGraphAddChildGraphNode", why_);
        if (captured) static_cast<void>(cudaGraphDestroy(captured));
        return added;
    }

    bool add_conditional(cudaGraphNodeParams& node) {
        const cudaGraphNode_t before = last_;
#if CUDART_VERSION >= 13000
        const cudaError_t status = cudaGraphAddNode(&last_, graph_, &before, nullptr, 1, &node);
#else
        const cudaError_t status = cudaGraphAddNode(&last_, graph_, &before, 1, &node);
#endif
        return good(status, "cudaGraphAddNode of a condition", why_);
    }

    cudaGraph_t graph_;
    cudaStream_t stream_;
    cudaGraphNode_t last_;
    CommandBuffer* buffer_;
    std::string& why_;
};

/// Whether all blocks of a persistent kernel can run at the same time.
bool fits(const cudaKernelNodeParams& node, std::string& why) {
    int device = 0, multiprocessors = 0, blocks = 0;
    const auto threads = static_cast<int>(node.blockDim.x);
    if (!good(cudaGetDevice(&device), "cudaGetDevice", why) ||
        !good(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute of multiprocessors", why) ||
        !good(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, node.func, threads, 0),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor", why))
        return false;
    return static_cast<unsigned>(blocks * multiprocessors) >= node.gridDim.x;
}

/// Offsets in the memory of persistent steps: the tag, the advances, and the positions.
struct PersistentMemory {
    static constexpr std::size_t tag = 0, advances = sizeof(std::uint64_t);

    std::size_t positions, bytes;

    PersistentMemory(const PersistentSteps& steps, std::size_t of_advances, std::size_t of_position)
        : positions((advances + of_advances + 15) / 16 * 16),
          bytes(positions + 2 * static_cast<std::size_t>(steps.particles) * of_position) {}
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
        if (!chain.add_gated(commands.subspan(k, end - k))) return false;
        k = end;
    }
    return true;
}

bool instantiate(GraphDevice::Graph& built, std::string& why) {
    return good(cudaGraphInstantiate(&built.executable, built.graph, 0), "cudaGraphInstantiate",
                why);
}

bool fill_persistent(GraphDevice::Graph& built, cudaStream_t stream,
                     std::span<CommandBuffer> buffers, const PersistentSteps& steps,
                     std::string& why) {
    CommandBuffer& first = buffers.front();
    const Command& force = first.commands()[steps.force.command];
    const PersistentKernel& kernel = *force.kernel.persistent;
    cudaKernelNodeParams node{};
    node.func = const_cast<void*>(kernel.kernel);
    node.gridDim = dim3(force.blocks);
    node.blockDim = dim3(force.threads);
    if (!fits(node, why)) return false;
    using At = PersistentMemory;
    std::byte* memory = built.persistent->memory.get();
    const auto& advances = built.persistent->advances;
    const At at(steps, advances.bytes().size(), kernel.bytes_per_position);
    PersistentControl control{memory + At::advances, advances.stride(), memory + at.positions,
                              reinterpret_cast<std::uint32_t*>(memory + At::tag), steps.rounds()};
    void* arguments[] = {first.arguments(force)[0], &control};
    node.kernelParams = arguments;
    return Chain(built.graph, stream, first, why).add_cooperative(node);
}

} // namespace

ReplayMode GraphDevice::best(int device, std::string& why) {
    int driver = 0, runtime = 0, cooperative = 0;
    if (!good(cudaDriverGetVersion(&driver), "cudaDriverGetVersion", why) ||
        !good(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion", why) ||
        !good(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device),
              "cudaDeviceGetAttribute of cooperative launches", why))
        return ReplayMode::launches;
    if (std::min(driver, runtime) < min_driver) {
        why = "conditional nodes of graphs are unknown to CUDA " +
              version_text(std::min(driver, runtime)) + ", " + version_text(min_driver) +
              " knows them";
        return ReplayMode::launches;
    }
    return cooperative != 0 ? ReplayMode::steps : ReplayMode::graphs;
}

GraphDevice::Graph::~Graph() {
    if (executable) static_cast<void>(cudaGraphExecDestroy(executable));
    if (graph) static_cast<void>(cudaGraphDestroy(graph));
}

void GraphDevice::launch(CommandBuffer& buffer, const Command& command) const {
    select();
    auto arguments = buffer.arguments(command);
    if (command.kernel.library) return call_library(command.kernel.library, arguments.data());
    check(cudaLaunchKernel(command.kernel.function, dim3(command.blocks), dim3(command.threads),
                           arguments.data(), 0, stream_),
          "launching a kernel");
}

std::unique_ptr<GraphDevice::Graph> GraphDevice::build(std::span<CommandBuffer> buffers,
                                                       std::string& why) const {
    select();
    auto built = std::make_unique<Graph>();
    if (!good(cudaGraphCreate(&built->graph, 0), "cudaGraphCreate", why)) return nullptr;
    built->nodes.resize(buffers.size());
    Chain chain(built->graph, stream_, buffers.front(), why);
    for (std::size_t step = 0; step < buffers.size(); ++step) {
        chain.go_on_with(buffers[step]);
        if (!add_step(chain, buffers[step].commands(), built->nodes[step])) return nullptr;
    }
    return instantiate(*built, why) ? std::move(built) : nullptr;
}

std::unique_ptr<GraphDevice::Graph> GraphDevice::build_persistent(std::span<CommandBuffer> buffers,
                                                                  const PersistentSteps& steps,
                                                                  std::string& why) const {
    select();
    auto built = std::make_unique<Graph>();
    Advances advances(buffers, steps.advance);
    const Command& force = buffers.front().commands()[steps.force.command];
    const std::size_t bytes = PersistentMemory(steps, advances.bytes().size(),
                                               force.kernel.persistent->bytes_per_position)
                                  .bytes;
    auto& persistent = built->persistent.emplace(std::move(advances), reserve_device_memory(bytes));
    if (!persistent.memory) {
        why = "cudaMalloc for the arguments of many steps: no memory is left";
        return nullptr;
    }
    const bool whole =
        good(cudaMemsetAsync(persistent.memory.get(), 0, bytes, stream_), "cudaMemsetAsync", why) &&
        good(cudaGraphCreate(&built->graph, 0), "cudaGraphCreate", why) &&
        fill_persistent(*built, stream_, buffers, steps, why) && instantiate(*built, why);
    return whole ? std::move(built) : nullptr;
}

bool GraphDevice::update(Graph& graph, std::size_t step, std::size_t k, CommandBuffer& buffer,
                         std::string& why) const {
    if (graph.persistent) return graph.persistent->advances.exchange({step, k}, buffer);
    const cudaGraphNode_t node = graph.nodes[step][k];
    if (!node) return false;
    select();
    const Command& command = buffer.commands()[k];
    auto arguments = buffer.arguments(command);
    const cudaKernelNodeParams changed = parameters(command, arguments.data());
    return good(cudaGraphExecKernelNodeSetParams(graph.executable, node, &changed),
                "cudaGraphExecKernelNodeSetParams", why);
}

bool GraphDevice::launch(Graph& graph, std::string& why) const {
    select();
    if (graph.persistent && graph.persistent->advances.take_change()) {
        // From memory that is not pinned: the present content is copied, whatever is written later.
        const auto bytes = graph.persistent->advances.bytes();
        check(cudaMemcpyAsync(graph.persistent->memory.get() + PersistentMemory::advances,
                              bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream_),
              "exchanging arguments of steps");
    }
    if (good(cudaGraphLaunch(graph.executable, stream_), "cudaGraphLaunch", why)) return true;
    // It may be an error of an earlier launch, which is kept.
    wait();
    return false;
}

void GraphDevice::wait() const {
    select();
    check(cudaStreamSynchronize(stream_), "waiting for the device");
}

void GraphDevice::select() const {
    check(cudaSetDevice(device_), "selecting the device");
}

} // namespace shadow::cuda
