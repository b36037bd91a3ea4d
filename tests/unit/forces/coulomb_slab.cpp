// SPDX-License-Identifier: BSD-3-Clause
// Layers of charges, periodic in two directions, against sums that know of no others.
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/layer_sum.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"

#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double layer_charge = 1.3;

/// Ions of both signs in turn, at random but not too near each other; all of one sign a little
/// higher, so that there is a dipole. Turned so that `open` is the open direction.
Setup<3> layer(const std::array<int, 3>& cells, std::size_t open, unsigned seed,
               double shift = 0.2) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-0.3, 0.3);
    Vectors<3> points;
    for (int k = 0; k < cells[0] * cells[1] * cells[2]; ++k) {
        const int cell[] = {k % cells[0], k / cells[0] % cells[1], k / cells[0] / cells[1]};
        std::array<double, 3> x{};
        for (std::size_t d = 0; d < 3; ++d) x[(d + 1 + open) % 3] = cell[d] + jitter(random);
        points.push_back(x);
    }
    std::shuffle(points.begin(), points.end(), random);
    for (std::size_t i = 0; i < points.size(); i += 2) points[i][open] += shift;
    std::array<double, 3> lengths{};
    std::array<bool, 3> periodic{true, true, true};
    for (std::size_t d = 0; d < 3; ++d) lengths[(d + 1 + open) % 3] = cells[d];
    lengths[open] = 0.0;
    periodic[open] = false;
    Setup<3> setup = setup_of<3>(points, Box<3>(lengths, periodic), 2);
    setup.start.species_table[0].charge = layer_charge;
    setup.start.species_table[1].charge = -layer_charge;
    return setup;
}

std::string slab_input(const char* type, double accuracy, const std::string& more = "") {
    return fmt::format("[[force]]\ntype = \"{}\"\naccuracy = {}\n{}", type, accuracy, more);
}

/// RMS, over the scale of the description.
double slab_difference(World<3>& world, const EwaldSum<3>& exact) {
    const Vectors<3> found = world.forces();
    double square = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) square += std::pow(found[i][d] - exact.force[i][d], 2);
    return std::sqrt(square / static_cast<double>(found.size())) /
           world.plan().template first<LongRangeDescription>()->force_scale;
}

/// Of the images within `reach` boxes, one by one; the rest falls as 1 / reach.
double direct_energy(const Setup<3>& setup, int reach) {
    double energy = 0.0;
    for (int a = -reach; a <= reach; ++a)
        for (int b = -reach; b <= reach; ++b)
            for (std::size_t i = 0; i < setup.start.size(); ++i)
                for (std::size_t j = 0; j < setup.start.size(); ++j) {
                    if (i == j && a == 0 && b == 0) continue;
                    const auto& x = setup.start.position[i];
                    const auto& y = setup.start.position[j];
                    const double dx = x[0] - y[0] + a * setup.box.lengths()[0];
                    const double dy = x[1] - y[1] + b * setup.box.lengths()[1];
                    const double qq = setup.start.species_table[setup.start.species[i]].charge *
                                      setup.start.species_table[setup.start.species[j]].charge;
                    energy += 0.5 * qq / std::hypot(dx, dy, x[2] - y[2]);
                }
    return energy;
}

} // namespace

