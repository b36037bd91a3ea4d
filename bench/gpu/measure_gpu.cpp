// SPDX-License-Identifier: BSD-3-Clause
// What the GPU's steps take, by form of the pair kernel, as launches, as graphs and by one kernel,
// from small systems to large ones; what other forms of the pair kernel take; and that none changes
// what it must not. Prints a line of JSON when a case begins, and one for each result.
//     measure_gpu [SECONDS [FIRST]]      at most so long altogether, 240 by default; from that case
//     on
// After a failure the device is in doubt, so it ends: tools/gpu-check begins again behind that
// case.
#include "forms.hpp"

#include "shadow/core/text.hpp"
#include "shadow/forces/pair_force.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/integrators/registry.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include "kernels/cuda/persistent_steps.hpp"
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

enum class What { check, forms, measure };

struct Case {
    What what;
    int dimension;
    int repeat;            ///< 4 repeat^3 particles in space, 2 repeat^2 in the plane
    const char* precision; ///< "double" or "mixed"
    double skin;

    [[nodiscard]] bool pair_is_double() const { return *precision == 'd'; }
    [[nodiscard]] std::string name() const {
        constexpr const char* names[] = {"check", "forms", "measure"};
        return fmt::format("{} {}D {} repeat {} skin {}", names[static_cast<int>(what)], dimension,
                           precision, repeat, skin);
    }
};

/// First what must be right, then small to large, other forms, other precisions and skins.
constexpr Case cases[] = {
    {What::check, 3, 8, "double", 0.3},     {What::check, 2, 40, "double", 0.3},
    {What::check, 3, 8, "mixed", 0.3},      {What::check, 2, 40, "mixed", 0.3},
    {What::measure, 3, 5, "mixed", 0.3},    {What::measure, 3, 8, "mixed", 0.3},
    {What::measure, 3, 10, "mixed", 0.3},   {What::measure, 3, 20, "mixed", 0.3},
    {What::measure, 3, 40, "mixed", 0.3},   {What::measure, 3, 63, "mixed", 0.3},
    {What::measure, 2, 32, "mixed", 0.3},   {What::measure, 2, 141, "mixed", 0.3},
    {What::measure, 2, 707, "mixed", 0.3},  {What::forms, 3, 20, "mixed", 0.3},
    {What::forms, 3, 63, "mixed", 0.3},     {What::forms, 2, 141, "mixed", 0.3},
    {What::forms, 2, 707, "mixed", 0.3},    {What::measure, 3, 63, "double", 0.4},
    {What::measure, 2, 707, "double", 0.4}, {What::measure, 3, 63, "mixed", 0.4},
    {What::measure, 3, 63, "mixed", 0.5},   {What::measure, 3, 63, "mixed", 0.6},
    {What::measure, 2, 707, "mixed", 0.5},  {What::measure, 3, 5, "mixed", 0.6},
    {What::measure, 3, 8, "mixed", 0.6},    {What::measure, 3, 10, "mixed", 0.6},
    {What::measure, 3, 4, "mixed", 0.3},    {What::measure, 3, 25, "mixed", 0.3},
    {What::measure, 3, 100, "mixed", 0.4},  {What::measure, 2, 2000, "mixed", 0.4},
    {What::measure, 3, 160, "mixed", 0.4}};

/// Each line is flushed, so that it is there whatever happens after.
template <class... Values>
void print_line(fmt::format_string<Values...> format, Values&&... values) {
    fmt::print(format, std::forward<Values>(values)...);
    std::fputc('\n', stdout);
    std::fflush(stdout);
}

template <int Dim>
Setup<Dim> start(int repeat, double temperature = 1.44) {
    const std::string text =
        Dim == 3 ? fmt::format("type = \"fcc\", repeat = [{0}, {0}, {0}]", repeat)
                 : fmt::format("type = \"triangular\", repeat = [{0}, {0}]", repeat);
    const Parameters root =
        read_toml_text(fmt::format("[system]\ndimension = {}\nunits = \"lj\"\n"
                                   "box = {{ density = {} }}\nlattice = {{ {} }}\n"
                                   "velocity = {{ temperature = {} }}\n",
                                   Dim, Dim == 3 ? 0.8442 : 0.8, text, temperature),
                       "measure_gpu");
    Setup<Dim> setup = make_system<Dim>(root, 1);
    draw_velocities(root, setup, conserved_momenta(setup.box), 1);
    return setup;
}

