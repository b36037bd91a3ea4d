// SPDX-License-Identifier: BSD-3-Clause
// Charges that are periodic along one direction, in space and in a plane, against sums over the
// images there are.
#include "src/forces/wire.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/wire_sum.hpp"

#include "shadow/core/error.hpp"

#include <complex>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double wire_charge = 1.3;

/// Ions of both signs in turn.
template <int Dim>
Setup<Dim> ions_along(Vectors<Dim> points, double period, std::size_t along) {
    std::array<double, Dim> lengths{};
    std::array<bool, Dim> periodic{};
    lengths[along] = period;
    periodic[along] = true;
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, periodic), 2);
    setup.start.species_table[0].charge = wire_charge;
    setup.start.species_table[1].charge = -wire_charge;
    return setup;
}

/// At random but not too near each other, an even number; those of one sign a little aside, so that
/// there is a dipole.
template <int Dim>
Setup<Dim> wire(const std::array<int, Dim>& cells, std::size_t along, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-0.3, 0.3);
    int count = 1;
    for (const int n : cells) count *= n;
    Vectors<Dim> points;
    for (int k = 0; k < count; ++k) {
        std::array<double, Dim> x{};
        int rest = k;
        for (std::size_t d = 0; d < Dim; ++d, rest /= cells[d - 1])
            x[d] = rest % cells[d] + jitter(random);
        points.push_back(x);
    }
    std::shuffle(points.begin(), points.end(), random);
    for (std::size_t i = 0; i < points.size(); i += 2) points[i][(along + 1) % Dim] += 0.2;
    return ions_along<Dim>(points, cells[along], along);
}

/// At random places of the corners of a cross-section, with signs at random too.
template <int Dim>
Setup<Dim> edges(int count, double period, double height, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> place(0.0, 1.0);
    Vectors<Dim> points;
    const int corners = Dim == 3 ? 4 : 2;
    for (int k = 0; k < count; ++k) {
        std::array<double, Dim> x{};
        x[0] = period * (k / corners + 0.7 * place(random)) * corners / count;
        for (std::size_t d = 1; d < Dim; ++d) x[d] = (k >> (d - 1)) % 2 * height;
        points.push_back(x);
    }
    std::shuffle(points.begin(), points.end(), random);
    return ions_along<Dim>(points, period, 0);
}

std::string wire_input(const char* type, double accuracy, const std::string& more = "") {
    return fmt::format("[[force]]\ntype = \"{}\"\naccuracy = {}\n{}", type, accuracy, more);
}

/// RMS, over the scale of the description.
template <int Dim>
double wire_difference(World<Dim>& world, const WireSum<Dim>& exact) {
    const Vectors<Dim> found = world.forces();
    double square = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            square += std::pow(found[i][d] - exact.force[i][d], 2);
    return std::sqrt(square / static_cast<double>(found.size())) /
           world.plan().template first<LongRangeDescription>()->force_scale;
}

template <int Dim>
void check_accuracy(const Setup<Dim>& setup, double least, const std::string& more = "") {
    const WireSum<Dim> exact = wire_sum(setup);
    for (const auto& where : best_processors())
        for (const char* type : {"coulomb-pme", "coulomb-ewald"})
            for (const double accuracy : {1e-3, 1e-5, 1e-7}) {
                World<Dim> world(where, setup, wire_input(type, accuracy, more));
                const double error = wire_difference(world, exact);
                CAPTURE(type, accuracy, error / accuracy, where.name, setup.box.lengths());
                CHECK(error < accuracy);
                CHECK(error > least * accuracy); // no more than needed
                CHECK(std::abs(world.potential() / exact.energy - 1.0) < 5.0 * accuracy);
                if (!more.empty()) continue; // with pairs so close that rounding shows
                World<Dim> mixed(where, setup, wire_input(type, accuracy, more), false);
                CHECK(wire_difference(mixed, exact) < accuracy + 2e-6);
            }
}

} // namespace

