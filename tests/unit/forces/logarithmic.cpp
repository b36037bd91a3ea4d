// SPDX-License-Identifier: BSD-3-Clause
// Charges with -ln r in a plane, against the potential on a torus in closed form.
#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include <complex>
#include <fmt/format.h>
#include <numbers>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double pi = std::numbers::pi;

/// The potential of a charge of 1 on a torus of edges a and b with a uniform background, whose mean
/// is zero: -ln |theta_1(z/a)/eta| + pi y^2/(a b) at z = x + i y, the nome being exp(-pi b/a)
/// (Kronecker's second limit formula). Theta functions are products.
struct Torus {
    double a, b;

    struct Value {
        double u = 0.0;
        std::array<double, 2> slope{};
    };
    [[nodiscard]] Value at(std::array<double, 2> r) const {
        const double y = r[1] - b * std::round(r[1] / b);
        const std::complex<double> z = pi / a * std::complex<double>(r[0], y);
        const double q = std::exp(-2.0 * pi * b / a);
        double u =
            pi * b / (6.0 * a) - std::log(std::abs(2.0 * std::sin(z))) + pi * y * y / (a * b);
        std::complex<double> slope = std::cos(z) / std::sin(z); // of ln theta_1, by z
        double power = q;
        for (int n = 1; power > 1e-30; ++n, power *= q) {
            const auto factor = 1.0 - 2.0 * power * std::cos(2.0 * z) + power * power;
            u -= std::log(std::abs(factor));
            slope += 4.0 * power * std::sin(2.0 * z) / factor;
        }
        slope *= pi / a;
        return {u, {-slope.real(), slope.imag() + 2.0 * pi * y / (a * b)}};
    }
    /// What is left of it at the charge, without -ln r: -ln(2 pi eta^2 / a).
    [[nodiscard]] double self() const {
        const double q = std::exp(-2.0 * pi * b / a);
        double u = pi * b / (6.0 * a) - std::log(2.0 * pi / a), power = q;
        for (; power > 1e-30; power *= q) u -= 2.0 * std::log(1.0 - power);
        return u;
    }
};

struct Exact {
    double energy = 0.0;
    Vectors<2> force;
};

Exact exact_sum(const Setup<2>& setup, double strength = 1.0) {
    const Torus torus{setup.box.lengths()[0], setup.box.lengths()[1]};
    const auto& x = setup.start.position;
    const auto charge = [&](std::size_t i) {
        return setup.start.species_table[setup.start.species[i]].charge;
    };
    Exact sum{0.0, Vectors<2>(x.size(), std::array<double, 2>{})};
    for (std::size_t i = 0; i < x.size(); ++i) {
        sum.energy += 0.5 * strength * charge(i) * charge(i) * torus.self();
        for (std::size_t j = 0; j < x.size(); ++j) {
            if (i == j) continue;
            const auto [u, slope] = torus.at({x[i][0] - x[j][0], x[i][1] - x[j][1]});
            const double qq = strength * charge(i) * charge(j);
            sum.energy += 0.5 * qq * u;
            for (std::size_t d = 0; d < 2; ++d) sum.force[i][d] -= qq * slope[d];
        }
    }
    return sum;
}

/// Charges at random but not too near each other; all of one sign, or of two in turn.
Setup<2> plasma(const std::array<int, 2>& cells, double spacing, bool neutral, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> jitter(-0.35, 0.35);
    Vectors<2> points;
    for (int i = 0; i < cells[0]; ++i)
        for (int j = 0; j < cells[1]; ++j)
            points.push_back(
                {spacing * (i + 0.5 + jitter(random)), spacing * (j + 0.5 + jitter(random))});
    std::shuffle(points.begin(), points.end(), random);
    Setup<2> setup =
        setup_of<2>(points, Box<2>({spacing * cells[0], spacing * cells[1]}, {true, true}), 2);
    setup.start.species_table[0].charge = 1.3;
    setup.start.species_table[1].charge = neutral ? -1.3 : 1.3;
    return setup;
}

std::string input(const char* means, double accuracy, const std::string& more = "") {
    return fmt::format("[[force]]\ntype = \"logarithmic-{}\"\naccuracy = {}\n{}", means, accuracy,
                       more);
}

/// RMS error of forces over <q^2> density^(1/2).
double error_of(const Vectors<2>& found, const Exact& exact, const Setup<2>& setup) {
    double square = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (std::size_t d = 0; d < 2; ++d) square += std::pow(found[i][d] - exact.force[i][d], 2);
    const auto n = static_cast<double>(found.size());
    return std::sqrt(square / n) / (1.3 * 1.3 * std::sqrt(n / setup.box.volume()));
}

double sum_of_squares(const Setup<2>& setup) {
    double sum = 0.0;
    for (const std::uint16_t s : setup.start.species)
        sum += std::pow(setup.start.species_table[s].charge, 2);
    return sum;
}

} // namespace

