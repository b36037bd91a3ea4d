// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/warp.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>

/// Goes on with another stack: saves what a call must preserve and its own stack in `*from`.
/// swapcontext would ask the kernel about signals each time. Defined in warp_emulator.cpp.
extern "C" void shadow_switch_stacks(void** from, void* to);

/// Runs warp code of kernels/cuda on the host: 32 coroutines, one a lane, which wait for each other
/// in every collective operation. A lane that returns early while others wait is an error, as it is
/// on a GPU.
namespace shadow::warp {

class Emulator {
  public:
    /// Runs `body(lane)` for all lanes; returns false if the lanes fell out of step. Between two
    /// collective operations lanes run one after the other, from the first or from the last:
    /// unless both orders have the same outcome, there is a race.
    static bool run(const std::function<void(int)>& body, bool from_last = false) {
        Emulator emulator(body, from_last);
        const bool in_step = emulator.schedule();
        current = nullptr;
        return in_step;
    }

    /// Every lane gives 8 bytes and gets what all gave.
    static const std::array<std::uint64_t, lanes>& exchange(std::uint64_t mine) {
        Emulator& e = *current;
        const auto lane = static_cast<std::size_t>(e.lane_);
        e.given_[lane] = mine;
        shadow_switch_stacks(&e.waits_[lane], e.main_);
        return e.seen_;
    }

    static int lane() { return current->lane_; }

  private:
    Emulator(const std::function<void(int)>& body, bool from_last)
        : body_(body), from_last_(from_last) {}

    static void start() {
        Emulator& e = *current;
        e.body_(e.lane_);
        const auto lane = static_cast<std::size_t>(e.lane_);
        e.done_[lane] = true;
        shadow_switch_stacks(&e.waits_[lane], e.main_);
    }

    /// As if it had been switched away from just before the first instruction of `start`.
    void prepare(std::size_t k) {
        constexpr std::size_t saved = 6; // registers; then where to go, and a return address
        auto* top = reinterpret_cast<void**>(stacks_.get() + k + 1);
        std::fill(top - saved - 2, top, nullptr);
        top[-2] = reinterpret_cast<void*>(start);
        waits_[k] = top - saved - 2;
    }

    bool schedule() {
        current = this;
        for (std::size_t k = 0; k < lanes; ++k) prepare(k);
        for (;;) {
            int finished = 0;
            for (std::size_t turn = 0; turn < lanes; ++turn) {
                const std::size_t k = from_last_ ? lanes - 1 - turn : turn;
                lane_ = static_cast<int>(k);
                if (!done_[k]) shadow_switch_stacks(&main_, waits_[k]);
                finished += done_[k];
            }
            if (finished == lanes) return true;
            if (finished > 0) return false;
            seen_ = given_;
        }
    }

    static inline Emulator* current = nullptr;
    struct alignas(64) Stack {
        char bytes[256 * 1024];
    };
    static inline const std::unique_ptr<Stack[]> stacks_ =
        std::make_unique_for_overwrite<Stack[]>(lanes);

    const std::function<void(int)>& body_;
    bool from_last_;
    std::array<void*, lanes> waits_{};
    void* main_ = nullptr;
    std::array<std::uint64_t, lanes> given_{}, seen_{};
    std::array<bool, lanes> done_{};
    int lane_ = 0;
};

/// What lane `from` gave, where this one gives `mine`.
template <class T>
T shuffle(T mine, int from) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &mine, sizeof(T));
    bits = Emulator::exchange(bits)[static_cast<std::size_t>(from)];
    std::memcpy(&mine, &bits, sizeof(T));
    return mine;
}
template <class T>
T shuffle_xor(T value, int mask) {
    return shuffle(value, Emulator::lane() ^ mask);
}
template <class T>
T shuffle_up(T value, int distance) {
    const int lane = Emulator::lane();
    return shuffle(value, lane < distance ? lane : lane - distance);
}
inline std::uint32_t ballot(bool predicate) {
    const auto& given = Emulator::exchange(predicate);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < lanes; ++k) bits |= static_cast<std::uint32_t>(given[k]) << k;
    return bits;
}
inline void sync() {
    Emulator::exchange(0);
}

} // namespace shadow::warp