TEST_CASE("the sum over a wire that others are compared with is that over its images") {
    const Setup<3> setup = wire<3>({2, 2, 3}, 2, 1);
    const WireSum<3> sum = wire_sum(setup);
    const auto direct = [&](int reach) {
        double energy = 0.0;
        for (int n = -reach; n <= reach; ++n)
            for (std::size_t i = 0; i < setup.start.size(); ++i)
                for (std::size_t j = 0; j < setup.start.size(); ++j) {
                    if (i == j && n == 0) continue;
                    const auto& x = setup.start.position[i];
                    const auto& y = setup.start.position[j];
                    const double qq = setup.start.species_table[setup.start.species[i]].charge *
                                      setup.start.species_table[setup.start.species[j]].charge;
                    energy += 0.5 * qq /
                              std::hypot(x[0] - y[0], x[1] - y[1],
                                         x[2] - y[2] + n * setup.box.lengths()[2]);
                }
        return energy;
    };
    // What is left out is of dipoles: a / R^2.
    const double near = direct(20) - sum.energy, far = direct(41) - sum.energy;
    CHECK(std::abs(far) < 1e-3);
    CHECK((near / far > 3.5 && near / far < 4.5));
    // Any number of images is as good, and forces are slopes.
    for (const double rho : {0.3, 2.0, 9.0})
        for (const double z : {-1.4, 0.0, 0.9}) {
            const LinePotential here = line_potential(z, rho * rho, 3.0, false);
            const LinePotential there = line_potential(z, rho * rho, 3.0, false, 90);
            constexpr double h = 1e-4;
            const auto slope = [&](double dz, double dr) {
                return (line_potential(z + dz, std::pow(rho + dr, 2), 3.0, false).value -
                        line_potential(z - dz, std::pow(rho - dr, 2), 3.0, false).value) /
                       (2.0 * h);
            };
            CHECK(std::abs(here.value - there.value) < 1e-11);
            CHECK(std::abs(here.along - there.along) < 1e-11);
            CHECK(std::abs(here.across - there.across) < 1e-11);
            CHECK(std::abs(here.along - slope(h, 0.0)) < 1e-5);
            CHECK(std::abs(here.across * rho - slope(0.0, h)) < 1e-5);
        }
    // Far away a line of charges.
    const LinePotential line = line_potential(0.4, 100.0, 3.0, false);
    CHECK(std::abs(line.across * 100.0 + 2.0 / 3.0) < 1e-8);
}

TEST_CASE("sums over images of a wire are those of their lattice") {
    for (const int l : {8, 12, 24, 60}) {
        std::complex<double> all{}, shape{};
        for (int a = -80; a <= 80; ++a)
            for (int b = -80; b <= 80; ++b) {
                const std::complex<double> w(a, b);
                if (a == 0 && b == 0) continue;
                all += std::pow(w, -l);
                shape += std::conj(w) * std::pow(w, -l + 1); // of l - 2
            }
        CHECK(std::abs(image_sum(3, l) - all) < 1e-10);
        // What squares leave out falls as 1/80^(l - 4) and better.
        CHECK(std::abs(image_shape_sum(l - 2) - shape) < (l == 8 ? 1e-6 : 1e-10));
    }
    // Hurwitz (1899), Math. Ann. 51, 196.
    const double fourth = std::pow(std::tgamma(0.25), 8) / (960.0 * std::pow(std::numbers::pi, 2));
    CHECK(std::abs(image_sum(3, 4) - fourth) < 1e-13);
    CHECK(std::abs(image_shape_sum(2) - 2.5 * fourth / std::numbers::pi) < 1e-13);
    CHECK(std::abs(image_sum(2, 2) - std::pow(std::numbers::pi, 2) / 3.0) < 1e-14);
}

TEST_CASE("wires of charges are as accurate as requested") {
    check_accuracy<3>(wire<3>({3, 3, 8}, 2, 2), 0.1);
}
TEST_CASE("thick wires of charges are as accurate as requested") {
    check_accuracy<3>(wire<3>({4, 6, 6}, 0, 3), 0.1);
}
TEST_CASE("ribbons of charges are as accurate as requested") {
    check_accuracy<3>(wire<3>({8, 6, 2}, 1, 4), 0.1);
}
TEST_CASE("strips of charges in a plane are as accurate as requested") {
    check_accuracy<2>(wire<2>({12, 4}, 0, 5), 0.1);
    check_accuracy<2>(wire<2>({9, 6}, 1, 6), 0.1);
}
TEST_CASE("charges at the edges of a wire are as accurate as requested") {
    check_accuracy<3>(edges<3>(40, 4.0, 8.0, 7), 0.05, "height = 8.0\n");
    check_accuracy<2>(edges<2>(40, 8.0, 5.0, 8), 0.05, "height = 5.0\n");
}

