// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/oracle.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>
#include <rapidcheck.h>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double mixture_cutoff = 2.0, mixture_inner = 1.5;

/// Two species, forces with a continuous derivative so that a pair at the cut-off does not matter.
const std::string mixture = fmt::format(R"(
[[force]]
type = "lennard-jones"
cutoff = {}
inner = {}
truncation = "smooth-c2"
pairs = [
    {{ species = ["A", "A"], epsilon = 1.0, sigma = 1.0 }},
    {{ species = ["A", "B"], epsilon = 1.3, sigma = 0.9 }},
    {{ species = ["B", "B"], epsilon = 0.7, sigma = 0.8 }},
]
)",
                                        mixture_cutoff, mixture_inner);

const oracle::Pair& mixture_pair(int a, int b) {
    static const auto make = [](double epsilon, double sigma) {
        return oracle::Pair{oracle::smoothed(oracle::lennard_jones(epsilon, sigma), mixture_inner,
                                             mixture_cutoff, 3),
                            mixture_cutoff};
    };
    static const oracle::Pair table[3] = {make(1.0, 1.0), make(1.3, 0.9), make(0.7, 0.8)};
    return table[a + b];
}

/// A jittered lattice of both species that fills its box; nearest distances about 0.85 at least.
template <int Dim>
Setup<Dim> random_setup(unsigned seed, bool periodic) {
    const int side = Dim == 1 ? 60 : Dim == 2 ? 9 : 5;
    const double spacing = 1.1;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> directions;
    lengths.fill(spacing * side);
    directions.fill(periodic);
    Setup<Dim> setup{periodic ? Box<Dim>(lengths, directions) : Box<Dim>(), {}, units_named("lj")};
    const int n = static_cast<int>(std::lround(std::pow(side, Dim)));
    setup.start.position = jittered_points<Dim>(n, spacing, 0.07, seed);
    std::mt19937 random(seed + 1);
    std::normal_distribution<double> normal;
    setup.start.species_table = {{"A", 1.0, 0.0}, {"B", 2.5, 0.0}};
    for (int i = 0; i < n; ++i) {
        setup.start.species.push_back(static_cast<std::uint16_t>(random() % 2));
        std::array<double, Dim> p;
        for (double& component : p) component = normal(random);
        setup.start.momentum.push_back(p);
        setup.start.image.push_back({});
    }
    return setup;
}

template <int Dim>
oracle::Result<Dim> exact(const Setup<Dim>& setup) {
    const std::vector<int> species(setup.start.species.begin(), setup.start.species.end());
    return oracle::evaluate<Dim>(setup.start.position, species, setup.box.view(), mixture_pair);
}

/// How wrong the force on a particle may be, relative to the sum over its pairs of |f| + |r f'|.
/// Each coordinate difference of a pair is rounded thrice (both positions and the difference): of
/// the state to the largest coordinate, in the pair kernel (if in float) to distances from a
/// cluster, at most 4. Distances are 0.85 at least. Some 30 roundings follow in the potential.
template <int Dim>
double rounding(const Setup<Dim>& setup, bool pair_is_double) {
    double reach = 4.0;
    for (const auto& x : setup.start.position)
        for (const double component : x) reach = std::max(reach, std::abs(component));
    const double state = 0x1p-53;
    const double pair = pair_is_double ? 0x1p-53 : 0x1p-24;
    return 3.0 * std::sqrt(Dim) * (state * reach + pair * 4.0) / 0.85 + 30.0 * pair;
}