TEST_CASE("the potential on a torus has two equal directions, no mean, and a background") {
    // Turned by a right angle; by differences its Laplacian is 2 pi / (a b), h^2 of its bend.
    const Torus one{2.0, 3.1}, turned{3.1, 2.0};
    CHECK(one.at({0.3, 0.8}).u == Approx(turned.at({0.8, 0.3}).u).epsilon(1e-13));
    CHECK(one.self() == Approx(turned.self()).epsilon(1e-13));
    const double h = 1e-3;
    const auto u = [&](double x, double y) { return one.at({x, y}).u; };
    const double bend =
        (u(0.6 + h, 0.8) + u(0.6 - h, 0.8) + u(0.6, 0.8 + h) + u(0.6, 0.8 - h) - 4 * u(0.6, 0.8)) /
        (h * h);
    CHECK(bend == Approx(2.0 * pi / 6.2).epsilon(1e-5));
    CHECK((u(0.6 + h, 0.8) - u(0.6 - h, 0.8)) / (2 * h) ==
          Approx(one.at({0.6, 0.8}).slope[0]).epsilon(1e-5));
    CHECK((u(0.6, 0.8 + h) - u(0.6, 0.8 - h)) / (2 * h) ==
          Approx(one.at({0.6, 0.8}).slope[1]).epsilon(1e-5));
    double mean = 0.0; // by the midpoint rule, exact off the charge's line but for exp(-2 pi 0.5 n)
    for (int k = 0; k < 64; ++k)
        for (int l = 0; l < 64; ++l) mean += u(2.0 * (k + 0.5) / 64, 3.1 * (l + 0.5) / 64) / 4096;
    CHECK(std::abs(mean) < 2e-4); // ln of a cell of 1/64, integrated to some 0.2 of its area
}

TEST_CASE("forces between logarithmic charges are as accurate as requested") {
    const auto where = GENERATE(from_range(best_processors()));
    const bool neutral = GENERATE(true, false);
    for (const auto& [cells, spacing, cutoff] :
         {std::tuple{std::array{16, 16}, 1.0, 5.0}, std::tuple{std::array{8, 40}, 2.1, 8.0}}) {
        const Setup<2> setup = plasma(cells, spacing, neutral, 4);
        const Exact exact = exact_sum(setup);
        for (const char* means : {"ewald", "pme"})
            for (const double accuracy : {1e-3, 1e-4, 1e-6}) {
                const std::string text =
                    input(means, accuracy,
                          fmt::format("cutoff = {}\nbackground = {}\n", cutoff, !neutral));
                World<2> world(where, setup, text);
                const double error = error_of(world.forces(), exact, setup);
                CAPTURE(means, accuracy, error, cutoff, neutral, where.name);
                // Estimated for charges without correlations, which a plasma of one sign has.
                CHECK(error < 1.2 * accuracy);
                CHECK(error > 0.15 * accuracy);
                CHECK(std::abs(world.potential() - exact.energy) <
                      3.0 * accuracy * sum_of_squares(setup));
                World<2> mixed(where, setup, text, false);
                CHECK(error_of(mixed.forces(), exact, setup) < 1.2 * accuracy + 3e-6);
                if (std::string_view(means) == "ewald") continue;
                const double measured =
                    measured_error<2>(*world.plan().template first<LongRangeDescription>(),
                                      setup.box, setup.start)
                        .value();
                CHECK(measured == Approx(error).epsilon(0.15));
            }
    }
}

TEST_CASE("any split of logarithmic charges gives the same energy, forces and pressure") {
    const auto where = GENERATE(from_range(every_processor()));
    const bool neutral = GENERATE(true, false);
    const Setup<2> setup = plasma({9, 12}, 1.1, neutral, 6);
    const Exact exact = exact_sum(setup, 0.7);
    for (const char* more :
         {"cutoff = 4.9\nalpha = 1.15\nk_max = 13.0\n", "cutoff = 3.0\nalpha = 1.9\nk_max = 21.0\n",
          "cutoff = 2.0\nalpha = 2.8\nk_max = 31.0\ntruncation = \"none\"\n"}) {
        CAPTURE(more, neutral, where.name);
        World<2> world(where, setup,
                       input("ewald", 1e-11,
                             more + fmt::format("strength = 0.7\nbackground = {}\n", !neutral)));
        // What is left out is exp(-31) and less of 10^4 pairs.
        CHECK(std::abs(world.potential() - exact.energy) < 1e-10 * 0.7 * sum_of_squares(setup));
        CHECK(error_of(world.forces(), exact, setup) < 1e-11);
        // A length makes no difference but for each charge by itself: r.f of a pair is q_i q_j, and
        // with the background, or where all are neutral, these add up to -sum q^2 / 2.
        const SymmetricTensor<2> virial = world.virial();
        CHECK(virial.component[0] + virial.component[1] ==
              Approx(-0.5 * 0.7 * sum_of_squares(setup)).epsilon(1e-10));
        // Strained: -dU/de along x, of the closed form by differences (h^2 of the third derivative,
        // 1e-16 / h of the energy).
        const double h = 1e-4;
        double slope = 0.0;
        for (const double e : {h, -h}) {
            Setup<2> strained = setup;
            auto lengths = setup.box.lengths();
            lengths[0] *= 1.0 + e;
            strained.box = Box<2>(lengths, {true, true});
            for (auto& x : strained.start.position) x[0] *= 1.0 + e;
            slope -= exact_sum(strained, 0.7).energy / (2.0 * e);
        }
        CHECK(std::abs(virial.component[0] - slope) < 1e-6 * sum_of_squares(setup));
    }
}

