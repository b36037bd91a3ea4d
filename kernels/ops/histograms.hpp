// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/bins.hpp"
#include "kernels/ops/stress.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Counts particles by species and by one or two of their coordinates.
template <int Dim>
struct CountPlaces {
    ParticlesView<Dim> particles;
    Bins bins[2];
    std::int32_t direction[2]; ///< the second is -1 if one coordinate is enough
    std::int64_t* histogram;   ///< [species][first][second]

    template <class Add>
    SHADOW_INLINE void count(std::int64_t i, Add&& add) const {
        const BoxView<Dim>& box = *particles.box;
        std::int64_t at = particles.species[i];
        for (int axis = 0; axis < 2 && direction[axis] >= 0; ++axis) {
            const std::int32_t d = direction[axis], count = bins[axis].count;
            double x = particles.position.component[d][i];
            if (box.periodic[d]) x -= box.length[d] * floor((x - box.origin[d]) / box.length[d]);
            std::int32_t k = bins[axis](x);
            // Rounding may put a particle of a periodic box at its end.
            if (k < 0 && box.periodic[d]) k = x < bins[axis].low ? 0 : count - 1;
            if (k < 0) return;
            at = at * count + k;
        }
        add(at);
    }
};

/// Counts components of velocities, or the kinetic energies of particles, by species.
template <int Dim>
struct CountVelocities {
    ParticlesView<Dim> particles;
    const KineticSums<Dim>* sums;
    ConservedMass<Dim> conserved_mass; ///< velocities are relative to the centre of mass
    Bins bins;
    bool energies;
    std::int64_t* histogram; ///< [species][bin]

    template <class Add>
    SHADOW_INLINE void count(std::int64_t i, Add&& add) const {
        const std::int64_t species = particles.species[i];
        double square = 0.0;
        for (int d = 0; d < Dim; ++d) {
            const double share = conserved_mass.share(particles.mass[species], d);
            const double v = (particles.physical_momentum(i, d) - share * sums->momentum[d]) *
                             particles.inverse_mass[species];
            square += v * v;
            if (!energies) count_value(species, v, add);
        }
        if (energies) count_value(species, 0.5 * particles.mass[species] * square, add);
    }

  private:
    template <class Add>
    SHADOW_INLINE void count_value(std::int64_t species, double x, Add& add) const {
        const std::int32_t k = bins(x);
        if (k >= 0) add(species * bins.count + k);
    }
};

/// Moves counts into a row of doubles and resets them.
struct TakeCounts {
    std::int64_t* histogram;
    double* row;

    SHADOW_FUNCTION void operator()(std::int64_t k) const {
        row[k] = static_cast<double>(histogram[k]);
        histogram[k] = 0;
    }
};

/// Appends a row to those not yet collected. The end of these is in memory, once for each number,
/// so that the arguments are the same at every row.
struct KeepRow {
    const double* row;
    std::int64_t width;
    double* rows;
    std::int32_t* count; ///< of rows so far, by number; one if a row has no numbers

    SHADOW_FUNCTION void operator()(std::int64_t k) const {
        if (k < width) rows[count[k] * width + k] = row[k];
        ++count[k];
    }
};

} // namespace shadow
