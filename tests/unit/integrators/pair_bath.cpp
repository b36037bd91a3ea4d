// SPDX-License-Identifier: BSD-3-Clause
// Baths that act between pairs of particles.
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include "kernels/eigensystem.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double pair_kT = 0.7;

/// Some particles of masses 1 and 2 in the open, of which most are near some others within 1.
template <int Dim>
Setup<Dim> handful(std::size_t count = 6) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> side(0.0, Dim == 1 ? 2.5 : Dim == 2 ? 1.4 : 1.0);
    Vectors<Dim> points(count);
    for (auto& x : points)
        for (double& component : x) component = side(random);
    std::array<double, Dim> lengths{};
    std::array<bool, Dim> nowhere{};
    return setup_of<Dim>(points, Box<Dim>(lengths, nowhere), 2);
}

using Momenta = std::vector<double>; ///< of all particles, one after the other
using Matrix = std::vector<Momenta>;

Matrix zeros(std::size_t n) {
    return Matrix(n, Momenta(n, 0.0));
}

void add_product(Matrix& sum, const Momenta& p, double weight) {
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = 0; j < p.size(); ++j) sum[i][j] += weight * p[i] * p[j];
}

/// Momenta by one flow of a bath from given ones.
template <int Dim>
class Flows {
  public:
    Flows(const TestBackend& where, const Setup<Dim>& setup, const BathFlow& flow)
        : world_(where, setup, "", true, 1, flow.radius), flow_(flow) {
        for (const std::uint16_t species : setup.start.species)
            for (int d = 0; d < Dim; ++d) mass.push_back(setup.start.species_table[species].mass);
    }

    Momenta operator()(const Momenta& before, double kT) {
        ParticleSystem<Dim>& system = world_.system();
        Vectors<Dim> p(world_.size());
        for (std::size_t k = 0; k < before.size(); ++k) p[k / Dim][k % Dim] = before[k];
        system.set_momenta(p);
        flow_.kT = kT;
        system.bath(flow_, 0);
        system.end_step(flow_.t); // other numbers for the next one
        p = system.snapshot().momentum;
        Momenta after(before.size());
        for (std::size_t k = 0; k < after.size(); ++k) after[k] = p[k / Dim][k % Dim];
        return after;
    }
    World<Dim>& world() { return world_; }

    std::vector<double> mass; ///< by component

  private:
    World<Dim> world_;
    BathFlow flow_;
};

/// Largest deviation of a mean over `samples` of x x^T from `expected`, in units of its error where
/// x is normal.
double largest_deviation(const Matrix& mean, const Matrix& expected, double samples) {
    double largest = 0.0;
    for (std::size_t i = 0; i < mean.size(); ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            const double variance =
                (expected[i][i] * expected[j][j] + expected[i][j] * expected[i][j]) / samples;
            largest = larger(largest, std::abs(mean[i][j] - expected[i][j]) / std::sqrt(variance));
        }
    return largest;
}

} // namespace

TEST_CASE("eigenvalues and eigenvectors make the tensor again") {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    for (int k = 0; k < 1000; ++k) {
        SymmetricTensor<3> tensor;
        for (double& component : tensor.component) component = k == 0 ? 0.0 : normal(random);
        if (k % 3 == 0) tensor.component[4] = tensor.component[5] = 0.0;
        const Eigensystem<3> found(tensor);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                double sum = 0.0, product = 0.0;
                for (int e = 0; e < 3; ++e) {
                    sum += found.value[e] * found.vector[i][e] * found.vector[j][e];
                    product += found.vector[i][e] * found.vector[j][e];
                }
                CHECK(std::abs(sum - tensor.component[tensor_index<3>(i, j)]) < 2e-14);
                CHECK(std::abs(product - (i == j ? 1.0 : 0.0)) < 5e-15);
            }
    }
}

TEMPLATE_TEST_CASE_SIG("friction and noise of pairs keep the distribution of momenta", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    Flows<Dim> flow(where, handful<Dim>(), {BathKind::pair_friction, 2.0, 1.0, 0.0, 1.0});
    const std::size_t n = flow.mass.size();
    Matrix by_unit, noise = zeros(n), expected = zeros(n);
    double changed = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        Momenta unit(n, 0.0);
        unit[k] = 1.0;
        by_unit.push_back(flow(unit, 0.0));
        changed = larger(changed, 1.0 - by_unit[k][k]);
    }
    CHECK(changed > 0.3); // of which an error of second order would show
    // What friction leaves of the variance; where it takes nothing there is no noise but rounding.
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j) expected[i][j] = pair_kT * flow.mass[i] + 1e-12;
            for (std::size_t k = 0; k < n; ++k)
                expected[i][j] -= by_unit[k][i] * pair_kT * flow.mass[k] * by_unit[k][j];
        }
    const int samples = 20000;
    for (int k = 0; k < samples; ++k)
        add_product(noise, flow(Momenta(n, 0.0), pair_kT), 1.0 / samples);
    flow.world().system().check_status();
    CHECK(largest_deviation(noise, expected, samples) < 5.0); // of up to 171 normal deviates
}

