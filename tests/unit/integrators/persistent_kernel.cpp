// SPDX-License-Identifier: BSD-3-Clause
// Small systems, whose steps a persistent kernel does on GPUs that can: no bit may depend on it.
#include "support/catch.hpp"
#include "support/world.hpp"

#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/cuda/runtime.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

/// A hot liquid: particles move half the skin within some steps.
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
    CHECK(seen.back().rebuilds > (where.cuda ? 10 : 1)); // lists of the CPU last longer
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
