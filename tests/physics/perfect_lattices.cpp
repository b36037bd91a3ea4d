// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/lennard_jones.hpp"

#include "shadow/system/lattice.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

using namespace shadow;

namespace {

constexpr double pi = 3.14159265358979323846;

/// Lattice sums A_n = sum of (r_nn / r)^n, and the least energy -A_6^2 / (2 A_12), as another
/// program computed them. Of the cubic lattices the sums go back to Jones and Ingham (1925), of hcp
/// to Kane and Goeppert-Mayer (1940).
struct Published {
    const char* name;
    double nearest; ///< in units of the lattice constant
    double a6, a12, digits;
    double energy, energy_digits;
};
const Published fcc = {"fcc", std::sqrt(0.5), 14.4539210, 12.1318802, 5e-8, -8.610200, 5e-7};
const Published hcp = {"hcp", 1.0, 14.4548973, 12.1322938, 5e-8, -8.611070, 5e-7};
const Published bcc = {"bcc", std::sqrt(0.75), 12.2536679, 9.1141833, 5e-8, -8.237292, 5e-7};
const Published triangular = {"triangular",   1.0,  6.37588155282985, 6.00981392796611, 5e-14,
                              -3.38212347861, 5e-12};
const Published square = {"square",       1.0,  4.65891361560, 4.06402192772, 5e-12,
                          -2.67044278595, 1e-11};

/// Calls f(r^2) for all particles within `radius` of each particle of the cell, itself left out.
template <int Dim, class F>
void each_neighbour(const LatticeCell<Dim>& cell, double radius, const F& f) {
    std::array<int, 3> most{};
    for (std::size_t d = 0; d < Dim; ++d)
        most[d] = static_cast<int>(std::ceil(radius / cell.edge[d])) + 1;
    for (int x = -most[0]; x <= most[0]; ++x)
        for (int y = -most[1]; y <= most[1]; ++y)
            for (int z = -most[2]; z <= most[2]; ++z)
                for (const auto& from : cell.basis)
                    for (const auto& to : cell.basis) {
                        const std::array<int, 3> image{x, y, z};
                        double r2 = 0.0;
                        for (std::size_t d = 0; d < Dim; ++d) {
                            const double step = image[d] * cell.edge[d] + (to[d] - from[d]);
                            r2 += step * step;
                        }
                        if (r2 > 0.01 && r2 < radius * radius) f(r2);
                    }
}

/// sum of r^-n over an infinite lattice, even n, r in units of its constant. As Ewald (1921) splits
/// 1 / r: with s = n / 2, r^-n = r^-n Q(s, a^2 r^2) + a smooth rest, Q(s, x) = e^-x sum of x^k / k!
/// for k < s. Of the rest only the mean over space counts if a is small beside the shortest wave
/// vector k of the lattice, here exp(-(k / 2 a)^2) < e^-76, so it is an integral, less its value at
/// r = 0.
template <int Dim>
double infinite_sum(const LatticeCell<Dim>& cell, int n, double nearest, double split = 0.36) {
    const double a = split / nearest, s = 0.5 * n;
    double sum = 0.0, volume = 1.0;
    for (const double edge : cell.edge) volume *= edge;
    const auto count = static_cast<double>(cell.basis.size());
    each_neighbour<Dim>(cell, 9.0 / a, [&](double r2) { // where Q is 1e-28
        const double x = a * a * r2;
        double term = 1.0, q = 1.0;
        for (int k = 1; k < n / 2; ++k) q += term *= x / k;
        sum += std::pow(r2, -s) * std::exp(-x) * q;
    });
    const double half = 0.5 * Dim;
    const double mean = count / volume * std::pow(pi, half) * std::pow(a, n - Dim) / (s - half);
    return sum / count + (mean - std::pow(a, n) / s) / std::tgamma(s);
}

/// Energy and r.f per particle of Lennard-Jones with epsilon = sigma = 1 within a cut-off.
struct Truncated {
    double energy = 0.0, virial = 0.0;
    double closest = 1.0; ///< of a particle to the cut-off
};
template <int Dim>
Truncated truncated_sum(const LatticeCell<Dim>& cell, double constant, double cutoff) {
    Truncated t;
    const auto share = 0.5 / static_cast<double>(cell.basis.size());
    each_neighbour<Dim>(cell, cutoff / constant + 0.1, [&](double r2) {
        const double r = constant * std::sqrt(r2), x = std::pow(r, -6);
        t.closest = std::min(t.closest, std::abs(r - cutoff));
        if (r > cutoff) return;
        t.energy += share * 4.0 * (x * x - x);
        t.virial += share * (48.0 * x * x - 24.0 * x);
    });
    return t;
}

/// The sums of a lattice and what follows: the lattice constant of least energy, and that energy.
struct Crystal {
    double s6, s12;
    [[nodiscard]] double constant() const { return std::pow(2.0 * s12 / s6, 1.0 / 6.0); }
    [[nodiscard]] double energy() const { return -0.5 * s6 * s6 / s12; }
};
template <int Dim>
Crystal crystal(const Published& p) {
    const auto cell = lattice_cell<Dim>(p.name);
    return {infinite_sum<Dim>(cell, 6, p.nearest), infinite_sum<Dim>(cell, 12, p.nearest)};
}

template <int Dim>
void check_published(const Published& p) {
    CAPTURE(p.name);
    const Crystal c = crystal<Dim>(p);
    // Where the split is must not matter: more digits than some of the published sums have.
    const double other = infinite_sum<Dim>(lattice_cell<Dim>(p.name), 6, p.nearest, 0.3);
    CHECK(std::abs(other / c.s6 - 1.0) < 1e-13);
    CHECK(std::abs(std::pow(p.nearest, 6) * c.s6 - p.a6) < p.digits);
    CHECK(std::abs(std::pow(p.nearest, 12) * c.s12 - p.a12) < p.digits);
    CHECK(std::abs(c.energy() - p.energy) < p.energy_digits);
}

/// The engine's energy and pressure of a perfect crystal within a cut-off against the direct sum.
template <int Dim>
void check_engine(const Backend& backend, const Published& p,
                  const std::array<std::int64_t, Dim>& repeat, bool pair_is_double,
                  double tolerance) {
    const double cutoff = 3.24, constant = crystal<Dim>(p).constant();
    const auto cell = lattice_cell<Dim>(p.name);
    const Truncated expected = truncated_sum<Dim>(cell, constant, cutoff);
    CAPTURE(p.name, pair_is_double);
    REQUIRE(expected.closest > 0.01); // so that rounding decides about no pair
    auto values = measure<Dim>(backend,
                               fmt::format(R"(
[system]
dimension = {}
lattice = {{ type = "{}", repeat = [{}], constant = {:.17g} }}
[[observe]]
type = "thermo"
)",
                                           Dim, p.name, fmt::join(repeat, ", "), constant),
                               1.0, 1.0, cutoff, pair_is_double);
    auto particles = static_cast<double>(cell.basis.size());
    double volume = 1.0;
    for (std::size_t d = 0; d < Dim; ++d) {
        particles *= static_cast<double>(repeat[d]);
        volume *= static_cast<double>(repeat[d]) * cell.edge[d] * constant;
    }
    const double energy = values["potential_energy"].at(0) / particles;
    const double virial = values["pressure"].at(0) * Dim * volume / particles;
    CHECK(std::abs(energy - expected.energy) < tolerance);
    CHECK(std::abs(virial - expected.virial) < 20.0 * tolerance);
}

template <int Dim>
void check_precisions(const Published& p, const std::array<std::int64_t, Dim>& repeat) {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    check_engine<Dim>(backend, p, repeat, true, 1e-12);
    // Coordinates of a few sigma round by 2e-7 in single precision, where u has the slope 12 x 4 at
    // r = 1 and vanishes at the minimum. All cells are alike, so errors do not cancel.
    check_engine<Dim>(backend, p, repeat, false, 1e-5);
}

} // namespace

TEST_CASE("sums over perfect lattices are the published ones") {
    check_published<3>(fcc);
    check_published<3>(hcp);
    check_published<3>(bcc);
    check_published<2>(triangular);
    check_published<2>(square);
}

TEST_CASE("perfect crystals have their energy and pressure") {
    SECTION("fcc") {
        check_precisions<3>(fcc, {5, 5, 5});
    }
    SECTION("hcp") {
        check_precisions<3>(hcp, {7, 5, 5});
    }
    SECTION("bcc") {
        check_precisions<3>(bcc, {6, 6, 6});
    }
    SECTION("triangular") {
        check_precisions<2>(triangular, {8, 5});
    }
    SECTION("square") {
        check_precisions<2>(square, {8, 8});
    }
}