TEST_CASE("the sum over a layer that slabs are compared with is that over its images") {
    const Setup<3> setup = layer({2, 2, 3}, 2, 1);
    const EwaldSum<3> sum = layer_sum(setup);
    // What is left out is a/R + b/R^3 + ... in a square of edge 2 R = 41, 81 or 161 boxes.
    const double nearest = direct_energy(setup, 20), near = direct_energy(setup, 40),
                 far = direct_energy(setup, 80);
    const double coarse = (40.5 * near - 20.5 * nearest) / 20.0 - sum.energy;
    const double fine = (80.5 * far - 40.5 * near) / 40.0 - sum.energy;
    CHECK(std::abs(fine) < 1e-4);
    CHECK((coarse / fine > 7.0 && coarse / fine < 9.0));
    CHECK(std::abs(far - sum.energy) > 1e-3); // it has a dipole
    // Any split of it is as good.
    const EwaldSum<3> other = layer_sum(setup, 4.8);
    CHECK(std::abs(other.energy - sum.energy) < 1e-9 * std::abs(sum.energy));
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) {
            CHECK(std::abs(other.force[i][d] - sum.force[i][d]) < 1e-8);
            Setup<3> up = setup, down = setup;
            up.start.position[i][d] += 1e-5, down.start.position[i][d] -= 1e-5;
            const double slope = (layer_sum(up).energy - layer_sum(down).energy) / 2e-5;
            if (i < 2) CHECK(std::abs(sum.force[i][d] + slope) < 1e-7);
        }
}

TEST_CASE("slabs of charges are as accurate as requested") {
    const auto where = GENERATE(from_range(best_processors()));
    for (const auto& [cells, open] :
         {std::pair{std::array{6, 6, 4}, std::size_t{2}}, {{5, 8, 3}, 0}, {{4, 4, 10}, 1}}) {
        const Setup<3> setup = layer(cells, open, 2);
        // The oracle has its layer across z.
        Setup<3> turned = setup;
        std::array<double, 3> lengths{};
        for (std::size_t d = 0; d < 3; ++d) {
            lengths[(d + 2 + 3 - open) % 3] = setup.box.lengths()[d];
            for (std::size_t i = 0; i < setup.start.size(); ++i)
                turned.start.position[i][(d + 2 + 3 - open) % 3] = setup.start.position[i][d];
        }
        turned.box = Box<3>(lengths, {true, true, false});
        EwaldSum<3> exact = layer_sum(turned);
        for (std::size_t i = 0; i < setup.start.size(); ++i) {
            const auto f = exact.force[i];
            for (std::size_t d = 0; d < 3; ++d) exact.force[i][d] = f[(d + 2 + 3 - open) % 3];
        }
        for (const char* type : {"coulomb-pme", "coulomb-ewald"})
            for (const double accuracy : {1e-3, 1e-5, 1e-8}) {
                World<3> world(where, setup, slab_input(type, accuracy));
                const double error = slab_difference(world, exact);
                CAPTURE(type, accuracy, error, open, where.name);
                CHECK(error < 1.15 * accuracy); // estimated for charges without correlations
                CHECK(error > 0.3 * accuracy);  // no more than needed
                CHECK(std::abs(world.potential() / exact.energy - 1.0) < 5.0 * accuracy);
                World<3> mixed(where, setup, slab_input(type, accuracy), false);
                CHECK(slab_difference(mixed, exact) < 1.15 * accuracy + 2e-6);
            }
    }
}

TEST_CASE("a slab does not depend on how far its images are, and the error falls as estimated") {
    const auto where = best_processors().front();
    const Setup<3> setup = layer({6, 5, 4}, 2, 3);
    const EwaldSum<3> exact = layer_sum(setup);
    double before = 1e9;
    for (const double vacuum : {0.6, 1.0, 1.4, 1.8}) {
        World<3> world(
            where, setup,
            slab_input("coulomb-ewald", 1e-11, fmt::format("height = 4.4\nvacuum = {}\n", vacuum)));
        const double error = slab_difference(world, exact);
        const double estimate = world.plan().template first<LongRangeDescription>()->image_error;
        CAPTURE(vacuum, error, estimate);
        // Correlations of neighbours make it less than at random.
        CHECK((error < 1.5 * estimate && error > 0.02 * estimate));
        CHECK(error < 0.2 * before); // exp(-2 pi 0.4) = 0.08
        before = error;
    }
    for (const double vacuum : {4.5, 6.0, 10.0})
        for (const char* height : {"4.4", "9.0"}) {
            World<3> world(where, setup,
                           slab_input("coulomb-ewald", 1e-11,
                                      fmt::format("height = {}\nvacuum = {}\n", height, vacuum)));
            CHECK(std::abs(world.potential() / exact.energy - 1.0) < 1e-10);
            CHECK(slab_difference(world, exact) < 1e-10);
        }
}

