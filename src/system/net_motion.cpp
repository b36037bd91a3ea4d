// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/net_motion.hpp"

#include <algorithm>

namespace shadow {

namespace {

template <int Dim>
using Vector = std::array<double, Dim>;
template <int Dim>
using Rotation = std::array<double, rotations<Dim>>;

template <int Dim>
Rotation<Dim> cross(const Vector<Dim>& a, const Vector<Dim>& b) {
    if constexpr (Dim == 2) return {a[0] * b[1] - a[1] * b[0]};
    if constexpr (Dim == 3)
        return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return {};
}

/// omega x r
template <int Dim>
Vector<Dim> turn(const Rotation<Dim>& omega, const Vector<Dim>& r) {
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
struct Translation {
    Vector<Dim> momentum{};
    double mass = 0.0;
};

template <int Dim>
Translation<Dim> find_translation(const Snapshot<Dim>& s, const ConservedMomenta<Dim>& conserved) {
    Translation<Dim> found;
    for (std::size_t i = 0; i < s.size(); ++i) {
        found.mass += s.mass(i);
        for (std::size_t d = 0; d < Dim; ++d)
            if (conserved.linear[d]) found.momentum[d] += s.momentum[i][d];
    }
    return found;
}

/// Angular momentum about the centre of mass, and the angular velocity of the rigid rotation that
/// carries it.
template <int Dim>
struct Spin {
    Vector<Dim> centre{};
    Rotation<Dim> angular{}, omega{};
};

/// Conjugate gradients end after as many steps as there are unknowns, and also solve the singular
/// system of particles on a line, whose inertia about that line is zero.
template <std::size_t R>
std::array<double, R> solve(const std::array<std::array<double, R>, R>& inertia,
                            const std::array<double, R>& angular) {
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
    return omega;
}

template <int Dim>
Vector<Dim> arm(const Snapshot<Dim>& s, const Spin<Dim>& spin, std::size_t i) {
    Vector<Dim> r = s.position[i];
    for (std::size_t d = 0; d < Dim; ++d) r[d] -= spin.centre[d];
    return r;
}

/// Of the conserved components alone; positions are not wrapped in the directions of these.
template <int Dim>
Spin<Dim> find_spin(const Snapshot<Dim>& s, const ConservedMomenta<Dim>& momenta) {
    constexpr std::size_t R = rotations<Dim>;
    Spin<Dim> spin;
    const auto& conserved = momenta.angular;
    for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) spin.centre[d] += s.mass(i) * s.position[i][d];
    for (double& c : spin.centre) c /= s.total_mass();
    std::array<std::array<double, R>, R>
        inertia{}; // column k: angular momentum of unit angular velocity
    for (std::size_t i = 0; i < s.size(); ++i) {
        const Vector<Dim> r = arm(s, spin, i);
        const auto l = cross<Dim>(r, s.momentum[i]);
        for (std::size_t k = 0; k < R; ++k) {
            if (!conserved[k]) continue;
            spin.angular[k] += l[k];
            Rotation<Dim> unit{};
            unit[k] = 1.0;
            const auto column = cross<Dim>(r, turn<Dim>(unit, r));
            for (std::size_t j = 0; j < R; ++j)
                if (conserved[j]) inertia[j][k] += s.mass(i) * column[j];
        }
    }
    spin.omega = solve<R>(inertia, spin.angular);
    return spin;
}

} // namespace

template <int Dim>
bool ConservedMomenta<Dim>::any() const {
    const auto is = [](bool b) { return b; };
    return std::any_of(linear.begin(), linear.end(), is) ||
           std::any_of(angular.begin(), angular.end(), is);
}

template <int Dim>
ConservedMomenta<Dim> conserved_momenta(const Box<Dim>& box, const Invariance<Dim>& invariance) {
    ConservedMomenta<Dim> conserved{invariance.along, {}};
    const auto turns = [&](std::size_t d) {
        return invariance.along[d] && invariance.turning[d] && !box.periodic()[d];
    };
    if constexpr (Dim == 2) conserved.angular[0] = turns(0) && turns(1);
    if constexpr (Dim == 3)
        for (std::size_t k = 0; k < 3; ++k)
            conserved.angular[k] = turns((k + 1) % 3) && turns((k + 2) % 3);
    return conserved;
}

template <int Dim>
NetMotion<Dim> net_motion(const Snapshot<Dim>& s, const ConservedMomenta<Dim>& conserved) {
    NetMotion<Dim> motion;
    if (s.size() == 0) return motion;
    const Translation<Dim> translation = find_translation(s, conserved);
    const Spin<Dim> spin = find_spin(s, conserved);
    motion.momentum = translation.momentum;
    motion.angular_momentum = spin.angular;
    motion.translation = 0.5 * dot(motion.momentum, motion.momentum) / translation.mass;
    motion.rotation = 0.5 * dot(spin.angular, spin.omega);
    for (std::size_t i = 0; i < s.size(); ++i)
        motion.kinetic += 0.5 * dot(s.momentum[i], s.momentum[i]) / s.mass(i);
    return motion;
}

template <int Dim>
void remove_net_motion(Snapshot<Dim>& s, const ConservedMomenta<Dim>& conserved) {
    // Twice, as the first pass leaves rounding errors of the size of the thermal momenta.
    for (int pass = 0; pass < 2; ++pass) {
        const Translation<Dim> translation = find_translation(s, conserved);
        for (std::size_t i = 0; i < s.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d)
                s.momentum[i][d] -= s.mass(i) * translation.momentum[d] / translation.mass;
        const Spin<Dim> spin = find_spin(s, conserved);
        if (dot(spin.angular, spin.angular) == 0.0) continue;
        for (std::size_t i = 0; i < s.size(); ++i) {
            const auto v = turn<Dim>(spin.omega, arm(s, spin, i));
            for (std::size_t d = 0; d < Dim; ++d) s.momentum[i][d] -= s.mass(i) * v[d];
        }
    }
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template struct ConservedMomenta<Dim>;                                                         \
    template ConservedMomenta<Dim> conserved_momenta(const Box<Dim>&, const Invariance<Dim>&);     \
    template NetMotion<Dim> net_motion(const Snapshot<Dim>&, const ConservedMomenta<Dim>&);        \
    template void remove_net_motion(Snapshot<Dim>&, const ConservedMomenta<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
