// SPDX-License-Identifier: BSD-3-Clause
/// Kicks with the gradient of forces, of particles, against the double-precision oracle.
#include "support/catch.hpp"
#include "support/oracle.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

/// A force of an input and of the oracle.
struct OracleForce {
    std::string input;
    oracle::Pair pair;
};

OracleForce smooth_liquid() {
    return {"[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\n"
            "inner = 1.6\ntruncation = \"smooth-c2\"\n",
            {oracle::smoothed(oracle::lennard_jones(1.0, 1.0), 1.6, 2.5, 3), 2.5}};
}

/// Particles may be moved far in it.
OracleForce elastic_balls() {
    return {"[[force]]\ntype = \"harmonic-contact\"\nstiffness = 3.0\ndiameter = 1.8\n",
            {oracle::harmonic_contact(3.0, 1.8), 1.8}};
}

/// Forces of the oracle with particles moved along their accelerations, by `square` of a time times
/// these.
template <int Dim>
class MovedOracle {
  public:
    MovedOracle(const Setup<Dim>& setup, const oracle::Pair& pair)
        : setup_(setup), pair_(pair), here_(forces(Vectors<Dim>(setup.start.size()), 0.0)) {}

    Vectors<Dim> moved(double square) const { return forces(here_, square); }
    const Vectors<Dim>& here() const { return here_; }
    /// The largest sum of the |f| + |r f'| of a particle.
    double scale() const { return scale_; }

    /// V'' M^-1 F by differences of sixth order over some 1e-4 of a length.
    Vectors<Dim> product() const {
        constexpr double weight[] = {45.0 / 60.0, -9.0 / 60.0, 1.0 / 60.0}, square = 1e-6;
        Vectors<Dim> sum(here_.size());
        for (int k = 1; k <= 3; ++k)
            for (const double sign : {1.0, -1.0}) {
                const Vectors<Dim> there = moved(sign * k * square);
                for (std::size_t i = 0; i < sum.size(); ++i)
                    for (std::size_t d = 0; d < Dim; ++d)
                        sum[i][d] -= sign * weight[k - 1] * there[i][d] / square;
            }
        return sum;
    }

  private:
    Vectors<Dim> forces(const Vectors<Dim>& along, double square) const {
        Vectors<Dim> x = setup_.start.position;
        for (std::size_t i = 0; i < x.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d)
                x[i][d] += square * along[i][d] / setup_.start.mass(static_cast<std::uint32_t>(i));
        const auto result = oracle::evaluate<Dim>(
            x, {}, setup_.box.view(), [this](int, int) -> const oracle::Pair& { return pair_; });
        for (const double scale : result.force_scale) scale_ = larger(scale_, scale);
        return result.force;
    }

    const Setup<Dim>& setup_;
    const oracle::Pair& pair_;
    mutable double scale_ = 0.0;
    Vectors<Dim> here_;
};

/// What a gradient kick gives in a unit of time.
template <int Dim>
Vectors<Dim> gradient_kick_of(World<Dim>& world, double square) {
    const Snapshot<Dim> before = world.system().snapshot();
    world.system().gradient_kick(1.0, square);
    const Snapshot<Dim> after = world.system().snapshot();
    Vectors<Dim> change = after.momentum;
    for (std::size_t i = 0; i < change.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) change[i][d] -= before.momentum[i][d];
    return change;
}

template <int Dim>
void check_sides(const TestBackend& where, bool is_double) {
    const Setup<Dim> setup = warm_lattice<Dim>(Dim == 2 ? 8 : 6, 1.0);
    const OracleForce force = elastic_balls();
    const MovedOracle<Dim> oracle(setup, force.pair);
    World<Dim> world(where, setup, force.input, is_double);
    const Vectors<Dim> places = world.places();
    const auto rebuilds = [&world] { return world.system().neighbours().rebuilds(); };
    const std::int64_t before = rebuilds();
    double longest = 0.0;
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        longest = larger(longest, length_of<Dim>(oracle.here()[i]) /
                                      setup.start.mass(static_cast<std::uint32_t>(i)));
    // With the second, lists are too old on either side: a quarter of it is beyond half the skin.
    for (const double square : {1e-3, 4.0 * 0.6 * world.system().neighbours().skin() / longest}) {
        const Vectors<Dim> found = gradient_kick_of(world, square),
                           ahead = oracle.moved(0.25 * square),
                           behind = oracle.moved(-0.25 * square);
        Vectors<Dim> expected = oracle.here();
        std::array<double, Dim> sum{};
        for (std::size_t i = 0; i < expected.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) {
                expected[i][d] += 2.0 * (ahead[i][d] - behind[i][d]);
                sum[d] += found[i][d];
            }
        // Distances are rounded by 1e-16 of the box, in mixed precision by 1e-7 of the size of a
        // cluster; the difference counts twice on both sides.
        const double rounding = 5.0 * oracle.scale() * (is_double ? 1e-14 : 2e-6);
        CAPTURE(Dim, is_double, square, rounding, oracle.scale());
        CHECK(largest_difference<Dim>(found, expected) < rounding);
        for (const double total : sum)
            CHECK(std::abs(total) < rounding * std::sqrt(static_cast<double>(expected.size())));
        CHECK(largest_difference<Dim>(world.places(), places) < 1e-14);
    }
    CHECK((world.system().neighbours().on_demand() || rebuilds() > before + 1));
}

} // namespace

TEST_CASE("a gradient kick takes forces on both sides of particles") {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    for (const bool is_double : {true, false}) {
        check_sides<2>(where, is_double);
        check_sides<3>(where, is_double);
    }
}

TEST_CASE("a gradient kick is that of the Hessian but for the cube of its square") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const Setup<3> setup = warm_lattice<3>(6, 1.0);
    const OracleForce force = smooth_liquid();
    const MovedOracle<3> oracle(setup, force.pair);
    const Vectors<3> product = oracle.product();
    World<3> world(where, setup, force.input);
    double largest = 0.0, error[2];
    for (const auto& f : product)
        for (const double x : f) largest = larger(largest, std::abs(x));
    const double squares[] = {4e-4, 2e-4}; // of a long step: dt = 0.03, dt^2/24
    for (int k = 0; k < 2; ++k) {
        Vectors<3> expected = oracle.here();
        for (std::size_t i = 0; i < expected.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d) expected[i][d] -= squares[k] * product[i][d];
        error[k] = largest_difference<3>(gradient_kick_of(world, squares[k]), expected);
    }
    CAPTURE(largest, error[0], error[1]);
    CHECK(error[0] < 0.01 * squares[0] * largest);
    CHECK(std::abs(std::log2(error[0] / error[1]) - 3.0) < 0.1);
}

TEST_CASE("a harmonic trap has the gradient kicks of an oscillator, by mass") {
    Setup<2> setup = setup_of<2>({{0.5, -0.2}, {-1.0, 0.7}}, Box<2>(), 2);
    World<2> world(best_processor(), setup,
                   "[[force]]\ntype = \"harmonic-trap\"\nstiffness = [3.0, 3.0]\n");
    const double square = 0.1;
    const Vectors<2> found = gradient_kick_of(world, square);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::size_t d = 0; d < 2; ++d) {
            const double mass = 1.0 + static_cast<double>(i);
            CHECK(found[i][d] ==
                  Approx(-3.0 * setup.start.position[i][d] * (1.0 - square * 3.0 / mass))
                      .epsilon(1e-13));
        }
}
