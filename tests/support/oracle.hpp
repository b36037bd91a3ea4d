// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

/// The double-precision reference for pair forces: all pairs, minimum image, textbook formulas of
/// the distance written here once more, nothing shared with the engine.
namespace shadow::oracle {

/// u(r) and f(r) = -u'(r).
struct Curve {
    std::function<long double(long double)> u, f;
};

Curve lennard_jones(double epsilon, double sigma);
Curve morse(double depth, double a, double r0);
Curve inverse_power(double epsilon, double sigma, double n);
Curve wca(double epsilon, double sigma);
Curve harmonic_contact(double stiffness, double diameter);
Curve coulomb(double strength, double softening = 0.0);
Curve reaction_field(double strength, double epsilon_rf, double cutoff);
/// -ln r, or with alpha above zero what Ewald's sum leaves to pairs.
Curve logarithmic(double strength, double alpha = 0.0);
Curve damped_shifted_force(double strength, double alpha, double cutoff);
/// The energy of a charge by itself in that.
double damped_shifted_force_self(double strength, double alpha, double cutoff);

Curve operator+(const Curve& a, const Curve& b);
Curve operator-(const Curve& a, const Curve& b);
Curve shifted(const Curve& c, double cutoff);
Curve force_shifted(const Curve& c, double cutoff);
/// Matches `derivatives` values and derivatives at both ends by solving for the polynomial in r.
Curve smoothed(const Curve& c, double inner, double cutoff, int derivatives);

/// A curve and a cut-off for two species.
struct Pair {
    Curve curve;
    double cutoff;
};
using Model = std::function<const Pair&(int a, int b)>;

template <int Dim>
struct Result {
    std::vector<std::array<double, Dim>> force;
    std::vector<double> energy;                        ///< per particle, half of each pair
    std::array<std::array<double, Dim>, Dim> virial{}; ///< sum of r f over pairs
    std::array<double, Dim> flux{}; ///< of heat, times the volume: what pairs add
    /// Sums over the pairs of |f| + |r f'| and |u| + |r f|, by particle: what changes if distances
    /// change by their own size, so that rounding errors are relative to it.
    std::vector<double> force_scale, energy_scale;
    /// The same of the flux, which has u and r f: of (|u| + |r f| + |r^2 f'|) |v_i + v_j|.
    double flux_scale = 0.0;
    [[nodiscard]] double total_energy() const;
    [[nodiscard]] double total_virial() const;
};

template <int Dim>
Result<Dim> evaluate(const std::vector<std::array<double, Dim>>& x, const std::vector<int>& species,
                     const BoxView<Dim>& box, const Model& model,
                     const std::vector<std::array<double, Dim>>& velocity = {},
                     const std::function<bool(std::size_t, std::size_t)>& excluded = {}) {
    const std::size_t n = x.size();
    Result<Dim> out;
    out.force.resize(n);
    for (auto* numbers : {&out.energy, &out.force_scale, &out.energy_scale}) numbers->resize(n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            if (i == j || (excluded && excluded(i, j))) continue;
            std::array<double, Dim> d;
            double r2 = 0.0;
            for (int k = 0; k < Dim; ++k) {
                d[k] = x[i][k] - x[j][k];
                if (box.periodic[k]) d[k] -= box.length[k] * std::round(d[k] / box.length[k]);
                r2 += d[k] * d[k];
            }
            const double r = std::sqrt(r2);
            const Pair& pair =
                model(species.empty() ? 0 : species[i], species.empty() ? 0 : species[j]);
            if (!(r < pair.cutoff)) continue;
            const auto f = static_cast<double>(pair.curve.f(r));
            const auto u = static_cast<double>(pair.curve.u(r));
            for (int k = 0; k < Dim; ++k) out.force[i][k] += f * d[k] / r;
            out.energy[i] += 0.5 * u;
            for (int a = 0; a < Dim; ++a)
                for (int b = 0; b < Dim; ++b) out.virial[a][b] += 0.5 * f / r * d[a] * d[b];
            const auto slope =
                static_cast<double>(pair.curve.f(r * 1.001L) - pair.curve.f(r * 0.999L)) / 0.002;
            out.force_scale[i] += std::abs(f) + std::abs(slope);
            out.energy_scale[i] += std::abs(u) + std::abs(f) * r;
            if (velocity.empty()) continue;
            double power = 0.0; // f . (v_i + v_j)
            for (int k = 0; k < Dim; ++k) power += f * d[k] / r * (velocity[i][k] + velocity[j][k]);
            for (int k = 0; k < Dim; ++k) {
                const double together = velocity[i][k] + velocity[j][k];
                out.flux[k] += 0.25 * (u * together + d[k] * power);
                out.flux_scale +=
                    0.25 * (std::abs(u) + r * (std::abs(f) + std::abs(slope))) * std::abs(together);
            }
        }
    return out;
}

template <int Dim>
double Result<Dim>::total_energy() const {
    double sum = 0.0;
    for (const double e : energy) sum += e;
    return sum;
}
template <int Dim>
double Result<Dim>::total_virial() const {
    double sum = 0.0;
    for (std::size_t d = 0; d < Dim; ++d) sum += virial[d][d];
    return sum;
}

} // namespace shadow::oracle
