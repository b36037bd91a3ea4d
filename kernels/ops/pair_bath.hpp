// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/cpu/sweep_in_packs.hpp"
#include "kernels/eigensystem.hpp"
#include "kernels/math.hpp"
#include "kernels/philox.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Baths that act between pairs of particles, along the line between them, so that momentum and
/// angular momentum are conserved. Which pairs act and how strongly depends only on positions, ids
/// and the step: Maxwell-Boltzmann distributed momenta keep their distribution.
namespace shadow {

/// Random numbers of pairs in one bath of a step.
template <int Dim>
struct PairNumbers {
    ParticlesView<Dim> particles;
    std::uint64_t seed;
    std::uint32_t stream;
    std::int64_t step;

    SHADOW_INLINE Philox operator()(std::int64_t i, std::int64_t j, std::uint32_t block) const {
        return Philox::of_pair(seed, stream, particles.id[i], particles.id[j],
                               static_cast<std::uint64_t>(step), block);
    }
    SHADOW_INLINE double inverse_mass(std::int64_t i) const {
        return particles.inverse_mass[particles.species[i]];
    }
};

/// Adds an impulse to a particle, and the change of its kinetic energy to `heat`.
template <int Dim>
SHADOW_INLINE void give(const ParticlesView<Dim>& particles, std::int64_t i,
                        const double (&impulse)[Dim], double* heat) {
    double change = 0.0;
    for (int d = 0; d < Dim; ++d) {
        double& p = particles.momentum.component[d][i];
        const double before = p;
        p = before + impulse[d];
        change += (p - before) * (p + before);
    }
    heat[i] += 0.5 * change * particles.inverse_mass[particles.species[i]];
}

/// The first of the pairs of a particle within the radius, by a number that each pair draws.
template <int Dim>
struct FirstPair {
    std::uint64_t key;
    std::int64_t partner; ///< memory index; -1: there is no pair
    std::int64_t pairs;   ///< their number
    double dx[Dim];       ///< to the partner
};

/// For Sweep.
template <int Dim>
struct FindFirstPair {
    using Sum = FirstPair<Dim>;
    static constexpr bool in_packs = true;
    PairNumbers<Dim> numbers;
    FirstPair<Dim>* first;

    SHADOW_INLINE Sum begin() const { return {~std::uint64_t{0}, -1, 0, {}}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        if (!(r2 > 0.0)) return; // no line between them
        const Philox draw = numbers(i, j, 0);
        offer(sum, dx, j, (std::uint64_t{draw.x[0]} << 32) | draw.x[1]);
    }
    /// Considers the pair with particle j, which has drawn `key`.
    SHADOW_INLINE void offer(Sum& sum, const double (&dx)[Dim], std::int64_t j,
                             std::uint64_t key) const {
        ++sum.pairs;
        const std::uint32_t* id = numbers.particles.id;
        const bool earlier =
            sum.partner < 0 || key < sum.key || (key == sum.key && id[j] < id[sum.partner]);
        if (!earlier) return;
        sum.key = key;
        sum.partner = j;
        for (int d = 0; d < Dim; ++d) sum.dx[d] = dx[d];
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const { first[i] = sum; }
};

/// Pairs that are the first one of both their particles (a random matching, Luby 1986) may get a
/// new relative velocity along their line, from Maxwell's distribution (Lowe 1999). For particles
/// with n and m pairs this happens to one pair in n + m - 1, so it exchanges with that many times
/// the `probability` that all pairs have.
template <int Dim>
struct ExchangeFirstPairs {
    PairNumbers<Dim> numbers;
    const FirstPair<Dim>* first;
    double probability, kT;
    double* heat;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        const ParticlesView<Dim>& particles = numbers.particles;
        const FirstPair<Dim>& mine = first[i];
        const std::int64_t j = mine.partner;
        if (j < 0 || first[j].partner != i || particles.id[i] > particles.id[j]) return;
        const auto among = static_cast<double>(mine.pairs + first[j].pairs - 1);
        if (numbers(i, j, 0).uniform(1) >= probability * among) return;
        double r2 = 0.0, before = 0.0;
        for (int d = 0; d < Dim; ++d) {
            r2 += mine.dx[d] * mine.dx[d];
            before += mine.dx[d] * (particles.velocity(j, d) - particles.velocity(i, d));
        }
        const double r = sqrt(r2);
        const double inverse = numbers.inverse_mass(i) + numbers.inverse_mass(j);
        double after = 0.0, unused = 0.0;
        numbers(i, j, 1).normal(after, unused);
        const double scale = (sqrt(kT * inverse) * after - before / r) / (inverse * r);
        double to_j[Dim], to_i[Dim];
        for (int d = 0; d < Dim; ++d) {
            to_j[d] = scale * mine.dx[d];
            to_i[d] = -to_j[d];
        }
        give(particles, i, to_i, heat);
        give(particles, j, to_j, heat);
    }
};

/// Friction and noise between pairs (Hoogerbrugge and Koelman 1992; Español and Warren 1995) with
/// the weight (1 - r / radius)^2 of Groot and Warren (1997, J. Chem. Phys. 107, 4423), over a time
/// t, exactly canonical. With e from i to j, v velocities and m the reduced mass of a pair,
///
///     g   = m (1 - exp(-2 friction t (1 - r/radius)^2))
///     u_i = v_i + sqrt(kT)/m_i (1 + (1 - X_i)^1/2)^-1 sum_j sqrt(g) z_ij e
///     p_i <- p_i + sum_j [g e.(u_j - u_i) + sqrt(kT g) (z_ij + z_ji)] e
///
/// where X_i = sum_j g e e^T / m_i and each particle has a standard normal number z_ij of its own
/// in each of its pairs. Velocities times the root of their mass become (1 - B B^T) times their old
/// values plus sqrt(2 kT) B y, with B from pairs to particles; y has the covariance 1 - B^T B / 2,
/// which is a sum over particles, each of which draws its part: sqrt(1/2) times the root of 1 - b
/// b^T, with b the rows of B of the particle. So the variance stays kT, whatever the step, while no
/// eigenvalue of any X_i is above 1. An isolated pair has the exact friction, for many pairs it is
/// of first order in t.
template <int Dim>
struct PairFriction {
    PairNumbers<Dim> numbers;
    double radius, decay; ///< decay: 2 friction t
    double kT;
    VectorView<Dim, double> predicted; ///< u
    VectorView<Dim, double> impulse;   ///< from all pairs of a particle

