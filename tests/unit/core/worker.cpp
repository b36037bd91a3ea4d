// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/core/worker.hpp"

#include "support/catch.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

using namespace shadow;

namespace {

/// A gate at which a job waits until it is opened.
class Gate {
  public:
    void open() {
        is_open_ = true;
        is_open_.notify_all();
    }
    void pass() {
        reached_ = true;
        reached_.notify_all();
        is_open_.wait(false);
    }
    void await_arrival() { reached_.wait(false); }

  private:
    std::atomic<bool> is_open_{false}, reached_{false};
};

} // namespace

TEST_CASE("Worker: jobs are done in order, by another thread", "[core]") {
    std::vector<int> done;
    bool elsewhere = true;
    const auto here = std::this_thread::get_id();
    Worker worker(1000);
    for (int k = 0; k < 1000; ++k)
        worker.give(10, [&, k] {
            elsewhere = elsewhere && std::this_thread::get_id() != here;
            done.push_back(k);
        });
    worker.finish();
    REQUIRE(done.size() == 1000);
    for (int k = 0; k < 1000; ++k) CHECK(done[static_cast<std::size_t>(k)] == k);
    CHECK(elsewhere);
}

TEST_CASE("Worker: giving jobs does not wait for them while there is room", "[core]") {
    Gate gate;
    int done = 0;
    Worker worker(100);
    worker.give(60, [&] { gate.pass(); });
    for (int k = 0; k < 4; ++k) worker.give(10, [&] { ++done; });
    // Had it waited, the gate would never open.
    gate.open();
    worker.finish();
    CHECK(done == 4);
}

TEST_CASE("Worker: memory is bounded", "[core]") {
    std::atomic<int> held{0}, small_saw{0}, large_saw{0};
    Worker worker(100);
    for (int k = 0; k < 200; ++k) {
        const bool large = k % 7 == 0; // more than there may be: it comes alone
        const int bytes = large ? 250 : 30;
        std::shared_ptr<void> memory(nullptr, [&held, bytes](void*) { held -= bytes; });
        worker.give(static_cast<std::size_t>(bytes),
                    [&held, &saw = large ? large_saw : small_saw, memory = std::move(memory)] {
                        saw = std::max(saw.load(), held.load());
                    });
        held += bytes;
    }
    worker.finish();
    CHECK(held == 0);
    CHECK(small_saw <= 100);
    CHECK(large_saw <= 250);
}

TEST_CASE("Worker: an error is told once, and what is behind it is dropped", "[core]") {
    Gate gate;
    int done = 0;
    Worker worker(100);
    worker.give(10, [&] {
        gate.pass();
        throw std::runtime_error("no room");
    });
    worker.give(10, [&] { ++done; });
    gate.open();
    CHECK_THROWS_WITH(worker.finish(), "no room");
    CHECK(done == 0);
    CHECK_NOTHROW(worker.finish());
    worker.give(100, [&] { ++done; }); // the dropped ones take no room
    worker.finish();
    CHECK(done == 1);
}

TEST_CASE("Worker: an error ends the wait for room", "[core]") {
    Gate gate;
    Worker worker(100);
    worker.give(90, [&] {
        gate.pass();
        throw std::runtime_error("no room");
    });
    gate.await_arrival();
    std::thread opener([&] { gate.open(); });
    CHECK_THROWS_WITH(worker.give(90, [] {}), "no room");
    opener.join();
}

TEST_CASE("Worker: its end waits for the job in hand", "[core]") {
    std::atomic<int> done{0};
    Gate gate;
    {
        Worker worker(100);
        worker.give(10, [&] {
            gate.pass();
            ++done;
        });
        for (int k = 0; k < 3; ++k) worker.give(10, [&] { done += 10; });
        gate.await_arrival();
        gate.open();
    }
    CHECK(done % 10 == 1);
}
