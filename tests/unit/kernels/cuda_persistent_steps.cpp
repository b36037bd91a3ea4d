// SPDX-License-Identifier: BSD-3-Clause
// Steps of small systems that a persistent kernel does: how they are found, and that the order of
// what is done stays the same.
#include "support/catch.hpp"

#include "kernels/cuda/emulated/device.hpp"
#include "kernels/cuda/published_position.hpp"

#include <random>

using namespace shadow;

namespace {

struct Flows {
    double value;
};

/// Kernels of a device that keeps a log; what they do is known by these numbers.
constexpr std::size_t advance = 1, force = 5, other = 6;
const void* kernel(std::size_t number) {
    return reinterpret_cast<const void*>(number);
}
const cuda::PersistentKernel twin{kernel(7), &cuda::mark<Flows>, 0};

struct LogEntry {
    std::size_t kernel;
    double argument;
    friend bool operator==(const LogEntry&, const LogEntry&) = default;
};

/// A device, and what it did.
struct Machine {
    std::vector<LogEntry> log;
    int gate = 1;
    int graphs = 0, persistent_graphs = 0;
    bool has_clusters = true;
    int refused_persistent = -1; ///< the number of a graph of persistent steps that is not launched

    void act(const cuda::Command& command, double argument) {
        log.push_back({reinterpret_cast<std::size_t>(command.kernel.function), argument});
    }
};

/// Writes into the log.
struct LogWriter {
    Machine* machine;

    [[nodiscard]] int at_work() const { return 0; }
    void operator()(const cuda::Command& command, void* const* arguments) const {
        machine->act(command, *static_cast<const double*>(arguments[0]));
    }
};

struct LoggingDevice : cuda::HostDevice<LogWriter> {
    Machine* machine;

    explicit LoggingDevice(Machine* m) : HostDevice(LogWriter{m}), machine(m) {}

    std::unique_ptr<Graph> build_persistent(std::span<cuda::CommandBuffer> buffers,
                                            const cuda::PersistentSteps& steps, std::string& why) {
        if (!machine->has_clusters) return nullptr;
        return HostDevice::build_persistent(buffers, steps, why);
    }
    using HostDevice::launch;
    bool launch(Graph& graph, std::string& why) {
        if (graph.persistent && machine->persistent_graphs == machine->refused_persistent) {
            why = "too large a cluster";
            return false;
        }
        ++machine->graphs;
        machine->persistent_graphs += graph.persistent.has_value();
        return HostDevice::launch(graph, why);
    }
};

/// What a step may be made of.
struct Kind {
    std::int64_t particles = 500;
    bool forces_known = true, advance_known = true, behind_gate = false, between = false;
    int rounds = 1;
};

/// Records the launches of one step.
template <class Target>
void record_step(Target& target, Machine& machine, const Kind& kind, double flows = 1.0,
                 double strength = 4.0) {
    const int* gate = kind.behind_gate ? &machine.gate : nullptr;
    const int* none = nullptr; // as an argument
    for (int round = 0; round < kind.rounds; ++round) {
        target.add({kernel(advance), kind.advance_known ? &cuda::mark<Flows> : nullptr}, 4, 128,
                   nullptr, Flows{flows + 0.01 * round}, kind.particles, none);
        if (kind.between) target.add(kernel(other), 1, 1, nullptr, 9.0);
        if (kind.behind_gate) target.add(kernel(other), 1, 1, gate, 3.0);
        target.add({kernel(force), nullptr, kind.forces_known ? &twin : nullptr}, 4, 128, nullptr,
                   strength);
    }
}

/// The same launches with and without a persistent kernel.
struct Race {
    Machine by_one, by_many;
    cuda::Replay<LoggingDevice> one{LoggingDevice{&by_one}}, many{LoggingDevice{&by_many}};

    Race() { many.set_mode(cuda::ReplayMode::graphs); }
    void step(const Kind& kind, double flows = 1.0, double strength = 4.0) {
        record_step(one, by_one, kind, flows, strength);
        record_step(many, by_many, kind, flows, strength);
        one.mark_step();
        many.mark_step();
    }
    bool same() {
        one.flush();
        many.flush();
        return by_one.log == by_many.log && !by_one.log.empty() &&
               by_one.persistent_graphs == one.report().persistent_graphs &&
               by_many.persistent_graphs == 0;
    }
};

std::optional<cuda::PersistentSteps>
find(const Kind& kind, std::vector<cuda::CommandBuffer>& buffers, Machine& machine) {
    buffers.resize(3);
    for (cuda::CommandBuffer& buffer : buffers) record_step(buffer, machine, kind);
    return cuda::find_persistent_steps(buffers);
}

/// The command of such steps that is no part of a round; none where they are rounds.
std::optional<cuda::Place> apart(const Kind& kind) {
    Machine machine;
    std::vector<cuda::CommandBuffer> buffers;
    const bool found = find(kind, buffers, machine).has_value();
    const auto at = cuda::find_command_apart(buffers);
    CHECK_FALSE((found && at));
    return at;
}

} // namespace

