// SPDX-License-Identifier: BSD-3-Clause
// Small systems, whose steps a persistent kernel does on GPUs that can: no bit may depend on it.
#include "support/catch.hpp"
#include "support/world.hpp"

#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/cuda/runtime.hpp"

#include <optional>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A hot liquid, of which some cross the box.
template <int Dim>
Setup<Dim> liquid(int repeat) {
    const std::string n = std::to_string(repeat);
    const std::string lattice = Dim == 3 ? "\"fcc\", repeat = [" + n + ", " + n + ", " + n + "]"
                                         : "\"triangular\", repeat = [" + n + ", " + n + "]";
    return read_setup<Dim>("[system]\ndimension = " + std::to_string(Dim) +
                           "\nunits = \"lj\"\nbox = { density = 0.8 }\nlattice = { type = " +
                           lattice + " }\nvelocity = { temperature = 2.0 }\n");
}

struct Case {
    const char* method;
    const char* truncation; ///< the energy's shift has a kernel without energies
    bool pair_is_double;
};

struct End {
    std::int64_t rebuilds;
    double energy;
    bool operator==(const End&) const = default;
};

using Mode = cuda::ReplayMode;

/// Steps were done as they should be: that they were not would not be seen in the bits.
void check_report(const cuda::ReplayReport& report, Mode mode, std::size_t particles) {
    const bool persistent = report.mode == Mode::steps && // can all its blocks be at work together?
                            particles <= static_cast<std::size_t>(max_all_pairs_particles);
    CHECK(report.problems.empty());
    CHECK(report.mode <= mode);
    CHECK((report.persistent_graphs > 0) == persistent);
    CHECK((report.persistent_graphs + report.graphs > 0) == (mode != Mode::launches));
    CHECK(report.launches > 0);
}

/// The state after 150 steps, with a look at the energy now and then.
template <int Dim>
std::pair<Snapshot<Dim>, std::vector<End>> run(const TestBackend& where, int repeat, const Case& c,
                                               Mode mode) {
    const std::string force = std::string("[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\n"
                                          "sigma = 1.0\ncutoff = 2.5\ntruncation = \"") +
                              c.truncation + "\"\n";
    World<Dim> world(where, liquid<Dim>(repeat), force, c.pair_is_double);
    if (where.cuda) cuda::set_replay(world.backend.stream(), mode);
    const auto method = read_integrator(std::string("dt = 0.005\nmethod = ") + c.method + "\n");
    std::vector<End> ends;
    for (int k = 0; k < 3; ++k) {
        world.run(*method, 50);
        ends.push_back({world.system().neighbours().rebuilds(), world.energy()});
    }
    if (where.cuda) check_report(cuda::replay_report(world.backend.stream()), mode, world.size());
    return {world.system().snapshot(), ends};
}

template <int Dim>
void check(const TestBackend& where, int repeat, const Case& c,
           const std::vector<Mode>& others = {Mode::graphs}) {
    const auto [a, seen] = run<Dim>(where, repeat, c, Mode::steps);
    // Lists of the CPU last longer than those of a GPU, and all pairs need none.
    const bool all_pairs =
        where.cuda && a.size() <= static_cast<std::size_t>(max_all_pairs_particles);
    if (all_pairs)
        CHECK(seen.back().rebuilds == 1);
    else
        CHECK(seen.back().rebuilds > (where.cuda ? 10 : 1));
    for (const Mode mode : others) {
        if (!where.cuda) break;
        const auto [b, expected] = run<Dim>(where, repeat, c, mode);
        CHECK(seen == expected);
        CHECK(a.position == b.position);
        CHECK(a.momentum == b.momentum);
        CHECK(a.image == b.image);
    }
}

} // namespace

TEST_CASE("many steps by one kernel have the bits of separate ones", "[cuda]") {
    const auto where = GENERATE(from_range(best_processors()));
    const Case c = GENERATE(Case{"'verlet'", "shift", false}, Case{"'verlet'", "shift", true},
                            Case{"'position-verlet'", "none", false},
                            Case{"'triple-jump'", "force-shift", false},
                            Case{"'baoab'\ntemperature = 2.0\nfriction = 1.0", "shift", false});
    CAPTURE(where.name, c.method, c.truncation, c.pair_is_double);
    check<3>(where, 4, c);
    check<2>(where, 16, c, {Mode::graphs, Mode::launches});
}

TEST_CASE("as many particles as one kernel takes, and more", "[cuda]") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const int repeat = where.cuda ? GENERATE(8, 9) : 5; // 2048 and 2916 particles
    check<3>(where, repeat, {"'verlet'", "shift", false});
}

TEST_CASE("a stream through many boxes has the same bits in each way, and after a restart",
          "[cuda]") {
    const auto where = GENERATE(from_range(best_processors()));
    const bool pair_is_double = GENERATE(false, true);
    CAPTURE(where.name, pair_is_double);
    Setup<3> setup = liquid<3>(4);
    for (auto& p : setup.start.momentum) p[0] += 20.0;
    const auto verlet = read_integrator("dt = 0.005\nmethod = 'verlet'\n");
    std::optional<Snapshot<3>> expected;
    for (const auto& [mode, restarts] :
         {std::pair{Mode::graphs, false}, {Mode::steps, false}, {Mode::steps, true}}) {
        World<3> world(where, setup, short_smooth_force, pair_is_double);
        World<3> other(where, setup, short_smooth_force, pair_is_double);
        for (World<3>* one : {&world, &other})
            if (where.cuda) cuda::set_replay(one->backend.stream(), mode);
        world.run(*verlet, 70);
        if (restarts) other.system().restore(world.system().state());
        World<3>& after = restarts ? other : world;
        after.run(*verlet, 40);
        after.system().update_pair_lists(); // as an observable that goes over pairs
        after.run(*verlet, 40);
        const Snapshot<3> end = after.system().snapshot();
        const double length = setup.box.lengths()[0];
        for (std::size_t i = 0; i < end.size(); ++i) {
            CHECK(end.image[i][0] >= 1);
            CHECK(std::abs(end.position[i][0] - 0.5 * length) <= length);
        }
        if (!expected) expected = end;
        CHECK(end.position == expected->position);
        CHECK(end.momentum == expected->momentum);
        CHECK(end.image == expected->image);
    }
    // As they would be at rest, but for rounding and what that grows to.
    World<3> at_rest(where, liquid<3>(4), short_smooth_force, pair_is_double);
    at_rest.run(*verlet, 150);
    const Snapshot<3> rest = at_rest.system().snapshot();
    double worst = 0.0;
    for (std::size_t i = 0; i < rest.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
            worst = larger(worst, std::abs(expected->momentum[i][d] - rest.momentum[i][d] -
                                           (d == 0 ? 20.0 : 0.0)));
    CHECK(worst < (pair_is_double ? 1e-9 : 1e-2));
}
