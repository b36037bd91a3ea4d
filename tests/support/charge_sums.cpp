// SPDX-License-Identifier: BSD-3-Clause
#include "support/layer_sum.hpp"
#include "support/wire_sum.hpp"

#include "kernels/mesh/screening.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

/// Sums over periodic charges (ewald.hpp, layer_sum.hpp, wire_sum.hpp).
namespace shadow::test {

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

template EwaldSum<2> ewald_sum(const Setup<2>&);
template EwaldSum<3> ewald_sum(const Setup<3>&);

EwaldSum<3> layer_sum(const Setup<3>& setup, double sharpness) {
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

LinePotential line_potential(double z, double rho2, double period, bool itself, int images) {
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
        // Derivatives of 1/r with respect to s; the integral comes first.
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

template WireSum<2> wire_sum(const Setup<2>&);
template WireSum<3> wire_sum(const Setup<3>&);

} // namespace shadow::test
