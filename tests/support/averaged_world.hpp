// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"

#include "shadow/forces/averaged_molecules.hpp"

#include <fmt/format.h>
#include <random>

/// Molecules that can be moved to their mean positions, for tests of averaging.
namespace shadow::test {

/// Forces, and the kind of their terms.
struct FastForce {
    std::string forces;
    BondedKind kind;
};

inline std::vector<FastForce> fast_forces() {
    const auto one = [](const char* type, const char* parameters) {
        return fmt::format("[[force]]\ntype = \"{}\"\n{}\n", type, parameters);
    };
    return {{one("harmonic-bond", "k = 30.0\nr0 = 1.1"), BondedKind::bond},
            {one("fene-bond", "k = 30.0\nr_max = 3.4"), BondedKind::bond},
            {one("morse-bond", "depth = 2.0\na = 1.3\nr0 = 0.9"), BondedKind::bond},
            {one("harmonic-angle", "k = 4.0\ntheta0 = 109.5"), BondedKind::angle},
            {one("cosine-angle", "k = 1.5"), BondedKind::angle},
            {one("urey-bradley", "k = 2.5\nr0 = 1.7"), BondedKind::angle},
            {one("periodic-dihedral", "k = 1.2\nn = 3\nphase = 40.0"), BondedKind::dihedral},
            {one("ryckaert-bellemans", "c0 = 0.928\nc1 = 1.216\nc2 = -1.312\nc3 = -0.306\n"
                                       "c4 = 2.624\nc5 = -3.15"),
             BondedKind::dihedral},
            {one("harmonic-improper", "k = 2.0\nphi0 = 170.0"), BondedKind::improper}};
}

/// Chains of five particles, and remaining particles, in a periodic box; two species.
template <int Dim>
Setup<Dim> chained(const std::vector<BondedKind>& kinds) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-0.25, 0.25);
    Vectors<Dim> points;
    const int across = Dim == 1 ? 23 : Dim == 2 ? 7 : 4;
    for (int k = 0; k < (Dim == 1   ? across
                         : Dim == 2 ? across * across
                                    : across * across * across);
         ++k) {
        std::array<double, Dim> x{};
        int rest = k;
        for (double& component : x) {
            component = 1.2 * (rest % across) + uniform(random);
            rest /= across;
        }
        points.push_back(x);
    }
    std::array<double, Dim> lengths;
    lengths.fill(1.2 * across);
    std::array<bool, Dim> every_direction;
    every_direction.fill(true);
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, every_direction), 2);
    setup.topology = chains<Dim>(points, setup.box, 20, 5, kinds);
    return setup;
}

