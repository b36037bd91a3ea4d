// SPDX-License-Identifier: BSD-3-Clause
// What the GPU's steps take, by form of the pair kernel, with and without graphs, from small
// systems to large ones; and that neither changes what it must not. Prints JSON.
//     measure_gpu [SECONDS]      at most so long altogether, 240 by default
#include "small_steps.hpp"

#include "shadow/forces/pair_force.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include "kernels/cuda/runtime.hpp"
#include "kernels/pair_force.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fmt/format.h>

using namespace shadow;

namespace {

constexpr double cutoff = 2.5, dt = 0.005;
constexpr int rounds = 3;

double seconds() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(now).count();
}

struct Case {
    int repeat; ///< 4 repeat^3 particles in space, 2 repeat^2 in the plane
    const char* precision;
    double skin;
};

template <int Dim>
Setup<Dim> start(int repeat, double temperature = 1.44) {
    const std::string text =
        Dim == 3 ? fmt::format("type = \"fcc\", repeat = [{0}, {0}, {0}]", repeat)
                 : fmt::format("type = \"triangular\", repeat = [{0}, {0}]", repeat);
    return make_system<Dim>(
        read_toml_text(fmt::format("[system]\ndimension = {}\nunits = \"lj\"\n"
                                   "box = {{ density = {} }}\nlattice = {{ {} }}\n"
                                   "velocity = {{ temperature = {} }}\n",
                                   Dim, Dim == 3 ? 0.8442 : 0.8, text, temperature),
                       "measure_gpu"),
        1);
}

PairForceDescription lennard_jones() {
    PairForceDescription description;
    description.potential.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
    return description;
}

/// A Lennard-Jones liquid; `staged`: with staged lists, else the pair kernel goes through the runs.
template <int Dim, class Real>
class Liquid {
  public:
    Liquid(const Backend& backend, const Setup<Dim>& setup, double skin, bool pair_is_double,
           bool staged)
        : backend_(backend),
          integrator_(make_integrator(
              read_toml_text(fmt::format("method = \"verlet\"\ndt = {}\n", dt), "measure_gpu"),
              {1.0})) {
        Neighbours<Dim, Real> neighbours(backend, setup.box, pair_cluster_size(backend), skin);
        const int list = neighbours.add_list(cutoff, staged);
        std::vector<std::unique_ptr<ForceTerm<Dim, Real>>> terms;
        terms.push_back(
            std::make_unique<PairForce<Dim, Real>>(backend, lennard_jones(), pair_is_double, list));
        system_.emplace(backend, setup.box, setup.start, 1, std::move(neighbours),
                        std::move(terms));
    }

    /// Seconds for so many steps.
    double run(int steps) {
        backend_.synchronize();
        const double before = seconds();
        for (int k = 0; k < steps; ++k) integrator_->step(*system_);
        backend_.synchronize();
        return seconds() - before;
    }
    ParticleSystem<Dim, Real>& system() { return *system_; }

  private:
    const Backend& backend_;
    std::unique_ptr<Integrator> integrator_;
    std::optional<ParticleSystem<Dim, Real>> system_;
};

template <int Dim>
bool same(const Snapshot<Dim>& a, const Snapshot<Dim>& b) {
    return a.position == b.position && a.momentum == b.momentum && a.image == b.image;
}

/// Graphs and no graphs have the same bits; both forms have the same energies to rounding, which
/// has grown by less than 1e4 after 60 steps.
template <int Dim, class Real>
void check(const Backend& backend, const Case& c, bool pair_is_double) {
    const Setup<Dim> setup = start<Dim>(c.repeat);
    std::vector<Snapshot<Dim>> ends;
    std::vector<double> energies;
    for (const bool staged : {true, false})
        for (const bool graphs : {true, false}) {
            cuda::set_replay(backend.stream(), graphs);
            Liquid<Dim, Real> liquid(backend, setup, c.skin, pair_is_double, staged);
            liquid.run(60);
            ends.push_back(liquid.system().snapshot());
            energies.push_back(liquid.system().potential_energy());
        }
    const bool bits = same(ends[0], ends[1]) && same(ends[2], ends[3]);
    const double difference = std::abs(energies[0] - energies[2]) / std::abs(energies[0]);
    const double bound = pair_is_double && sizeof(Real) == 8 ? 1e-11 : 1e-3;
    fmt::print("  {{\"check\": \"{}D {}\", \"n\": {}, \"graphs_same_bits\": {}, "
               "\"forms_differ_by\": {:.3g}, \"good\": {}}},\n",
               Dim, c.precision, setup.start.size(), bits, difference, bits && difference <= bound);
}

