// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/observables/particle_histogram.hpp"
#include "shadow/system/velocities.hpp"

#include <cmath>

using namespace shadow;

namespace {

const Box<3> periodic_cube({9.0, 9.0, 9.0}, {true, true, true});

/// Every third particle is a B of mass 4; at rest.
Snapshot<3> mixture(std::size_t n) {
    Snapshot<3> start;
    start.species_table = {{"A", 1.0, 0.0}, {"B", 4.0, 0.0}};
    for (std::size_t i = 0; i < n; ++i) {
        start.position.push_back({0.01 * static_cast<double>(i), 1.0, 2.0});
        start.species.push_back(i % 3 == 0);
    }
    start.momentum.assign(n, {});
    start.image.assign(n, {});
    return start;
}

std::vector<Population> populations(const Snapshot<3>& start) {
    std::vector<Population> all{{"A", 0}, {"B", 0}};
    for (const auto s : start.species) ++all[s].particles;
    return all;
}

std::vector<double> moments(const Backend& backend, const Snapshot<3>& start, double mass,
                            bool energies = false, bool field = false) {
    using Of = typename VelocityDistribution<3>::Of;
    const Of of = energies ? Of::energies : Of::components;
    ParticleSystem<3> system(backend, periodic_cube, start, 1,
                             Neighbours<3>(backend, periodic_cube, 8, 0.2), {});
    VelocityDistribution<3> observable(of, populations(start), 5.0, 10,
                                       {{mass, mass, field ? 0.0 : mass}});
    Array<double> row(backend, observable.width());
    observable.enqueue(system, row.data());
    return row.to_host(0, observable.quantities().size());
}

} // namespace

TEST_CASE("velocities of one size have a third of the fourth power") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    Snapshot<3> start = mixture(60);
    for (std::size_t i = 0; i < start.size(); ++i) {
        const double u = start.species[i] ? 3.0 : 2.0; // sqrt(m) v: B is hotter by 9/4
        for (double& p : start.momentum[i])
            p = (i % 2 == 0 ? u : -u) * std::sqrt(start.species_table[start.species[i]].mass);
    }
    const auto found = moments(backend, start, 0.0);
    REQUIRE(found.size() == 5);
    // f = 180 components: 120 of A with u^2 = 4, 60 of B with 9; R^2 = 1020.
    const double f = 180.0, all = f * (f + 2.0) / (3.0 * 1020.0 * 1020.0);
    const double expected[] = {(120 * 16 + 60 * 81) / f * all, 16 * all, 81 * all, 4 * f / 1020,
                               9 * f / 1020};
    for (std::size_t k = 0; k < 5; ++k) CHECK(std::abs(found[k] - (expected[k] - 1.0)) < 1e-13);
    // Of particles: m v^2 is 12 and 27.
    const auto together = moments(backend, start, 0.0, true);
    REQUIRE(together.size() == 3);
    const double share = f * (f + 2.0) / (5.0 * 1020.0 * 1020.0);
    const double energies[] = {(40 * 144 + 20 * 729) / f * share, 40 * 144 / 120.0 * share,
                               20 * 729 / 60.0 * share};
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(together[k] - (energies[k] - 1.0)) < 1e-13);
    // A common motion changes nothing where it is left out; equal masses of opposite signs have
    // none.
    const double mass = 40.0 + 4.0 * 20.0;
    const auto still = moments(backend, start, mass);
    for (std::size_t i = 0; i < start.size(); ++i)
        for (double& p : start.momentum[i]) p += 8.0 * start.species_table[start.species[i]].mass;
    const auto moving = moments(backend, start, mass);
    for (std::size_t k = 0; k < 5; ++k) CHECK(std::abs(moving[k] - still[k]) < 1e-12);
}

TEST_CASE("Maxwell and Boltzmann's velocities are at no distance, also of few particles") {
    const Backend backend = Backend::cpu(1);
    using Distribution = VelocityDistribution<3>;
    const bool energies = GENERATE(false, true), field = GENERATE(false, true); // along z
    const auto conserved = conserved_momenta(periodic_cube, Invariance<3>({true, true, !field}));
    for (const std::size_t n : {6UL, 90UL}) {
        CAPTURE(n, energies, field);
        Snapshot<3> start = mixture(n);
        const auto species = populations(start);
        const double mass = static_cast<double>(species[0].particles) +
                            4.0 * static_cast<double>(species[1].particles);
        const auto quantities =
            Distribution(energies ? Distribution::Of::energies : Distribution::Of::components,
                         species, 5.0, 10, {{mass, mass, mass}})
                .quantities();
        const int draws = n == 6 ? 6000 : 1500;
        std::vector<double> sum(quantities.size()), square(quantities.size());
        for (int draw = 0; draw < draws; ++draw) {
            // At one energy: a sphere. Without total momentum: a subspace.
            set_maxwell_boltzmann(start, conserved, 1.3, static_cast<std::uint64_t>(draw));
            const auto found = moments(backend, start, mass, energies, field);
            for (std::size_t k = 0; k < sum.size(); ++k) {
                sum[k] += found[k] / draws;
                square[k] += found[k] * found[k] / draws;
            }
        }
        for (std::size_t k = 0; k < sum.size(); ++k) {
            CAPTURE(quantities[k].name);
            const double deviation = std::sqrt(square[k] - sum[k] * sum[k]);
            CHECK(std::abs(sum[k]) < 4.0 * deviation / std::sqrt(draws));
            // As predicted for many, to 1/N and to the noise of a variance with heavy tails.
            if (n == 90)
                CHECK(std::abs(deviation / quantities[k].expected->deviation - 1.0) < 0.12);
        }
    }
}
