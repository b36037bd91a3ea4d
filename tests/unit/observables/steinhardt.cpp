// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/steinhardt.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/system/lattice.hpp"

#include <cmath>

using namespace shadow;

namespace {

struct Measured {
    std::vector<double> row;
    std::vector<std::vector<double>> particles;
};

Measured measure(const Backend& backend, const std::vector<std::array<double, 3>>& points,
                 const std::array<double, 3>& lengths, double radius) {
    const Box<3> box(lengths, {true, true, true});
    Snapshot<3> start;
    start.species_table = {{"A"}};
    start.position = points;
    start.momentum.assign(points.size(), {});
    start.image.assign(points.size(), {});
    start.species.assign(points.size(), 0);
    SteinhardtOrder order(radius, true, true);
    Neighbours<3> neighbours(backend, box, 16, 0.1);
    declare_list<3>(neighbours, order);
    ParticleSystem<3> system(backend, box, start, 1, std::move(neighbours), {});
    system.prepare_observation(false);
    Array<double> row(backend, order.width());
    order.enqueue(system, row.data());
    return {row.to_host(), order.measure_particles(system)};
}

} // namespace

TEST_CASE("q_4 and q_6 of perfect crystals, each by itself and all together") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    // Steinhardt, Nelson and Ronchetti 1983; from the closed forms: fcc sqrt(7/192), sqrt(169/512);
    // bcc with 14 neighbours (8 [111] and 6 [100]); sc sqrt(7/12), sqrt(1/8).
    struct Crystal {
        const char* name;
        double radius, neighbours, q4, q6;
    };
    // Of bcc the mean of both shells: q_lm of 8 [111] bonds and of 6 [100] bonds have opposite
    // signs for l = 4 (-sqrt(7/27), sqrt(7/12)) and the same for l = 6 (16/27 sqrt(2), sqrt(1/8)).
    const double bcc4 = (8.0 * -std::sqrt(7.0 / 27.0) + 6.0 * std::sqrt(7.0 / 12.0)) / 14.0;
    const double bcc6 = (8.0 * 4.0 / 9.0 * std::sqrt(2.0) + 6.0 * std::sqrt(1.0 / 8.0)) / 14.0;
    const Crystal crystals[] = {
        {"fcc", 0.85, 12.0, std::sqrt(7.0 / 192.0), std::sqrt(169.0 / 512.0)},
        {"sc", 1.2, 6.0, std::sqrt(7.0 / 12.0), std::sqrt(1.0 / 8.0)},
        {"bcc", 1.2, 14.0, std::abs(bcc4), bcc6},
    };
    for (const Crystal& crystal : crystals) {
        CAPTURE(crystal.name);
        const auto points = lattice_points<3>(lattice_cell<3>(crystal.name), {4, 4, 4}, 1.0);
        const Measured found = measure(backend, points, {4.0, 4.0, 4.0}, crystal.radius);
        const double expected[] = {crystal.q4, crystal.q6, crystal.neighbours, crystal.q4,
                                   crystal.q6};
        for (std::size_t k = 0; k < 5; ++k) CHECK(std::abs(found.row.at(k) - expected[k]) < 1e-6);
        REQUIRE(found.particles.size() == 3);
        for (std::size_t k = 0; k < 3; ++k)
            for (const double q : found.particles[k]) CHECK(std::abs(q - expected[k]) < 1e-6);
    }
}

TEST_CASE("q_4 and q_6 do not depend on how the neighbours are turned, and are by id") {
    const Backend backend = Backend::cpu(1);
    // A particle with two neighbours at a right angle, one with one, one with none.
    const auto points = [](double a, double b) {
        const double c = std::cos(a), s = std::sin(a), e = std::cos(b), f = std::sin(b);
        // The columns of a rotation about z and then about x.
        const std::array<double, 3> u{c, s * e, s * f}, v{-s, c * e, c * f};
        std::vector<std::array<double, 3>> all{{5.0, 5.0, 5.0}};
        for (const auto& w : {u, v}) all.push_back({5.0 + w[0], 5.0 + w[1], 5.0 + w[2]});
        all.push_back({1.0, 1.0, 1.0});
        return all;
    };
    // Two bonds at an angle g: q_l^2 = (1 + P_l(cos g)) / 2; P_4(0) = 3/8, P_6(0) = -5/16.
    for (const auto& [a, b] : {std::pair{0.0, 0.0}, {0.3, 1.1}, {2.0, -0.7}}) {
        const Measured found = measure(backend, points(a, b), {10.0, 10.0, 10.0}, 1.3);
        const double q4[] = {std::sqrt(11.0 / 16.0), 1.0, 1.0, 0.0};
        const double q6[] = {std::sqrt(11.0 / 32.0), 1.0, 1.0, 0.0};
        const double neighbours[] = {2.0, 1.0, 1.0, 0.0};
        for (std::size_t i = 0; i < 4; ++i) {
            CHECK(std::abs(found.particles[0][i] - q4[i]) < 1e-12);
            CHECK(std::abs(found.particles[1][i] - q6[i]) < 1e-12);
            CHECK(found.particles[2][i] == neighbours[i]);
        }
        CHECK(std::abs(found.row[2] - 1.0) < 1e-15);
    }
}