TEST_CASE("a wire does not depend on how far its images are, and the error falls as estimated") {
    const auto where = best_processors().front();
    const Setup<3> setup = wire<3>({8, 3, 3}, 0, 9);
    const WireSum<3> exact = wire_sum(setup);
    double before = 1e9;
    for (const double vacuum : {0.6, 0.9, 1.2}) {
        World<3> world(
            where, setup,
            wire_input("coulomb-ewald", 1e-11, fmt::format("height = 3.0\nvacuum = {}\n", vacuum)));
        const double error = wire_difference(world, exact);
        const double estimate = world.plan().template first<LongRangeDescription>()->image_error;
        CAPTURE(vacuum, error, estimate);
        CHECK((error < estimate && error > 0.01 * estimate));
        CHECK(error < 0.3 * before); // exp(-2 pi 0.3) = 0.15
        before = error;
    }
    for (const double vacuum : {3.7, 4.5})
        for (const char* height : {"3.0", "4.0"}) {
            World<3> world(where, setup,
                           wire_input("coulomb-ewald", 1e-10,
                                      fmt::format("height = {}\nvacuum = {}\n", height, vacuum)));
            CHECK(std::abs(world.potential() / exact.energy - 1.0) < 1e-9);
            CHECK(wire_difference(world, exact) < 1e-10);
        }
}

TEST_CASE("forces and virial of a wire are derivatives of its energy") {
    const auto where = GENERATE(from_range(best_processors()));
    const auto check = [&]<int Dim>(const Setup<Dim>& setup, std::size_t along, double height) {
        const WireSum<Dim> exact = wire_sum(setup);
        for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
            const bool mesh = type == std::string("coulomb-pme"); // dearer
            const double accuracy = mesh ? 1e-6 : 1e-8;
            const std::string text =
                wire_input(type, accuracy, fmt::format("height = {}\n", height));
            World<Dim> world(where, setup, text);
            const auto force = world.forces();
            const double scale = std::abs(exact.energy);
            constexpr double h = 1e-4;
            std::array<double, Dim> sum{};
            for (const auto& f : force)
                for (std::size_t d = 0; d < Dim; ++d) sum[d] += f[d];
            for (std::size_t d = 0; d < Dim; ++d) {
                CAPTURE(type, d, where.name);
                CHECK(std::abs(sum[d]) < 1e-11 * scale);
                const auto energy = [&](double by) {
                    Setup<Dim> there = setup;
                    there.start.position[3][d] += by;
                    return World<Dim>(best_processor(), there, text).potential();
                };
                // What differences leave out is h^2, in units of a charge's energy.
                CHECK(std::abs(force[3][d] + (energy(h) - energy(-h)) / (2.0 * h)) <
                      (mesh ? 1e-6 : 1e-7) * scale);
            }
            const auto virial = world.virial();
            for (int k = 0; k < tensor_size<Dim>; ++k) {
                CAPTURE(type, k, virial.component[k], exact.virial.component[k]);
                CHECK(std::abs(virial.component[k] - exact.virial.component[k]) <
                      30.0 * accuracy * scale);
            }
            const auto strained = [&](double by) {
                Setup<Dim> there = setup;
                auto lengths = setup.box.lengths();
                lengths[along] *= 1.0 + by;
                there.box = Box<Dim>(lengths, setup.box.periodic());
                for (auto& x : there.start.position) x[along] *= 1.0 + by;
                return World<Dim>(best_processor(), there, text).potential();
            };
            CHECK(std::abs(virial.component[along] + (strained(h) - strained(-h)) / (2.0 * h)) <
                  1e-6 * scale);
            CHECK(std::abs(virial.trace() - world.potential()) < 30.0 * accuracy * scale);
        }
    };
    check(wire<3>({4, 3, 2}, 0, 10), 0, 4.0);
    check(wire<2>({4, 6}, 1, 12), 1, 5.0);
}

TEST_CASE("shares of a wire add up to its energy and virial, and are the same where it is moved") {
    for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
        const Setup<3> setup = wire<3>({4, 2, 5}, 2, 13);
        const auto where = best_processors().front();
        World<3> world(where, setup, wire_input(type, 1e-6, "height = 5.0\n"));
        const LongRangeDescription force = *world.plan().template first<LongRangeDescription>();
        const auto sums = [&](const std::array<double, 3>& by) {
            Setup<3> moved = setup;
            for (auto& x : moved.start.position)
                for (std::size_t d = 0; d < 3; ++d) x[d] += by[d];
            return long_range_totals<3>(force, moved.box, moved.start);
        };
        const auto here = sums({}), there = sums({123.4, -77.7, 1.23});
        SymmetricTensor<3> all{};
        double energy = 0.0;
        for (std::size_t i = 0; i < here.size(); ++i) {
            energy += here[i].energy;
            for (std::size_t k = 0; k < 6; ++k) {
                all.component[k] += here[i].virial[k];
                CHECK(std::abs(here[i].virial[k] - there[i].virial[k]) < 1e-4);
            }
            CHECK(std::abs(here[i].energy - there[i].energy) < 1e-4);
            for (std::size_t d = 0; d < 3; ++d)
                CHECK(std::abs(here[i].force[d] - there[i].force[d]) < 1e-5);
        }
        // Images and what is taken off are of the whole, in which pairs have the rest.
        LongRangeDescription longer = force;
        longer.wire->length *= 1.25;
        for (std::int32_t& n : longer.split.count) n = std::max(n, 80);
        double other = 0.0;
        SymmetricTensor<3> virial{};
        for (const auto& own : long_range_totals<3>(longer, setup.box, setup.start)) {
            other += own.energy;
            for (std::size_t k = 0; k < 6; ++k) virial.component[k] += own.virial[k];
        }
        CHECK(std::abs(other - energy) < 1e-4);
        for (std::size_t k = 0; k < 6; ++k)
            CHECK(std::abs(virial.component[k] - all.component[k]) < 1e-4);
    }
}