TEMPLATE_TEST_CASE_SIG("a pair alone has exact friction, however strong", "", ((int Dim), Dim), 1,
                       2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    const double radius = 2.0, distance = 0.6;
    for (const double t : {0.01, 1.0, 100.0}) {
        Vectors<Dim> points(2);
        points[1][0] = distance;
        std::array<double, Dim> lengths{};
        Flows<Dim> flow(where, setup_of<Dim>(points, Box<Dim>(lengths, {}), 2),
                        {BathKind::pair_friction, t, 0.8, 0.0, radius});
        Momenta before(flow.mass.size(), 0.0);
        before[0] = 0.3;
        before[Dim] = -0.9;
        if (Dim > 1) before[Dim + 1] = 0.4; // across the line
        const Momenta after = flow(before, 0.0);
        const auto apart = [&](const Momenta& p) {
            return p[Dim] / flow.mass[Dim] - p[0] / flow.mass[0];
        };
        const double weight = std::pow(1.0 - distance / radius, 2.0),
                     kept = std::exp(-2.0 * 0.8 * t * weight);
        CHECK(std::abs(apart(after) - kept * apart(before)) < 1e-15);
        CHECK(std::abs(after[0] + after[Dim] - before[0] - before[Dim]) < 2e-16);
        if (Dim > 1) CHECK(after[Dim + 1] == before[Dim + 1]);
        const int samples = 4000;
        double square = 0.0;
        for (int k = 0; k < samples; ++k)
            square += std::pow(apart(flow(Momenta(before.size(), 0.0), pair_kT)), 2.0) / samples;
        flow.world().system().check_status();
        const double known = pair_kT * 1.5 * (1.0 - kept * kept); // over the reduced mass 2/3
        CHECK(std::abs(square / known - 1.0) < 5.0 * std::sqrt(2.0 / samples));
    }
}

TEMPLATE_TEST_CASE_SIG("each pair exchanges at its rate, and keeps the distribution of momenta", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    const Setup<Dim> setup = handful<Dim>();
    const std::size_t count = setup.start.size();
    const double probability = 0.05;
    Flows<Dim> flow(where, setup, {BathKind::pair_exchange, 0.1, 0.5, 0.0, 1.0});
    const std::size_t n = flow.mass.size();
    Matrix acted = zeros(count), moments = zeros(n), maxwell = zeros(n);
    for (std::size_t k = 0; k < n; ++k) maxwell[k][k] = pair_kT * flow.mass[k];
    std::mt19937 random(9);
    std::normal_distribution<double> normal;
    const int samples = 20000;
    for (int k = 0; k < samples; ++k) {
        Momenta before(n);
        for (std::size_t c = 0; c < n; ++c) before[c] = std::sqrt(maxwell[c][c]) * normal(random);
        const Momenta after = flow(before, pair_kT);
        add_product(moments, after, 1.0 / samples);
        const auto given = [&](std::size_t i) {
            std::array<double, Dim> change;
            for (std::size_t d = 0; d < Dim; ++d)
                change[d] = after[Dim * i + d] - before[Dim * i + d];
            return change;
        };
        for (std::size_t i = 0; i < count; ++i) {
            if (length_of<Dim>(given(i)) == 0.0) continue;
            int partners = 0;
            for (std::size_t j = 0; j < count; ++j) {
                std::array<double, Dim> both = given(i);
                for (std::size_t d = 0; d < Dim; ++d) both[d] += given(j)[d];
                if (j == i || length_of<Dim>(both) > 1e-14) continue; // momenta up to 5 are rounded
                ++partners;
                acted[i][j] += 1.0;
            }
            CHECK(partners == 1);
        }
    }
    CHECK(largest_deviation(moments, maxwell, samples) < 5.0);
    int pairs = 0;
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const bool near =
                length_of<Dim>(between<Dim>(setup.start.position[i], setup.start.position[j],
                                            setup.box)) < 1.0;
            CAPTURE(i, j, acted[i][j]);
            pairs += near ? 1 : 0;
            if (near)
                CHECK(std::abs(acted[i][j] - probability * samples) <
                      5.0 * std::sqrt(probability * samples));
            else
                CHECK(acted[i][j] == 0.0);
        }
    CHECK(pairs > static_cast<int>(count) / 2); // some share a particle
}

