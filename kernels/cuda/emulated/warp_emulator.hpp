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

/// Switches to another stack: saves the registers that a call must preserve and its own stack in
/// `*from`. swapcontext would make a system call for signals each time. Defined in
/// warp_emulator.cpp.
extern "C" void shadow_switch_stacks(void** from, void* to);

/// Runs warp code of kernels/cuda on the host: 32 coroutines, one per lane, which wait for each
/// other in every collective operation. A lane that returns while others wait is an error, and so
/// is one that waits in a different call: a GPU would hang, or exchange wrong data. Warps of a team
/// run one after another until each waits for the team.
namespace shadow::warp {

/// A collective operation, as called by a lane.
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
    static constexpr int max_warps = 4;

    /// Runs `body(lane)` for all lanes; returns false if the lanes lost their lockstep. Between two
    /// collective operations lanes run one after another, from the first or from the last: unless
    /// both orders give the same result, there is a race.
    static bool run(const std::function<void(int)>& body, bool from_last = false) {
        return run_team(
            1, [&](int, int lane) { body(lane); }, from_last);
    }
    /// The same with `body(warp, lane)` for all lanes of a team of up to `max_warps` warps.
    static bool run_team(int warps, const std::function<void(int, int)>& body,
                         bool from_last = false) {
        Emulator emulator(static_cast<std::size_t>(warps), body, from_last);
        current = &emulator;
        const bool in_step = emulator.schedule();
        current = nullptr;
        return in_step;
    }

    /// The fault of the last run: "lane 3 returns, lane 0 waits in ballot of file.hpp:12".
    static const std::string& fault() { return fault_; }

    /// Every lane passes 8 bytes and receives those of all lanes of its warp.
    static const std::array<std::uint64_t, lanes>& exchange(const Call& call, std::uint64_t mine) {
        Emulator& e = *current;
        Warp& warp = e.warps_[e.warp_];
        const auto lane = static_cast<std::size_t>(e.lane_);
        warp.given[lane] = mine;
        warp.calls[lane] = &call;
        shadow_switch_stacks(&warp.waits[lane], e.main_);
        return warp.seen;
    }

    static int lane() { return current->lane_; }

    static constexpr const char* team_call = "sync_team";

  private:
    struct Warp {
        std::array<void*, lanes> waits{};
        std::array<std::uint64_t, lanes> given{}, seen{};
        std::array<const Call*, lanes> calls{}; ///< on the stacks of the lanes
        std::array<bool, lanes> done{};

        /// Whether its lanes wait for the team.
        [[nodiscard]] bool waits_for_team() const {
            return !done[0] && std::strcmp(calls[0]->kind, team_call) == 0;
        }
    };

    Emulator(std::size_t warps, const std::function<void(int, int)>& body, bool from_last)
        : body_(body), count_(warps), from_last_(from_last) {}

    static void start() {
        Emulator& e = *current;
        e.body_(static_cast<int>(e.warp_), e.lane_);
        Warp& warp = e.warps_[e.warp_];
        const auto lane = static_cast<std::size_t>(e.lane_);
        warp.done[lane] = true;
        shadow_switch_stacks(&warp.waits[lane], e.main_);
    }

    /// As if it had been switched out just before the first instruction of `start`.
    void prepare(std::size_t w, std::size_t k) {
        constexpr std::size_t saved = 6; // registers; then where to go, and a return address
        auto* top = reinterpret_cast<void**>(stacks_.get() + w * lanes + k + 1);
        std::fill(top - saved - 2, top, nullptr);
        top[-2] = reinterpret_cast<void*>(start);
        warps_[w].waits[k] = top - saved - 2;
    }

    bool schedule() {
        for (std::size_t w = 0; w < count_; ++w)
            for (std::size_t k = 0; k < lanes; ++k) prepare(w, k);
        for (;;) {
            for (std::size_t turn = 0; turn < count_; ++turn)
                if (!run_warp(from_last_ ? count_ - 1 - turn : turn)) return abandon();
            for (std::size_t w = 1; w < count_; ++w)
                if (differ(w, 0, 0, 0)) return abandon();
            if (warps_[0].done[0]) return true;
        }
    }

    /// Runs until its lanes have returned or wait for the team.
    bool run_warp(std::size_t w) {
        Warp& warp = warps_[w];
        do {
            warp_ = w;
            for (std::size_t turn = 0; turn < lanes; ++turn) {
                const std::size_t k = from_last_ ? lanes - 1 - turn : turn;
                lane_ = static_cast<int>(k);
                if (!warp.done[k]) shadow_switch_stacks(&main_, warp.waits[k]);
            }
            for (std::size_t k = 1; k < lanes; ++k)
                if (differ(w, k, w, 0)) return false;
            warp.seen = warp.given;
        } while (!warp.done[0] && !warp.waits_for_team());
        return true;
    }

    /// Whether one lane returns or waits at a different position from another.
    bool differ(std::size_t v, std::size_t j, std::size_t w, std::size_t k) {
        const Warp &a = warps_[v], &b = warps_[w];
        if (a.done[j] == b.done[k] && (a.done[j] || *a.calls[j] == *b.calls[k])) return false;
        fault_ = state(v, j) + ", " + state(w, k);
        return true;
    }

    /// Lanes that will not return leave marks around their variables, for a sanitizer to find.
    static bool abandon() {
#ifdef __SANITIZE_ADDRESS__
        __asan_unpoison_memory_region(stacks_.get(), max_warps * lanes * sizeof(Stack));
#endif
        return false;
    }

    [[nodiscard]] std::string state(std::size_t w, std::size_t k) const {
        const std::string name = "lane " + std::to_string(w * lanes + k);
        return name + (warps_[w].done[k] ? " returns" : " " + warps_[w].calls[k]->text());
    }

    static inline Emulator* current = nullptr;
    static inline std::string fault_;
    struct alignas(64) Stack {
        char bytes[256 * 1024];
    };
    static inline const std::unique_ptr<Stack[]> stacks_ =
        std::make_unique_for_overwrite<Stack[]>(max_warps * lanes);

    const std::function<void(int, int)>& body_;
    std::size_t count_;
    bool from_last_;
    std::array<Warp, max_warps> warps_{};
    void* main_ = nullptr;
    std::size_t warp_ = 0;
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

/// The value that lane `from` passed, where this one passes `mine`.
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
inline void sync_team(int, int, const Site& site) {
    Emulator::exchange({Emulator::team_call, site}, 0);
}

} // namespace shadow::warp
