// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/cuda/replay_report.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Turns repeated steps into graphs. Launches are not submitted immediately but recorded in command
/// buffers, with a copy of their arguments; equal steps are found by comparing these buffers, so
/// the code that launches does not depend on this. Host code without CUDA, tested with a recording
/// fake.
namespace shadow::cuda {

/// "CountPairs<3>", of shadow::CountPairs<3>.
inline std::string readable_name(const std::type_info& type) {
    const std::unique_ptr<char, void (*)(void*)> found(
        abi::__cxa_demangle(type.name(), nullptr, nullptr, nullptr), std::free);
    std::string name = found ? found.get() : type.name();
    for (std::size_t at; (at = name.find("shadow::")) != std::string::npos;) name.erase(at, 8);
    return name;
}

/// Holds back steps of one shape until there are `batch` of them or results are requested, and
/// executes them as graphs of 1, 2, 4 ... steps. Steps that differ are launched as recorded, in
/// order.
///
/// A Device has `Graph`; `void launch(CommandBuffer&, const Command&)`; `std::unique_ptr<Graph>
/// build(std::span<CommandBuffer>, why)` and `build_persistent(std::span<CommandBuffer>, const
/// PersistentSteps&, why)`, null on failure; `bool update(Graph&, step, k, CommandBuffer&, why)`
/// for command k of a step and `bool launch(Graph&, why)`, false on failure; `void wait()`. After a
/// failure `why`, a std::string&, names the call.
template <class Device>
class Replay {
  public:
    static constexpr std::size_t batch = 16;
    /// More than a step of any method has; an endless sequence must not be held back.
    static constexpr std::size_t max_commands = 256;

    /// `best`: the best mode of the device; `lacks`: why it is not a better one, if worth a
    /// message.
    explicit Replay(Device device, ReplayMode best = ReplayMode::steps,
                    const std::string& lacks = "")
        : device_(std::move(device)), best_(best) {
        report_.mode = best;
        add_problem(lacks);
    }

    template <class... Args>
    void add(const Kernel& kernel, unsigned blocks, unsigned threads, const int* gate,
             const Args&... args) {
        if (open_.commands().size() == max_commands) flush();
        open_.add(kernel, blocks, threads, gate, args...);
        if (!replays()) flush();
    }
    /// The launches added since the last call were a step.
    void mark_step() {
        if (open_.empty()) return;
        if (held_ > 0 && !steps_[0].same_shape(open_)) launch_held();
        std::swap(steps_[held_++], open_);
        open_.clear();
        if (held_ == batch) launch_held();
    }
    /// Submits all that was added.
    void flush() {
        launch_held();
        // If a launch fails, none is submitted twice.
        std::swap(open_, leaving_);
        open_.clear();
        launch(leaving_);
        leaving_.clear();
    }
    /// The mode of the following steps, as far as the device supports it.
    void set_mode(ReplayMode mode) {
        flush();
        use(std::min(mode, best_));
    }
    [[nodiscard]] const ReplayReport& report() const { return report_; }

  private:
    /// For 2^k steps of one shape.
    struct Entry {
        bool seen = false;
        bool plain = false; ///< one kernel could not do all of the steps seen
        std::unique_ptr<typename Device::Graph> graph;
        std::vector<CommandBuffer> buffers; ///< as they are in the graph
    };
    static constexpr std::size_t entries = std::bit_width(batch);
    struct Pattern {
        CommandBuffer shape;
        std::array<Entry, entries> entry;
        std::uint64_t used = 0;
    };
    static constexpr std::size_t max_patterns = 8;

    [[nodiscard]] bool replays() const { return report_.mode != ReplayMode::launches; }

    /// Discards all graphs, which may be running.
    void use(ReplayMode mode) {
        device_.wait();
        patterns_.clear();
        report_.mode = mode;
    }

    void launch(CommandBuffer& buffer) {
        for (const Command& command : buffer.commands()) device_.launch(buffer, command);
        report_.launches += std::ssize(buffer.commands());
    }