    /// For a pair, over its distance r: sqrt(g) z_ij, sqrt(g) (z_ij + z_ji) and g / r.
    template <class T>
    struct Terms {
        T own, both, friction;
    };

    /// z_ij and z_ji.
    SHADOW_INLINE void noise(std::int64_t i, std::int64_t j, float& mine, float& other) const {
        const std::uint32_t* id = numbers.particles.id;
        const Philox draw = numbers(i, j, 0);
        if (id[i] < id[j])
            draw.normal(mine, other);
        else
            draw.normal(other, mine);
    }
    /// 1/m_i + 1/m_j
    SHADOW_INLINE double inverse_masses(std::int64_t i, std::int64_t j) const {
        return numbers.inverse_mass(i) + numbers.inverse_mass(j);
    }
    /// g / r^2
    template <class T>
    SHADOW_INLINE T friction(T r2, T inverse_masses) const {
        const T weight = T(1) - square_root(r2) / T(radius);
        return -exponential_minus_one(T(-decay) * weight * weight) / (inverse_masses * r2);
    }
    template <class T>
    SHADOW_INLINE Terms<T> terms(T r2, T inverse_masses, T own, T both) const {
        const T braking = friction(r2, inverse_masses), noise = square_root(braking);
        return {noise * own, noise * both, braking};
    }
};

/// y = (1 + (1 - c X)^1/2)^-1 v if no eigenvalue of c X is above `small_friction`, to rounding: by
/// the interpolation polynomial at Chebyshev's points. `T` may be a pack.
inline constexpr double small_friction = 0.25;
template <int Dim, class T>
SHADOW_INLINE void over_one_and_small_root(const T (&X)[tensor_size<Dim>], const T& c,
                                           const T (&v)[Dim], T (&y)[Dim]) {
    constexpr double coefficient[] = {
        0.49999999999999856,  0.124999999999056,   0.06250000028281637,  0.03906247856112217,
        0.027344497553547793, 0.02049330902148292, 0.016283765625716613, 0.011835414577614172,
        0.016694123094732113, -0.0064986835826527, 0.029706087979403408};
    T scaled[tensor_size<Dim>];
    for (int k = 0; k < tensor_size<Dim>; ++k) scaled[k] = c * X[k];
    for (int d = 0; d < Dim; ++d) y[d] = T(coefficient[10]) * v[d];
    for (int n = 9; n >= 0; --n) {
        T next[Dim];
        for (int a = 0; a < Dim; ++a) {
            next[a] = T(coefficient[n]) * v[a];
            for (int b = 0; b < Dim; ++b)
                next[a] = next[a] + scaled[tensor_index<Dim>(a, b)] * y[b];
        }
        for (int d = 0; d < Dim; ++d) y[d] = next[d];
    }
}

/// The same for any X; false if an eigenvalue of c X is above 1.
template <int Dim>
SHADOW_INLINE bool over_one_and_root(const SymmetricTensor<Dim>& X, double c,
                                     const double (&v)[Dim], double (&y)[Dim]) {
    if (c * X.trace() < small_friction) { // a bound of its eigenvalues, none of which is negative
        double components[tensor_size<Dim>];
        for (int k = 0; k < tensor_size<Dim>; ++k) components[k] = X.component[k];
        over_one_and_small_root<Dim, double>(components, c, v, y);
        return true;
    }
    const Eigensystem<Dim> system(X);
    bool all = true;
    for (double& each : y) each = 0.0;
    for (int k = 0; k < Dim; ++k) {
        const double left = 1.0 - c * system.value[k];
        // For an isolated pair of very different masses it is 1 to rounding.
        all = all && !(left < -1e-12);
        double along = 0.0;
        for (int d = 0; d < Dim; ++d) along += system.vector[d][k] * v[d];
        along /= 1.0 + sqrt(left > 0.0 ? left : 0.0);
        for (int d = 0; d < Dim; ++d) y[d] += along * system.vector[d][k];
    }
    return all;
}

/// For Sweep: u of each particle, and the noise in its impulse.
template <int Dim>
struct PredictVelocities {
    struct Sum {
        double own[Dim], both[Dim];
        SymmetricTensor<Dim> friction;
    };
    static constexpr bool in_packs = true;
    PairFriction<Dim> pairs;
    std::int32_t* status; ///< 1 + id of the first particle with an eigenvalue above 1
    KnownPairs* found;    ///< by cluster, g / r^2 of each pair; on a CPU

