// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/error.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <vector>

/// Launches that are recorded with their arguments, to be submitted later. Host code without CUDA.
namespace shadow::cuda {

/// Its address identifies the type of a functor, in whatever file that is launched.
template <class Functor>
inline constexpr char mark{};

/// A persistent kernel: does many steps of a small system, each from an advance to a pair force.
struct PersistentKernel {
    const void* kernel;
    const void* advance;            ///< mark of the functor that it calls
    std::size_t bytes_per_position; ///< of a particle, as its blocks publish it
};

/// A call of a library that launches its own kernels, on the stream of a plan that is one of the
/// arguments. Returns an empty string, or the reason why it failed.
using LibraryCall = std::string (*)(void* const* arguments);

inline void call_library(LibraryCall call, void* const* arguments) {
    const std::string why = call(arguments);
    if (!why.empty())
        throw MachineError("the GPU failed while calling a library (" + why +
                           "); restart from the last checkpoint, or use device = \"cpu\"");
}

/// What is launched, with its properties.
struct Kernel {
    const void* function = nullptr;
    LibraryCall library = nullptr; ///< instead of a function
    const void* functor = nullptr; ///< mark of the functor called for each index, if needed
    const PersistentKernel* persistent = nullptr; ///< that can do this launch among others

    Kernel(const void* f = nullptr, const void* called = nullptr,
           const PersistentKernel* twin = nullptr)
        : function(f), functor(called), persistent(twin) {}
    explicit Kernel(LibraryCall call) : library(call) {}
    friend bool operator==(const Kernel&, const Kernel&) = default;
};

/// One launch: a kernel, its grid, and the offsets of its arguments in the buffer that holds it.
struct Command {
    static constexpr int max_arguments = 8;
    Kernel kernel;
    unsigned blocks = 0, threads = 0;
    const int* gate = nullptr; ///< not null: the kernel does nothing where this holds 0
    int arguments = 0;
    std::array<std::uint32_t, max_arguments> offset{};
    std::uint32_t end = 0;                      ///< of the last argument
    const std::type_info* what = &typeid(void); ///< type of the first argument

    [[nodiscard]] bool same_kernel(const Command& other) const {
        return kernel == other.kernel && blocks == other.blocks && threads == other.threads &&
               gate == other.gate && arguments == other.arguments;
    }
};

/// Commands in their order, each a recorded launch with a copy of its arguments.
class CommandBuffer {
  public:
    template <class... Args>
    void add(const Kernel& kernel, unsigned blocks, unsigned threads, const int* gate,
             const Args&... args) {
        static_assert(sizeof...(Args) <= Command::max_arguments);
        static_assert((std::is_trivially_copyable_v<Args> && ...));
        Command command{kernel, blocks, threads, gate, 0, {}, 0};
        (append(command, args), ...);
        note_type(command, args...);
        commands_.push_back(command);
    }
    void clear() {
        commands_.clear();
        bytes_.clear();
    }

    [[nodiscard]] std::span<const Command> commands() const { return commands_; }
    [[nodiscard]] bool empty() const { return commands_.empty(); }
    /// Pointers to the arguments, in the form that a launch needs.
    [[nodiscard]] std::array<void*, Command::max_arguments> arguments(const Command& command) {
        std::array<void*, Command::max_arguments> pointers{};
        for (int k = 0; k < command.arguments; ++k)
            pointers[static_cast<std::size_t>(k)] =
                bytes_.data() + command.offset[static_cast<std::size_t>(k)];
        return pointers;
    }
    /// All arguments of a command.
    [[nodiscard]] std::span<const std::byte> payload(const Command& command) const {
        return {bytes_.data() + command.offset[0], command.end - command.offset[0]};
    }
    /// The first argument of command k, which has more.
    [[nodiscard]] std::span<const std::byte> functor(std::size_t k) const {
        const Command& command = commands_[k];
        return {bytes_.data() + command.offset[0], command.offset[1] - command.offset[0]};
    }
    /// Whether command k has the same arguments as command `theirs` of another buffer, or of this
    /// one.
    [[nodiscard]] bool same_payload(std::size_t k, const CommandBuffer& other,
                                    std::size_t theirs) const {
        const auto a = payload(commands_[k]), b = other.payload(other.commands_[theirs]);
        return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size()) == 0;
    }
    [[nodiscard]] bool same_payload(std::size_t k, const CommandBuffer& other) const {
        return same_payload(k, other, k);
    }
    /// Whether one graph can serve both: the same kernels, and for launches with gates and library
    /// calls also the same arguments (those of other kernels can be updated in a graph).
    [[nodiscard]] bool same_shape(const CommandBuffer& other) const {
        if (commands_.size() != other.commands_.size()) return false;
        for (std::size_t k = 0; k < commands_.size(); ++k) {
            if (!commands_[k].same_kernel(other.commands_[k])) return false;
            if (commands_[k].offset != other.commands_[k].offset) return false;
            const bool fixed = commands_[k].gate || commands_[k].kernel.library;
            if (fixed && !same_payload(k, other)) return false;
        }
        return true;
    }
    /// Copies the arguments of command k from a buffer of the same shape.
    void take_payload(std::size_t k, const CommandBuffer& other) {
        const auto theirs = other.payload(other.commands_[k]);
        std::copy(theirs.begin(), theirs.end(), bytes_.begin() + commands_[k].offset[0]);
    }

  private:
    static constexpr std::size_t alignment = 16;

    static void note_type(Command& /*command*/) {}
    template <class First, class... Others>
    static void note_type(Command& command, const First& /*first*/, const Others&... /*others*/) {
        command.what = &typeid(First);
    }
    template <class T>
    void append(Command& command, const T& argument) {
        static_assert(alignof(T) <= alignment);
        T copy = argument;
#if __has_builtin(__builtin_clear_padding)
        // Padding between the fields does not count as a difference.
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

} // namespace shadow::cuda
