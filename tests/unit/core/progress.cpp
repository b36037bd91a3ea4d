// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/progress.hpp"

#include "support/catch.hpp"
#include "support/contains.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/timer.hpp"

#include <string>

using namespace shadow;
using test::contains;

namespace {

/// Collects what would go to standard error.
struct Capture {
    std::string bytes;
    Capture() {
        log::set_sink([this](std::string_view b) { bytes += b; });
    }
    ~Capture() {
        log::set_sink(nullptr);
        log::set_level(log::Level::info);
    }
    std::string take() { return std::exchange(bytes, ""); }
};

} // namespace

TEST_CASE("log lines carry their level and obey it") {
    Capture out;
    log::info("one");
    log::warning("two");
    log::error("three");
    CHECK(out.take() == "one\nmdrun: warning: two\nmdrun: error: three\n");
    log::set_level(log::Level::warning);
    log::info("hidden");
    log::warning("two");
    CHECK(out.take() == "mdrun: warning: two\n");
    CHECK_FALSE(log::shows(log::Level::info));
}

TEST_CASE("a status line is erased for other lines and drawn again below them") {
    Capture out;
    log::status("");
    CHECK(out.take().empty());
    log::status("50%");
    CHECK(out.take() == "\r\x1b[K50%");
    log::info("hello");
    CHECK(out.take() == "\r\x1b[Khello\n50%");
    log::status("");
    CHECK(out.take() == "\r\x1b[K");
    log::info("bye");
    CHECK(out.take() == "bye\n");
}

TEST_CASE("plain progress: now and then, ever more rarely, with rate and time to go") {
    Capture out;
    double now = 100.0;
    Progress progress(ProgressStyle::plain, {.steps = 1000}, [&] { return now; });
    CHECK_FALSE(progress.due());
    now += 10.0;
    REQUIRE(progress.due());
    progress.show({.step = 250, .temperature = 0.72, .drift = 1.5e-7});
    CHECK(out.take() == "step 250 of 1000 (25%), 25 steps/s, ETA 30 s, T 0.72, drift 1.5e-07 kT\n");
    now += 3.9; // the interval has doubled from 2 s to 4 s
    CHECK_FALSE(progress.due());
    now += 0.2;
    CHECK(progress.due());
    for (int i = 0; i < 20; ++i) progress.show({.step = 300 + i});
    out.take();
    now += 59.0;
    CHECK_FALSE(progress.due());
    now += 1.0;
    CHECK(progress.due());
    progress.finish();
    CHECK(out.take().empty());
}

TEST_CASE("the bar is a status line that goes away") {
    Capture out;
    double now = 0.0;
    {
        Progress progress(ProgressStyle::bar, {.steps = 200, .open_ended = true},
                          [&] { return now; });
        now = 1.0;
        REQUIRE(progress.due());
        progress.show({.step = 100});
        const std::string text = out.take();
        CHECK(contains(text, "[##########..........] step 100 of at most 200 (50%)"));
        CHECK_FALSE(contains(text, "\n"));
    }
    CHECK(out.take() == "\r\x1b[K");
}

TEST_CASE("no progress where none is wanted, or when quiet") {
    Capture out;
    double now = 0.0;
    Progress none(ProgressStyle::none, {.steps = 10}, [&] { return now; });
    log::set_level(log::Level::warning);
    Progress quiet(ProgressStyle::bar, {.steps = 10}, [&] { return now; });
    now = 1e6;
    CHECK_FALSE(none.due());
    CHECK_FALSE(quiet.due());
    none.show({.step = 5});
    quiet.show({.step = 5});
    CHECK(out.take().empty());
}

TEST_CASE("progress of nothing to do is done") {
    Capture out;
    double now = 0.0;
    Progress progress(ProgressStyle::plain, {.steps = 0}, [&] { return now; });
    progress.show({.step = 0});
    CHECK(contains(out.take(), "step 0 of 0 (100%)"));
}

TEST_CASE("steps and per cent are those of the stage, the rate that of this process") {
    Capture out;
    double now = 0.0;
    Progress progress(ProgressStyle::plain, {.name = "cool", .steps = 1000, .done = 400},
                      [&] { return now; });
    now = 10.0;
    progress.show({.step = 500});
    CHECK(out.take() == "stage \"cool\": step 500 of 1000 (50%), 10 steps/s, ETA 50 s\n");
}

TEST_CASE("times to wait are short to read") {
    CHECK(duration_text(0.4) == "0 s");
    CHECK(duration_text(59.4) == "59 s");
    CHECK(duration_text(59.6) == "1:00");
    CHECK(duration_text(725.0) == "12:05");
    CHECK(duration_text(11400.0) == "3:10:00");
    CHECK(duration_text(183600.0) == "2 d 3 h");
    CHECK(duration_text(-1.0) == "?");
    CHECK(duration_text(1.0 / 0.0) == "?");
}

TEST_CASE("a timer shares all time among its parts; inner parts interrupt outer ones") {
    double now = 5.0;
    Timer timer([&] { return now; });
    const auto forces = timer.part("forces"), list = timer.part("list");
    CHECK(timer.part("forces") == forces);
    now += 1.0; // other
    {
        Timer::Scope outer(timer, forces);
        now += 4.0;
        {
            Timer::Scope inner(timer, list);
            now += 2.0;
        }
        now += 1.0;
    }
    now += 2.0; // other
    const auto shares = timer.shares();
    REQUIRE(shares.size() == 3);
    CHECK(shares[0] == std::pair<std::string, double>("other", 0.3));
    CHECK(shares[1] == std::pair<std::string, double>("forces", 0.5));
    CHECK(shares[2] == std::pair<std::string, double>("list", 0.2));
    CHECK(timer.seconds() == 10.0);

    timer.restart();
    {
        Timer::Scope scope(timer, list);
        now += 3.0;
    }
    CHECK(timer.seconds() == 3.0);
    CHECK(timer.shares().at(0).second == 0.0);
    CHECK(timer.shares().at(2) == std::pair<std::string, double>("list", 1.0));
}

TEST_CASE("a timer that saw no time has no shares") {
    Timer timer([] { return 1.0; });
    CHECK(timer.shares().at(0).second == 0.0);
}
