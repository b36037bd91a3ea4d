// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

#include "kernels/mesh/screening.hpp"

#include <cmath>
#include <numbers>
#include <vector>

namespace shadow::test {

template <int Dim>
struct EwaldSum {
    double energy = 0.0;
    Vectors<Dim> force;
};

/// Periodic charges by Ewald's sum, converged to rounding: pairs in the nearest image and its
/// neighbours, and wave vectors one by one. Energies in units of charge^2 / length. What a net
/// charge has with a uniform background is in it.
template <int Dim>
EwaldSum<Dim> ewald_sum(const Setup<Dim>& setup) {
    const auto& lengths = setup.box.lengths();
    const double shortest = *std::min_element(lengths.begin(), lengths.end());
    const double alpha = 5.8 / shortest, pi = std::numbers::pi;
    const Screening<Dim> screening{alpha};
    const std::size_t n = setup.start.size();
    std::vector<double> charge;
    for (const std::uint16_t s : setup.start.species)
        charge.push_back(setup.start.species_table[s].charge);
    EwaldSum<Dim> sum{0.0, Vectors<Dim>(n, std::array<double, Dim>{})};

    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const auto nearest =
                between<Dim>(setup.start.position[j], setup.start.position[i], setup.box);
            for (int image = 0; image < (Dim == 3 ? 27 : 9); ++image) {
                auto dx = nearest;
                for (int d = 0, rest = image; d < Dim; ++d, rest /= 3)
                    dx[static_cast<std::size_t>(d)] +=
                        (rest % 3 - 1) * lengths[static_cast<std::size_t>(d)];
                const double r = length_of<Dim>(dx);
                if (r == 0.0) continue;
                const double v = std::erfc(alpha * r) / r, qq = charge[i] * charge[j];
                sum.energy += 0.5 * qq * v;
                const double slope =
                    v + 2.0 * alpha / std::sqrt(pi) * std::exp(-alpha * alpha * r * r);
                for (std::size_t d = 0; d < Dim; ++d)
                    sum.force[i][d] += qq * slope / (r * r) * dx[d];
            }
        }
    double net = 0.0;
    for (const double q : charge) {
        sum.energy -= alpha / std::sqrt(pi) * q * q;
        net += q;
    }
    const double volume = setup.box.volume();
    const double cloud = Dim == 3 ? pi / (alpha * alpha) : 2.0 * std::sqrt(pi) / alpha;
    sum.energy -= 0.5 * net * net * cloud / volume;

    std::array<int, 3> top{};
    for (std::size_t d = 0; d < Dim; ++d)
        top[d] = static_cast<int>(2.0 * alpha * 6.2 * lengths[d] / (2.0 * pi)) + 1;
    for (int a = 0; a <= top[0]; ++a)
        for (int b = -top[1]; b <= top[1]; ++b)
            for (int c = -top[2]; c <= top[2]; ++c) {
                if (a == 0 && (b < 0 || (b == 0 && c <= 0))) continue; // one of k and -k
                const std::array<int, 3> m{a, b, c};
                std::array<double, Dim> k;
                double k2 = 0.0;
                for (std::size_t d = 0; d < Dim; ++d) {
                    k[d] = 2.0 * pi * m[d] / lengths[d];
                    k2 += k[d] * k[d];
                }
                const double g = screening(k2) / volume;
                double real = 0.0, imaginary = 0.0;
                std::vector<double> cosine(n), sine(n);
                for (std::size_t i = 0; i < n; ++i) {
                    double phase = 0.0;
                    for (std::size_t d = 0; d < Dim; ++d)
                        phase += k[d] * setup.start.position[i][d];
                    cosine[i] = std::cos(phase), sine[i] = std::sin(phase);
                    real += charge[i] * cosine[i], imaginary += charge[i] * sine[i];
                }
                sum.energy += g * (real * real + imaginary * imaginary);
                for (std::size_t i = 0; i < n; ++i)
                    for (std::size_t d = 0; d < Dim; ++d)
                        sum.force[i][d] +=
                            2.0 * g * charge[i] * k[d] * (sine[i] * real - cosine[i] * imaginary);
            }
    return sum;
}

} // namespace shadow::test
