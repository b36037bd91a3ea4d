// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/all_pairs.hpp"
#include "kernels/cuda/command_buffer.hpp"
#include "kernels/cuda/warp.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

/// Steps of systems small enough for all pairs, done by one persistent kernel: how they are found
/// among recorded launches, and in which order that kernel does them. The code that launches is not
/// changed by it. Host code without CUDA, tested with a recording fake.
namespace shadow::cuda {

/// Of commands in steps that are held back.
struct Place {
    std::size_t step = 0, command = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

/// Rounds of the same three parts: an advance of all particles, which tests their displacements;
/// what stands behind the gate of that; a pair force. All but the arguments of the advances are the
/// same in each.
struct PersistentSteps {
    std::vector<Place> advance; ///< by round
    Place force;                ///< of the first round
    std::span<const Command> rebuild;
    std::int64_t particles = 0;

    [[nodiscard]] int rounds() const { return static_cast<int>(advance.size()); }
};

/// The functors of the advances, as the persistent kernel reads them. They are exchanged on the
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
    /// False for a command that is no advance.
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
    /// Whether there are other bytes than at the last call.
    [[nodiscard]] bool take_change() { return std::exchange(changed_, false); }

  private:
    std::vector<Place> places_; ///< by round
    std::vector<std::byte> bytes_;
    bool changed_ = true;
};

/// Arguments of the persistent kernel beside those of the pair force.
struct PersistentControl {
    const std::byte* advances; ///< functors in backend memory, `stride` bytes from each to the next
    std::size_t stride;
    std::byte* places;   ///< of all particles, by turn modulo 2
    std::uint32_t* turn; ///< the last in which places were told
    int* stopped_at;     ///< the round whose gate was found open
    int rounds;
    bool resumes;            ///< begin with the force of that round
    unsigned long long more; ///< handle of the condition that not all rounds are done
};

/// Does rounds until all are done or a gate is open. A Driver has `advance(round)`;
/// `resume(round)`, in its place where that has been done; `bool gate_open(round)`; `force(round)`;
/// `stop(round)`, where round may be the number of rounds.
template <class Driver>
SHADOW_DEVICE void run_rounds(Driver& driver, const PersistentControl& control) {
    int round = control.resumes ? *control.stopped_at : 0;
    bool resumes = control.resumes;
    for (; round < control.rounds; ++round) {
        resumes ? driver.resume(round) : driver.advance(round);
        resumes = false;
        if (driver.gate_open(round)) break;
        driver.force(round);
    }
    driver.stop(round);
}

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
    /// For how many indices a functor is called: the second argument.
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

/// Commands of the first round, or 0 where the sequence begins with none.
inline std::size_t length_of_round(const Sequence& all) {
    std::size_t force = 1;
    if (all.size() < 3 || !all[force].gate) return 0;
    while (force < all.size() && all[force].gate == all[1].gate) ++force;
    if (force == all.size()) return 0;
    const PersistentKernel* persistent = all[force].kernel.persistent;
    const bool found = persistent && all[0].kernel.functor == persistent->advance && !all[0].gate &&
                       !all[force].gate && all.indices(0) <= max_all_pairs_particles;
    return found ? force + 1 : 0;
}

} // namespace detail

/// Finds them if the steps have nothing else; what it returns points into the first of them.
inline std::optional<PersistentSteps>
find_persistent_steps(std::span<const CommandBuffer> buffers) {
    const detail::Sequence all(buffers);
    const std::size_t length = detail::length_of_round(all);
    if (length == 0 || all.size() % length != 0) return std::nullopt;
    PersistentSteps found{{}, all.place(length - 1), {}, all.indices(0)};
    if (found.force.step != 0) return std::nullopt;
    found.rebuild = buffers[0].commands().subspan(1, length - 2);
    for (std::size_t q = 0; q < all.size(); ++q) {
        const bool advances = q % length == 0;
        if (!all.same(q, q % length, !advances)) return std::nullopt;
        if (advances) found.advance.push_back(all.place(q));
    }
    return found;
}

/// Of steps that have a force which a persistent kernel can sum, and are no rounds: the first
/// command that is no part of one, for whose sake they are launched one by one or as graphs.
inline std::optional<Place> find_command_apart(std::span<const CommandBuffer> buffers) {
    const detail::Sequence all(buffers);
    const PersistentKernel* persistent = nullptr;
    for (std::size_t q = 0; q < all.size() && !persistent; ++q)
        persistent = all[q].kernel.persistent;
    if (!persistent) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t first = 0, q = 0; first < all.size(); first = ++q) {
        const bool advances = all[q].kernel.functor == persistent->advance && !all[q].gate;
        if (!advances) return all.place(q);
        if (all.indices(q) > max_all_pairs_particles) return std::nullopt; // too many for any
        while (q + 1 < all.size() && all[q + 1].gate && all[q + 1].gate == all[first + 1].gate) ++q;
        if (++q == all.size() || q == first + 1 || all[q].kernel.persistent != persistent)
            return all.place(std::min(q, all.size() - 1));
        if (length == 0) length = q + 1;
        for (std::size_t r = first; r <= q; ++r)
            if (r - first >= length || !all.same(r, r - first, r > first)) return all.place(r);
    }
    return std::nullopt;
}

} // namespace shadow::cuda