PairForceDescription lennard_jones() {
    PairForceDescription description;
    description.potential.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
    return description;
}

/// A Lennard-Jones liquid; `staged`: with staged lists, else the pair kernel goes through the
/// neighbour ranges.
template <int Dim>
class Liquid {
  public:
    Liquid(const Backend& backend, const Setup<Dim>& setup, double skin, bool pair_is_double,
           bool staged, int cluster_size = cuda::pair_cluster_size)
        : backend_(backend),
          integrator_(make_integrator(
              read_toml_text(fmt::format("method = \"verlet\"\ndt = {}\n", dt), "measure_gpu"),
              {1.0})) {
        Neighbours<Dim> neighbours(backend, setup.box, cluster_size, skin);
        const int list = neighbours.add_list(cutoff, staged);
        std::vector<std::unique_ptr<ForceTerm<Dim>>> terms;
        terms.push_back(
            std::make_unique<PairForce<Dim>>(backend, lennard_jones(), pair_is_double, list));
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
    ParticleSystem<Dim>& system() { return *system_; }

  private:
    const Backend& backend_;
    std::unique_ptr<Integrator> integrator_;
    std::optional<ParticleSystem<Dim>> system_;
};

template <int Dim>
bool same(const Snapshot<Dim>& a, const Snapshot<Dim>& b) {
    return a.position == b.position && a.momentum == b.momentum && a.image == b.image;
}

/// How steps get to the device.
using Steps = cuda::ReplayMode;
constexpr const char* name(Steps steps) {
    return steps == Steps::launches ? "launches"
                                    : (steps == Steps::graphs ? "graphs" : "one kernel");
}
void choose(const Backend& backend, Steps steps) {
    cuda::set_replay(backend.stream(), steps);
}
std::vector<Steps> every_way(std::size_t particles) {
    std::vector<Steps> all = {Steps::launches, Steps::graphs};
    if (particles <= static_cast<std::size_t>(max_all_pairs_particles)) all.push_back(Steps::steps);
    return all;
}

/// What became of all launches, and what the device refused.
void print_report(const cuda::ReplayReport& report) {
    std::string refused;
    for (const std::string& problem : report.problems)
        refused += (refused.empty() ? "" : ", ") + shadow::in_quotes(problem);
    print_line("{{\"best\": \"{}\", \"launches\": {}, \"graphs\": {}, "
               "\"graphs_of_one_kernel\": {}, \"refused\": [{}]}}",
               name(report.mode), report.launches, report.graphs, report.persistent_graphs,
               refused);
}

/// Launches, graphs and one kernel have the same bits; both forms have the same energies to
/// rounding, which has grown by less than 1e4 after 100 steps.
template <int Dim>
void check(const Backend& backend, const Case& c) {
    const Setup<Dim> setup = start<Dim>(c.repeat);
    std::vector<double> energies;
    bool bits = true;
    for (const bool staged : {true, false}) {
        std::optional<Snapshot<Dim>> first;
        for (const Steps steps : every_way(setup.start.size())) {
            choose(backend, steps);
            Liquid<Dim> liquid(backend, setup, c.skin, c.pair_is_double(), staged);
            liquid.run(100);
            const Snapshot<Dim> end = liquid.system().snapshot();
            bits = bits && same(first ? *first : end, end);
            first = end;
            energies.push_back(liquid.system().potential_energy());
        }
    }
    const double difference =
        std::abs(energies.front() - energies.back()) / std::abs(energies.front());
    const double bound = c.pair_is_double() ? 1e-11 : 1e-3;
    print_line(
        "{{\"check\": \"{}D {}\", \"n\": {}, \"same_bits\": {}, \"forms_differ_by\": {:.3g}, "
        "\"good\": {}}}",
        Dim, c.precision, setup.start.size(), bits, difference, bits && difference <= bound);
}

template <int Dim>
void measure(const Backend& backend, const Case& c) {
    const Setup<Dim> setup = start<Dim>(c.repeat);
    const double n = static_cast<double>(setup.start.size());
    for (const bool staged : {true, false}) {
        // Where forces go over all pairs, lists may last.
        const bool all_pairs =
            staged && small_for_all_pairs(setup.box, std::ssize(setup.start.position), cutoff);
        const double skin = all_pairs ? cutoff : c.skin;
        Liquid<Dim> liquid(backend, setup, skin, c.pair_is_double(), staged);
        liquid.run(200); // the lattice melts
        const int steps = std::clamp(static_cast<int>(0.15 / (liquid.run(64) / 64)), 32, 20'000);
        for (const Steps way : every_way(setup.start.size())) {
            choose(backend, way);
            liquid.run(64); // graphs are made
            const std::int64_t before = liquid.system().neighbours().rebuilds();
            const std::int64_t at_once = cuda::replay_report(backend.stream()).persistent_graphs;
            std::vector<double> times;
            for (int k = 0; k < rounds; ++k) times.push_back(liquid.run(steps));
            const auto rebuilds =
                static_cast<double>(liquid.system().neighbours().rebuilds() - before);
            std::sort(times.begin(), times.end());
            const double step = times[rounds / 2] / steps;
            print_line("{{\"dimension\": {}, \"n\": {}, \"precision\": \"{}\", \"skin\": {}, "
                       "\"form\": \"{}\", \"by\": \"{}\", \"steps\": {}, \"us_per_step\": {:.3f}, "
                       "\"ns_per_particle_step\": {:.5f}, \"spread\": {:.3f}, "
                       "\"rebuilds_per_step\": {:.4f}, \"graphs_of_one_kernel\": {}}}",
                       Dim, setup.start.size(), c.precision, skin,
                       all_pairs ? "all pairs" : (staged ? "staged" : "ranges"), name(way), steps,
                       step * 1e6, step * 1e9 / n,
                       (times.back() - times.front()) / times[rounds / 2],
                       rebuilds / (rounds * steps),
                       cuda::replay_report(backend.stream()).persistent_graphs - at_once);
        }
        choose(backend, Steps::steps);
    }
}

/// Payload of a pair kernel for the forces of a liquid, with arrays of its own.
template <int Dim>
class Forces {
  public:
    Forces(const Backend& backend, ParticleSystem<Dim>& system)
        : backend_(backend), table_(make_pair_table(lennard_jones())),
          rows_(backend, std::vector<float>(table_.rows.begin(), table_.rows.end())),
          status_(backend, 1), clusters_(system.neighbours().cluster_bound()) {
        payload_.particles = system.particles();
        payload_.list = system.neighbours().list(0);
        for (std::size_t d = 0; d < Dim; ++d) {
            force_[d] = Array<double>(backend, static_cast<std::size_t>(system.size()));
            payload_.force.component[d] = force_[d].data();
        }
        payload_.status = status_.data();
        payload_.ending = table_.ending;
        payload_.interaction = table_.interaction;
        payload_.species_count = 1;
        payload_.cutoff = cutoff;
        payload_.table = rows_.data();
    }
    [[nodiscard]] const bench::LiquidForces<Dim>& payload() const { return payload_; }
    [[nodiscard]] std::int64_t clusters() const { return clusters_; }

    /// The median time of a call, in seconds.
    template <class Compute>
    double time(const Compute& compute) const {
        constexpr int calls = 50;
        std::vector<double> times;
        for (int round = 0; round <= rounds; ++round) {
            backend_.synchronize();
            const double before = seconds();
            for (int k = 0; k < calls; ++k) compute();
            backend_.synchronize();
            if (round > 0) times.push_back((seconds() - before) / calls);
        }
        std::sort(times.begin(), times.end());
        return times[rounds / 2];
    }
    [[nodiscard]] std::vector<double> values() const {
        std::vector<double> all;
        for (const auto& component : force_) {
            const auto host = component.to_host();
            all.insert(all.end(), host.begin(), host.end());
        }
        return all;
    }

  private:
    const Backend& backend_;
    PairTable table_;
    Array<float> rows_;
    Array<std::int32_t> status_;
    std::int64_t clusters_;
    std::array<Array<double>, Dim> force_;
    bench::LiquidForces<Dim> payload_{};
};

/// One form beside the engine's on the same particles.
template <int Dim, class Compute>
void compare_form(const Forces<Dim>& forces, const Backend& backend, const char* form, double pairs,
                  const Compute& compute) {
    const double engine =
        forces.time([&] { pair_force(backend, forces.payload(), forces.clusters()); });
    const std::vector<double> expected = forces.values();
    const double other = forces.time(compute);
    const std::vector<double> found = forces.values();
    compute();
    const bool again = forces.values() == found;
    double largest = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        largest = std::max(largest, std::abs(expected[i]));
        difference = std::max(difference, std::abs(found[i] - expected[i]));
    }
    const double n = static_cast<double>(forces.payload().particles.size);
    print_line(
        "{{\"pair_kernel\": \"{}\", \"dimension\": {}, \"n\": {}, \"ns_per_particle\": {:.5f}, "
        "\"engine_ns_per_particle\": {:.5f}, \"pairs_per_particle\": {:.1f}, "
        "\"same_bits_again\": {}, \"differs_by\": {:.3g}, \"good\": {}}}",
        form, Dim, forces.payload().particles.size, other * 1e9 / n, engine * 1e9 / n, pairs, again,
        difference / largest, again && difference <= 1e-3 * largest);
}

template <int Dim>
void measure_forms(const Backend& backend, int repeat) {
    const Setup<Dim> setup = start<Dim>(repeat);
    for (const int cluster_size : {cuda::pair_cluster_size, bench::HalfForces<Dim>::cluster_size}) {
        Liquid<Dim> liquid(backend, setup, 0.3, false, true, cluster_size);
        liquid.run(200);
        liquid.system().prepare_observation(false);
        const Forces<Dim> forces(backend, liquid.system());
        if (cluster_size == cuda::pair_cluster_size) {
            bench::GatheredForces<Dim> gathered(backend, forces.payload(), forces.clusters());
            compare_form(forces, backend, "gathered", gathered.pairs(),
                         [&] { gathered.compute(forces.payload()); });
        } else {
            bench::HalfForces<Dim> half(backend, forces.payload(), forces.clusters(), cutoff + 0.3);
            compare_form(forces, backend, "half", half.pairs(),
                         [&] { half.compute(forces.payload()); });
        }
    }
}

template <int Dim>
void run(const Backend& backend, const Case& c) {
    if (c.what == What::check) return check<Dim>(backend, c);
    if (c.what == What::forms) return measure_forms<Dim>(backend, c.repeat);
    measure<Dim>(backend, c);
}

} // namespace

int main(int argc, char** argv) {
    const double end = seconds() + (argc > 1 ? std::atof(argv[1]) : 240.0);
    std::size_t k = argc > 2 ? static_cast<std::size_t>(std::atoi(argv[2])) : 0;
    try {
        const Backend backend = Backend::cuda();
        print_line("{{\"device\": {}}}", shadow::in_quotes(backend.description()));
        for (; k < std::size(cases) && seconds() < end; ++k) {
            print_line("{{\"begin\": {}, \"case\": {}}}", k, shadow::in_quotes(cases[k].name()));
            cases[k].dimension == 3 ? run<3>(backend, cases[k]) : run<2>(backend, cases[k]);
        }
        print_report(cuda::replay_report(backend.stream()));
        print_line("{{\"cases\": {}, \"of\": {}}}", k, std::size(cases));
    } catch (const std::exception& error) {
        print_line("{{\"failed\": {}, \"error\": {}}}", k, shadow::in_quotes(error.what()));
        return 1;
    }
    return 0;
}
