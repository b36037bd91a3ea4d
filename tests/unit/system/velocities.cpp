// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/velocities.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/system/lattice.hpp"

#include <cmath>

using namespace shadow;

namespace {

template <int Dim>
Box<Dim> box_of(bool periodic) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> flags;
    lengths.fill(100.0);
    flags.fill(periodic);
    return {lengths, flags};
}

/// `count` particles of masses 1 and 3 at random places.
template <int Dim>
Snapshot<Dim> random_gas(std::int64_t count) {
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 3.0, 0.0}};
    std::array<double, Dim> lengths;
    lengths.fill(100.0);
    s.position = random_points<Dim>(count, 0.0, lengths, {}, 9);
    s.image.assign(s.size(), {});
    for (std::size_t i = 0; i < s.size(); ++i) s.species.push_back(i % 3 == 0 ? 1 : 0);
    return s;
}

template <int Dim>
double twice_kinetic(const Snapshot<Dim>& s) {
    double sum = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i)
        for (const double p : s.momentum[i]) sum += p * p / s.mass(i);
    return sum;
}

} // namespace

TEST_CASE("degrees of freedom count what is conserved") {
    const auto open2 = box_of<2>(false), periodic2 = box_of<2>(true);
    const auto open3 = box_of<3>(false), periodic3 = box_of<3>(true);
    const Box<3> mixed({10.0, 10.0, 0.0}, {true, true, false});
    CHECK(degrees_of_freedom(100, conserved_momenta(periodic3)) == 297);
    CHECK(degrees_of_freedom(100, conserved_momenta(mixed)) == 297);
    const Box<3> wire({0.0, 10.0, 0.0}, {false, true, false});
    CHECK(degrees_of_freedom(100, conserved_momenta(wire)) == 296);
    CHECK(degrees_of_freedom(100, ConservedMomenta<3>{}) == 300);
    CHECK(degrees_of_freedom(2, conserved_momenta(wire)) == 2);
    CHECK(degrees_of_freedom(100, conserved_momenta(Box<2>({10.0, 0.0}, {true, false}))) == 198);
    CHECK(degrees_of_freedom(100, conserved_momenta(open3)) == 294);
    CHECK(degrees_of_freedom(100, ConservedMomenta<3>{}) == 300);
    CHECK(degrees_of_freedom(400, conserved_momenta(open2)) == 797);
    CHECK(degrees_of_freedom(400, conserved_momenta(periodic2)) == 798);
    CHECK(degrees_of_freedom(10, conserved_momenta(box_of<1>(false))) == 9);
    CHECK(degrees_of_freedom(1, conserved_momenta(open3)) == 0);
    CHECK(degrees_of_freedom(1, ConservedMomenta<3>{}) == 3);
    CHECK(degrees_of_freedom(2, conserved_momenta(open3)) == 1);
    CHECK(degrees_of_freedom(3, conserved_momenta(open3)) == 3);
    CHECK(degrees_of_freedom(2, conserved_momenta(open2)) == 1);
    CHECK(degrees_of_freedom(2, conserved_momenta(periodic2)) == 2);
    CHECK(degrees_of_freedom(0, conserved_momenta(open2)) == 0);
    // A field along z leaves the momenta along x and y, and in an open box one angular momentum.
    CHECK(degrees_of_freedom(
              100, conserved_momenta(periodic3, Invariance<3>({true, true, false}))) == 298);
    CHECK(degrees_of_freedom(100, conserved_momenta(open3, Invariance<3>({true, true, false}))) ==
          297);
    CHECK(degrees_of_freedom(1, conserved_momenta(open3, Invariance<3>({false, false, false}))) ==
          3);
}

TEMPLATE_TEST_CASE_SIG("velocities have exactly the temperature and no net motion", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const bool periodic = GENERATE(false, true);
    const std::int64_t count = GENERATE(2, 3, 5, 1000);
    const double kT = 1.44;
    const auto box = box_of<Dim>(periodic);
    auto s = random_gas<Dim>(count);
    set_maxwell_boltzmann(s, conserved_momenta(box), kT, 1);
    const double freedom = degrees_of_freedom(count, conserved_momenta(box));
    CHECK(std::abs(twice_kinetic(s) / (freedom * kT) - 1.0) < 1e-13);

    // Rounding: sums of `count` terms of size sqrt(m kT) = 2, times 100 sqrt(2) for the arms.
    const double rounding = 1e-15 * 4.0 * static_cast<double>(count);
    double angular[3] = {};
    for (std::size_t d = 0; d < Dim; ++d) {
        double total = 0.0;
        for (const auto& p : s.momentum) total += p[d];
        CHECK(std::abs(total) < rounding);
        const std::size_t e = (d + 1) % Dim;
        for (std::size_t i = 0; i < s.size(); ++i)
            angular[d] += s.position[i][d] * s.momentum[i][e] - s.position[i][e] * s.momentum[i][d];
    }
    if (!periodic && Dim > 1)
        for (std::size_t d = 0; d < Dim; ++d) CHECK(std::abs(angular[d]) < 150.0 * rounding);
    if (periodic && Dim > 1 && count == 1000) CHECK(std::abs(angular[0]) > 1.0);
}

