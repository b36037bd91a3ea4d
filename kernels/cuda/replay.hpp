// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/small_steps.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

/// What turns steps that repeat into graphs. Launches are not made at once but noted, with a copy
/// of their arguments; whatever is the same from step to step is known by comparing these, so that
/// nobody who launches has to know. Host code without a word of CUDA, tested with a recording fake.
namespace shadow::cuda {

/// Holds back steps of one shape until there are `batch` of them or somebody wants results, and has
/// them done by graphs of 1, 2, 4 ... steps. What differs is launched as it came, in its order.
///
/// A Device has `Graph`; `void launch(Work&, const Command&)`; `std::unique_ptr<Graph>
/// build(std::span<Work>)` and `build_small(std::span<Work>, const SmallSteps&)`, null where it
/// cannot; `bool update(Graph&, step, k, Work&)` for command k of a step, false where it cannot;
/// `void launch(Graph&)`; `void wait()`.
template <class Device>
class Replay {
  public:
    static constexpr std::size_t batch = 16;
    /// More of them than a step of any method has; what never ends must not be held back.
    static constexpr std::size_t most_commands = 256;

    explicit Replay(Device device, bool on = true) : device_(std::move(device)), on_(on) {}

    template <class... Args>
    void add(const Kernel& kernel, unsigned blocks, unsigned threads, const int* gate,
             const Args&... args) {
        if (open_.commands().size() == most_commands) flush();
        open_.add(kernel, blocks, threads, gate, args...);
        if (!on_) flush();
    }
    /// What was added since the last call was a step.
    void mark_step() {
        if (open_.empty()) return;
        if (held_ > 0 && !steps_[0].same_shape(open_)) launch_held();
        std::swap(steps_[held_++], open_);
        open_.clear();
        if (held_ == batch) launch_held();
    }
    /// Hands over all that was added.
    void flush() {
        launch_held();
        // Should a launch fail, none is made twice.
        std::swap(open_, leaving_);
        open_.clear();
        for (const Command& command : leaving_.commands()) device_.launch(leaving_, command);
        leaving_.clear();
    }
    void set(bool on) {
        flush();
        on_ = on;
    }
    [[nodiscard]] bool on() const { return on_; }
    /// Whether steps of small systems may be done by one kernel.
    void set_small(bool small) {
        flush();
        device_.wait();
        patterns_.clear();
        small_ = small;
    }
    /// Graphs launched so far whose steps one kernel does.
    [[nodiscard]] std::int64_t small_graphs() const { return small_graphs_; }

  private:
    /// Of 2^k steps of one shape.
    struct Entry {
        bool seen = false;
        bool plain = false; ///< one kernel could not do all of what came
        std::unique_ptr<typename Device::Graph> graph;
        std::vector<Work> works; ///< as they stand in the graph
    };
    static constexpr std::size_t entries = std::bit_width(batch);
    struct Pattern {
        Work shape;
        std::array<Entry, entries> entry;
        std::uint64_t used = 0;
    };
    static constexpr std::size_t most_patterns = 8;

    void launch_held() {
        const std::size_t held = std::exchange(held_, 0);
        for (std::size_t first = 0; first < held;) {
            const std::size_t count = std::bit_floor(held - first);
            const std::span<Work> works(steps_.data() + first, count);
            if (!on_ || !replay(works))
                for (Work& work : works)
                    for (const Command& command : work.commands()) device_.launch(work, command);
            first += count;
        }
    }

    /// False where it is not worth it yet, or cannot be done.
    bool replay(std::span<Work> works) {
        Entry& entry = pattern(works[0]).entry[std::bit_width(works.size()) - 1];
        if (!entry.graph) {
            // What comes once may never come again.
            if (!std::exchange(entry.seen, true)) return false;
            build(entry, works);
        } else if (!update(entry, works)) {
            device_.wait();
            entry.graph.reset();
            if (!entry.plain) {
                entry.plain = true;
                build(entry, works);
            }
        }
        on_ = entry.graph != nullptr; // who fails once is not asked again
        if (!on_) return false;
        device_.launch(*entry.graph);
        small_graphs_ += !entry.plain;
        return true;
    }

    void build(Entry& entry, std::span<Work> works) {
        const auto steps = small_ && !entry.plain ? find_small_steps(works) : std::nullopt;
        if (steps) entry.graph = device_.build_small(works, *steps);
        entry.plain = !entry.graph;
        if (entry.plain) entry.graph = device_.build(works);
        entry.works.assign(works.begin(), works.end());
    }

    bool update(Entry& entry, std::span<Work> works) {
        for (std::size_t step = 0; step < works.size(); ++step)
            for (std::size_t k = 0; k < works[step].commands().size(); ++k) {
                if (works[step].same_payload(k, entry.works[step])) continue;
                if (!device_.update(*entry.graph, step, k, works[step])) return false;
                entry.works[step].take_payload(k, works[step]);
            }
        return true;
    }

    Pattern& pattern(const Work& work) {
        ++clock_;
        Pattern* oldest = nullptr;
        for (Pattern& p : patterns_) {
            if (p.shape.same_shape(work)) {
                p.used = clock_;
                return p;
            }
            if (!oldest || p.used < oldest->used) oldest = &p;
        }
        if (patterns_.size() < most_patterns)
            oldest = &patterns_.emplace_back();
        else
            device_.wait(); // its graphs may be at work
        *oldest = Pattern{work, {}, clock_};
        return *oldest;
    }

    Device device_;
    bool on_;
    bool small_ = true;
    std::int64_t small_graphs_ = 0;
    Work open_, leaving_;
    std::array<Work, batch> steps_;
    std::size_t held_ = 0;
    std::vector<Pattern> patterns_;
    std::uint64_t clock_ = 0;
};

} // namespace shadow::cuda
