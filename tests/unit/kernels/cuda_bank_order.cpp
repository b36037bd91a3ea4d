// SPDX-License-Identifier: BSD-3-Clause
// In which order the lanes of a warp go through the members of a cluster.
#include "support/catch.hpp"

#include "kernels/cuda/bank_order.hpp"
#include "kernels/cuda/emulated/warp_emulator.hpp"

#include <algorithm>
#include <array>
#include <random>

using namespace shadow;
using warp::Emulator;

namespace {

constexpr std::int32_t no_member = 1000;

/// `near[m]`: the lanes that interact with member m.
using Near = std::vector<std::uint32_t>;
/// What each lane goes through.
using Lists = std::array<std::vector<std::int32_t>, warp::lanes>;

Near random_members(std::size_t members, double fraction) {
    std::mt19937 random(static_cast<unsigned>(members));
    std::bernoulli_distribution yes(fraction);
    Near near(members);
    for (auto& lanes : near)
        for (int lane = 0; lane < warp::lanes; ++lane)
            if (yes(random)) lanes |= std::uint32_t{1} << lane;
    return near;
}

/// Members are noted by the lanes in portions of up to 32, then taken one by one.
template <int Dim>
Lists ordered(const Near& near, std::int32_t portion, bool from_last) {
    Lists lists;
    const auto all = static_cast<std::int32_t>(near.size());
    cuda::BankOrderMemory<Dim> memory;
    CHECK(Emulator::run(
        [&](int lane) {
            cuda::BankOrder<Dim> order(memory, lane);
            for (std::int32_t first = 0; first < all; first += portion) {
                const std::int32_t end = std::min(first + portion, all), m = first + lane;
                warp::sync();
                if (m < end) order.note(m, near[static_cast<std::size_t>(m)]);
                warp::sync();
                order.take(end, end == all);
            }
            auto& list = lists[static_cast<std::size_t>(lane)];
            for (std::int32_t k = 0; k < order.size(); ++k) list.push_back(order.next(no_member));
            CHECK(order.next(no_member) == no_member);
        },
        from_last));
    return lists;
}

Lists ascending(const Near& near) {
    Lists lists;
    for (std::size_t m = 0; m < near.size(); ++m)
        for (std::size_t lane = 0; lane < lists.size(); ++lane)
            if (near[m] >> lane & 1u) lists[lane].push_back(static_cast<std::int32_t>(m));
    return lists;
}

} // namespace

TEST_CASE("the bits of a warp's words, transposed", "[cuda]") {
    const Near given = random_members(warp::lanes, 0.5);
    std::array<std::uint32_t, warp::lanes> found{};
    CHECK(Emulator::run([&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        found[l] = warp::transpose(given[l], lane);
    }));
    for (std::size_t lane = 0; lane < found.size(); ++lane)
        for (std::size_t bit = 0; bit < found.size(); ++bit)
            CHECK((found[lane] >> bit & 1u) == (given[bit] >> lane & 1u));
}

TEST_CASE("lanes go through their members once, each from a bank group of its own", "[cuda]") {
    const auto members = GENERATE(1u, 7u, 32u, 33u, 255u, 256u, 257u, 500u, 512u);
    const auto portion = GENERATE(32, 25);
    const double fraction = GENERATE(0.25, 1.0);
    const Near near = random_members(members, fraction);
    const Lists expected = ascending(near);
    Lists found = ordered<3>(near, portion, false);
    CHECK(found == ordered<3>(near, portion, true));
    for (std::size_t lane = 0; lane < found.size(); ++lane) {
        auto left = expected[lane];
        bool own = true; // an entry of another group only where the own one has none left
        for (std::size_t row = 0; row < found[lane].size(); ++row) {
            const auto turn = static_cast<std::int32_t>((row + lane) % 8);
            const auto of_turn = [&](std::int32_t m) { return m % 8 == turn; };
            const std::int32_t m = found[lane][row];
            own &= of_turn(m) || std::none_of(left.begin(), left.end(), of_turn);
            left.erase(std::remove(left.begin(), left.end(), m), left.end());
        }
        CHECK(own);
        std::sort(found[lane].begin(), found[lane].end());
        CHECK(found[lane] == expected[lane]);
    }
}

TEST_CASE("in one and two dimensions lanes go through their members in ascending order", "[cuda]") {
    const auto portion = GENERATE(32, 25);
    const Near few = random_members(GENERATE(1u, 31u, 32u, 100u, 128u), 0.3);
    CHECK(ordered<1>(few, portion, false) == ascending(few));
    const Near many = random_members(GENERATE(64u, 250u, 256u), 0.3);
    CHECK(ordered<2>(many, portion, false) == ascending(many));
}