/// The forces of `changed`, taken back to the frame of `setup` by `back`, are those of `setup`.
template <int Dim, class Back>
double worst_force(const TestBackend& where, bool pair_is_double, const Setup<Dim>& setup,
                   const Setup<Dim>& changed, Back back) {
    World<Dim> a(where, setup, mixture, pair_is_double);
    World<Dim> b(where, changed, mixture, pair_is_double);
    const Vectors<Dim> f = a.forces(), g = back(b.forces());
    const auto scale = exact(setup).force_scale;
    const double unit =
        rounding<Dim>(setup, pair_is_double) + rounding<Dim>(changed, pair_is_double);
    double worst = 0.0;
    for (std::size_t i = 0; i < f.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            worst = test::larger(worst, std::abs(f[i][d] - g[i][d]) / (unit * scale[i]));
    return worst;
}

template <int Dim>
void check_symmetries(const TestBackend& where, bool pair_is_double) {
    const auto same = [](const Vectors<Dim>& f) { return f; };
    CHECK(rc::check("translation", [&] {
        const bool periodic = *rc::gen::arbitrary<bool>();
        const Setup<Dim> setup = random_setup<Dim>(*rc::gen::arbitrary<unsigned>(), periodic);
        Setup<Dim> moved = setup;
        std::array<double, Dim> shift;
        for (double& s : shift) s = 0.001 * *rc::gen::inRange(-3000, 3000);
        for (auto& x : moved.start.position)
            for (std::size_t d = 0; d < Dim; ++d) x[d] += shift[d];
        RC_ASSERT((worst_force<Dim>(where, pair_is_double, setup, moved, same)) < 1.0);
    }));
    CHECK(rc::check("other names for the particles", [&] {
        const unsigned seed = *rc::gen::arbitrary<unsigned>();
        const Setup<Dim> setup = random_setup<Dim>(seed, true);
        std::vector<std::size_t> other(setup.start.size());
        for (std::size_t i = 0; i < other.size(); ++i) other[i] = i;
        std::shuffle(other.begin(), other.end(), std::mt19937(seed));
        Setup<Dim> renamed = setup;
        for (std::size_t i = 0; i < other.size(); ++i) {
            renamed.start.position[other[i]] = setup.start.position[i];
            renamed.start.species[other[i]] = setup.start.species[i];
        }
        const auto back = [&other](const Vectors<Dim>& f) {
            Vectors<Dim> g(f.size());
            for (std::size_t i = 0; i < f.size(); ++i) g[i] = f[other[i]];
            return g;
        };
        // Memory order follows from positions alone, and with it every sum: the same bits.
        RC_ASSERT((worst_force<Dim>(where, pair_is_double, setup, renamed, back)) == 0.0);
    }));
    CHECK(rc::check("periodic images", [&] {
        const unsigned seed = *rc::gen::arbitrary<unsigned>();
        const Setup<Dim> setup = random_setup<Dim>(seed, true);
        Setup<Dim> moved = setup;
        std::mt19937 random(seed);
        for (auto& x : moved.start.position)
            for (std::size_t d = 0; d < Dim; ++d)
                x[d] += setup.box.lengths()[d] * (static_cast<int>(random() % 3) - 1);
        RC_ASSERT((worst_force<Dim>(where, pair_is_double, setup, moved, same)) < 1.0);
    }));
    if constexpr (Dim > 1) {
        CHECK(rc::check("rotation", [&] {
            const Setup<Dim> setup = random_setup<Dim>(*rc::gen::arbitrary<unsigned>(), false);
            // Planar rotations by any angles, one after the other, make any rotation.
            double angle[3];
            for (double& a : angle) a = 0.001 * *rc::gen::inRange(-3000, 3000);
            const auto turn = [&angle](std::array<double, Dim>& x, bool back) {
                const int turns = Dim == 2 ? 1 : 3;
                for (int k = 0; k < turns; ++k) {
                    const int t = back ? turns - 1 - k : k;
                    const auto a = static_cast<std::size_t>(t % Dim);
                    const std::size_t b = (a + 1) % Dim;
                    const double c = std::cos(angle[t]);
                    const double s = back ? -std::sin(angle[t]) : std::sin(angle[t]);
                    const double xa = c * x[a] - s * x[b];
                    x[b] = s * x[a] + c * x[b];
                    x[a] = xa;
                }
            };
            Setup<Dim> turned = setup;
            for (auto& x : turned.start.position) turn(x, false);
            const auto back = [&turn](Vectors<Dim> f) {
                for (auto& component : f) turn(component, true);
                return f;
            };
            RC_ASSERT((worst_force<Dim>(where, pair_is_double, setup, turned, back)) < 1.0);
        }));
    }
}

template <int Dim>
void check_third_law(const TestBackend& where, bool pair_is_double) {
    const Setup<Dim> setup = random_setup<Dim>(5, true);
    World<Dim> world(where, setup, mixture, pair_is_double);
    const auto reference = exact(setup);
    const double unit = rounding<Dim>(setup, pair_is_double);
    double scale = 0.0;
    for (const double s : reference.force_scale) scale += s * s;
    scale = std::sqrt(scale);
    const Vectors<Dim> forces = world.forces();
    std::array<double, Dim> total{};
    for (const auto& f : forces)
        for (std::size_t d = 0; d < Dim; ++d) total[d] += f[d];
    CAPTURE(Dim, pair_is_double, scale, unit);
    // The errors of different particles have different signs: four standard deviations at least.
    for (const double component : total) CHECK(std::abs(component) < 4.0 * unit * scale);
    for (std::size_t i = 0; i < forces.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            CHECK(std::abs(forces[i][d] - reference.force[i][d]) <
                  2.0 * unit * reference.force_scale[i]);
    // Over a run every step adds at most its total force, and the rounding of momenta of a few
    // units; the scale of forces at most triples when the lattice melts.
    const auto before = world.momentum();
    const int steps = 400;
    const double dt = 0.002;
    world.run(*read_integrator("method = \"verlet\"\ndt = 0.002"), steps);
    const auto after = world.momentum();
    const double state = 0x1p-53;
    const double bound = steps * (3.0 * 4.0 * unit * scale * dt +
                                  2.0 * 4.0 * state * static_cast<double>(setup.start.size()));
    for (std::size_t d = 0; d < Dim; ++d) CHECK(std::abs(after[d] - before[d]) < bound);
}

/// -dU/dx of some particles and -dU/d(ln of all lengths) by five-point differences.
template <int Dim>
void check_derivatives(const TestBackend& where, bool periodic) {
    const Setup<Dim> setup = random_setup<Dim>(7, periodic);
    World<Dim> world(where, setup, mixture);
    const Vectors<Dim> forces = world.forces();
    const auto energy_of = [&](const Setup<Dim>& changed) {
        return World<Dim>(where, changed, mixture).potential();
    };
    const auto slope = [](double h, auto energy) {
        return (8.0 * (energy(h) - energy(-h)) - (energy(2.0 * h) - energy(-2.0 * h))) / (12.0 * h);
    };
    // The energy (about 1000) is rounded to 1e-13, so slopes to 1e-13 / h; the formula leaves
    // h^4 / 30 of a fifth derivative below 1e8, and h^2 of a jump of the third (about 100, of
    // pairs near the ends of the smooth part).
    const double h = 1e-5;
    CAPTURE(Dim, periodic);
    for (const std::size_t i : {std::size_t{0}, std::size_t{17}, setup.start.size() - 1})
        for (std::size_t d = 0; d < Dim; ++d) {
            const double numerical = -slope(h, [&](double step) {
                Setup<Dim> changed = setup;
                changed.start.position[i][d] += step;
                return energy_of(changed);
            });
            CHECK(std::abs(numerical - forces[i][d]) < 1e-7);
        }
    // Stretched along a, or sheared: a cuboid box allows the second only where it is open.
    const SymmetricTensor<Dim> virial = world.virial();
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t b = a; b < (periodic ? a + 1 : Dim); ++b) {
            const double numerical = -slope(h, [&](double step) {
                Setup<Dim> changed = setup;
                std::array<double, Dim> lengths = setup.box.lengths();
                lengths[a] *= 1.0 + step;
                if (periodic) changed.box = Box<Dim>(lengths, setup.box.periodic());
                for (auto& x : changed.start.position) x[a] += step * x[b];
                return energy_of(changed);
            });
            const double found =
                virial.component[tensor_index<Dim>(static_cast<int>(a), static_cast<int>(b))];
            CAPTURE(a, b, found, numerical);
            CHECK(std::abs(numerical - found) < 1e-6);
            CHECK(std::abs(found) > 0.01);
        }
}

} // namespace

