// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

#include <cstdint>

/// The motion of particles under linear forces, by the matrices of their molecules.
namespace shadow {

/// Data common to all molecules of a kind.
template <int Dim>
struct HarmonicKind {
    std::int32_t atoms;
    /// By direction, in `HarmonicMotionView::matrix`: [row][column] of three adjacent matrices,
    /// from momenta to positions, from forces to positions, and from momenta to momenta.
    std::int64_t matrix[Dim];
};

/// The index of a particle in its molecule.
struct HarmonicPlace {
    std::int32_t kind, row;
    std::int64_t first; ///< of the molecule in `HarmonicMotionView::ids`
};

template <int Dim>
struct HarmonicMotionView {
    const HarmonicKind<Dim>* kind;
    const HarmonicPlace* place; ///< by id
    const std::uint32_t* ids;   ///< molecule by molecule
    const std::int32_t* index_of_id;
    const double* matrix;
};

/// The displacement of each particle, and its new momentum; the particles are not changed, since
/// others of their molecules read them.
template <int Dim>
struct FindHarmonicMotion {
    HarmonicMotionView<Dim> motion;
    ParticlesView<Dim> particles;
    VectorView<Dim, const double> force; ///< null: there is none
    VectorView<Dim, double> move, momentum;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        const HarmonicPlace place = motion.place[particles.id[i]];
        const HarmonicKind<Dim>& kind = motion.kind[place.kind];
        const std::int64_t n = kind.atoms, row = place.row * n;
        const double mass = particles.mass[particles.species[i]];
        double x[Dim] = {}, p[Dim] = {};
        for (std::int64_t j = 0; j < n; ++j) {
            const std::int32_t other = motion.index_of_id[motion.ids[place.first + j]];
            for (int d = 0; d < Dim; ++d) {
                const double* m = motion.matrix + kind.matrix[d] + row + j;
                const double q = particles.momentum.component[d][other],
                             f = force.component[d] ? force.component[d][other] : 0.0;
                x[d] += m[0] * q + m[n * n] * f;
                p[d] += m[2 * n * n] * q + mass * m[0] * f;
            }
        }
        for (int d = 0; d < Dim; ++d) {
            move.component[d][i] = x[d];
            momentum.component[d][i] = p[d];
        }
    }
};

template <int Dim>
struct ApplyHarmonicMotion {
    ParticlesView<Dim> particles;
    VectorView<Dim, double> move, momentum;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        for (int d = 0; d < Dim; ++d) {
            particles.position.component[d][i] += move.component[d][i];
            particles.momentum.component[d][i] = momentum.component[d][i];
        }
    }
};

} // namespace shadow
