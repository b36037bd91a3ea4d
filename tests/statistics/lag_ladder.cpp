// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/lag_ladder.hpp"

#include "support/catch.hpp"

#include <map>

using namespace shadow;

TEST_CASE("a ladder of lags: what is compared is as old as the lag says") {
    for (const auto& [window, origins] : {std::pair{4, 1}, {4, 2}, {6, 3}, {16, 1}, {16, 4}}) {
        CAPTURE(window, origins);
        const LagLadder ladder(window, origins, 200);
        CHECK(ladder.lags().back() >= 200);
        CHECK(ladder.lags().back() < 400);
        for (std::size_t k = 1; k < ladder.lags().size(); ++k)
            CHECK(ladder.lags()[k - 1] < ladder.lags()[k]);

        constexpr std::int64_t end = 4000;
        std::map<std::int64_t, std::int64_t> kept; // which measurement is in a place
        std::vector<std::int64_t> count(ladder.lags().size());
        for (std::int64_t n = 0; n < end; ++n)
            for (const LagLadder::Task& task : ladder.tasks(n)) {
                REQUIRE(task.place >= 0);
                REQUIRE(task.place < ladder.places());
                if (task.lag >= 0) {
                    const std::int64_t lag = ladder.lags()[static_cast<std::size_t>(task.lag)];
                    CHECK(n - kept.at(task.place) == lag);
                    CHECK(task.quotient << ladder.level(task.place) == lag);
                    ++count[static_cast<std::size_t>(task.lag)];
                }
                if (task.store) kept[task.place] = n;
            }
        // Every window of every level has its origins, but for those that are not over yet.
        for (std::size_t k = 0; k < count.size(); ++k) {
            std::int64_t level = 0;
            while (ladder.lags()[k] > std::int64_t{window} << level) ++level;
            const std::int64_t windows = end / (std::int64_t{window} << level);
            CHECK(count[k] >= origins * (windows - 1));
            CHECK(count[k] <= origins * (windows + 1));
        }
    }
}

TEST_CASE("lags overlap where origins are closer than they are long") {
    const LagLadder ladder(16, 4, 64); // origins every 4, 8, 16 measurements
    CHECK(ladder.overlap(1) == 1.0);
    CHECK(ladder.overlap(6) == 1.5);
    CHECK(ladder.overlap(16) == 4.0);
    CHECK(ladder.overlap(18) == 18.0 / 8.0);
    CHECK(ladder.overlap(64) == 4.0);
}

TEST_CASE("a ladder that is long enough has one level") {
    const LagLadder ladder(8, 2, 8);
    CHECK(ladder.places() == 2);
    CHECK(ladder.lags() == std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 7, 8});
}
