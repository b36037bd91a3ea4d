// SPDX-License-Identifier: BSD-3-Clause
#include "support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace shadow::oracle {

using Wide = long double;

Curve lennard_jones(double epsilon, double sigma) {
    return {
        [=](Wide r) { return 4 * epsilon * (std::pow(sigma / r, 12) - std::pow(sigma / r, 6)); },
        [=](Wide r) {
            return 24 * epsilon * (2 * std::pow(sigma / r, 12) - std::pow(sigma / r, 6)) / r;
        }};
}

Curve morse(double depth, double a, double r0) {
    return {[=](Wide r) {
                const Wide y = 1 - std::exp(-a * (r - r0));
                return depth * (y * y - 1);
            },
            [=](Wide r) {
                const Wide e = std::exp(-a * (r - r0));
                return -2 * depth * a * (1 - e) * e;
            }};
}

Curve inverse_power(double epsilon, double sigma, double n) {
    return {[=](Wide r) { return epsilon * std::pow(sigma / r, Wide(n)); },
            [=](Wide r) { return n * epsilon * std::pow(sigma / r, Wide(n)) / r; }};
}

Curve wca(double epsilon, double sigma) {
    const Curve lj = lennard_jones(epsilon, sigma);
    return {[=](Wide r) { return lj.u(r) + epsilon; }, lj.f};
}

Curve harmonic_contact(double stiffness, double diameter) {
    return {[=](Wide r) { return 0.5 * stiffness * (diameter - r) * (diameter - r); },
            [=](Wide r) { return stiffness * (diameter - r); }};
}

Curve coulomb(double strength, double softening) {
    const auto distance = [=](Wide r) { return std::sqrt(r * r + Wide(softening) * softening); };
    return {[=](Wide r) { return strength / distance(r); },
            [=](Wide r) { return strength * r / std::pow(distance(r), Wide(3)); }};
}

Curve reaction_field(double strength, double epsilon_rf, double cutoff) {
    const Wide e = epsilon_rf, k = (e - 1) / (2 * e + 1) / std::pow(Wide(cutoff), 3);
    return {[=](Wide r) { return strength * (1 / r + k * r * r - 3 * e / (2 * e + 1) / cutoff); },
            [=](Wide r) { return strength * (1 / (r * r) - 2 * k * r); }};
}

Curve logarithmic(double strength, double alpha) {
    if (alpha == 0.0)
        return {[=](Wide r) { return -strength * std::log(r); },
                [=](Wide r) { return strength / r; }};
    return {[=](Wide r) { return -0.5 * strength * std::expint(-alpha * alpha * r * r); },
            [=](Wide r) { return strength * std::exp(-alpha * alpha * r * r) / r; }};
}

Curve damped_shifted_force(double strength, double alpha, double cutoff) {
    const Curve screened{[=](Wide r) { return strength * std::erfc(alpha * r) / r; },
                         [=](Wide r) {
                             return strength * (std::erfc(alpha * r) / (r * r) +
                                                2 * alpha / std::sqrt(std::numbers::pi_v<Wide>) *
                                                    std::exp(-alpha * alpha * r * r) / r);
                         }};
    return force_shifted(screened, cutoff);
}

double damped_shifted_force_self(double strength, double alpha, double cutoff) {
    const Wide x = Wide(alpha) * cutoff;
    return static_cast<double>(
        -strength * (std::erfc(x) / cutoff +
                     alpha / std::sqrt(std::numbers::pi_v<Wide>) * (1 + std::exp(-x * x))));
}

Curve operator+(const Curve& a, const Curve& b) {
    return {[=](Wide r) { return a.u(r) + b.u(r); }, [=](Wide r) { return a.f(r) + b.f(r); }};
}

Curve operator-(const Curve& a, const Curve& b) {
    return {[=](Wide r) { return a.u(r) - b.u(r); }, [=](Wide r) { return a.f(r) - b.f(r); }};
}

Curve shifted(const Curve& c, double cutoff) {
    const Wide at = c.u(cutoff);
    return {[=](Wide r) { return c.u(r) - at; }, c.f};
}

Curve force_shifted(const Curve& c, double cutoff) {
    const Wide u = c.u(cutoff), f = c.f(cutoff);
    return {[=](Wide r) { return c.u(r) - u + f * (r - cutoff); },
            [=](Wide r) { return c.f(r) - f; }};
}

Curve smoothed(const Curve& c, double inner, double cutoff, int derivatives) {
    const int n = 2 * derivatives;
    const Wide h = 1e-4L;
    const Wide value[] = {
        c.u(inner), -c.f(inner),
        -(8 * (c.f(inner + h) - c.f(inner - h)) - (c.f(inner + 2 * h) - c.f(inner - 2 * h))) /
            (12 * h)};
    // P(r) = sum a_k (r - inner)^k: rows are the conditions, column n the right-hand side.
    std::vector<std::vector<Wide>> m(n, std::vector<Wide>(n + 1, 0));
    for (int d = 0; d < derivatives; ++d)
        for (int k = d; k < n; ++k) {
            Wide falling = 1;
            for (int q = 0; q < d; ++q) falling *= k - q;
            if (k == d) m[d][k] = falling;
            m[derivatives + d][k] = falling * std::pow(Wide(cutoff) - inner, k - d);
        }
    for (int d = 0; d < derivatives; ++d) m[d][n] = value[d];
    for (int p = 0; p < n; ++p) {
        int best = p;
        for (int i = p; i < n; ++i)
            if (std::abs(m[i][p]) > std::abs(m[best][p])) best = i;
        std::swap(m[p], m[best]);
        for (int i = 0; i < n; ++i) {
            if (i == p) continue;
            const Wide factor = m[i][p] / m[p][p];
            for (int k = p; k <= n; ++k) m[i][k] -= factor * m[p][k];
        }
    }
    std::vector<Wide> a(n);
    for (int k = 0; k < n; ++k) a[k] = m[k][n] / m[k][k];
    return {[=](Wide r) -> Wide {
                if (r < inner) return c.u(r);
                Wide sum = 0;
                for (int k = n - 1; k >= 0; --k) sum = sum * (r - inner) + a[k];
                return r < cutoff ? sum : 0;
            },
            [=](Wide r) -> Wide {
                if (r < inner) return c.f(r);
                Wide sum = 0;
                for (int k = n - 1; k >= 1; --k) sum = sum * (r - inner) + k * a[k];
                return r < cutoff ? -sum : 0;
            }};
}

template <int Dim>
Result<Dim> evaluate(const std::vector<std::array<double, Dim>>& x, const std::vector<int>& species,
                     const BoxView<Dim>& box, const Model& model,
                     const std::vector<std::array<double, Dim>>& velocity,
                     const std::function<bool(std::size_t, std::size_t)>& excluded) {
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

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template struct Result<Dim>;                                                                   \
    template Result<Dim> evaluate<Dim>(const std::vector<std::array<double, Dim>>&,                \
                                       const std::vector<int>&, const BoxView<Dim>&, const Model&, \
                                       const std::vector<std::array<double, Dim>>&,                \
                                       const std::function<bool(std::size_t, std::size_t)>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow::oracle