/// A system, its lists, and the molecules of its forces.
template <int Dim>
struct AveragedWorld {
    AveragedWorld(const TestBackend& where, const Setup<Dim>& given, const std::string& forces)
        : backend(where.open()), setup(given),
          plan(
              read_forces(read_toml_text(forces, "test.toml"), ForceContext<Dim>{backend,
                                                                                 setup.box,
                                                                                 setup.start,
                                                                                 setup.units,
                                                                                 true,
                                                                                 {"fast", "slow"},
                                                                                 &setup.topology})),
          neighbours(backend, setup.box, pair_cluster_size(backend, Dim), 0.3),
          ensemble(backend, setup.box), particles(backend, ensemble, setup.start) {
        const ForceContext<Dim> context{backend, setup.box, setup.start, setup.units, true};
        neighbours.add_list(1.5); // so that particles are sorted
        terms = make_forces<Dim>(plan, context, neighbours);
        averaged = std::make_unique<AveragedMolecules<Dim>>(
            backend, plan.template of<BondedDescription>(), setup.start, neighbours);
        neighbours.update(particles);
    }
    Vectors<Dim> by_id(const std::array<std::vector<double>, Dim>& memory) {
        std::vector<std::uint32_t> id(setup.start.size());
        detail::copy_to_host(backend, id.data(), particles.view().id, id.size() * sizeof(id[0]));
        Vectors<Dim> all(id.size());
        for (std::size_t i = 0; i < id.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) all[id[i]][d] = memory[d][i];
        return all;
    }
    Vectors<Dim> read(const VectorView<Dim, double>& view) {
        std::array<std::vector<double>, Dim> memory;
        for (std::size_t d = 0; d < Dim; ++d) {
            memory[d].resize(setup.start.size());
            detail::copy_to_host(backend, memory[d].data(), view.component[d],
                                 memory[d].size() * sizeof(double));
        }
        return by_id(memory);
    }
    Vectors<Dim> places() { return read(particles.view().position); }
    Vectors<Dim> momenta() { return read(particles.view().momentum); }
    /// Vectors of particles, in memory order.
    std::array<Array<double>, Dim> in_memory(const Vectors<Dim>& all) {
        std::vector<std::uint32_t> id(all.size());
        detail::copy_to_host(backend, id.data(), particles.view().id, id.size() * sizeof(id[0]));
        std::array<Array<double>, Dim> memory;
        std::vector<double> component(all.size());
        for (std::size_t d = 0; d < Dim; ++d) {
            for (std::size_t i = 0; i < id.size(); ++i) component[i] = all[id[i]][d];
            memory[d] = Array<double>(backend, component);
        }
        return memory;
    }
    void move_to(const Vectors<Dim>& place) {
        const auto memory = in_memory(place);
        for (std::size_t d = 0; d < Dim; ++d)
            detail::copy_to_backend(backend, particles.view().position.component[d],
                                    memory[d].to_host().data(), place.size() * sizeof(double));
    }
    /// Forces of the engine.
    Vectors<Dim> forces() {
        std::array<Array<double>, Dim> force;
        Array<std::int32_t> status(backend, 1);
        ForceOutput<Dim> output;
        output.status = status.data();
        std::array<std::vector<double>, Dim> memory;
        for (std::size_t d = 0; d < Dim; ++d) {
            force[d] = Array<double>(backend, setup.start.size());
            output.force.component[d] = force[d].data();
        }
        for (const auto& term : terms) {
            term->compute(particles.view(), neighbours, output);
            output.accumulate = true;
        }
        for (std::size_t d = 0; d < Dim; ++d) memory[d] = force[d].to_host();
        return by_id(memory);
    }
    void average(const Mollifier& mollifier) {
        averaged->average(mollifier, particles.view(), neighbours);
    }
    /// The mean positions from `place`; particles then return to `place`.
    Vectors<Dim> average_of(const Vectors<Dim>& place, const Mollifier& mollifier) {
        move_to(place);
        average(mollifier);
        const Vectors<Dim> mean = places();
        averaged->restore(particles.view());
        return mean;
    }
    Vectors<Dim> transpose(const Mollifier& mollifier, const Vectors<Dim>& given) {
        std::array<Array<double>, Dim> force = in_memory(given);
        VectorView<Dim, double> view{};
        for (std::size_t d = 0; d < Dim; ++d) view.component[d] = force[d].data();
        averaged->transpose(mollifier, particles.view(), neighbours, view);
        std::array<std::vector<double>, Dim> all;
        for (std::size_t d = 0; d < Dim; ++d) all[d] = force[d].to_host();
        return by_id(all);
    }

    Backend backend;
    Setup<Dim> setup;
    ForcePlan plan;
    Neighbours<Dim> neighbours;
    Ensemble<Dim> ensemble;
    Particles<Dim> particles;
    std::vector<std::unique_ptr<ForceTerm<Dim>>> terms;
    std::unique_ptr<AveragedMolecules<Dim>> averaged;
};

template <int Dim>
Vectors<Dim> some_vectors(std::size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    Vectors<Dim> all(count);
    for (auto& v : all)
        for (double& x : v) x = normal(random);
    return all;
}

template <int Dim>
double inner_product(const Vectors<Dim>& a, const Vectors<Dim>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) sum += a[i][d] * b[i][d];
    return sum;
}

/// Checks g . (A(q + h v) - A(q - h v)) / 2h = v . (transposed derivative times g), with
/// differences of sixth order.
template <int Dim>
void check_transpose(AveragedWorld<Dim>& m, const Mollifier& mollifier) {
    const Vectors<Dim> start = m.places();
    const Vectors<Dim> g = some_vectors<Dim>(start.size(), 1);
    const Vectors<Dim> v = some_vectors<Dim>(start.size(), 2);
    constexpr double h = 2e-4, weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0};
    double expected = 0.0;
    for (int k = 1; k <= 3; ++k)
        for (const double sign : {1.0, -1.0}) {
            Vectors<Dim> at = start;
            for (std::size_t i = 0; i < at.size(); ++i)
                for (std::size_t d = 0; d < Dim; ++d) at[i][d] += sign * k * h * v[i][d];
            expected +=
                sign * weight[k - 1] / h * inner_product<Dim>(g, m.average_of(at, mollifier));
        }
    (void)m.average_of(start, mollifier);
    const double found = inner_product<Dim>(v, m.transpose(mollifier, g));
    CAPTURE(expected, found);
    const double scale = std::sqrt(inner_product<Dim>(g, g) * inner_product<Dim>(v, v));
    CHECK(std::abs(found - expected) < 1e-10 * scale);
}

} // namespace shadow::test
