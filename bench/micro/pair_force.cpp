// SPDX-License-Identifier: BSD-3-Clause
// One thread, the Lennard-Jones melt (density 0.8442, cut-off 2.5, skin 0.3) on a jittered lattice:
// one evaluation of the pair force, and one rebuild of the lists. Arguments: cells of the lattice,
// instruction set. Time per particle is the counter `ns_per_particle`.
#include "shadow/forces/pair_force.hpp"

#include "shadow/neighbours/neighbours.hpp"
#include "shadow/system/lattice.hpp"
#include "shadow/system/velocities.hpp"

#include "kernels/pair_force.hpp"

#include <benchmark/benchmark.h>

using namespace shadow;

namespace {

constexpr double density = 0.8442, cutoff = 2.5, skin = 0.3;

Snapshot<3> melt(std::int64_t cells) {
    const auto cell = lattice_cell<3>("fcc");
    Snapshot<3> start;
    start.species_table = {{}};
    start.position =
        lattice_points<3>(cell, {cells, cells, cells}, lattice_constant<3>(cell, density));
    jitter_points<3>(start.position, 0.1, 1);
    start.momentum.resize(start.position.size());
    start.image.resize(start.position.size());
    start.species.resize(start.position.size());
    return start;
}

Box<3> box_of(const Snapshot<3>& start) {
    const double edge = std::cbrt(static_cast<double>(start.size()) / density);
    return Box<3>({edge, edge, edge}, {true, true, true});
}

/// Skips what this processor lacks.
std::optional<InstructionSet> chosen(benchmark::State& state) {
    const auto available = available_instruction_sets();
    const auto k = static_cast<std::size_t>(state.range(1));
    if (k >= available.size()) {
        state.SkipWithError("this processor lacks the instruction set");
        return std::nullopt;
    }
    state.SetLabel(name(available[k]));
    return available[k];
}

void count(benchmark::State& state, std::size_t particles) {
    state.counters["ns_per_particle"] = benchmark::Counter(
        static_cast<double>(particles) * 1e-9,
        benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
}

template <class Pair>
void pair_force(benchmark::State& state) {
    const auto isa = chosen(state);
    if (!isa) return;
    constexpr bool pair_is_double = std::is_same_v<Pair, double>;
    const Backend backend = Backend::cpu(1, isa);
    const Snapshot<3> start = melt(state.range(0));
    const Box<3> box = box_of(start);
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, start);
    Neighbours<3> neighbours(backend, box, pair_cluster_size(backend),
                             list_skin(backend, skin, cutoff), skin);
    const int list = neighbours.add_list(cutoff);
    neighbours.update(particles);
    PairForceDescription description;
    description.potential.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
    PairForce<3> force(backend, description, pair_is_double, list);
    std::array<Array<double>, 3> out;
    ForceOutput<3> output{};
    Array<std::int32_t> status(backend, 1);
    output.status = status.data();
    for (std::size_t d = 0; d < 3; ++d) {
        out[d] = Array<double>(backend, start.size());
        output.force.component[d] = out[d].data();
    }
    for (auto _ : state) force.compute(particles.view(), neighbours, output);
    count(state, start.size());
}

void build_lists(benchmark::State& state) {
    const auto isa = chosen(state);
    if (!isa) return;
    const Backend backend = Backend::cpu(1, isa);
    const Snapshot<3> start = melt(state.range(0));
    const Box<3> box = box_of(start);
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, start);
    Neighbours<3> neighbours(backend, box, pair_cluster_size(backend),
                             list_skin(backend, skin, cutoff), skin);
    neighbours.add_list(cutoff);
    neighbours.update(particles);
    const ParticlesView<3> view = particles.view();
    double step = skin;
    for (auto _ : state) {
        view.position.component[0][0] += step; // one particle moves too far, and back
        step = -step;
        neighbours.update(particles);
    }
    count(state, start.size());
}

void sizes(benchmark::internal::Benchmark* b) {
    b->ArgNames({"cells", "isa"})->ArgsProduct({{10, 20, 40}, {0, 1, 2}});
    b->Unit(benchmark::kMillisecond);
}

BENCHMARK(pair_force<float>)->Name("pair_force/mixed")->Apply(sizes);
BENCHMARK(pair_force<double>)->Name("pair_force/double")->Apply(sizes);
BENCHMARK(build_lists)->Apply(sizes);

} // namespace