template <int Dim, class Real>
void measure(const Backend& backend, const Case& c, bool pair_is_double) {
    const Setup<Dim> setup = start<Dim>(c.repeat);
    const double n = static_cast<double>(setup.start.size());
    for (const bool staged : {true, false}) {
        Liquid<Dim, Real> liquid(backend, setup, c.skin, pair_is_double, staged);
        liquid.run(200); // the lattice melts
        const int steps = std::clamp(static_cast<int>(0.15 / (liquid.run(64) / 64)), 32, 20'000);
        for (const bool graphs : {true, false}) {
            cuda::set_replay(backend.stream(), graphs);
            const std::int64_t before = liquid.system().neighbours().rebuilds();
            std::vector<double> times;
            for (int k = 0; k < rounds; ++k) times.push_back(liquid.run(steps));
            const auto rebuilds =
                static_cast<double>(liquid.system().neighbours().rebuilds() - before);
            std::sort(times.begin(), times.end());
            const double step = times[rounds / 2] / steps;
            fmt::print("  {{\"dimension\": {}, \"n\": {}, \"precision\": \"{}\", \"skin\": {}, "
                       "\"form\": \"{}\", \"graphs\": {}, \"steps\": {}, \"us_per_step\": {:.3f}, "
                       "\"ns_per_particle_step\": {:.5f}, \"spread\": {:.3f}, "
                       "\"rebuilds_per_step\": {:.4f}}},\n",
                       Dim, setup.start.size(), c.precision, c.skin, staged ? "staged" : "runs",
                       graphs, steps, step * 1e6, step * 1e9 / n,
                       (times.back() - times.front()) / times[rounds / 2],
                       rebuilds / (rounds * steps));
            std::fflush(stdout);
        }
        cuda::set_replay(backend.stream(), true);
    }
}

/// Flows of Verlet as the engine queues them.
Advance<3, double> flows(ParticleSystem<3, double>& system, int kicks, bool drifts) {
    Advance<3, double> op{};
    op.particles = system.particles();
    op.force[1] = system.force(1);
    op.scalars = {system.scalars()};
    op.one_species = true;
    for (int k = 0; k < kicks; ++k)
        op.flow[op.count++] = {FlowEntry::Kind::kick, 1, 0.5 * dt, Scalar::one, 0.0, 0, 0};
    if (drifts) op.flow[op.count++] = {FlowEntry::Kind::drift, 0, dt, Scalar::one, 0.0, 0, 0};
    return op;
}

/// Steps of a cold crystal, whose list lasts, by one kernel that never returns.
class SmallRun {
  public:
    SmallRun(const Backend& backend, ParticleSystem<3, double>& system)
        : backend_(backend), table_(make_pair_table(lennard_jones())),
          rows_(backend, std::vector<float>(table_.rows.begin(), table_.rows.end())),
          flag_(backend, 1), status_(backend, 1), done_(backend, 1), op_{flows(system, 1, true),
                                                                         flows(system, 2, true),
                                                                         flows(system, 1, false),
                                                                         {},
                                                                         {},
                                                                         0,
                                                                         done_.data()} {
        system.prepare_observation(false);
        const Neighbours<3, double>& neighbours = system.neighbours();
        const double limit = 0.5 * neighbours.skin();
        op_.test = {op_.first.particles.position, neighbours.reference(), limit * limit,
                    flag_.data()};
        auto& pair = op_.pair;
        pair.particles = op_.first.particles;
        pair.box = system.box().view();
        pair.list = neighbours.list(0);
        for (int d = 0; d < 3; ++d)
            pair.force.component[d] = const_cast<double*>(system.force(1).component[d]);
        pair.status = status_.data();
        pair.ending = table_.ending;
        pair.interaction = table_.interaction;
        pair.species_count = 1;
        pair.cutoff = cutoff;
        pair.table = rows_.data();
    }

    /// Seconds; `done` of them were done.
    double run(int steps, int& done) {
        op_.steps = steps;
        backend_.synchronize();
        const double before = seconds();
        bench::run_small_steps(backend_, op_);
        backend_.synchronize();
        const double time = seconds() - before;
        done = done_.get(0);
        return time;
    }

  private:
    const Backend& backend_;
    PairTable table_;
    Array<float> rows_;
    Array<std::int32_t> flag_, status_;
    Array<int> done_;
    bench::SmallSteps op_;
};

void measure_small(const Backend& backend, int repeat) {
    constexpr int few = 50, many = 20'000;
    const Setup<3> setup = start<3>(repeat, 0.05);
    Liquid<3, double> usual(backend, setup, 0.3, false, true),
        at_once(backend, setup, 0.3, false, true);
    usual.run(few);
    usual.system().prepare_observation(false);
    SmallRun small(backend, at_once.system());
    int done = 0;
    small.run(few, done);
    const Snapshot<3> a = usual.system().snapshot(), b = at_once.system().snapshot();
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
            largest = std::max(largest, std::abs(a.position[i][d] - b.position[i][d]));
    // Rounding of mixed precision in a crystal, which does not amplify it.
    fmt::print("  {{\"check\": \"many steps by one kernel\", \"n\": {}, \"done\": {}, "
               "\"same_bits\": {}, \"differ_by\": {:.3g}, \"good\": {}}},\n",
               a.size(), done, same(a, b), largest, done == few && largest < 1e-4);
    const double one = usual.run(many) / many;
    const double time = small.run(many, done);
    fmt::print(
        "  {{\"dimension\": 3, \"n\": {}, \"precision\": \"mixed\", \"form\": \"one kernel\", "
        "\"steps\": {}, \"us_per_step\": {:.3f}, \"us_per_step_graphs\": {:.3f}}},\n",
        a.size(), done, time / std::max(done, 1) * 1e6, one * 1e6);
}

template <int Dim>
void with_precision(const Backend& backend, const Case& c, bool only_check) {
    const auto go = [&]<class Real>(bool pair_is_double) {
        only_check ? check<Dim, Real>(backend, c, pair_is_double)
                   : measure<Dim, Real>(backend, c, pair_is_double);
    };
    const std::string precision = c.precision;
    if (precision == "single") return go.template operator()<float>(false);
    go.template operator()<double>(precision == "double");
}

} // namespace

