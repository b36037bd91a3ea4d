// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/ewald.hpp"

namespace shadow::test {

/// A neutral layer of charges, periodic along x and y alone, without images along z: Ewald's sum in
/// two dimensions, converged to rounding (D. E. Parry 1975, Surf. Sci. 49, 433; D. M. Heyes, M.
/// Barber and J. H. R. Clarke 1977, J. Chem. Soc. Faraday Trans. II 73, 1485). Energies in units of
/// charge^2 / length.
inline EwaldSum<3> layer_sum(const Setup<3>& setup, double sharpness = 6.0) {
    const auto& lengths = setup.box.lengths();
    const double a = sharpness / std::min(lengths[0], lengths[1]), pi = std::numbers::pi;
    const double area = lengths[0] * lengths[1];
    const std::size_t n = setup.start.size();
    EwaldSum<3> sum{0.0, Vectors<3>(n, std::array<double, 3>{})};
    std::vector<double> charge;
    for (const std::uint16_t s : setup.start.species)
        charge.push_back(setup.start.species_table[s].charge);
    const auto pair = [&](std::size_t i, std::size_t j) {
        const std::array<double, 3> x{setup.start.position[i][0] - setup.start.position[j][0],
                                      setup.start.position[i][1] - setup.start.position[j][1],
                                      setup.start.position[i][2] - setup.start.position[j][2]};
        const double qq = charge[i] * charge[j], z = x[2];
        auto& f = sum.force[i];
        for (int m = -2; m <= 2; ++m)
            for (int k = -2; k <= 2; ++k) {
                const double dx = x[0] - lengths[0] * (std::round(x[0] / lengths[0]) + m);
                const double dy = x[1] - lengths[1] * (std::round(x[1] / lengths[1]) + k);
                const double r = std::sqrt(dx * dx + dy * dy + z * z);
                if (r == 0.0) continue;
                const double v = std::erfc(a * r) / r;
                const double slope =
                    (v + 2.0 * a / std::sqrt(pi) * std::exp(-a * a * r * r)) / (r * r);
                sum.energy += 0.5 * qq * v;
                f[0] += qq * slope * dx, f[1] += qq * slope * dy, f[2] += qq * slope * z;
            }
        const double flat = z * std::erf(a * z) + std::exp(-a * a * z * z) / (a * std::sqrt(pi));
        sum.energy -= pi / area * qq * flat;
        f[2] += 2.0 * pi / area * qq * std::erf(a * z);
        const int top_x = static_cast<int>(12.5 * a * lengths[0] / (2.0 * pi)) + 1;
        const int top_y = static_cast<int>(12.5 * a * lengths[1] / (2.0 * pi)) + 1;
        for (int m = -top_x; m <= top_x; ++m)
            for (int k = -top_y; k <= top_y; ++k) {
                const double kx = 2.0 * pi * m / lengths[0], ky = 2.0 * pi * k / lengths[1];
                const double length = std::hypot(kx, ky), phase = kx * x[0] + ky * x[1];
                if (length == 0.0) continue;
                const double above = std::exp(length * z) * std::erfc(length / (2.0 * a) + a * z);
                const double below = std::exp(-length * z) * std::erfc(length / (2.0 * a) - a * z);
                const double both = pi / area * qq / length * (above + below);
                sum.energy += 0.5 * both * std::cos(phase);
                f[0] += both * kx * std::sin(phase), f[1] += both * ky * std::sin(phase);
                f[2] -= pi / area * qq * std::cos(phase) * (above - below);
            }
    };
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) pair(i, j);
        sum.energy -= a / std::sqrt(pi) * charge[i] * charge[i];
    }
    return sum;
}

} // namespace shadow::test