TEST_CASE("friction between pairs that a step does not resolve ends the run") {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    Setup<3> setup = warm_lattice<3>(6, pair_kT);
    World<3> world(where, setup, "", true, 1, 2.5);
    world.system().bath({BathKind::pair_friction, 0.01, 1.0, pair_kT, 2.5}, 0);
    world.system().check_status();
    world.system().bath({BathKind::pair_friction, 10.0, 1.0, pair_kT, 2.5}, 0);
    std::string error;
    try {
        world.system().check_status();
    } catch (const SimulationError& ended) {
        error = ended.what();
    }
    CHECK(contains(error, "friction between pairs"));
    CHECK(contains(error, "smaller dt"));
}

TEMPLATE_TEST_CASE_SIG("baths of pairs conserve momentum, and count their heat", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(every_processor()));
    const std::string bath =
        GENERATE("method = \"dpd\"\nfriction = 3.0", "method = \"lowe-andersen\"\nrate = 2.0");
    const bool is_double = GENERATE(false, true);
    CAPTURE(where.name, bath, is_double);
    const int side = Dim == 1 ? 300 : Dim == 2 ? 18 : 8;
    const std::string force =
        "[[force]]\ntype = \"harmonic-contact\"\nstiffness = 25.0\ndiameter = 1.2\n";
    const auto method = read_integrator(bath + "\ndt = 0.01\ntemperature = 0.7\nradius = 1.5");
    World<Dim> world(where, warm_lattice<Dim>(side, pair_kT), force, is_double, 1, 1.5);
    const int steps = 100;
    const double kinetic = world.system().kinetic_energy(), before = world.energy();
    const auto start = world.momentum();
    double heat = 0.0, swing = 0.0;
    for (int k = 0; k < steps; ++k) {
        world.run(*method, 1);
        heat = larger(heat, std::abs(world.system().bath_heat()));
        swing = larger(swing, std::abs(world.energy() - world.system().bath_heat() - before));
    }
    world.system().check_status();
    CHECK(heat > 0.01 * kinetic);
    // The energy error of a step of 0.01, of second order.
    CHECK(swing < 0.02 * kinetic);
    // Momenta of 1, rounded in each of `steps` baths at random; in mixed precision forces are added
    // in float, and of each particle 6e-8 of what its pairs give it (25 dt at most) is left.
    const double one = is_double ? 4e-16 : 6e-8 * 0.25;
    for (std::size_t d = 0; d < Dim; ++d)
        CHECK(std::abs(world.momentum()[d] - start[d]) <
              5.0 * one *
                  std::sqrt(static_cast<double>(steps) * static_cast<double>(world.size()) * 10.0));
}

TEST_CASE("baths of pairs do not depend on threads, and are the same on all backends") {
    const std::string bath =
        GENERATE("method = \"dpd\"\nfriction = 3.0", "method = \"lowe-andersen\"\nrate = 2.0");
    const auto method = read_integrator(bath + "\ndt = 0.01\ntemperature = 0.7\nradius = 1.5");
    const std::string force =
        "[[force]]\ntype = \"harmonic-contact\"\nstiffness = 25.0\ndiameter = 1.2\n";
    const auto momenta = [&](const TestBackend& where) {
        World<3> world(where, warm_lattice<3>(12, pair_kT), force, true, 1, 1.5);
        world.run(*method, 60);
        return world.system().snapshot().momentum;
    };
    const Vectors<3> known = momenta(best_processor(1));
    // Noise of `dpd` is in single precision, in which functions of packs and of a GPU differ by
    // some 1e-7: of an impulse of 0.2 at each of 60 steps.
    const double noise_of_gpus = bath.find("dpd") == std::string::npos ? 1e-10 : 3e-6;
    for (const TestBackend& where : test_backends()) {
        CAPTURE(bath, where.name);
        const Vectors<3> found = momenta(where);
        if (!where.cuda && where.isa == best_processor().isa)
            CHECK(found == known);
        else // rounding, and how it grows in a time of 0.6
            CHECK(largest_difference<3>(found, known) < (where.cuda ? noise_of_gpus : 1e-10));
    }
}

TEST_CASE("no pair draws numbers of another one") {
    const std::uint64_t seed = 7, step = 3;
    const Philox one = Philox::of_pair(seed, 16, 4, 9, step);
    const auto same = [&](const Philox& other) { return std::equal(one.x, one.x + 4, other.x); };
    CHECK(same(Philox::of_pair(seed, 16, 9, 4, step)));
    CHECK_FALSE(same(Philox::of_pair(seed, 16, 4, 10, step)));
    CHECK_FALSE(same(Philox::of_pair(seed, 17, 4, 9, step)));
    CHECK_FALSE(same(Philox::of_pair(seed, 16, 4, 9, step, 1)));
    CHECK_FALSE(same(Philox::of_pair(seed, 16, 4, 9, step + 1)));
    CHECK_FALSE(same(Philox::of_pair(seed + 1, 16, 4, 9, step)));
    CHECK_FALSE(same(Philox::of_pair(seed, 16, 4, 9, step + (std::uint64_t{1} << 32))));
}
