// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

/// The double-precision reference for pair forces: all pairs, minimum image, textbook formulas of
/// the distance, independent of the engine's code.
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
/// -ln r, or with alpha > 0 the pair part of its Ewald sum.
Curve logarithmic(double strength, double alpha = 0.0);
Curve damped_shifted_force(double strength, double alpha, double cutoff);
/// The self-energy of a charge in that potential.
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
    std::array<double, Dim> flux{};                    ///< heat flux of pairs, times the volume
    /// Sums over the pairs of |f| + |r f'| and |u| + |r f|, by particle: the change for a relative
    /// change of distances by 1, so that rounding errors are relative to it.
    std::vector<double> force_scale, energy_scale;
    /// The same for the flux, which contains u and r f: sums of (|u| + |r f| + |r^2 f'|) |v_i +
    /// v_j|.
    double flux_scale = 0.0;
    [[nodiscard]] double total_energy() const;
    [[nodiscard]] double total_virial() const;
};

/// Evaluates particles of `species` (empty: a single one), with the flux if velocities are given,
/// without excluded pairs. In 1D, 2D and 3D.
template <int Dim>
Result<Dim> evaluate(const std::vector<std::array<double, Dim>>& x, const std::vector<int>& species,
                     const BoxView<Dim>& box, const Model& model,
                     const std::vector<std::array<double, Dim>>& velocity = {},
                     const std::function<bool(std::size_t, std::size_t)>& excluded = {});

} // namespace shadow::oracle