TEST_CASE("persistent steps are found by their parts", "[cuda]") {
    Machine machine;
    std::vector<cuda::CommandBuffer> buffers;
    SECTION("a round a step") {
        const auto found = find({}, buffers, machine);
        REQUIRE(found);
        CHECK(found->advance == std::vector<cuda::Place>{{0, 0}, {1, 0}, {2, 0}});
        CHECK(found->force == cuda::Place{0, 1});
        CHECK(found->particles == 500);
    }
    SECTION("several") {
        const auto found = find({.rounds = 3}, buffers, machine);
        REQUIRE(found);
        CHECK(found->rounds() == 9);
        CHECK(found->advance[4] == cuda::Place{1, 2});
    }
    SECTION("the most particles") {
        CHECK(find({.particles = max_all_pairs_particles}, buffers, machine));
    }
    SECTION("more") {
        CHECK_FALSE(find({.particles = max_all_pairs_particles + 1}, buffers, machine));
    }
    SECTION("no kernel for these forces") {
        CHECK_FALSE(find({.forces_known = false}, buffers, machine));
    }
    SECTION("another functor") {
        CHECK_FALSE(find({.advance_known = false}, buffers, machine));
    }
    SECTION("something behind a gate") {
        CHECK_FALSE(find({.behind_gate = true}, buffers, machine));
    }
    SECTION("something in between") {
        CHECK_FALSE(find({.between = true}, buffers, machine));
    }
    SECTION("something at the end") {
        find({}, buffers, machine);
        buffers[2].add(kernel(other), 1, 1, nullptr, 9.0);
        CHECK_FALSE(cuda::find_persistent_steps(buffers));
    }
    SECTION("another force in one of them") {
        find({}, buffers, machine);
        buffers[1].clear();
        record_step(buffers[1], machine, {}, 1.0, 5.0);
        CHECK_FALSE(cuda::find_persistent_steps(buffers));
    }
    SECTION("nothing at all") {
        CHECK_FALSE(cuda::find_persistent_steps(buffers));
    }
}

TEST_CASE("what keeps steps from a persistent kernel is found", "[cuda]") {
    using cuda::Place;
    CHECK(apart({}) == std::nullopt);
    CHECK(apart({.rounds = 3}) == std::nullopt);
    CHECK(apart({.between = true}) == Place{0, 1});
    CHECK(apart({.between = true, .rounds = 2}) == Place{0, 1});
    CHECK(apart({.advance_known = false}) == Place{0, 0});
    CHECK(apart({.behind_gate = true}) == Place{0, 1});
    // Where there is no such kernel nothing keeps steps from it.
    CHECK(apart({.particles = max_all_pairs_particles + 1}) == std::nullopt);
    CHECK(apart({.forces_known = false}) == std::nullopt);
    Machine machine;
    std::vector<cuda::CommandBuffer> buffers;
    find({}, buffers, machine);
    SECTION("at the end of a step") {
        buffers[1].add(kernel(other), 1, 1, nullptr, 9.0);
        CHECK(cuda::find_command_apart(buffers) == Place{1, 2});
    }
    SECTION("another force") {
        buffers[1].clear();
        record_step(buffers[1], machine, {}, 1.0, 5.0);
        CHECK(cuda::find_command_apart(buffers) == Place{1, 1});
    }
    SECTION("a step that is cut short") {
        buffers[2].clear();
        buffers[2].add({kernel(advance), &cuda::mark<Flows>}, 4, 128, nullptr, Flows{1.0},
                       std::int64_t{500}, &machine.gate);
        CHECK(cuda::find_command_apart(buffers) == Place{2, 0});
    }
}

TEST_CASE("the report names what keeps steps from a persistent kernel", "[cuda]") {
    Race race;
    for (int k = 0; k < 100; ++k) race.step({.between = k >= 50});
    REQUIRE(race.same());
    CHECK(race.one.report().apart == "double"); // its argument
    CHECK(race.many.report().apart.empty());
    CHECK(cuda::readable_name(typeid(cuda::Place)) == "cuda::Place");
}

