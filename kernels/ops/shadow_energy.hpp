// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/by_level.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/thermo.hpp"

/// The energy that steps conserve: its difference from the energy, from sums over particles of
/// products of forces with velocities and with each other; or from the path, from sums over
/// particles of positions and momenta at several successive steps.
namespace shadow {

/// Positions of particles a time later without forces.
template <int Dim>
struct MoveAlong {
    ParticlesView<Dim> particles;
    double time;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double by = time * particles.inverse_mass[particles.species[i]];
        for (int d = 0; d < Dim; ++d)
            particles.position.component[d][i] += by * particles.physical_momentum(i, d);
    }
};

/// Sum over particles of sum_l along_l v.F_l + sum_(k <= l) product_kl F_k.M^-1 F_l.
template <int Dim>
struct SumForceProducts : DoubleSum {
    ParticlesView<Dim> particles;
    TotalForce<Dim> force; ///< of time-independent forces, by level
    double along[max_levels];
    double product[max_levels][max_levels]; ///< at [k][l], k <= l

    SHADOW_FUNCTION double operator()(std::int64_t i) const {
        double sum = 0.0;
        for (int l = 0; l < force.count; ++l)
            for (int d = 0; d < Dim; ++d) {
                const double f = force.component[l][d][i];
                double times = along[l] * particles.physical_momentum(i, d);
                for (int k = 0; k <= l; ++k) times += product[k][l] * force.component[k][d][i];
                sum += times * f;
            }
        return sum * particles.inverse_mass[particles.species[i]];
    }
};

/// One thread: the row of `shadow-energy`.
template <int Dim>
struct FinishShadowEnergy {
    const ThermoSums<Dim>* sums;
    const double* products; ///< here, ahead and behind
    Tail tail_energy;
    const BoxView<Dim>* box;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        row[0] = 0.5 * sums->twice_kinetic + sums->potential + tail_energy.in(*box) + products[0] +
                 products[1] + products[2];
    }
};

/// One thread: the action grows by an energy times a time, or starts with that.
struct AddToAction {
    double* action;
    const double* energy;
    double time;
    bool begins;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        *action = (begins ? 0.0 : *action) + time * *energy;
    }
};

/// Maximum number of points of a path for an energy: those of order 24.
inline constexpr int max_path_points = 13;

/// Weights of the pairs of points: of i < j at j (j - 1) / 2 + i. See `path_weights`.
struct PathWeights {
    int points;
    double of[max_path_points * (max_path_points - 1) / 2];
};

/// Stores positions and canonical momenta of particles, by id, and variables of a bath; and the
/// action of the step that ends there.
template <int Dim>
struct StorePoint {
    ParticlesView<Dim> particles;
    const double* action_now; ///< null: there is none yet
    double* point;            ///< by direction: positions, then momenta; pairs of a bath
    double* action;
    Scalars scalars;
    int variables; ///< of a bath: Integrator::action_variables

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const std::int64_t id = particles.id[i];
        for (int d = 0; d < Dim; ++d) {
            point[d * particles.size + id] = particles.unwrapped(i, d);
            point[(Dim + d) * particles.size + id] = particles.momentum.component[d][i];
        }
        if (i > 0) return;
        if (action_now) *action = *action_now;
        double* pair = point + 2 * Dim * particles.size;
        for (int k = 0; k < variables; ++k) {
            *pair++ = scalars[k == 0 ? Scalar::s : of_row(Scalar::bath_position, k - 1)];
            *pair++ = scalars[k == 0 ? Scalar::pi : of_row(Scalar::bath_momentum, k - 1)];
        }
    }
};

/// Points of a path in a ring buffer.
struct PathRing {
    PathWeights weight;
    const double* path;
    std::int64_t numbers; ///< of a point
    int first;            ///< of the oldest point in it

    [[nodiscard]] SHADOW_INLINE const double* point(int j) const {
        return path + numbers * ((first + j) % weight.points);
    }
    /// Sum over pairs of points of w_ij (q_j - q_i).(p_i + p_j), of a coordinate and its momentum.
    [[nodiscard]] SHADOW_INLINE double products(std::int64_t of_q, std::int64_t of_p) const {
        double q[max_path_points], p[max_path_points], sum = 0.0;
        const double* w = weight.of;
        for (int j = 0; j < weight.points; ++j) {
            q[j] = point(j)[of_q];
            p[j] = point(j)[of_p];
            for (int i = 0; i < j; ++i) sum += *w++ * (q[j] - q[i]) * (p[i] + p[j]);
        }
        return sum;
    }
};

/// Half of the sum of these over particles, by id.
template <int Dim>
struct SumPathProducts : DoubleSum {
    PathRing ring;
    std::int64_t size; ///< particles

    SHADOW_FUNCTION double operator()(std::int64_t id) const {
        double sum = 0.0;
        for (int d = 0; d < Dim; ++d) sum += ring.products(d * size + id, (Dim + d) * size + id);
        return 0.5 * sum;
    }
};

/// One thread: the row of `shadow-energy` from a path. With variables of a bath energies are those
/// of a Hamiltonian that is zero where its energy is Scalar::energy_0.
template <int Dim>
struct FinishPathEnergy {
    PathRing ring;
    const double* products;
    const double* action; ///< of the step that ends at each point of the ring
    Tail tail_energy;
    const BoxView<Dim>* box;
    double* row;
    Scalars scalars;
    int variables;

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        double between[max_path_points] = {}; // from each point to j
        double sum = *products;
        for (int k = 0; k < variables; ++k) {
            const std::int64_t pair = ring.numbers - 2 * (variables - k);
            sum += 0.5 * ring.products(pair, pair + 1);
        }
        const double* w = ring.weight.of;
        for (int j = 1; j < ring.weight.points; ++j)
            for (int i = 0; i < j; ++i) {
                between[i] += action[(ring.first + j) % ring.weight.points];
                sum -= *w++ * between[i];
            }
        row[0] = sum + (variables > 0 ? scalars[Scalar::energy_0] : tail_energy.in(*box));
    }
};

} // namespace shadow