TEST_CASE("velocities are drawn once for each occasion") {
    auto first = random_gas<3>(5000), second = first;
    set_maxwell_boltzmann(first, conserved_momenta(box_of<3>(true)), 1.0, 3, 0);
    set_maxwell_boltzmann(second, conserved_momenta(box_of<3>(true)), 1.0, 3, 1);
    double sum = 0.0;
    for (std::size_t i = 0; i < first.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d)
            sum += first.momentum[i][d] * second.momentum[i][d] / first.mass(i);
    // A sum of 15,000 products of the variance 1.
    CHECK(std::abs(sum) < 5.0 * std::sqrt(15'000.0));
    set_maxwell_boltzmann(second, conserved_momenta(box_of<3>(true)), 1.0, 3);
    CHECK(second.momentum == first.momentum);
}

TEST_CASE("velocities of particles on a line do not turn") {
    Snapshot<3> s;
    s.species_table = {{"A", 1.0, 0.0}};
    for (int k = 0; k < 5; ++k) s.position.push_back({0.3 * k, -0.7 * k, 1.1 * k});
    s.species.assign(5, 0);
    set_maxwell_boltzmann(s, conserved_momenta(box_of<3>(false)), 1.0, 4);
    double angular[3] = {};
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t d = 0; d < 3; ++d) {
            const std::size_t e = (d + 1) % 3;
            CHECK(std::isfinite(s.momentum[i][d]));
            angular[d] += s.position[i][d] * s.momentum[i][e] - s.position[i][e] * s.momentum[i][d];
        }
    for (const double l : angular) CHECK(std::abs(l) < 1e-13);
}

TEST_CASE("velocities are Maxwell's") {
    const std::int64_t count = 90'000;
    auto s = random_gas<3>(count);
    const double kT = 0.7;
    set_maxwell_boltzmann(s, conserved_momenta(box_of<3>(true)), kT, 5);
    // By species: variance m kT and kurtosis 3 in each component. 30,000 numbers at least: relative
    // deviation of the variance 0.0082, of the kurtosis 0.028; five of them.
    for (const std::size_t kind : {0u, 1u})
        for (std::size_t d = 0; d < 3; ++d) {
            double n = 0.0, second = 0.0, fourth = 0.0;
            for (std::size_t i = 0; i < s.size(); ++i) {
                if (s.species[i] != kind) continue;
                const double p2 = s.momentum[i][d] * s.momentum[i][d];
                n += 1.0;
                second += p2;
                fourth += p2 * p2;
            }
            second /= n;
            CHECK(std::abs(second / (kT * s.species_table[kind].mass) - 1.0) < 0.041);
            CHECK(std::abs(fourth / n / (second * second) - 3.0) < 0.14);
        }
    auto again = random_gas<3>(count);
    set_maxwell_boltzmann(again, conserved_momenta(box_of<3>(true)), kT, 5);
    CHECK(again.momentum == s.momentum);
    set_maxwell_boltzmann(again, conserved_momenta(box_of<3>(true)), kT, 6);
    CHECK(again.momentum != s.momentum);
}

TEST_CASE("velocities at temperature zero and of single particles") {
    auto s = random_gas<2>(10);
    set_maxwell_boltzmann(s, conserved_momenta(box_of<2>(false)), 0.0, 1);
    CHECK(twice_kinetic(s) == 0.0);
    auto one = random_gas<2>(1);
    set_maxwell_boltzmann(one, conserved_momenta(box_of<2>(true)), 0.0, 1);
    CHECK(one.momentum.size() == 1);
    CHECK_THROWS_AS(set_maxwell_boltzmann(one, conserved_momenta(box_of<2>(true)), 1.0, 1),
                    InputError);
}