TEST_CASE("lattices of logarithmic charges have their Madelung constants") {
    const auto where = few_test_backends().front();
    const auto energy = [&](const Vectors<2>& points, std::array<double, 2> lengths, double other) {
        Setup<2> setup = setup_of<2>(points, Box<2>(lengths, {true, true}), 2);
        setup.start.species_table[0].charge = 1.0;
        setup.start.species_table[1].charge = other;
        return World<2>(where, setup, input("ewald", 1e-12, "background = true\n")).potential() /
               static_cast<double>(points.size());
    };
    const auto lattice = [](int repeat, double a, double b, bool centred) {
        Vectors<2> points;
        for (int i = 0; i < repeat; ++i)
            for (int j = 0; j < repeat; ++j) {
                points.push_back({a * i, b * j});
                if (centred) points.push_back({a * (i + 0.5), b * (j + 0.5)});
            }
        return points;
    };
    const double gamma = std::tgamma(0.25);
    // Square, one charge in each cell of edge 1: -ln(2 pi eta(i)^2)/2, eta(i) = Gamma(1/4)/(2
    // pi^(3/4)).
    const double eta = gamma / (2.0 * std::pow(pi, 0.75));
    CHECK(energy(lattice(4, 1, 1, false), {4, 4}, 1.0) ==
          Approx(-0.5 * std::log(2.0 * pi * eta * eta)).epsilon(1e-10));
    // Triangular, of density 1/pi: -0.37438 (J. M. Caillol et al., J. Stat. Phys. 28 (1982) 325).
    const double a = std::sqrt(2.0 * pi / std::sqrt(3.0)), b = a * std::sqrt(3.0);
    CHECK(energy(lattice(3, a, b, true), {3 * a, 3 * b}, 1.0) == Approx(-0.37438).margin(6e-6));
    // Charges of both signs in turn on a square lattice, in cells of edge 1 with two of them:
    // ln(theta_3 / (2 pi eta^3))/2, theta_3 = pi^(1/4)/Gamma(3/4).
    const double theta = std::pow(pi, 0.25) / std::tgamma(0.75);
    CHECK(energy(lattice(4, 1, 1, true), {4, 4}, -1.0) ==
          Approx(0.5 * std::log(theta / (2.0 * pi * std::pow(eta, 3)))).epsilon(1e-10));
}

TEST_CASE("in an open plane logarithmic charges have q_i q_j of each pair") {
    const auto where = GENERATE(from_range(best_processors()));
    Setup<2> setup = plasma({7, 6}, 1.0, true, 3);
    setup.box = Box<2>();
    setup.start.species_table[1].charge = -0.4;
    World<2> world(where, setup, "[[force]]\ntype = \"logarithmic\"\nstrength = 1.6\n");
    double energy = 0.0, virial = 0.0;
    const auto& x = setup.start.position;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j) {
            const double qq = 1.6 * setup.start.species_table[i % 2].charge *
                              setup.start.species_table[j % 2].charge;
            virial += qq;
            energy -= qq * std::log(std::hypot(x[i][0] - x[j][0], x[i][1] - x[j][1]));
        }
    CHECK(world.potential() == Approx(energy).epsilon(1e-12));
    const SymmetricTensor<2> found = world.virial();
    CHECK(found.component[0] + found.component[1] == Approx(virial).epsilon(1e-12));
}

TEST_CASE("what logarithmic charges are not made for is refused in words") {
    const auto where = few_test_backends().front();
    const auto problem = [&]<int Dim>(const Setup<Dim>& setup, const std::string& text) {
        try {
            World<Dim> world(where, setup, text);
        } catch (const std::exception& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const Setup<2> plane = plasma({6, 6}, 1.0, false, 3);
    using Catch::Contains;
    CHECK_THAT(problem(plane, input("pme", 1e-4)), Contains("a total charge of 46.8"));
    Setup<2> open = plane;
    open.box = Box<2>({6.0, 6.0}, {true, false});
    CHECK_THAT(problem(open, input("ewald", 1e-4)), Contains("use logarithmic in an open box"));
    CHECK_THAT(problem(plane, "[[force]]\ntype = \"logarithmic\"\n"),
               Contains("logarithmic in a periodic box") && Contains("use logarithmic-pme"));
    Setup<3> space = setup_of<3>({{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}},
                                 Box<3>({6.0, 6.0, 6.0}, {true, true, true}), 2);
    space.start.species_table[0].charge = 1.0;
    space.start.species_table[1].charge = -1.0;
    CHECK_THAT(problem(space, input("pme", 1e-4)), Contains("logarithmic-pme in space"));
}
