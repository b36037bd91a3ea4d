// SPDX-License-Identifier: BSD-3-Clause
// Periodic charges by a mesh against Ewald's sum.
#include "support/catch.hpp"
#include "support/ewald.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"

#include "kernels/cpu/fftw.hpp"

#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double ion_charge = 1.3;
const char* const by_fftw = "transforms = \"fftw\"\n";

/// Ions at random but not too near each other, of both signs in turn.
template <int Dim>
Setup<Dim> ions(const std::array<int, Dim>& cells, double spacing, unsigned seed) {
    Vectors<Dim> points;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    periodic.fill(true);
    int n = 1;
    for (std::size_t d = 0; d < Dim; ++d) {
        lengths[d] = spacing * cells[d];
        n *= cells[d];
    }
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-0.35, 0.35);
    for (int k = 0; k < n; ++k) {
        std::array<double, Dim> x;
        int rest = k;
        for (std::size_t d = 0; d < Dim; ++d, rest /= cells[d - 1])
            x[d] = spacing * (rest % cells[d] + 0.5 + jitter(random));
        points.push_back(x);
    }
    std::shuffle(points.begin(), points.end(), random);
    Setup<Dim> setup = setup_of<Dim>(points, Box<Dim>(lengths, periodic), 2);
    setup.start.species_table[0].charge = ion_charge;
    setup.start.species_table[1].charge = -ion_charge;
    return setup;
}

std::string input(double accuracy, const std::string& more = "") {
    return fmt::format("[[force]]\ntype = \"coulomb-pme\"\naccuracy = {}\n{}", accuracy, more);
}

/// RMS error of forces over k <q^2> density^(2/Dim).
template <int Dim>
double error_of(const Vectors<Dim>& found, const Vectors<Dim>& exact, const Setup<Dim>& setup) {
    double square = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) square += std::pow(found[i][d] - exact[i][d], 2);
    const auto n = static_cast<double>(found.size());
    return std::sqrt(square / n) /
           (ion_charge * ion_charge * std::pow(n / setup.box.volume(), 2.0 / Dim));
}

template <int Dim>
void check_errors(const TestBackend& where, const Setup<Dim>& setup, double cutoff) {
    const EwaldSum<Dim> exact = ewald_sum(setup);
    for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-6}) {
        const std::string text = input(accuracy, fmt::format("cutoff = {}\n", cutoff));
        World<Dim> world(where, setup, text);
        const double error = error_of<Dim>(world.forces(), exact.force, setup);
        CAPTURE(accuracy, error, cutoff, where.name);
        CHECK(error < 1.15 * accuracy); // estimated for charges without correlations
        CHECK(error > 0.3 * accuracy);  // no more than needed
        const double measured =
            measured_error<Dim>(*world.plan().template first<LongRangeDescription>(), setup.box,
                                setup.start)
                .value();
        CHECK(measured == Approx(error).epsilon(0.1)); // it takes a sample, and ends somewhere too
        const double energy = world.potential();
        CHECK(std::abs(energy - exact.energy) < 3.0 * accuracy * std::abs(exact.energy));
        World<Dim> mixed(where, setup, text, false);
        CHECK(error_of<Dim>(mixed.forces(), exact.force, setup) < 1.15 * accuracy + 2e-6);
    }
}

} // namespace

TEST_CASE("forces between periodic charges are as accurate as requested") {
    const auto where = GENERATE(from_range(best_processors()));
    check_errors<3>(where, ions<3>({8, 8, 8}, 1.0, 1), 3.0);
    check_errors<3>(where, ions<3>({6, 6, 6}, 0.3, 2), 0.8);
    check_errors<3>(where, ions<3>({4, 6, 20}, 1.7, 3), 3.2);
    check_errors<2>(where, ions<2>({16, 16}, 1.0, 4), 5.0);
    check_errors<2>(where, ions<2>({8, 40}, 2.1, 5), 8.0);
}

TEST_CASE("errors of a mesh are estimated for fine meshes too") {
    // Of forces by derivatives of splines of order p they are of order p - 1 in the spacing, with
    // a correction of its square: 0.8 % here of order 8.
    const int dimension = GENERATE(2, 3);
    const bool logarithmic = dimension == 2 && GENERATE(false, true);
    const auto error = [&](double length, int order, int count) {
        ChargedSystem system{dimension, {}, std::pow(length, dimension), 0.0, 0.0, 1.0};
        system.squares = system.particles;
        system.logarithmic = logarithmic;
        system.lengths.assign(static_cast<std::size_t>(dimension), length);
        EwaldSplit split{1.0, 3.0, {}, order};
        split.count.assign(static_cast<std::size_t>(dimension), count);
        return fourier_error(system, split);
    };
    for (int order = 4; order <= 8; ++order) {
        CAPTURE(dimension, logarithmic, order);
        CHECK(error(20.0, order, 800) / error(20.0, order, 1600) ==
              Approx(std::pow(2.0, order - 1)).epsilon(0.02));
        CHECK(error(20.0, order, 1000) == Approx(error(10.0, order, 500)).epsilon(1e-4));
    }
}

