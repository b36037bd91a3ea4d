// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/wall_time.hpp"

#include "support/catch.hpp"

using namespace shadow;

TEST_CASE("wall time: over when what is left is what the end takes") {
    double now = 100.0;
    WallTime wall(100.0, [&now] { return now; });
    now = 1e9;
    CHECK_FALSE(wall.look()); // without a limit
    now = 100.0;
    wall.set_limit(50.0);
    wall.note_wait(4.0);
    wall.note_wait(1.0);
    wall.note_checkpoint(3.0);
    wall.note_checkpoint(2.0); // the longest counts, twice
    now = 139.9;
    CHECK_FALSE(wall.look());
    CHECK_FALSE(wall.over());
    now = 140.0; // 50 - 4 - 6
    CHECK_FALSE(wall.over());
    CHECK(wall.look());
    CHECK(wall.over());
    wall.set_limit(1e9); // of the stage that follows
    CHECK(wall.look());
}

TEST_CASE("wall time: the time before the first step counts, too") {
    double now = 30.0;
    WallTime wall(0.0, [&now] { return now; });
    wall.set_limit(30.0);
    CHECK(wall.look());
}