TEST_CASE("forces and virial of a slab are derivatives of its energy") {
    const auto where = GENERATE(from_range(best_processors()));
    const Setup<3> setup = layer({5, 4, 3}, 2, 4, 0.4);
    for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
        const std::string text =
            slab_input(type, 1e-9, "cutoff = 1.9\nheight = 6.0\nvacuum = 4.0\n");
        World<3> world(where, setup, text);
        const auto force = world.forces();
        const double scale = std::abs(world.potential());
        constexpr double h = 1e-5;
        const auto energy = [&](auto&& change, double by) {
            Setup<3> there = setup;
            change(there, by);
            return World<3>(best_processor(), there, text).potential();
        };
        const auto slope = [&](auto&& change) {
            return (energy(change, h) - energy(change, -h)) / (2.0 * h);
        };
        std::array<double, 3> sum{};
        for (const auto& f : force)
            for (std::size_t d = 0; d < 3; ++d) sum[d] += f[d];
        const auto virial = world.virial();
        for (std::size_t d = 0; d < 3; ++d) {
            CAPTURE(type, d);
            CHECK(std::abs(sum[d]) < 1e-11 * scale);
            for (const std::size_t i : {0UL, 7UL}) {
                const double expected =
                    -slope([&](Setup<3>& s, double by) { s.start.position[i][d] += by; });
                CHECK(std::abs(force[i][d] - expected) < 3e-8 * scale);
            }
            const double strained = -slope([&](Setup<3>& s, double by) {
                auto lengths = s.box.lengths();
                lengths[d] *= 1.0 + by;
                s.box = Box<3>(lengths, s.box.periodic());
                for (auto& x : s.start.position) x[d] *= 1.0 + by;
            });
            // With what a cell of another length changes: nothing.
            CHECK(std::abs(virial.component[d] - strained) < 1e-7 * scale);
        }
        // U is homogeneous of degree -1.
        CHECK(std::abs(virial.component[0] + virial.component[1] + virial.component[2] -
                       world.potential()) < 1e-6 * scale);
    }
}

TEST_CASE("shares of a slab add up to its energy, and to the slope of that with strain") {
    for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
        const Setup<3> setup = layer({5, 4, 3}, 2, 4, 0.4);
        World<3> world(best_processors().front(), setup,
                       slab_input(type, 1e-4, "cutoff = 2.0\nheight = 4.0\nvacuum = 1.0\n"));
        const LongRangeDescription force = *world.plan().template first<LongRangeDescription>();
        const auto strained = [&](std::size_t d, double strain) {
            LongRangeDescription there = force;
            Setup<3> moved = setup;
            if (d == 2) there.slab->length *= 1.0 + strain;
            auto lengths = setup.box.lengths();
            lengths[d] *= 1.0 + strain;
            for (auto& x : moved.start.position) x[d] *= 1.0 + strain;
            double energy = 0.0;
            const Box<3> box(lengths, setup.box.periodic());
            for (const auto& own : long_range_totals<3>(there, box, moved.start))
                energy += own.energy;
            return energy;
        };
        const auto totals = long_range_totals<3>(force, setup.box, setup.start);
        constexpr double h = 1e-5;
        for (std::size_t d = 0; d < 3; ++d) {
            double virial = 0.0;
            for (const auto& own : totals) virial += own.virial[d];
            const double expected = -(strained(d, h) - strained(d, -h)) / (2.0 * h);
            CAPTURE(type, d, virial, expected);
            CHECK(std::abs(virial - expected) < 1e-6 * std::abs(world.potential()));
        }
        // Twice the energy is that of the charges in the potential, whose slope the force is.
        Setup<3> up = setup, down = setup;
        up.start.position[2][2] += h, down.start.position[2][2] -= h;
        double slope = 0.0;
        const auto above = long_range_totals<3>(force, setup.box, up.start);
        const auto below = long_range_totals<3>(force, setup.box, down.start);
        for (std::size_t i = 0; i < above.size(); ++i)
            slope += (above[i].energy - below[i].energy) / (2.0 * h);
        // Less the force on all together, 1e-4 of it.
        CHECK(std::abs(totals[2].force[2] + slope) <
              3e-4 * world.plan().template first<LongRangeDescription>()->force_scale);
    }
}

