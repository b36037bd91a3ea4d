// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

#include <cmath>
#include <vector>

namespace shadow::test {

template <int Dim>
struct WireSum {
    double energy = 0.0;
    Vectors<Dim> force;
    SymmetricTensor<Dim> virial{};
};

/// Of 1/r from all images of a charge of 1, along a line at a distance rho from it and with a
/// charge at z: the potential, less an infinite constant, and its slopes with z and rho^2, twice.
/// Images up to some are summed one by one, the others by the formula of Euler and Maclaurin for
/// midpoints, whose first term that is left out is below 0.2 / (L a^6), a images.
struct LinePotential {
    double value = 0.0, along = 0.0, across = 0.0;
};
inline LinePotential line_potential(double z, double rho2, double period, bool itself,
                                    int images = 60) {
    LinePotential sum;
    for (int n = -images; n <= images; ++n) {
        const double s = z + n * period, r = std::sqrt(s * s + rho2);
        if (n == 0 && itself) continue;
        sum.value += 1.0 / r;
        sum.along -= s / (r * r * r);
        sum.across -= 1.0 / (r * r * r);
    }
    for (const double side : {-1.0, 1.0}) {
        const double s = side * z + (images + 0.5) * period, s2 = s * s;
        const double r2 = s2 + rho2, r = std::sqrt(r2), r5 = r2 * r2 * r, r7 = r5 * r2;
        // Derivatives of 1/r by s, the integral first.
        const double first = -s / (r2 * r), second = (3.0 * s2 - r2) / r5;
        const double third = (9.0 * s * r2 - 15.0 * s * s2) / r7;
        const double fourth = (9.0 * r2 * r2 - 90.0 * s2 * r2 + 105.0 * s2 * s2) / (r7 * r2);
        const double c1 = period / 24.0, c3 = -7.0 / 5760.0 * std::pow(period, 3);
        sum.value += -std::log(s + r) / period + c1 * first + c3 * third;
        sum.along += side * (-1.0 / (r * period) + c1 * second + c3 * fourth);
        sum.across += -1.0 / (r * (s + r) * period) + c1 * 3.0 * s / r5 +
                      c3 * (-45.0 * s / r7 + 105.0 * s * s2 / (r7 * r2));
    }
    return sum;
}

/// Neutral charges that are periodic along one direction alone, to rounding. Energies in units of
/// charge^2 / length. Across the wire the virial is the sum of x f, and as the energy is
/// homogeneous of degree -1 its trace is that.
template <int Dim>
WireSum<Dim> wire_sum(const Setup<Dim>& setup) {
    const Snapshot<Dim>& start = setup.start;
    std::size_t along = 0;
    while (!setup.box.periodic()[along]) ++along;
    const double period = setup.box.lengths()[along];
    const std::size_t n = start.size();
    WireSum<Dim> sum{0.0, Vectors<Dim>(n, std::array<double, Dim>{}), {}};
    const auto charge = [&](std::size_t i) { return start.species_table[start.species[i]].charge; };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const double qq = charge(i) * charge(j);
            double z = start.position[i][along] - start.position[j][along], rho2 = 0.0;
            z -= period * std::round(z / period);
            for (std::size_t d = 0; d < Dim; ++d)
                if (d != along) rho2 += std::pow(start.position[i][d] - start.position[j][d], 2);
            const LinePotential line = line_potential(z, rho2, period, i == j);
            sum.energy += 0.5 * qq * line.value;
            if (i == j) continue;
            for (std::size_t d = 0; d < Dim; ++d)
                sum.force[i][d] -=
                    qq * (d == along ? line.along
                                     : line.across * (start.position[i][d] - start.position[j][d]));
        }
    const auto component = [&](std::size_t a, std::size_t b) -> double& {
        return sum.virial.component[tensor_index<Dim>(static_cast<int>(a), static_cast<int>(b))];
    };
    component(along, along) = sum.energy;
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t b = 0; b < Dim && a != along; ++b) {
            if (b != along && b < a) continue; // x f is symmetric
            for (std::size_t i = 0; i < n; ++i)
                component(a, b) += start.position[i][a] * sum.force[i][b];
            if (a == b) component(along, along) -= component(a, a);
        }
    return sum;
}

} // namespace shadow::test
