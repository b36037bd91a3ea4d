// SPDX-License-Identifier: BSD-3-Clause
// What becomes of launches on their way to a GPU: nothing but fewer calls.
#include "support/catch.hpp"

#include "kernels/cuda/replay.hpp"

#include <random>

using namespace shadow;

namespace {

/// An argument with a hole in it, where the compiler can fill it.
struct Payload {
#if __has_builtin(__builtin_clear_padding)
    char kind;
#else
    double kind;
#endif
    double value;
    friend bool operator==(const Payload&, const Payload&) = default;
};

struct Launch {
    std::size_t kernel;
    unsigned blocks;
    Payload payload;
    std::int64_t n;
    friend bool operator==(const Launch&, const Launch&) = default;
};

/// A call of a library, kernel number 0.
std::string transform(void* const*) {
    return "";
}

Launch made(cuda::CommandBuffer& buffer, const cuda::Command& command) {
    const auto arguments = buffer.arguments(command);
    return {reinterpret_cast<std::size_t>(command.kernel.function), command.blocks,
            *static_cast<Payload*>(arguments[0]), *static_cast<std::int64_t*>(arguments[1])};
}

/// What a device would have done, and by how many calls.
struct Record {
    std::vector<Launch> done;
    int launches = 0, graphs = 0, built = 0, updates = 0;
    bool builds = true;
    int updates_left = 1 << 30, launches_left = 1 << 30;
};

struct Fake {
    struct Graph {
        std::vector<std::vector<Launch>> steps;
        std::vector<std::vector<bool>> gated;
    };
    Record* record;

    void launch(cuda::CommandBuffer& buffer, const cuda::Command& command) {
        ++record->launches;
        record->done.push_back(made(buffer, command));
    }
    std::unique_ptr<Graph> build(std::span<cuda::CommandBuffer> buffers, std::string& why) {
        if (!record->builds) {
            why = "no graph";
            return nullptr;
        }
        ++record->built;
        auto graph = std::make_unique<Graph>();
        for (cuda::CommandBuffer& buffer : buffers) {
            graph->steps.emplace_back();
            graph->gated.emplace_back();
            for (const cuda::Command& command : buffer.commands()) {
                graph->steps.back().push_back(made(buffer, command));
                graph->gated.back().push_back(command.gate != nullptr);
            }
        }
        return graph;
    }
    std::unique_ptr<Graph> build_persistent(std::span<cuda::CommandBuffer>,
                                            const cuda::PersistentSteps&, std::string&) {
        return nullptr;
    }
    bool update(Graph& graph, std::size_t step, std::size_t k, cuda::CommandBuffer& buffer,
                std::string& why) {
        if (record->updates_left-- == 0) why = "no update";
        if (graph.gated[step][k] || !why.empty()) return false;
        ++record->updates;
        graph.steps[step][k] = made(buffer, buffer.commands()[k]);
        return true;
    }
    bool launch(Graph& graph, std::string& why) {
        if (record->launches_left-- == 0) why = "no launch";
        if (!why.empty()) return false;
        ++record->graphs;
        for (const auto& step : graph.steps)
            record->done.insert(record->done.end(), step.begin(), step.end());
        return true;
    }
    void wait() {}
};

/// Hands launches to a Replay and remembers what should come of them.
struct Driver {
    Record record;
    cuda::Replay<Fake> replay{Fake{&record}};
    std::vector<Launch> expected;
    int gate = 0;

    void add(std::size_t kernel, double value, bool gated = false, unsigned blocks = 3) {
        const Launch launch{kernel, blocks, {'x', value}, static_cast<std::int64_t>(kernel * 7)};
        replay.add(reinterpret_cast<const void*>(kernel), blocks, 128, gated ? &gate : nullptr,
                   launch.payload, launch.n);
        expected.push_back(launch);
    }
    void call_library(double value) {
        const Launch launch{0, 0, {'x', value}, 0};
        replay.add(cuda::Kernel(transform), 0, 0, nullptr, launch.payload, launch.n);
        expected.push_back(launch);
    }
    /// Flows that may differ, a test, two launches behind a gate, forces.
    void step(double flows = 1.0, double rebuild = 2.0) {
        add(1, flows);
        add(2, 1.0);
        add(3, rebuild, true);
        add(4, rebuild, true);
        add(5, 1.0);
        replay.mark_step();
    }
};

} // namespace

TEST_CASE("equal steps become graphs, and do what they would have done alone", "[cuda]") {
    Driver driver;
    const int steps = GENERATE(1, 15, 16, 17, 47, 100);
    for (int k = 0; k < steps; ++k) driver.step();
    driver.replay.flush();
    CHECK(driver.record.done == driver.expected);
    CHECK(driver.record.updates == 0);
    // The first batch comes for the first time, and so does what is left over at the end.
    CHECK(driver.record.graphs == std::max(0, steps / 16 - 1));
    CHECK(driver.record.launches == 5 * (steps - 16 * driver.record.graphs));
}

TEST_CASE("what was held is done before anything that waits", "[cuda]") {
    Driver driver;
    for (int round = 0; round < 20; ++round) {
        for (int k = 0; k < 9; ++k) driver.step();
        CHECK(driver.record.done.size() + 45 == driver.expected.size());
        driver.replay.flush();
        CHECK(driver.record.done == driver.expected);
    }
    CHECK(driver.record.built == 2); // 8 and 1 steps
    CHECK(driver.record.launches == 45);
    CHECK(driver.record.graphs == 2 * 19);
}

