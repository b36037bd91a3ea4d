// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cuda/emulated/device.hpp"

namespace shadow::cuda {

namespace {

void run(const Command& command, void* const* arguments) {
    if (command.gate && *command.gate == 0) return;
    reinterpret_cast<EmulatedKernel>(const_cast<void*>(command.kernel.function))(arguments);
}

void run(Work& work, const Command& command) {
    run(command, work.arguments(command).data());
}

/// Of `run_rounds`: does what the kernels would in whose place a kernel of small steps is.
class Driver {
  public:
    Driver(EmulatedDevice::Graph& graph, const SmallControl& control)
        : graph_(graph), control_(control) {}

    void advance(int round) {
        const Place& first = graph_.small->advance[0];
        Work& work = graph_.works[first.step];
        const Command& command = work.commands()[first.command];
        auto arguments = work.arguments(command);
        const auto offset = static_cast<std::size_t>(round) * control_.stride;
        arguments[0] = const_cast<std::byte*>(control_.advances + offset);
        run(command, arguments.data());
        run_at(graph_.small->test);
    }
    [[nodiscard]] bool gate_open() const { return *control_.gate != 0; }
    void force(int /*round*/) { run_at(graph_.small->force); }
    void stop(int round) {
        *control_.stopped_at = round;
        graph_.more = round < control_.rounds;
    }

  private:
    void run_at(const Place& place) {
        Work& work = graph_.works[place.step];
        run(work, work.commands()[place.command]);
    }

    EmulatedDevice::Graph& graph_;
    const SmallControl& control_;
};

void run_small(EmulatedDevice::Graph& graph) {
    if (graph.advances->take_change()) {
        const auto bytes = graph.advances->bytes();
        graph.copied.assign(bytes.begin(), bytes.end());
    }
    const auto rounds = [&](bool resumes) {
        const SmallControl control{graph.copied.data(),
                                   graph.advances->stride(),
                                   graph.small->particles,
                                   graph.small->rebuild.front().gate,
                                   &graph.stopped_at,
                                   graph.small->rounds(),
                                   resumes,
                                   0};
        Driver driver(graph, control);
        run_rounds(driver, control);
    };
    rounds(false);
    while (graph.more) {
        for (const Command& command : graph.small->rebuild) run(graph.works[0], command);
        rounds(true);
    }
}

} // namespace

void EmulatedDevice::launch(Work& work, const Command& command) const {
    const EmulatedHeap::Work at_work(*heap_);
    run(work, command);
}

std::unique_ptr<EmulatedDevice::Graph> EmulatedDevice::build(std::span<Work> works) const {
    auto built = std::make_unique<Graph>();
    built->works.assign(works.begin(), works.end());
    return built;
}

std::unique_ptr<EmulatedDevice::Graph> EmulatedDevice::build_small(std::span<Work> works,
                                                                   const SmallSteps& steps) const {
    auto built = build(works);
    built->small = steps;
    built->small->rebuild = built->works[0].commands().subspan(2, steps.rebuild.size());
    built->advances.emplace(works, steps.advance);
    return built;
}

/// Arguments behind a gate cannot be exchanged in a graph of the CUDA runtime.
bool EmulatedDevice::update(Graph& graph, std::size_t step, std::size_t k, Work& work) const {
    if (graph.small) return graph.advances->exchange({step, k}, work);
    if (work.commands()[k].gate) return false;
    graph.works[step].take_payload(k, work);
    return true;
}

void EmulatedDevice::launch(Graph& graph) const {
    const EmulatedHeap::Work at_work(*heap_);
    if (graph.small) return run_small(graph);
    for (Work& work : graph.works)
        for (const Command& command : work.commands()) run(work, command);
}

} // namespace shadow::cuda
