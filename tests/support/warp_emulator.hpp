// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/warp.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <ucontext.h>
#include <vector>

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
        swapcontext(&e.context_[lane], &e.main_);
        return e.seen_;
    }

    static int lane() { return current->lane_; }

  private:
    static constexpr std::size_t stack = 256 * 1024;

    Emulator(const std::function<void(int)>& body, bool from_last)
        : body_(body), from_last_(from_last),
          stacks_(std::make_unique_for_overwrite<char[]>(stack * lanes)) {}

    static void start() {
        Emulator& e = *current;
        e.body_(e.lane_);
        e.done_[static_cast<std::size_t>(e.lane_)] = true;
    }

    /// On its own and not inlined: getcontext may return twice as far as the compiler knows, and
    /// no variable of a loop may live across it.
    [[gnu::noinline]] void prepare(std::size_t k) {
        ucontext_t& context = context_[k];
        getcontext(&context);
        context.uc_stack.ss_sp = stacks_.get() + k * stack;
        context.uc_stack.ss_size = stack;
        context.uc_link = &main_;
        makecontext(&context, start, 0);
    }

    bool schedule() {
        current = this;
        for (std::size_t k = 0; k < lanes; ++k) prepare(k);
        for (;;) {
            int finished = 0;
            for (std::size_t turn = 0; turn < lanes; ++turn) {
                const std::size_t k = from_last_ ? lanes - 1 - turn : turn;
                lane_ = static_cast<int>(k);
                if (!done_[k]) swapcontext(&main_, &context_[k]);
                finished += done_[k];
            }
            if (finished == lanes) return true;
            if (finished > 0) return false;
            seen_ = given_;
        }
    }

    static inline Emulator* current = nullptr;

    const std::function<void(int)>& body_;
    bool from_last_;
    std::unique_ptr<char[]> stacks_;
    std::array<ucontext_t, lanes> context_;
    ucontext_t main_;
    std::array<std::uint64_t, lanes> given_{}, seen_{};
    std::array<bool, lanes> done_{};
    int lane_ = 0;
};

template <class T>
std::array<T, lanes> everyone(T mine) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &mine, sizeof(T));
    const auto& given = Emulator::exchange(bits);
    std::array<T, lanes> values;
    for (std::size_t k = 0; k < lanes; ++k) std::memcpy(&values[k], &given[k], sizeof(T));
    return values;
}

template <class T>
T shuffle(T value, int from) {
    return everyone(value)[static_cast<std::size_t>(from)];
}
template <class T>
T shuffle_xor(T value, int mask) {
    return everyone(value)[static_cast<std::size_t>(Emulator::lane() ^ mask)];
}
template <class T>
T shuffle_up(T value, int distance) {
    const auto values = everyone(value);
    const int from = Emulator::lane() - distance;
    return from < 0 ? value : values[static_cast<std::size_t>(from)];
}
inline std::uint32_t ballot(bool predicate) {
    const auto values = everyone(predicate);
    std::uint32_t bits = 0;
    for (int k = 0; k < lanes; ++k)
        if (values[static_cast<std::size_t>(k)]) bits |= std::uint32_t{1} << k;
    return bits;
}
inline void sync() {
    Emulator::exchange(0);
}

} // namespace shadow::warp