    void launch_held() {
        const std::size_t held = std::exchange(held_, 0);
        for (std::size_t first = 0; first < held;) {
            const std::size_t count = std::bit_floor(held - first);
            const std::span<CommandBuffer> buffers(steps_.data() + first, count);
            if (!replays() || !replay(buffers))
                for (CommandBuffer& buffer : buffers) launch(buffer);
            first += count;
        }
    }

    /// False if a graph is not worth it yet, or fails: then nothing was done.
    bool replay(std::span<CommandBuffer> buffers) {
        Entry& entry = pattern(buffers[0]).entry[std::bit_width(buffers.size()) - 1];
        if (!entry.graph) {
            // A shape that occurs once may never occur again.
            if (!std::exchange(entry.seen, true)) return false;
            build(entry, buffers);
        } else if (!update(entry, buffers)) {
            device_.wait();
            entry.graph.reset();
            if (!entry.plain) {
                entry.plain = true;
                build(entry, buffers);
            }
        }
        if (!entry.graph) return give_up(ReplayMode::launches);
        std::string why;
        if (!device_.launch(*entry.graph, why)) {
            add_problem(why);
            return give_up(entry.plain ? ReplayMode::launches : ReplayMode::graphs);
        }
        ++(entry.plain ? report_.graphs : report_.persistent_graphs);
        return true;
    }

    /// A mode that fails once is not tried again.
    bool give_up(ReplayMode mode) {
        use(mode);
        return false;
    }
    void add_problem(const std::string& why) {
        if (!why.empty()) report_.problems.push_back(why);
    }

    void build(Entry& entry, std::span<CommandBuffer> buffers) {
        const bool persistent = report_.mode == ReplayMode::steps && !entry.plain;
        if (persistent) note_apart(buffers);
        if (const auto steps = persistent ? find_persistent_steps(buffers) : std::nullopt) {
            std::string why;
            entry.graph = device_.build_persistent(buffers, *steps, why);
            add_problem(why);
            if (!why.empty()) report_.mode = ReplayMode::graphs;
        }
        entry.plain = !entry.graph;
        if (entry.plain) {
            std::string why;
            entry.graph = device_.build(buffers, why);
            add_problem(why);
        }
        entry.buffers.assign(buffers.begin(), buffers.end());
    }

    void note_apart(std::span<const CommandBuffer> buffers) {
        if (!report_.apart.empty()) return;
        if (const auto at = find_command_apart(buffers))
            report_.apart = readable_name(*buffers[at->step].commands()[at->command].what);
    }

    bool update(Entry& entry, std::span<CommandBuffer> buffers) {
        std::string why;
        for (std::size_t step = 0; step < buffers.size(); ++step)
            for (std::size_t k = 0; k < buffers[step].commands().size(); ++k) {
                if (buffers[step].same_payload(k, entry.buffers[step])) continue;
                if (!device_.update(*entry.graph, step, k, buffers[step], why)) {
                    add_problem(why);
                    return false;
                }
                entry.buffers[step].take_payload(k, buffers[step]);
                ++report_.exchanges;
            }
        return true;
    }

    Pattern& pattern(const CommandBuffer& buffer) {
        ++clock_;
        Pattern* oldest = nullptr;
        for (Pattern& p : patterns_) {
            if (p.shape.same_shape(buffer)) {
                p.used = clock_;
                return p;
            }
            if (!oldest || p.used < oldest->used) oldest = &p;
        }
        if (patterns_.size() < max_patterns)
            oldest = &patterns_.emplace_back();
        else
            device_.wait(); // its graphs may be running
        *oldest = Pattern{buffer, {}, clock_};
        return *oldest;
    }

    Device device_;
    ReplayMode best_;
    ReplayReport report_;
    CommandBuffer open_, leaving_;
    std::array<CommandBuffer, batch> steps_;
    std::size_t held_ = 0;
    std::vector<Pattern> patterns_;
    std::uint64_t clock_ = 0;
};

} // namespace shadow::cuda