TEST_CASE("excluded pairs of a wire have nothing of each other in their nearest image") {
    Setup<3> setup = wire<3>({3, 2, 4}, 2, 17);
    WireSum<3> exact = wire_sum(setup);
    std::uint32_t b = 0;
    for (std::uint32_t a = 0; a < 8; ++a) {
        const auto distance = [&](std::uint32_t other) {
            return length_of<3>(
                between<3>(setup.start.position[a], setup.start.position[other], setup.box));
        };
        for (b = a + 1; b < setup.start.size() && distance(b) > 1.3; ++b) {
        }
        if (b == setup.start.size()) continue;
        setup.topology.excluded.push_back({a, b});
        const std::size_t i = a, j = b;
        const auto dx = between<3>(setup.start.position[j], setup.start.position[i], setup.box);
        const double r = length_of<3>(dx);
        const double qq = (a + b) % 2 == 0 ? wire_charge * wire_charge : -wire_charge * wire_charge;
        exact.energy -= qq / r;
        for (std::size_t d = 0; d < 3; ++d) {
            exact.force[i][d] -= qq * dx[d] / (r * r * r);
            exact.force[j][d] += qq * dx[d] / (r * r * r);
        }
    }
    REQUIRE(setup.topology.excluded.size() > 3);
    for (const auto& where : best_processors())
        for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
            World<3> world(where, setup, wire_input(type, 1e-5));
            CHECK(wire_difference(world, exact) < 1e-5);
            CHECK(std::abs(world.potential() / exact.energy - 1.0) < 1e-4);
        }
}

TEST_CASE("charges beyond a wire's height have an infinite force") {
    const Setup<3> setup = wire<3>({3, 3, 4}, 2, 14);
    World<3> world(best_processors().front(), setup,
                   wire_input("coulomb-pme", 1e-4, "height = 3.5\n"));
    Setup<3> far = setup;
    far.start.position[5][1] += 30.0;
    const auto force = long_range_forces<3>(*world.plan().template first<LongRangeDescription>(),
                                            setup.box, far.start);
    CHECK(std::isinf(force[5][1]));
    for (const std::size_t i : {std::size_t{0}, std::size_t{4}, std::size_t{6}})
        for (std::size_t d = 0; d < 3; ++d) CHECK(std::isfinite(force[i][d]));
    CHECK(std::isfinite(force[5][0]));
}

TEST_CASE("wires that are not are refused") {
    const auto where = best_processors().front();
    const auto refused = [&]<int Dim>(const Setup<Dim>& setup, const std::string& more,
                                      const char* why) {
        for (const char* type : {"coulomb-pme", "coulomb-ewald"}) {
            CAPTURE(more, why);
            try {
                World<Dim>(where, setup, wire_input(type, 1e-4, more));
                FAIL("not refused");
            } catch (const InputError& error) {
                CHECK(contains(error.what(), why));
            }
        }
    };
    const Setup<3> good = wire<3>({3, 3, 4}, 2, 15);
    refused(good, "height = 1.0\n", "apart along x at the start");
    refused(good, "height = 1e6\n", "out of range");
    refused(good, "vacuum = 0.3\n", "out of range");
    refused(good, "height = 40.0\nvacuum = 1.0\n", "out of range"); // images within the diagonal
    refused(good, "vacuum = 1000.0\n", "out of range");
    Setup<3> other = good;
    other.start.species_table[1].charge = -0.3;
    refused(other, "", "neutral");
    refused(other, "background = true\n", "neutral");
    other = good;
    other.box = Box<3>();
    refused(other, "", "open box");
    Setup<2> plane = wire<2>({6, 3}, 0, 16);
    refused(plane, "height = 1.0\n", "apart along y at the start");
    plane.box = Box<2>();
    refused(plane, "", "open box");
}