TEST_CASE("one kernel does what launches would do", "[cuda]") {
    Race race;
    const int rounds = GENERATE(1, 2);
    const bool counts = GENERATE(false, true); // the step number of a bath
    for (int k = 0; k < 200; ++k) race.step({.rounds = rounds}, counts ? k : 1.0);
    CHECK(race.same());
    // The first batch comes for the first time, and so does what is left over.
    CHECK(race.by_one.persistent_graphs == 11);
}

TEST_CASE("what one kernel cannot do is done by graphs of launches", "[cuda]") {
    Race race;
    SECTION("the device has no clusters") {
        race.by_one.has_clusters = false;
        for (int k = 0; k < 200; ++k) race.step({}, k);
        CHECK(race.same());
        CHECK(race.by_one.persistent_graphs == 0);
        CHECK(race.by_one.graphs == 11);
    }
    SECTION("forces differ now and then") {
        for (int k = 0; k < 400; ++k) race.step({}, k, k % 100 == 99 ? 5.0 : 4.0);
        CHECK(race.same());
        CHECK(race.by_one.graphs == race.by_many.graphs);
        CHECK(race.by_one.persistent_graphs > 0);
        CHECK(race.by_one.persistent_graphs < race.by_one.graphs);
        CHECK(race.one.report().mode == cuda::ReplayMode::steps);
    }
    SECTION("the first is refused, or a later one") {
        race.by_one.refused_persistent = GENERATE(0, 3);
        for (int k = 0; k < 200; ++k) race.step({}, k);
        CHECK(race.same());
        CHECK(race.by_one.persistent_graphs == race.by_one.refused_persistent);
        CHECK(race.by_one.graphs > race.by_one.persistent_graphs);
        CHECK(race.one.report().mode == cuda::ReplayMode::graphs);
        CHECK(race.one.report().problems == std::vector<std::string>{"too large a cluster"});
    }
    SECTION("it is switched off and on") {
        for (int k = 0; k < 100; ++k) race.step({}, k);
        race.one.set_mode(cuda::ReplayMode::graphs);
        const int before = race.by_one.persistent_graphs;
        CHECK(before > 0);
        for (int k = 0; k < 100; ++k) race.step({}, k);
        race.one.set_mode(cuda::ReplayMode::steps);
        CHECK(race.by_one.persistent_graphs == before);
        for (int k = 0; k < 100; ++k) race.step({}, k);
        CHECK(race.same());
        CHECK(race.by_one.persistent_graphs > before);
    }
}

TEST_CASE("any mixture of persistent and other steps keeps its order", "[cuda]") {
    const unsigned seed = GENERATE(1u, 2u, 3u);
    std::mt19937 random(seed);
    Race race;
    for (int k = 0; k < 500; ++k) {
        const Kind kind{.particles = random() % 8 == 0 ? 5000 : 500,
                        .forces_known = random() % 8 != 0,
                        .between = random() % 8 == 0,
                        .rounds = 1 + static_cast<int>(random() % 2)};
        for (auto n = random() % 50; n > 0; --n)
            race.step(kind, static_cast<double>(random() % 3), random() % 64 == 0 ? 5.0 : 4.0);
        if (random() % 10 == 0) CHECK(race.same());
    }
    CHECK(race.same());
    CHECK(race.by_one.persistent_graphs > 10);
}

TEMPLATE_TEST_CASE_SIG("the position of a particle that blocks publish", "[cuda]",
                       ((int Dim, class Pair), Dim, Pair), (1, float), (2, float), (3, float),
                       (1, double), (2, double), (3, double)) {
    cuda::BoxPosition<Dim, Pair> position{};
    for (int d = 0; d < Dim; ++d)
        position.x[d] = static_cast<typename cuda::BoxPosition<Dim, Pair>::Number>(4e9 / (d + 1));
    const auto species = GENERATE(0u, 1u, 0xFFFFu);
    const bool lost = GENERATE(false, true);
    const auto tag = GENERATE(1u, 2u, 0x7FFFu, 0x8000u, 0xFFFFFFFFu);
    position.label = species | (lost ? cuda::BoxPosition<Dim, Pair>::lost : 0u);
    const cuda::PublishedPosition<Dim, Pair> published(position, tag);
    for (int d = 0; d < Dim; ++d) CHECK(published.position().x[d] == position.x[d]);
    CHECK(published.position().species() == static_cast<std::int32_t>(species));
    CHECK(published.position().is_lost() == lost);
    CHECK(published.has_tag(tag));
    CHECK_FALSE(published.has_tag(tag + 1));
    CHECK_FALSE(published.has_tag(tag - 2)); // the previous content
    auto half = published;
    half.part[half.parts - 1] =
        cuda::PublishedPosition<Dim, Pair>(position, tag - 2).part[half.parts - 1];
    CHECK_FALSE(half.has_tag(tag));
}