TEST_CASE("splines of low order are as accurate as requested") {
    const auto where = GENERATE(from_range(best_processors()));
    const auto check = [&]<int Dim>(const Setup<Dim>& setup, double accuracy,
                                    const std::string& more) {
        World<Dim> world(where, setup, input(accuracy, more));
        const double error = error_of<Dim>(world.forces(), ewald_sum(setup).force, setup);
        CAPTURE(Dim, accuracy, more, where.name, error);
        CHECK(error < 1.1 * accuracy);
        CHECK(error > 0.2 * accuracy);
    };
    const Setup<2> plane = ions<2>({12, 12}, 1.0, 13);
    check(plane, 1e-5, "order = 4\ncutoff = 5.5\n");
    check(plane, 1e-6, "order = 4\ncutoff = 5.5\n");
    check(plane, 1e-7, "order = 5\ncutoff = 5.5\n");
    check(plane, 1e-9, "order = 6\ncutoff = 5.5\n");
    check(ions<3>({4, 4, 4}, 1.0, 14), 1e-6, "order = 4\ncutoff = 2.0\n");
}

TEST_CASE("a sum over wave vectors is as accurate as requested, and need not be cut") {
    const auto where = GENERATE(from_range(best_processors()));
    const auto check = [&]<int Dim>(const Setup<Dim>& setup, double cutoff) {
        const EwaldSum<Dim> exact = ewald_sum(setup);
        for (const double accuracy : {1e-3, 1e-5, 1e-9}) {
            const std::string text =
                fmt::format("[[force]]\ntype = \"coulomb-ewald\"\naccuracy = {}\ncutoff = {}\n",
                            accuracy, cutoff);
            World<Dim> world(where, setup, text);
            const double error = error_of<Dim>(world.forces(), exact.force, setup);
            CAPTURE(accuracy, error, cutoff, where.name);
            CHECK(error < 1.2 * accuracy);
            CHECK(error > 0.2 * accuracy);
            CHECK(std::abs(world.potential() / exact.energy - 1.0) < 2.0 * accuracy);
        }
    };
    check(ions<3>({5, 5, 6}, 1.0, 1), 2.4);
    check(ions<2>({10, 12}, 1.4, 4), 6.0);
}

TEST_CASE("any split of periodic charges gives the same energy and forces") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    const Setup<3> setup = ions<3>({6, 6, 8}, 1.0, 6);
    const EwaldSum<3> exact = ewald_sum(setup);
    for (const char* more : {"cutoff = 2.9\nalpha = 1.5\nmesh = [48, 50, 60]\norder = 8\n",
                             "cutoff = 2.0\nalpha = 2.3\nmesh = [72, 80, 96]\norder = 7\n",
                             "cutoff = 2.5\nalpha = 1.8\nmesh = [60, 54, 64]\norder = 8\n"}) {
        CAPTURE(more);
        World<3> world(where, setup, input(1e-6, more));
        CHECK(std::abs(world.potential() / exact.energy - 1.0) < 2e-7);
        CHECK(error_of<3>(world.forces(), exact.force, setup) < 2e-6);
    }
}

TEST_CASE("periodic charges have the bits that do not depend on threads") {
    const Setup<3> setup = ions<3>({6, 7, 8}, 1.0, 7);
    const std::string transforms = GENERATE(as<std::string>(), "", by_fftw);
    if (!transforms.empty() && !cpu::fftw_problem().empty()) return;
    for (const bool pair_is_double : {true, false}) {
        std::vector<Vectors<3>> forces;
        std::vector<double> energies;
        for (const int threads : {1, 2, 3}) {
            const TestBackend where{"cpu", false, available_instruction_sets().back(), threads};
            World<3> world(where, setup, input(1e-4, transforms), pair_is_double);
            forces.push_back(world.forces());
            energies.push_back(world.potential());
        }
        CHECK(forces[0] == forces[1]);
        CHECK(forces[0] == forces[2]);
        CHECK(energies[0] == energies[1]);
        CHECK(energies[0] == energies[2]);
    }
}

