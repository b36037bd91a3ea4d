// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Weights of a cardinal B-spline at the mesh points next to a particle (Essmann et al. 1995, J.
/// Chem. Phys. 103, 8577, eq. 4.1): of the point `first` + j for a particle at `u` in units of the
/// mesh, u in [0, count].
struct SplineWeights {
    static constexpr int order = 6;
    double weight[order];
    std::int32_t first;

    SHADOW_INLINE explicit SplineWeights(double u) {
        const double below = floor(u), t = u - below;
        first = static_cast<std::int32_t>(below) - order + 1;
        weight[0] = 1.0 - t;
        weight[1] = t;
        for (int n = 3; n <= order; ++n) {
            const double share = 1.0 / (n - 1);
            weight[n - 1] = share * t * weight[n - 2];
            for (int j = 1; j < n - 1; ++j)
                weight[n - 1 - j] =
                    share * ((t + j) * weight[n - 2 - j] + (n - j - t) * weight[n - 1 - j]);
            weight[0] *= share * (1.0 - t);
        }
    }
};

/// Assigns particles to a periodic mesh, species by species, in units of 1 / `one` as integers, so
/// that their order does not matter.
template <int Dim, class Real>
struct SpreadToMesh {
    static constexpr double one = 1099511627776.0; ///< 2^40

    ParticlesView<Dim, Real> particles;
    double inverse_length[Dim];
    std::int32_t count[Dim]; ///< at least SplineWeights::order
    std::int64_t points;     ///< their product
    std::int64_t* mesh;      ///< [species][x][y][z]

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double x0 = fraction(i, 0);
        const SplineWeights last(fraction(i, Dim - 1));
        std::int64_t* own = mesh + particles.species[i] * points;
        if constexpr (Dim == 1) {
            add(own, one, last);
        } else if constexpr (Dim == 2) {
            const SplineWeights x(x0);
            for (int j = 0; j < SplineWeights::order; ++j)
                add(own + wrap(x.first + j, 0) * count[1], one * x.weight[j], last);
        } else {
            const SplineWeights x(x0), y(fraction(i, 1));
            for (int j = 0; j < SplineWeights::order; ++j)
                for (int k = 0; k < SplineWeights::order; ++k)
                    add(own + (wrap(x.first + j, 0) * count[1] + wrap(y.first + k, 1)) * count[2],
                        one * x.weight[j] * y.weight[k], last);
        }
    }

  private:
    /// Coordinate in units of the mesh.
    [[nodiscard]] SHADOW_INLINE double fraction(std::int64_t i, int d) const {
        const double turns =
            static_cast<double>(particles.position.component[d][i]) * inverse_length[d];
        return (turns - floor(turns)) * count[d];
    }
    [[nodiscard]] SHADOW_INLINE std::int64_t wrap(std::int32_t k, int d) const {
        return k < 0 ? k + count[d] : k >= count[d] ? k - count[d] : k;
    }
    SHADOW_INLINE void add(std::int64_t* line, double share, const SplineWeights& last) const {
        for (int j = 0; j < SplineWeights::order; ++j)
            atomic_add(line + wrap(last.first + j, Dim - 1),
                       static_cast<std::int64_t>(floor(share * last.weight[j] + 0.5)));
    }
};

} // namespace shadow
