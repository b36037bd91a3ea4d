// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/warp.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

/// Goes on with another stack: saves what a call must preserve and its own stack in `*from`.
/// swapcontext would ask the kernel about signals each time. Defined in warp_emulator.cpp.
extern "C" void shadow_switch_stacks(void** from, void* to);

/// Runs warp code of kernels/cuda on the host: 32 coroutines, one a lane, which wait for each other
/// in every collective operation. A lane that returns while others wait is an error, and so is one
/// that waits in another call than they do: on a GPU either hangs, or exchanges what it should not.
namespace shadow::warp {

/// A collective operation as a lane calls it.
struct Call {
    const char* kind;
    Site site;

    friend bool operator==(const Call& a, const Call& b) {
        return a.site.line == b.site.line && same(a.kind, b.kind) &&
               same(a.site.file, b.site.file) && same(a.site.function, b.site.function);
    }
    [[nodiscard]] std::string text() const {
        const std::string file = site.file;
        return std::string("waits in ") + kind + " of " + file.substr(file.rfind('/') + 1) + ":" +
               std::to_string(site.line);
    }

  private:
    static bool same(const char* a, const char* b) { return a == b || std::strcmp(a, b) == 0; }
};

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

    /// How they last did: "lane 3 returns, lane 0 waits in ballot of file.hpp:12".
    static const std::string& fault() { return fault_; }

    /// Every lane gives 8 bytes and gets what all gave.
    static const std::array<std::uint64_t, lanes>& exchange(const Call& call, std::uint64_t mine) {
        Emulator& e = *current;
        const auto lane = static_cast<std::size_t>(e.lane_);
        e.given_[lane] = mine;
        e.calls_[lane] = &call;
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
            for (std::size_t turn = 0; turn < lanes; ++turn) {
                const std::size_t k = from_last_ ? lanes - 1 - turn : turn;
                lane_ = static_cast<int>(k);
                if (!done_[k]) shadow_switch_stacks(&main_, waits_[k]);
            }
            for (std::size_t k = 1; k < lanes; ++k)
                if (done_[k] != done_[0] || (!done_[k] && !(*calls_[k] == *calls_[0]))) {
                    fault_ = state(k) + ", " + state(0);
                    abandon_stacks();
                    return false;
                }
            if (done_[0]) return true;
            seen_ = given_;
        }
    }

    /// Lanes that will not return leave marks around their variables, for a sanitizer to find.
    static void abandon_stacks() {
#ifdef __SANITIZE_ADDRESS__
        __asan_unpoison_memory_region(stacks_.get(), lanes * sizeof(Stack));
#endif
    }

    [[nodiscard]] std::string state(std::size_t k) const {
        return "lane " + std::to_string(k) + (done_[k] ? " returns" : " " + calls_[k]->text());
    }

    static inline Emulator* current = nullptr;
    static inline std::string fault_;
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
    std::array<const Call*, lanes> calls_{}; ///< on the stacks of the lanes
    std::array<bool, lanes> done_{};
    int lane_ = 0;
};

namespace detail {
template <class T>
T take_from(T mine, int from, const Call& call) {
    static_assert(sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &mine, sizeof(T));
    bits = Emulator::exchange(call, bits)[static_cast<std::size_t>(from)];
    std::memcpy(&mine, &bits, sizeof(T));
    return mine;
}
} // namespace detail

/// What lane `from` gave, where this one gives `mine`.
template <class T>
T shuffle(T mine, int from, const Site& site) {
    return detail::take_from(mine, from, {"shuffle", site});
}
template <class T>
T shuffle_xor(T mine, int mask, const Site& site) {
    return detail::take_from(mine, Emulator::lane() ^ mask, {"shuffle_xor", site});
}
template <class T>
T shuffle_up(T mine, int distance, const Site& site) {
    const int lane = Emulator::lane();
    return detail::take_from(mine, lane < distance ? lane : lane - distance, {"shuffle_up", site});
}
inline std::uint32_t ballot(bool predicate, const Site& site) {
    const auto& given = Emulator::exchange({"ballot", site}, predicate);
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < lanes; ++k) bits |= static_cast<std::uint32_t>(given[k]) << k;
    return bits;
}
inline void sync(const Site& site) {
    Emulator::exchange({"sync", site}, 0);
}

} // namespace shadow::warp