TEST_CASE("arguments that change are exchanged in the graph, behind a gate never", "[cuda]") {
    Driver driver;
    SECTION("a number that counts steps") {
        for (int k = 0; k < 160; ++k) driver.step(k);
        driver.replay.flush();
        CHECK(driver.record.done == driver.expected);
        CHECK(driver.record.graphs == 9);
        CHECK(driver.record.updates == 16 * 8);
    }
    SECTION("another rebuild") {
        for (int k = 0; k < 160; ++k) driver.step(1.0, k / 40);
        driver.replay.flush();
        CHECK(driver.record.done == driver.expected);
        CHECK(driver.record.updates == 0);
    }
    SECTION("another grid") {
        for (int k = 0; k < 100; ++k) {
            driver.add(1, 1.0, false, k < 50 ? 3 : 4);
            driver.replay.mark_step();
        }
        driver.replay.flush();
        CHECK(driver.record.done == driver.expected);
    }
}

TEST_CASE("calls of a library are in graphs with the arguments that these were built with",
          "[cuda]") {
    Driver driver;
    for (int k = 0; k < 192; ++k) {
        driver.call_library(k / 96);
        driver.step(k);
    }
    driver.replay.flush();
    CHECK(driver.record.done == driver.expected);
    CHECK(driver.record.built == 2);
    CHECK(driver.record.graphs == 10); // of each, one batch was launched as it came
}

TEST_CASE("steps with something observed have graphs of their own", "[cuda]") {
    Driver driver;
    for (int k = 1; k <= 400; ++k) {
        if (k % 10 == 1) driver.add(6, k); // a row, to another place each time
        driver.step();
    }
    driver.replay.flush();
    CHECK(driver.record.done == driver.expected);
    CHECK(driver.record.built == 3); // 8 and 1 plain steps, 1 observed
    CHECK(driver.record.launches == 6 + 9 * 5);
}

TEST_CASE("any mixture of steps keeps its order", "[cuda]") {
    const unsigned seed = GENERATE(1u, 2u, 3u);
    std::mt19937 random(seed);
    Driver driver;
    for (int k = 0; k < 3000; ++k) {
        const auto what = random() % 100;
        if (what < 3) driver.replay.flush();
        if (what < 6) driver.add(6, static_cast<double>(what));
        if (what < 8) driver.replay.mark_step();
        if (what == 9)
            for (int n = 0; n < 300; ++n) driver.add(7, n);
        // More kinds of steps than there are patterns.
        if (what > 90) driver.add(8 + random() % 12, 1.0, random() % 2 == 0);
        for (auto n = random() % 40; n > 0 && what > 50; --n)
            driver.step(static_cast<double>(what));
    }
    driver.replay.flush();
    CHECK(driver.record.done == driver.expected);
    CHECK(driver.record.graphs > 50);
}

TEST_CASE("without graphs every launch is made, and what was refused is kept", "[cuda]") {
    Driver driver;
    std::vector<std::string> problems;
    SECTION("the driver cannot build one") {
        driver.record.builds = false;
        problems = {"no graph"};
        for (int k = 0; k < 100; ++k) driver.step(k);
        driver.replay.flush();
        CHECK(driver.record.graphs == 0);
    }
    SECTION("it cannot change one") {
        driver.record.updates_left = 20;
        problems = {"no update"};
        for (int k = 0; k < 100; ++k) driver.step(k);
        driver.replay.flush();
        CHECK(driver.record.graphs > 0);
    }
    SECTION("it cannot launch one, the first or a later") {
        driver.record.launches_left = GENERATE(0, 3);
        const int good = driver.record.launches_left;
        problems = {"no launch"};
        for (int k = 0; k < 100; ++k) driver.step(k);
        driver.replay.flush();
        CHECK(driver.record.graphs == good);
    }
    SECTION("none are asked for") {
        driver.replay.set_mode(cuda::ReplayMode::launches);
        driver.add(1, 1.0);
        CHECK(driver.record.done == driver.expected); // at once
        for (int k = 0; k < 100; ++k) driver.step(k);
        CHECK(driver.record.graphs == 0);
    }
    CHECK(driver.record.done == driver.expected);
    const cuda::ReplayReport report = driver.replay.report();
    CHECK(report.mode == cuda::ReplayMode::launches);
    CHECK(report.problems == problems);
    CHECK(report.graphs == driver.record.graphs);
    CHECK(report.launches == driver.record.launches);
}

TEST_CASE("steps are never done in a way that the device does not know", "[cuda]") {
    Record record;
    cuda::Replay<Fake> replay(Fake{&record}, cuda::ReplayMode::graphs, "it is old");
    CHECK(replay.report().problems == std::vector<std::string>{"it is old"});
    replay.set_mode(cuda::ReplayMode::steps);
    CHECK(replay.report().mode == cuda::ReplayMode::graphs);
    replay.set_mode(cuda::ReplayMode::launches);
    CHECK(replay.report().mode == cuda::ReplayMode::launches);
}