    SHADOW_INLINE Sum begin() const { return {}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        if (!(r2 > 0.0)) return;
        float mine = 0.0F, other = 0.0F;
        pairs.noise(i, j, mine, other);
        const double own = mine, both = own + other;
        add(sum, dx, pairs.terms(r2, pairs.inverse_masses(i, j), own, both));
    }
    SHADOW_INLINE void add(Sum& sum, const double (&dx)[Dim],
                           const typename PairFriction<Dim>::template Terms<double>& terms) const {
        for (int a = 0; a < Dim; ++a) {
            sum.own[a] += terms.own * dx[a];
            sum.both[a] += terms.both * dx[a];
            for (int b = a; b < Dim; ++b)
                sum.friction.component[tensor_index<Dim>(a, b)] += terms.friction * dx[a] * dx[b];
        }
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const {
        const double inverse_mass = pairs.numbers.inverse_mass(i);
        double push[Dim];
        if (!over_one_and_root(sum.friction, inverse_mass, sum.own, push))
            atomic_keep_lowest(status,
                               1 + static_cast<std::int32_t>(pairs.numbers.particles.id[i]));
        end(i, sum, push);
    }
    /// `push`: the noise after friction.
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum, const double (&push)[Dim]) const {
        const double inverse_mass = pairs.numbers.inverse_mass(i), root = sqrt(pairs.kT);
        for (int d = 0; d < Dim; ++d) {
            pairs.predicted.component[d][i] =
                pairs.numbers.particles.velocity(i, d) + root * inverse_mass * push[d];
            pairs.impulse.component[d][i] = root * sum.both[d];
        }
    }
};

/// For Sweep: friction between the velocities u, added to the impulses.
template <int Dim>
struct AddPairFriction {
    struct Sum {
        double impulse[Dim];
    };
    static constexpr bool in_packs = true;
    PairFriction<Dim> pairs;
    KnownPairs* known; ///< of PredictVelocities

    SHADOW_INLINE Sum begin() const { return {}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t i,
                            std::int64_t j) const {
        if (!(r2 > 0.0)) return;
        add(sum, dx, pairs.friction(r2, pairs.inverse_masses(i, j)), i, j);
    }
    SHADOW_INLINE void add(Sum& sum, const double (&dx)[Dim], double friction, std::int64_t i,
                           std::int64_t j) const {
        double apart = 0.0;
        for (int d = 0; d < Dim; ++d)
            apart += dx[d] * (pairs.predicted.component[d][j] - pairs.predicted.component[d][i]);
        for (int d = 0; d < Dim; ++d) sum.impulse[d] += friction * apart * dx[d];
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const {
        for (int d = 0; d < Dim; ++d) pairs.impulse.component[d][i] += sum.impulse[d];
    }
};

template <int Dim>
struct GiveImpulses {
    ParticlesView<Dim> particles;
    VectorView<Dim, double> impulse;
    double* heat;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        double mine[Dim];
        for (int d = 0; d < Dim; ++d) mine[d] = impulse.component[d][i];
        give(particles, i, mine, heat);
    }
};

} // namespace shadow