int main(int argc, char** argv) {
    try {
        const double end = seconds() + (argc > 1 ? std::atof(argv[1]) : 240.0);
        const Backend backend = Backend::cuda();
        fmt::print("{{\"device\": \"{}\", \"results\": [\n", backend.description());
        for (const char* precision : {"double", "mixed", "single"}) {
            with_precision<3>(backend, {8, precision, 0.3}, true);
            with_precision<2>(backend, {40, precision, 0.3}, true);
        }
        for (const int repeat : {4, 5, 8, 10}) measure_small(backend, repeat);
        // Small to large, then other precisions and skins.
        for (const Case& c :
             {Case{4, "mixed", 0.3}, Case{5, "mixed", 0.3}, Case{8, "mixed", 0.3},
              Case{10, "mixed", 0.3}, Case{20, "mixed", 0.3}, Case{25, "mixed", 0.3},
              Case{40, "mixed", 0.3}, Case{63, "mixed", 0.3}, Case{63, "mixed", 0.4},
              Case{63, "mixed", 0.5}, Case{63, "mixed", 0.6}, Case{63, "double", 0.4},
              Case{63, "single", 0.4}, Case{100, "mixed", 0.4}, Case{160, "mixed", 0.4}})
            if (seconds() < end) with_precision<3>(backend, c, false);
        for (const Case& c :
             {Case{32, "mixed", 0.3}, Case{141, "mixed", 0.3}, Case{707, "mixed", 0.3},
              Case{707, "mixed", 0.5}, Case{707, "double", 0.4}, Case{2000, "mixed", 0.4}})
            if (seconds() < end) with_precision<2>(backend, c, false);
        fmt::print("  {{\"complete\": {}}}\n]}}\n", seconds() < end);
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
    return 0;
}
