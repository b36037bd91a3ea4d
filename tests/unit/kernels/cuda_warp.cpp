// SPDX-License-Identifier: BSD-3-Clause
// The emulator of warps finds lanes which do not stand in the same collective call.
#include "support/catch.hpp"

#include "kernels/cuda/emulated/warp_emulator.hpp"

#include <array>
#include <numeric>

using namespace shadow;
using warp::Emulator;

namespace {

/// Two places of the code that do the same.
std::uint32_t vote_here(bool yes) {
    return warp::ballot(yes);
}
std::uint32_t vote_there(bool yes) {
    return warp::ballot(yes);
}

template <bool First>
[[maybe_unused]] void wait() {
    warp::sync();
}

} // namespace

TEST_CASE("lanes that stand in the same calls exchange what they give", "[cuda]") {
    std::array<int, warp::lanes> sum{};
    const bool in_step = Emulator::run([&](int lane) {
        std::uint32_t odd = 0;
        for (int k = 0; k < 3; ++k) odd = vote_here(lane % 2 == 1);
        sum[static_cast<std::size_t>(lane)] = warp::population(odd) + warp::shuffle(lane, 7);
    });
    CHECK(in_step);
    CHECK(sum == [] {
        std::array<int, warp::lanes> expected;
        expected.fill(16 + 7);
        return expected;
    }());
}

TEST_CASE("a team of warps waits for each other, and exchanges nothing else", "[cuda]") {
    const bool from_last = GENERATE(false, true);
    std::array<int, 4> sum{}, seen{};
    std::array<std::uint32_t, 4> bits{};
    CHECK(Emulator::run_team(
        4,
        [&](int warp, int lane) {
            const auto w = static_cast<std::size_t>(warp);
            bits[w] = warp::ballot(lane == 3 * warp);
            sum[w] += 1;
            warp::sync_team(0, 4);
            seen[w] = std::accumulate(sum.begin(), sum.end(), 0);
            warp::sync_team(0, 4);
            if (warp % 2 == 0) warp::sync(); // no call of the team
        },
        from_last));
    CHECK(seen == std::array{128, 128, 128, 128});
    CHECK(bits == std::array{1u, 1u << 3, 1u << 6, 1u << 9});
    CHECK(!Emulator::run_team(
        2, [](int warp, int) { warp == 0 ? warp::sync_team(0, 2) : void(); }, from_last));
    CHECK(Emulator::fault() == "lane 32 returns, lane 0 " + Emulator::fault().substr(24));
}

TEST_CASE("lanes that stand in different calls are out of step", "[cuda]") {
    const bool from_last = GENERATE(false, true);
    const auto fails = [from_last](const auto& body) { return !Emulator::run(body, from_last); };
    SECTION("of the same kind") {
        CHECK(fails([](int lane) { lane == 5 ? vote_here(true) : vote_there(true); }));
        CHECK(Emulator::fault().find("lane 5 waits in ballot of cuda_warp.cpp:") !=
              std::string::npos);
    }
    SECTION("of different kinds in one line") {
        CHECK(fails([](int lane) { lane == 31 ? void(warp::ballot(true)) : warp::sync(); }));
        CHECK(Emulator::fault().find("lane 31 waits in ballot") == 0);
        CHECK(Emulator::fault().find("lane 0 waits in sync") != std::string::npos);
    }
#ifndef __clang__ // which gives all instances of a template one name
    SECTION("of two instances of a template") {
        CHECK(fails([](int lane) { lane == 5 ? wait<true>() : wait<false>(); }));
    }
#endif
    SECTION("because the first is somewhere else") {
        CHECK(fails([](int lane) { lane == 0 ? vote_here(true) : vote_there(true); }));
    }
    SECTION("because one returns") {
        CHECK(fails([](int lane) {
            if (lane != 5) warp::sync();
        }));
        CHECK(Emulator::fault().find("lane 5 returns, lane 0 waits in sync") == 0);
    }
    SECTION("by one turn of a loop") {
        CHECK(fails([](int lane) {
            for (int k = 0; k < (lane == 9 ? 4 : 3); ++k) warp::sync();
        }));
        CHECK(Emulator::fault().find("lane 9 waits in sync") == 0);
    }
}
