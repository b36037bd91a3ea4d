// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/emulated/fault.hpp"
#include "kernels/cuda/emulated/heap.hpp"
#include "kernels/cuda/replay.hpp"

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

/// An emulated device that runs on this processor: the host code for a GPU (command buffers,
/// graphs, gates, lists, observables) and the code of warps and functors run as on a GPU, so that
/// they can be tested on a machine without one. Slow, and built only with SHADOW_CUDA=EMULATE.
namespace shadow::cuda {

/// A kernel: reads its arguments in the form of a launch.
using EmulatedKernel = void (*)(void* const* arguments);

/// Executes commands when they are launched, in their order, by `run(command, arguments)`, which
/// tests gates itself; the result of `run.at_work()` is kept alive meanwhile. See `Replay`.
template <class Run>
class HostDevice {
  public:
    struct Graph {
        std::vector<CommandBuffer> buffers; ///< copies, as a graph keeps the arguments of its nodes
        std::optional<PersistentSteps> persistent;
        std::optional<Advances> advances;
        std::vector<std::byte> copied; ///< the device's copy of the advances
    };

    explicit HostDevice(Run run) : run_(run) {}

    void launch(CommandBuffer& buffer, const Command& command) const {
        [[maybe_unused]] const auto at_work = run_.at_work();
        run(buffer, command);
    }
    [[nodiscard]] std::unique_ptr<Graph> build(std::span<CommandBuffer> buffers,
                                               std::string& /*why*/) const {
        auto built = std::make_unique<Graph>();
        built->buffers.assign(buffers.begin(), buffers.end());
        return built;
    }
    [[nodiscard]] std::unique_ptr<Graph> build_persistent(std::span<CommandBuffer> buffers,
                                                          const PersistentSteps& steps,
                                                          std::string& why) const {
        auto built = build(buffers, why);
        built->persistent = steps;
        built->advances.emplace(buffers, steps.advance);
        return built;
    }
    /// The CUDA runtime cannot update arguments of launches with a gate in a graph.
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, CommandBuffer& buffer,
                              std::string& /*why*/) const {
        if (graph.persistent) return graph.advances->exchange({step, k}, buffer);
        if (buffer.commands()[k].gate) return false;
        graph.buffers[step].take_payload(k, buffer);
        return true;
    }
    [[nodiscard]] bool launch(Graph& graph, std::string& /*why*/) const {
        [[maybe_unused]] const auto at_work = run_.at_work();
        if (graph.persistent) {
            launch_persistent(graph);
            return true;
        }
        for (CommandBuffer& buffer : graph.buffers)
            for (const Command& command : buffer.commands()) run(buffer, command);
        if (fault_planted("graph")) run(graph.buffers[0], graph.buffers[0].commands().front());
        return true;
    }
    void wait() const {}

  private:
    void run(CommandBuffer& buffer, const Command& command) const {
        run_(command, buffer.arguments(command).data());
    }
    /// Does the work of the kernels that a persistent kernel replaces.
    void launch_persistent(Graph& graph) const {
        if (graph.advances->take_change()) {
            const auto bytes = graph.advances->bytes();
            graph.copied.assign(bytes.begin(), bytes.end());
        }
        const auto command_at =
            [&](const Place& place) -> std::pair<CommandBuffer&, const Command&> {
            CommandBuffer& buffer = graph.buffers[place.step];
            return {buffer, buffer.commands()[place.command]};
        };
        const auto [advances, advance] = command_at(graph.persistent->advance[0]);
        const auto [forces, force] = command_at(graph.persistent->force);
        auto arguments = advances.arguments(advance);
        for (std::size_t round = 0; round < graph.persistent->advance.size(); ++round) {
            arguments[0] = graph.copied.data() + round * graph.advances->stride();
            run_(advance, arguments.data());
            if (round == 0 && fault_planted("steps")) run_(advance, arguments.data());
            run(forces, force);
        }
    }

    Run run_;
};

/// Calls an EmulatedKernel, unless its gate is 0, or the substitute of a library.
struct CallKernel {
    EmulatedHeap* heap;

    [[nodiscard]] EmulatedHeap::AtWork at_work() const { return EmulatedHeap::AtWork(*heap); }
    void operator()(const Command& command, void* const* arguments) const {
        if (command.gate && *command.gate == 0) return;
        if (command.kernel.library) return call_library(command.kernel.library, arguments);
        reinterpret_cast<EmulatedKernel>(const_cast<void*>(command.kernel.function))(arguments);
    }
};

/// The target of the opaque pointer of a Backend.
struct Stream {
    EmulatedHeap heap;
    Replay<HostDevice<CallKernel>> queue{HostDevice(CallKernel{&heap})};
};

inline Stream& stream_of(void* opaque) {
    return *static_cast<Stream*>(opaque);
}

template <class... Arguments>
void enqueue(Stream& stream, EmulatedKernel kernel, const void* functor,
             const PersistentKernel* persistent, const int* gate, const Arguments&... arguments) {
    stream.queue.add(Kernel(reinterpret_cast<const void*>(kernel), functor, persistent), 1, 1, gate,
                     arguments...);
}

} // namespace shadow::cuda
