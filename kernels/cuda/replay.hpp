// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

/// What turns steps that repeat into graphs. Launches are not made at once but noted, with a copy
/// of their arguments; whatever is the same from step to step is known by comparing these, so that
/// nobody who launches has to know. Host code without a word of CUDA, tested with a recording fake.
namespace shadow::cuda {

/// One launch: a kernel, its grid, and where its arguments stand in the Work that holds it.
struct Command {
    static constexpr int most_arguments = 8;
    const void* kernel = nullptr;
    unsigned blocks = 0, threads = 0;
    const int* gate = nullptr; ///< not null: the kernel does nothing where this holds 0
    int arguments = 0;
    std::array<std::uint32_t, most_arguments> offset{};
    std::uint32_t end = 0; ///< of the last argument

    [[nodiscard]] bool same_kernel(const Command& other) const {
        return kernel == other.kernel && blocks == other.blocks && threads == other.threads &&
               gate == other.gate && arguments == other.arguments;
    }
};

/// Launches in their order.
class Work {
  public:
    template <class... Args>
    void add(const void* kernel, unsigned blocks, unsigned threads, const int* gate,
             const Args&... args) {
        static_assert(sizeof...(Args) <= Command::most_arguments);
        static_assert((std::is_trivially_copyable_v<Args> && ...));
        Command command{kernel, blocks, threads, gate, 0, {}, 0};
        (append(command, args), ...);
        commands_.push_back(command);
    }
    void clear() {
        commands_.clear();
        bytes_.clear();
    }

    [[nodiscard]] std::span<const Command> commands() const { return commands_; }
    [[nodiscard]] bool empty() const { return commands_.empty(); }
    /// Pointers to the arguments, as a launch wants them.
    [[nodiscard]] std::array<void*, Command::most_arguments> arguments(const Command& command) {
        std::array<void*, Command::most_arguments> pointers{};
        for (int k = 0; k < command.arguments; ++k)
            pointers[static_cast<std::size_t>(k)] =
                bytes_.data() + command.offset[static_cast<std::size_t>(k)];
        return pointers;
    }
    /// All arguments of a command.
    [[nodiscard]] std::span<const std::byte> payload(const Command& command) const {
        return {bytes_.data() + command.offset[0], command.end - command.offset[0]};
    }
    [[nodiscard]] bool same_payload(std::size_t k, const Work& other) const {
        const auto mine = payload(commands_[k]), theirs = other.payload(other.commands_[k]);
        return mine.size() == theirs.size() &&
               std::memcmp(mine.data(), theirs.data(), mine.size()) == 0;
    }
    /// Whether one graph can serve both: the same kernels, and behind gates the same arguments too
    /// (those of other kernels can be exchanged in a graph).
    [[nodiscard]] bool same_shape(const Work& other) const {
        if (commands_.size() != other.commands_.size()) return false;
        for (std::size_t k = 0; k < commands_.size(); ++k) {
            if (!commands_[k].same_kernel(other.commands_[k])) return false;
            if (commands_[k].offset != other.commands_[k].offset) return false;
            if (commands_[k].gate && !same_payload(k, other)) return false;
        }
        return true;
    }
    /// Takes the arguments of command k from a work of the same shape.
    void take_payload(std::size_t k, const Work& other) {
        const auto theirs = other.payload(other.commands_[k]);
        std::copy(theirs.begin(), theirs.end(), bytes_.begin() + commands_[k].offset[0]);
    }

  private:
    static constexpr std::size_t alignment = 16;

    template <class T>
    void append(Command& command, const T& argument) {
        static_assert(alignof(T) <= alignment);
        T copy = argument;
#if __has_builtin(__builtin_clear_padding)
        // What stands between the fields is not a difference.
        if constexpr (std::is_class_v<T>) __builtin_clear_padding(&copy);
#endif
        const std::size_t at = (bytes_.size() + alignment - 1) / alignment * alignment;
        bytes_.resize(at + sizeof(T));
        std::memcpy(bytes_.data() + at, &copy, sizeof(T));
        command.offset[static_cast<std::size_t>(command.arguments++)] =
            static_cast<std::uint32_t>(at);
        command.end = static_cast<std::uint32_t>(at + sizeof(T));
    }

    std::vector<Command> commands_;
    std::vector<std::byte> bytes_;
};

/// Holds back steps of one shape until there are `batch` of them or somebody wants results, and has
/// them done by graphs of 1, 2, 4 ... steps. What differs is launched as it came, in its order.
///
/// A Device has `Graph`; `void launch(Work&, const Command&)`; `std::unique_ptr<Graph>
/// build(std::span<Work>)`, null where it cannot; `bool update(Graph&, step, k, Work&)` for command
/// k of a step, false where it cannot; `void launch(Graph&)`; `void wait()`.
template <class Device>
class Replay {
  public:
    static constexpr std::size_t batch = 16;
    /// More of them than a step of any method has; what never ends must not be held back.
    static constexpr std::size_t most_commands = 256;

    explicit Replay(Device device, bool on = true) : device_(std::move(device)), on_(on) {}

    template <class... Args>
    void add(const void* kernel, unsigned blocks, unsigned threads, const int* gate,
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

  private:
    /// Of 2^k steps of one shape.
    struct Entry {
        bool seen = false;
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
            entry.graph = device_.build(works);
            entry.works.assign(works.begin(), works.end());
        } else if (!update(entry, works)) {
            device_.wait();
            entry.graph.reset();
        }
        on_ = entry.graph != nullptr; // who fails once is not asked again
        if (on_) device_.launch(*entry.graph);
        return on_;
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
    Work open_, leaving_;
    std::array<Work, batch> steps_;
    std::size_t held_ = 0;
    std::vector<Pattern> patterns_;
    std::uint64_t clock_ = 0;
};

} // namespace shadow::cuda