TEST_CASE("a moved slab is the same, and one that is too high ends with an error") {
    const auto where = GENERATE(from_range(best_processors()));
    const Setup<3> setup = layer({5, 4, 3}, 2, 5);
    const std::string text = slab_input("coulomb-pme", 1e-6, "height = 4.0\n");
    World<3> world(where, setup, text);
    Setup<3> moved = setup;
    for (auto& x : moved.start.position) x[2] -= 123.456;
    World<3> there(where, moved, text);
    CHECK(std::abs(there.potential() / world.potential() - 1.0) < 3e-6);

    Setup<3> high = setup;
    high.start.position[3][2] += 30.0;
    CHECK_THROWS_AS(World<3>(where, high, text), InputError);
    // Read with the lower layer, used for the higher.
    LongRangeDescription description = *world.plan().template first<LongRangeDescription>();
    const auto finite = long_range_forces<3>(description, setup.box, setup.start);
    const auto infinite = long_range_forces<3>(description, setup.box, high.start);
    CHECK(std::isfinite(finite[3][2]));
    CHECK(std::isinf(infinite[3][2]));
    CHECK(std::isfinite(infinite[2][2]));
}

TEST_CASE("slabs that are not are refused") {
    const auto where = best_processors().front();
    const auto refused = [&](const Setup<3>& setup, const std::string& more, const char* why) {
        for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
            CAPTURE(more, why);
            try {
                World<3>(where, setup, slab_input(type, 1e-4, more));
                FAIL("not refused");
            } catch (const InputError& error) {
                CHECK(contains(error.what(), why));
            }
        }
    };
    const Setup<3> good = layer({4, 4, 3}, 2, 6);
    refused(good, "height = 1.0\n", "apart along z at the start");
    refused(good, "vacuum = 0.3\n", "out of range");
    refused(good, "vacuum = 40.0\n", "out of range");
    Setup<3> other = good;
    other.start.species_table[1].charge = -0.3;
    refused(other, "", "neutral");
    refused(other, "background = true\n", "neutral");
    other = good;
    other.box = Box<3>({4.0, 0.0, 0.0}, {true, false, false});
    refused(other, "height = 1.0\n", "apart along");
    other.box = Box<3>({4.0, 4.0, 9.0}, {true, true, true});
    refused(other, "height = 4.0\n", "periodic box");
}

TEST_CASE("plates of a capacitor attract each other by 2 pi sigma^2 for each area") {
    // Charges of a lattice of spacing 1 with its plane 5 away are a uniform plane but for
    // exp(-10 pi); in their own plane they are in equilibrium.
    Vectors<3> points;
    for (int k = 0; k < 16; ++k)
        for (const double z : {0.0, 5.0}) points.push_back({k % 4 + 0.3, k / 4 + 0.1, z});
    Setup<3> setup = setup_of<3>(points, Box<3>({4.0, 4.0, 0.0}, {true, true, false}), 2);
    setup.start.species_table[0].charge = layer_charge;
    setup.start.species_table[1].charge = -layer_charge;
    for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
        World<3> world(best_processors().front(), setup, slab_input(type, 1e-10));
        const auto force = world.forces();
        const double expected = 2.0 * std::numbers::pi * layer_charge * layer_charge;
        for (std::size_t i = 0; i < force.size(); ++i) {
            CHECK(std::abs(force[i][2] - (i % 2 == 0 ? expected : -expected)) < 1e-8);
            CHECK(std::abs(force[i][0]) + std::abs(force[i][1]) < 1e-8);
        }
    }
}
