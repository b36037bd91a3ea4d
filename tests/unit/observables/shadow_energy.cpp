// SPDX-License-Identifier: BSD-3-Clause
/// The shadow energy of particles: against second derivatives by other differences, and conserved.
#include "shadow/observables/shadow_energy.hpp"

#include "support/catch.hpp"
#include "support/lennard_jones.hpp"
#include "support/world.hpp"

#include "shadow/integrators/composition.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

const char* const smooth_mixture = R"(
[[force]]
type = "lennard-jones"
truncation = "smooth-c2"
inner = 1.8
cutoff = 2.3
pairs = [
  { species = ["A", "A"], epsilon = 1.0, sigma = 1.0 },
  { species = ["A", "B"], epsilon = 1.5, sigma = 0.9 },
  { species = ["B", "B"], epsilon = 0.5, sigma = 0.95 },
]
)";

template <int Dim>
Setup<Dim> shadow_liquid(std::size_t species, bool open = false) {
    return warm_lattice<Dim>(Dim == 2 ? 12 : 7, 0.8, !open, species);
}

template <int Dim>
double shadow_of(World<Dim>& world, const ShadowTerms& terms, double dt) {
    Array<double> row(world.backend, 1);
    world.system().prepare_observation(true);
    ShadowEnergy<Dim>(terms, dt).enqueue(world.system(), row.data());
    return row.get(0);
}

/// Forces by level in use, in id order, of particles moved along their velocities for a time.
template <int Dim>
std::vector<Vectors<Dim>> forces_along(const TestBackend& where, Setup<Dim> setup,
                                       const std::string& input, double time) {
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            setup.start.position[i][d] += time * setup.start.momentum[i][d] /
                                          setup.start.species_table[setup.start.species[i]].mass;
    World<Dim> world(where, setup, input);
    world.system().prepare_observation(true);
    std::vector<Vectors<Dim>> all;
    const Snapshot<Dim> now = world.system().snapshot();
    const TotalForce<Dim> force = world.system().force();
    std::vector<std::uint32_t> id(now.size());
    detail::copy_to_host(world.backend, id.data(), world.system().particles().id,
                         id.size() * sizeof(id[0]));
    for (int k = 0; k < force.count; ++k) {
        Vectors<Dim>& level = all.emplace_back(now.size());
        std::vector<double> component(now.size());
        for (std::size_t d = 0; d < Dim; ++d) {
            detail::copy_to_host(world.backend, component.data(), force.component[k][d],
                                 component.size() * sizeof(double));
            for (std::size_t i = 0; i < id.size(); ++i) level[id[i]][d] = component[i];
        }
    }
    return all;
}

/// What terms add to the energy, from forces here and a little way along the velocities; and the
/// sum of its three parts without their signs.
struct Added {
    double sum = 0.0, size = 0.0;
};

template <int Dim>
Added added(const TestBackend& where, const Setup<Dim>& setup, const std::string& input,
            const ShadowTerms& terms) {
    constexpr double little = 1e-4;
    const auto here = forces_along(where, setup, input, 0.0),
               ahead = forces_along(where, setup, input, little),
               behind = forces_along(where, setup, input, -little);
    double along = 0.0, curvature = 0.0, products = 0.0;
    for (std::size_t l = 0; l < here.size(); ++l)
        for (std::size_t i = 0; i < setup.start.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) {
                const double mass = setup.start.species_table[setup.start.species[i]].mass,
                             v = setup.start.momentum[i][d] / mass;
                along += terms.along[l] * v * here[l][i][d];
                curvature -=
                    terms.curvature[l] * v * (ahead[l][i][d] - behind[l][i][d]) / (2.0 * little);
                for (std::size_t k = 0; k < here.size(); ++k)
                    products += terms.product[k][l] * here[k][i][d] * here[l][i][d] / mass;
            }
    return {along + curvature + products,
            std::abs(along) + std::abs(curvature) + std::abs(products)};
}

template <int Dim>
void check_added(const std::string& input, const char* word, std::size_t species, bool open) {
    const double dt = 0.004;
    const ShadowTerms terms = *shadow_terms(parse_word(word, 2), dt);
    const Setup<Dim> setup = shadow_liquid<Dim>(species, open);
    const Added expected = added(best_processor(), setup, input, terms);
    for (const TestBackend& where : every_processor())
        for (const bool pair_is_double : {true, false}) {
            World<Dim> world(where, setup, input, pair_is_double);
            const double energy = world.energy();
            const double found = shadow_of(world, terms, dt) - energy;
            CAPTURE(where.name, Dim, word, open, pair_is_double, expected.sum, expected.size,
                    found);
            // The way of the difference is dt / 4: off by its square. In mixed precision forces are
            // good to 1e-6, and differences of them divided by that way.
            CHECK(std::abs(found - expected.sum) < (pair_is_double ? 1e-3 : 5e-3) * expected.size);
        }
}

} // namespace

TEST_CASE("the shadow energy has second derivatives along velocities, on every processor") {
    for (const char* word : {"B½ A1 B½", "A½ B1 A½", "B1 A1"}) {
        check_added<2>(smooth_mixture, word, 2, false);
        check_added<3>(smooth_mixture, word, 2, false);
    }
    check_added<3>(smooth_mixture, "B½ A1 B½", 2, true);
    check_added<2>(smooth_split, "S½ (F½ A1 F½)^n S½", 1, false);
    check_added<3>(smooth_split, "S½ (F½ A1 F½)^n S½", 1, false);
}

TEST_CASE("the shadow energy is conserved to the fourth order of the step") {
    const auto most = [](double dt) {
        World<2> world(best_processor(), shadow_liquid<2>(2), smooth_mixture);
        const auto verlet = read_integrator("method = \"verlet\"\ndt = " + std::to_string(dt));
        verlet->prepare(world.system());
        const ShadowTerms terms = *verlet->shadow_terms();
        const double energy = world.energy(), shadow = shadow_of(world, terms, dt);
        std::array<double, 2> change{};
        for (int k = 0; k < std::lround(1.0 / dt); ++k) {
            verlet->step(world.system());
            change[0] = std::max(change[0], std::abs(world.energy() - energy));
            change[1] = std::max(change[1], std::abs(shadow_of(world, terms, dt) - shadow));
        }
        return change;
    };
    const auto coarse = most(0.004), fine = most(0.002);
    CAPTURE(coarse[0], coarse[1], fine[0], fine[1]);
    CHECK(std::abs(std::log2(coarse[0] / fine[0]) - 2.0) < 0.3);
    CHECK(std::abs(std::log2(coarse[1] / fine[1]) - 4.0) < 0.5);
    CHECK(fine[1] < 0.02 * fine[0]);
}

TEST_CASE("looking at the shadow energy leaves the motion as it is") {
    for (const TestBackend& where : best_processors())
        for (const bool pair_is_double : {true, false}) {
            CAPTURE(where.name, pair_is_double);
            const double dt = 0.004;
            World<3> looked(where, shadow_liquid<3>(2), smooth_mixture, pair_is_double),
                left(where, shadow_liquid<3>(2), smooth_mixture, pair_is_double);
            const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
            const ShadowTerms terms = *verlet->shadow_terms();
            for (int k = 0; k < 60; ++k) {
                looked.run(*verlet, 1);
                left.run(*verlet, 1);
                looked.system().prepare_observation(true);
                left.system().prepare_observation(true);
                if (k % 7 == 0) (void)shadow_of(looked, terms, dt);
            }
            const auto a = looked.system().snapshot(), b = left.system().snapshot();
            CHECK(a.position == b.position);
            CHECK(a.momentum == b.momentum);
        }
}
