// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/velocities.hpp"

#include "shadow/core/error.hpp"

#include "kernels/philox.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

template <int Dim>
using Vector = std::array<double, Dim>;

/// Components of an angular momentum or velocity: (xy) in two dimensions; (yz, zx, xy) in three.
template <int Dim>
constexpr std::size_t rotations = Dim*(Dim - 1) / 2;

template <int Dim>
Vector<rotations<Dim>> cross(const Vector<Dim>& a, const Vector<Dim>& b) {
    if constexpr (Dim == 2) return {a[0] * b[1] - a[1] * b[0]};
    if constexpr (Dim == 3)
        return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return {};
}

/// omega x r
template <int Dim>
Vector<Dim> turn(const Vector<rotations<Dim>>& omega, const Vector<Dim>& r) {
    if constexpr (Dim == 2) return {-omega[0] * r[1], omega[0] * r[0]};
    if constexpr (Dim == 3) return cross<3>(omega, r);
    return {};
}

template <std::size_t N>
double dot(const std::array<double, N>& a, const std::array<double, N>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < N; ++k) sum += a[k] * b[k];
    return sum;
}

template <int Dim>
double mass(const Snapshot<Dim>& s, std::size_t i) {
    return s.species_table[s.species[i]].mass;
}

template <int Dim>
void remove_momentum(Snapshot<Dim>& s) {
    Vector<Dim> total{};
    double total_mass = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        total_mass += mass(s, i);
        for (std::size_t d = 0; d < Dim; ++d) total[d] += s.momentum[i][d];
    }
    for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            s.momentum[i][d] -= mass(s, i) * total[d] / total_mass;
}

/// Subtracts the rigid rotation about the centre of mass that carries the angular momentum.
template <int Dim>
void remove_rotation(Snapshot<Dim>& s) {
    constexpr std::size_t R = rotations<Dim>;
    Vector<Dim> centre{};
    double total_mass = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i) {
        total_mass += mass(s, i);
        for (std::size_t d = 0; d < Dim; ++d) centre[d] += mass(s, i) * s.position[i][d];
    }
    for (double& c : centre) c /= total_mass;
    const auto arm = [&](std::size_t i) {
        Vector<Dim> r = s.position[i];
        for (std::size_t d = 0; d < Dim; ++d) r[d] -= centre[d];
        return r;
    };
    std::array<double, R> angular{};
    std::array<std::array<double, R>, R> inertia{}; // column k: angular momentum of a unit turn
    for (std::size_t i = 0; i < s.size(); ++i) {
        const Vector<Dim> r = arm(i);
        const auto l = cross<Dim>(r, s.momentum[i]);
        for (std::size_t k = 0; k < R; ++k) {
            angular[k] += l[k];
            std::array<double, R> unit{};
            unit[k] = 1.0;
            const auto column = cross<Dim>(r, turn<Dim>(unit, r));
            for (std::size_t j = 0; j < R; ++j) inertia[j][k] += mass(s, i) * column[j];
        }
    }
    // Conjugate gradients end after R steps and also solve the singular system of particles on a
    // line, whose inertia about that line is zero.
    std::array<double, R> omega{}, residual = angular, direction = angular;
    double square = dot(residual, residual);
    const double small = 1e-26 * square;
    for (std::size_t step = 0; step < R && square > small; ++step) {
        std::array<double, R> image;
        for (std::size_t k = 0; k < R; ++k) image[k] = dot(inertia[k], direction);
        const double curvature = dot(direction, image);
        if (!(curvature > 0.0)) break;
        const double length = square / curvature;
        for (std::size_t k = 0; k < R; ++k) {
            omega[k] += length * direction[k];
            residual[k] -= length * image[k];
        }
        const double next = dot(residual, residual);
        for (std::size_t k = 0; k < R; ++k)
            direction[k] = residual[k] + next / square * direction[k];
        square = next;
    }
    for (std::size_t i = 0; i < s.size(); ++i) {
        const auto v = turn<Dim>(omega, arm(i));
        for (std::size_t d = 0; d < Dim; ++d) s.momentum[i][d] -= mass(s, i) * v[d];
    }
}

template <int Dim>
double twice_kinetic(const Snapshot<Dim>& s) {
    double sum = 0.0;
    for (std::size_t i = 0; i < s.size(); ++i)
        sum += dot(s.momentum[i], s.momentum[i]) / mass(s, i);
    return sum;
}

template <int Dim>
void draw(Snapshot<Dim>& s, double kT, std::uint64_t seed) {
    const auto stream = static_cast<std::uint32_t>(RandomStream::velocities);
    for (std::size_t i = 0; i < s.size(); ++i) {
        const double width = std::sqrt(mass(s, i) * kT);
        for (std::size_t d = 0; d < Dim; d += 2) {
            double a, b;
            Philox(seed, stream, static_cast<std::uint32_t>(i), 0,
                   static_cast<std::uint32_t>(d / 2))
                .normal(a, b);
            s.momentum[i][d] = width * a;
            if (d + 1 < Dim) s.momentum[i][d + 1] = width * b;
        }
    }
}

} // namespace

template <int Dim>
double degrees_of_freedom(std::int64_t count, const Box<Dim>& box, bool momentum_conserved) {
    if (!momentum_conserved) return static_cast<double>(count * Dim);
    std::int64_t lost = Dim;
    if (box.is_open() && count > 1) lost += count == 2 ? Dim - 1 : Dim * (Dim - 1) / 2;
    return static_cast<double>(std::max<std::int64_t>(0, count * Dim - lost));
}

template <int Dim>
void set_maxwell_boltzmann(Snapshot<Dim>& snapshot, const Box<Dim>& box, double kT,
                           std::uint64_t seed) {
    snapshot.momentum.assign(snapshot.size(), {});
    if (kT == 0.0) return;
    const auto count = static_cast<std::int64_t>(snapshot.size());
    const double freedom = degrees_of_freedom(count, box, true);
    if (!(freedom > 0.0))
        throw InputError(fmt::format(
            "a temperature for {} particle{} (the total momentum is removed and no motion is "
            "left); set velocity.temperature = 0 or add particles",
            count, count == 1 ? "" : "s"));
    draw(snapshot, kT, seed);
    // Twice, as the first pass leaves rounding errors of the size of the thermal momenta.
    for (int pass = 0; pass < 2; ++pass) {
        remove_momentum(snapshot);
        if constexpr (Dim > 1)
            if (box.is_open()) remove_rotation(snapshot);
    }
    const double scale = std::sqrt(freedom * kT / twice_kinetic(snapshot));
    for (auto& p : snapshot.momentum)
        for (double& component : p) component *= scale;
}

template double degrees_of_freedom(std::int64_t, const Box<1>&, bool);
template double degrees_of_freedom(std::int64_t, const Box<2>&, bool);
template double degrees_of_freedom(std::int64_t, const Box<3>&, bool);
template void set_maxwell_boltzmann(Snapshot<1>&, const Box<1>&, double, std::uint64_t);
template void set_maxwell_boltzmann(Snapshot<2>&, const Box<2>&, double, std::uint64_t);
template void set_maxwell_boltzmann(Snapshot<3>&, const Box<3>&, double, std::uint64_t);

} // namespace shadow