TEST_CASE("FFTW gives the mesh the same forces, energy and virial") {
    if (const std::string problem = cpu::fftw_problem(); !problem.empty()) {
        WARN("not tested: " + problem);
        return;
    }
    const auto check = [](const auto& setup) {
        constexpr int Dim =
            static_cast<int>(std::tuple_size_v<std::decay_t<decltype(setup.box.lengths())>>);
        for (const bool pair_is_double : {true, false}) {
            const TestBackend where{"cpu", false, available_instruction_sets().back(), 2};
            World<Dim> own(where, setup, input(1e-4), pair_is_double),
                fftw(where, setup, input(1e-4, by_fftw), pair_is_double);
            const double rounding = pair_is_double ? 1e-13 : 1e-5,
                         scale = std::abs(own.potential());
            CHECK(fftw.forces() != own.forces());
            CHECK(error_of<Dim>(fftw.forces(), own.forces(), setup) < rounding);
            CHECK(std::abs(fftw.potential() - own.potential()) < rounding * scale);
            const auto virial = own.virial(), other = fftw.virial();
            for (int c = 0; c < tensor_size<Dim>; ++c)
                CHECK(std::abs(virial.component[c] - other.component[c]) < rounding * scale);
        }
    };
    check(ions<3>({6, 7, 8}, 1.0, 7));
    check(ions<2>({10, 12}, 1.4, 4));
}

TEST_CASE("virial and forces on a coarse mesh are derivatives of its energy") {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string text =
        input(1e-2, "cutoff = 2.2\nalpha = 1.1\nmesh = [10, 10, 12]\norder = 4\n");
    const Setup<3> setup = ions<3>({5, 5, 6}, 1.0, 12);
    World<3> world(where, setup, text);
    const auto virial = world.virial();
    constexpr double h = 1e-5;
    for (std::size_t d = 0; d < 3; ++d) {
        const auto strained = [&](double strain) {
            Setup<3> there = setup;
            auto lengths = there.box.lengths();
            lengths[d] *= 1.0 + strain;
            there.box = Box<3>(lengths, there.box.periodic());
            for (auto& x : there.start.position) x[d] *= 1.0 + strain;
            return World<3>(where, there, text).potential();
        };
        // What a charge has in its own field is 1e-3 of this.
        const double expected = -(strained(h) - strained(-h)) / (2.0 * h);
        CAPTURE(d, virial.component[d], expected);
        CHECK(std::abs(virial.component[d] - expected) < 1e-6 * std::abs(world.potential()));
    }
}

TEST_CASE("excluded pairs have no part in periodic charges, scaled ones their part") {
    const auto where = GENERATE(from_range(best_processors()));
    Setup<3> setup = ions<3>({6, 6, 6}, 1.0, 11);
    EwaldSum<3> exact = ewald_sum(setup);
    for (std::uint32_t a = 0; a < 20; ++a) // some that are near each other
        for (std::uint32_t b = a + 1; b < setup.start.size(); ++b)
            if (length_of<3>(
                    between<3>(setup.start.position[a], setup.start.position[b], setup.box)) < 1.3)
                setup.topology.excluded.push_back({a, b});
    bool is_scaled = false; // every second one
    for (const auto& [a, b] : setup.topology.excluded) {
        is_scaled = !is_scaled;
        if (is_scaled) setup.topology.scaled.push_back({{a, b}, 0.3, 0.8});
        const auto dx = between<3>(setup.start.position[a], setup.start.position[b], setup.box);
        const double r = length_of<3>(dx);
        const double qq = (is_scaled ? 0.2 : 1.0) *
                          setup.start.species_table[setup.start.species[a]].charge *
                          setup.start.species_table[setup.start.species[b]].charge;
        exact.energy -= qq / r;
        for (std::size_t d = 0; d < 3; ++d) {
            exact.force[a][d] += qq / (r * r * r) * dx[d];
            exact.force[b][d] -= qq / (r * r * r) * dx[d];
        }
    }
    for (const char* kind : {"coulomb-pme", "coulomb-ewald"}) {
        World<3> world(where, setup,
                       fmt::format("[[force]]\ntype = \"{}\"\naccuracy = 1e-6\n", kind));
        CHECK(std::abs(world.potential() / exact.energy - 1.0) < 1e-6);
        CHECK(error_of<3>(world.forces(), exact.force, setup) < 2e-6);
    }
}

TEST_CASE("a net charge has a background on request") {
    const auto where = GENERATE(from_range(best_processors()));
    Setup<3> setup = ions<3>({6, 6, 6}, 1.0, 8);
    setup.start.species_table[1].charge = -0.4;
    CHECK_THROWS_AS(World<3>(where, setup, input(1e-4)), InputError);
    const EwaldSum<3> exact = ewald_sum(setup);
    World<3> world(where, setup, input(1e-6, "background = true\n"));
    CHECK(std::abs(world.potential() / exact.energy - 1.0) < 1e-6);
    Setup<2> plane = ions<2>({12, 12}, 1.0, 9);
    plane.start.species_table[1].charge = -0.4;
    const EwaldSum<2> flat = ewald_sum(plane);
    World<2> there(where, plane, input(1e-6, "background = true\n"));
    CHECK(std::abs(there.potential() / flat.energy - 1.0) < 1e-6);
}
