// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/schedule.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <cmath>
#include <string>

using namespace shadow;

namespace {

Parameters with(const std::string& value) {
    return read_toml_text("every = " + value, "in.toml");
}

} // namespace

TEST_CASE("events fall on the multiples of their interval") {
    CHECK(is_due(0, 10));
    CHECK(is_due(20, 10));
    CHECK_FALSE(is_due(25, 10));
    CHECK_FALSE(is_due(25, 0));
}

TEST_CASE("every is a positive number of steps") {
    CHECK(read_every(with("100"), 10) == 100);
    CHECK(read_every(read_toml_text("", "in.toml"), 10) == 10);
    for (const char* wrong : {"0", "-5", "1.0", "\"10\"", "true"}) {
        INFO(wrong);
        CHECK_THROWS_AS(read_every(with(wrong), 10), InputError);
    }
}

TEST_CASE("an interval is a number of steps or a time") {
    CHECK(read_interval(with("500"), "5 min").steps == 500);
    CHECK(read_interval(with("500"), "5 min").seconds == 0.0);
    CHECK(read_interval(read_toml_text("", "in.toml"), "5 min").seconds == 300.0);
    CHECK(read_interval(with("\"30 s\""), "5 min").seconds == 30.0);
    CHECK(read_interval(with("\"30s\""), "5 min").seconds == 30.0);
    CHECK(read_interval(with("\"1.5 h\""), "5 min").seconds == 5400.0);
    CHECK(read_interval(with("\"1 d\""), "5 min").seconds == 86400.0);
    for (const char* wrong : {"0", "-1", "2.5", "true", "\"\"", "\"5\"", "\"min\"", "\"5 parsecs\"",
                              "\"-5 min\"", "\"0 s\"", "\"inf s\"", "\"nan h\"", "\"5 min 3\""}) {
        INFO(wrong);
        CHECK_THROWS_AS(read_interval(with(wrong), "5 min"), InputError);
    }
}

TEST_CASE("a wall time is a text with a unit") {
    const auto read = [](const std::string& value) {
        return read_wall_time(read_toml_text("wall_time = " + value, "in.toml"));
    };
    CHECK(read("\"23 h\"") == 82800.0);
    CHECK(read("\"30 min\"") == 1800.0);
    CHECK(std::isinf(read_wall_time(read_toml_text("", "in.toml"))));
    for (const char* wrong : {"3600", "\"3600\"", "\"0 h\"", "\"-1 h\"", "\"inf h\"", "true"}) {
        INFO(wrong);
        CHECK_THROWS_AS(read(wrong), InputError);
    }
}

TEST_CASE("an interval is due by steps or by the clock") {
    const Interval steps{.steps = 10};
    CHECK(steps.due(20, 0.0, 0.0));
    CHECK_FALSE(steps.due(21, 0.0, 1e9));
    const Interval time{.seconds = 60.0};
    CHECK(time.due(21, 100.0, 160.0));
    CHECK_FALSE(time.due(20, 100.0, 159.0));
    CHECK_FALSE(Interval{}.due(20, 0.0, 1e9));
}
