// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/all_pairs.hpp"
#include "kernels/cuda/command_buffer.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

/// Steps of systems small enough for all pairs, done by one persistent kernel: how they are found
/// among recorded launches. The code that launches does not depend on this. Host code without CUDA,
/// tested with a recording fake.
namespace shadow::cuda {

/// The position of a command in the steps that are held back.
struct Place {
    std::size_t step = 0, command = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

/// Rounds of two parts: an advance of all particles and a pair force. Rounds differ only in the
/// arguments of the advances.
struct PersistentSteps {
    std::vector<Place> advance; ///< by round
    Place force;                ///< of the first round
    std::int64_t particles = 0;

    [[nodiscard]] int rounds() const { return static_cast<int>(advance.size()); }
};

/// The functors of the advances, as the persistent kernel reads them. They are updated on the
/// host, and copied together.
class Advances {
  public:
    Advances(std::span<const CommandBuffer> buffers, const std::vector<Place>& places)
        : places_(places) {
        for (const Place& place : places) {
            const auto functor = buffers[place.step].functor(place.command);
            bytes_.insert(bytes_.end(), functor.begin(), functor.end());
        }
    }
    /// False for a command that is not an advance.
    [[nodiscard]] bool exchange(const Place& place, const CommandBuffer& buffer) {
        const auto found = std::find(places_.begin(), places_.end(), place);
        if (found == places_.end()) return false;
        const auto functor = buffer.functor(place.command);
        std::copy(functor.begin(), functor.end(),
                  bytes_.begin() + (found - places_.begin()) * std::ssize(functor));
        changed_ = true;
        return true;
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::size_t stride() const { return bytes_.size() / places_.size(); }
    /// Whether the bytes have changed since the last call.
    [[nodiscard]] bool take_change() { return std::exchange(changed_, false); }

  private:
    std::vector<Place> places_; ///< by round
    std::vector<std::byte> bytes_;
    bool changed_ = true;
};

/// Arguments of the persistent kernel in addition to those of the pair force.
struct PersistentControl {
    const std::byte* advances; ///< functors in backend memory, `stride` bytes from each to the next
    std::size_t stride;
    std::byte* positions; ///< of all particles, by tag modulo 2
    std::uint32_t* tag;   ///< of the last round in which positions were published
    int rounds;
};

namespace detail {

/// Commands of several steps as one sequence.
class Sequence {
  public:
    explicit Sequence(std::span<const CommandBuffer> buffers) : buffers_(buffers) {
        for (std::size_t step = 0; step < buffers.size(); ++step)
            for (std::size_t k = 0; k < buffers[step].commands().size(); ++k)
                places_.push_back({step, k});
    }
    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] const Place& place(std::size_t q) const { return places_[q]; }
    [[nodiscard]] const Command& operator[](std::size_t q) const {
        return buffers_[places_[q].step].commands()[places_[q].command];
    }
    [[nodiscard]] bool same(std::size_t q, std::size_t r, bool payload) const {
        const Place &a = places_[q], &b = places_[r];
        return (*this)[q].same_kernel((*this)[r]) &&
               (!payload || buffers_[a.step].same_payload(a.command, buffers_[b.step], b.command));
    }
    /// The number of indices for which a functor is called: the second argument.
    [[nodiscard]] std::int64_t indices(std::size_t q) const {
        std::int64_t n = 0;
        const Command& command = (*this)[q];
        const auto bytes = buffers_[places_[q].step].payload(command);
        std::memcpy(&n, bytes.data() + (command.offset[1] - command.offset[0]), sizeof n);
        return n;
    }

  private:
    std::span<const CommandBuffer> buffers_;
    std::vector<Place> places_;
};

/// The persistent kernel of the first force that has one; or null.
inline const PersistentKernel* persistent_kernel_of(const Sequence& all) {
    for (std::size_t q = 0; q < all.size(); ++q)
        if (all[q].kernel.persistent) return all[q].kernel.persistent;
    return nullptr;
}

/// The number of commands, from the first on, that are parts of rounds.
inline std::size_t count_parts(const Sequence& all, const PersistentKernel* persistent) {
    std::size_t q = 0;
    for (; q < all.size(); ++q) {
        const Command& command = all[q];
        const bool advances = q % 2 == 0;
        const bool known = advances ? command.kernel.functor == persistent->advance
                                    : command.kernel.persistent == persistent;
        if (!known || command.gate || !all.same(q, q % 2, !advances)) break;
    }
    return q;
}

} // namespace detail

/// Finds persistent steps if the commands are nothing else.
inline std::optional<PersistentSteps>
find_persistent_steps(std::span<const CommandBuffer> buffers) {
    const detail::Sequence all(buffers);
    const PersistentKernel* persistent = detail::persistent_kernel_of(all);
    const std::size_t parts = persistent ? detail::count_parts(all, persistent) : 0;
    if (parts == 0 || parts < all.size() || parts % 2 != 0) return std::nullopt;
    PersistentSteps found{{}, all.place(1), all.indices(0)};
    if (found.particles > max_all_pairs_particles || found.force.step != 0) return std::nullopt;
    for (std::size_t q = 0; q < parts; q += 2) found.advance.push_back(all.place(q));
    return found;
}

/// For steps with a force that a persistent kernel can sum, but which are not rounds: the first
/// command that is not part of a round, because of which they are launched one by one or as graphs.
inline std::optional<Place> find_command_apart(std::span<const CommandBuffer> buffers) {
    const detail::Sequence all(buffers);
    const PersistentKernel* persistent = detail::persistent_kernel_of(all);
    if (!persistent) return std::nullopt;
    const std::size_t parts = detail::count_parts(all, persistent);
    if (parts > 0 && all.indices(0) > max_all_pairs_particles) return std::nullopt;
    if (parts < all.size()) return all.place(parts);
    return parts % 2 == 0 ? std::nullopt : std::optional(all.place(parts - 1));
}

} // namespace shadow::cuda
