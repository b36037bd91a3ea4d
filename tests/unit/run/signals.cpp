// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/signals.hpp"

#include "support/catch.hpp"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace shadow;

TEST_CASE("SIGINT, SIGTERM and SIGHUP ask to stop, SIGUSR1 for a checkpoint") {
    {
        SignalGuard guard;
        CHECK(guard.stop_signal() == 0);
        CHECK(guard.exit_status() == 0);
        CHECK_FALSE(guard.take_checkpoint_request());
        raise(SIGUSR1);
        CHECK(guard.take_checkpoint_request());
        CHECK_FALSE(guard.take_checkpoint_request());
        CHECK(guard.stop_signal() == 0);
        raise(SIGPIPE); // ignored, or this test would end here
        raise(SIGINT);
        CHECK(guard.stop_signal() == SIGINT);
        CHECK(guard.exit_status() == 130);
    }
    SignalGuard again; // starts afresh
    CHECK(again.stop_signal() == 0);
    raise(SIGTERM);
    CHECK(again.exit_status() == 143);
}

TEST_CASE("SIGHUP stops a run, but not under nohup") {
    for (const bool nohup : {false, true}) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            signal(SIGHUP, nohup ? SIG_IGN : SIG_DFL);
            SignalGuard guard;
            raise(SIGHUP);
            _exit(guard.exit_status());
        }
        int status = 0;
        REQUIRE(waitpid(child, &status, 0) == child);
        REQUIRE(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == (nohup ? 0 : 129));
    }
}

TEST_CASE("a second signal ends the process at once") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        SignalGuard guard;
        raise(SIGTERM);
        raise(SIGTERM);
        _exit(1);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 143);
}

TEST_CASE("the former handlers come back") {
    struct sigaction before {
    }, after{};
    sigaction(SIGINT, nullptr, &before);
    { SignalGuard guard; }
    sigaction(SIGINT, nullptr, &after);
    CHECK(before.sa_handler == after.sa_handler);
}
