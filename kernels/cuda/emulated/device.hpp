// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/emulated/heap.hpp"
#include "kernels/cuda/replay.hpp"

#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

/// A device that is no GPU but this processor: what the host does for a GPU (notes, graphs, gates,
/// lists, observables) and the code of warps and functors run as they do there, so that the tests
/// of a machine without a GPU can look at them. Slow, and built with SHADOW_CUDA=EMULATE only.
namespace shadow::cuda {

/// A kernel: reads its arguments as a launch gives them.
using EmulatedKernel = void (*)(void* const* arguments);

/// See `Replay`. Commands are done when they are launched, in their order.
class EmulatedDevice {
  public:
    struct Graph {
        std::vector<Work> works; ///< copies, as a graph keeps the arguments of its nodes
        std::optional<SmallSteps> small;
        std::optional<Advances> advances;
        std::vector<std::byte> copied; ///< what the device has of the advances
        int stopped_at = 0;
        bool more = false;
    };

    explicit EmulatedDevice(EmulatedHeap& heap) : heap_(&heap) {}

    void launch(Work& work, const Command& command) const;
    [[nodiscard]] std::unique_ptr<Graph> build(std::span<Work> works) const;
    [[nodiscard]] std::unique_ptr<Graph> build_small(std::span<Work> works,
                                                     const SmallSteps& steps) const;
    [[nodiscard]] bool update(Graph& graph, std::size_t step, std::size_t k, Work& work) const;
    void launch(Graph& graph) const;
    void wait() const {}

  private:
    EmulatedHeap* heap_;
};

/// What the opaque pointer of a Backend points to.
struct Stream {
    EmulatedHeap heap;
    Replay<EmulatedDevice> queue{EmulatedDevice(heap)};
};

inline Stream& stream_of(void* opaque) {
    return *static_cast<Stream*>(opaque);
}

template <class... Arguments>
void enqueue(Stream& stream, EmulatedKernel kernel, const void* functor, const SmallKernel* small,
             const int* gate, const Arguments&... arguments) {
    stream.queue.add(Kernel(reinterpret_cast<const void*>(kernel), functor, small), 1, 1, gate,
                     arguments...);
}

} // namespace shadow::cuda
