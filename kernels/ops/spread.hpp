// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"
#include "kernels/mesh/spline.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Weights at mesh points `first` + j of a particle at `u` in units of the mesh, u in [0, count].
struct AssignmentWeights : SplineWeights<6, double> {
    static constexpr int order = 6;
    std::int32_t first;

    SHADOW_INLINE explicit AssignmentWeights(double u)
        : SplineWeights(order, u - floor(u)),
          first(static_cast<std::int32_t>(floor(u)) - order + 1) {}
};

/// Assigns particles to a periodic mesh, species by species, in units of 1 / `one` as integers, so
/// that their order does not matter.
template <int Dim>
struct SpreadToMesh {
    static constexpr double one = 1099511627776.0; ///< 2^40

    ParticlesView<Dim> particles;
    double inverse_length[Dim];
    std::int32_t count[Dim]; ///< at least AssignmentWeights::order
    std::int64_t points;     ///< their product
    std::int64_t* mesh;      ///< [species][x][y][z]

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const double x0 = fraction(i, 0);
        const AssignmentWeights last(fraction(i, Dim - 1));
        std::int64_t* own = mesh + particles.species[i] * points;
        if constexpr (Dim == 1) {
            add(own, one, last);
        } else if constexpr (Dim == 2) {
            const AssignmentWeights x(x0);
            for (int j = 0; j < AssignmentWeights::order; ++j)
                add(own + wrap(x.first + j, 0) * count[1], one * x.weight[j], last);
        } else {
            const AssignmentWeights x(x0), y(fraction(i, 1));
            for (int j = 0; j < AssignmentWeights::order; ++j)
                for (int k = 0; k < AssignmentWeights::order; ++k)
                    add(own + (wrap(x.first + j, 0) * count[1] + wrap(y.first + k, 1)) * count[2],
                        one * x.weight[j] * y.weight[k], last);
        }
    }

  private:
    /// Coordinate in units of the mesh.
    [[nodiscard]] SHADOW_INLINE double fraction(std::int64_t i, int d) const {
        const double turns = particles.position.component[d][i] * inverse_length[d];
        return (turns - floor(turns)) * count[d];
    }
    [[nodiscard]] SHADOW_INLINE std::int64_t wrap(std::int32_t k, int d) const {
        return k < 0 ? k + count[d] : k >= count[d] ? k - count[d] : k;
    }
    SHADOW_INLINE void add(std::int64_t* line, double share, const AssignmentWeights& last) const {
        for (int j = 0; j < AssignmentWeights::order; ++j)
            atomic_add(line + wrap(last.first + j, Dim - 1),
                       static_cast<std::int64_t>(floor(share * last.weight[j] + 0.5)));
    }
};

} // namespace shadow