TEST_CASE("forces follow the particles through every symmetry") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_symmetries<1>(where, true);
    check_symmetries<2>(where, true);
    check_symmetries<3>(where, true);
    check_symmetries<2>(where, false);
    check_symmetries<3>(where, false);
}

TEST_CASE("forces balance, and momentum stays") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    check_third_law<1>(where, true);
    check_third_law<2>(where, true);
    check_third_law<3>(where, true);
    check_third_law<1>(where, false);
    check_third_law<2>(where, false);
    check_third_law<3>(where, false);
}

TEST_CASE("forces and virial are derivatives of the energy") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    for (const bool periodic : {true, false}) {
        check_derivatives<1>(where, periodic);
        check_derivatives<2>(where, periodic);
        check_derivatives<3>(where, periodic);
    }
}

TEST_CASE("a moving observer sees the same motion") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    const Setup<3> setup = random_setup<3>(9, true);
    const std::array<double, 3> velocity = {1.7, -0.9, 0.4};
    Setup<3> boosted = setup;
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
            boosted.start.momentum[i][d] +=
                setup.start.species_table[setup.start.species[i]].mass * velocity[d];
    World<3> a(where, setup, mixture), b(where, boosted, mixture);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
    const int steps = 200;
    a.run(*verlet, steps);
    b.run(*verlet, steps);
    // An orbit that starts 1e-9 aside shows by how much errors grow; each step rounds positions in
    // the box once more.
    Setup<3> aside = setup;
    aside.start.position[0][0] += 1e-9;
    World<3> c(where, aside, mixture);
    c.run(*verlet, steps);
    const double growth = largest_difference<3>(a.places(), c.places()) / 1e-9;
    Vectors<3> expected = a.places();
    for (auto& x : expected)
        for (std::size_t d = 0; d < 3; ++d) x[d] += velocity[d] * 0.004 * steps;
    const double error = largest_difference<3>(expected, b.places());
    CAPTURE(growth, error);
    CHECK(error < 2.0 * steps * 0x1p-53 * 5.5 * growth);
    CHECK(error < 1e-9);
}
