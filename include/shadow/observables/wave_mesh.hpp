// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <vector>

namespace shadow {

/// A mesh over a periodic box and the Fourier components that it resolves: those with indices
/// -max_index .. max_index along each direction.
template <int Dim>
struct WaveMesh {
    std::array<std::int32_t, Dim> count; ///< points: even, with prime factors 2, 3 and 5
    std::array<std::int32_t, Dim> max_index;

    [[nodiscard]] std::int64_t points() const {
        std::int64_t n = 1;
        for (const std::int32_t k : count) n *= k;
        return n;
    }
    /// The number of components that are kept, [-max_0 .. max_0] ... [0 .. max]: at least one of k
    /// and -k.
    [[nodiscard]] std::int64_t modes() const {
        std::int64_t n = max_index[Dim - 1] + 1;
        for (std::size_t d = 0; d + 1 < Dim; ++d) n *= 2 * max_index[d] + 1;
        return n;
    }
    /// The indices of one component.
    [[nodiscard]] std::array<std::int32_t, Dim> indices(std::int64_t mode) const;
};

/// The coarsest mesh on which B-splines of order p = AssignmentWeights::order give all components
/// up to a wave number `longest` with a relative error of at most `accuracy`: components k + 2 pi K
/// / L are aliased with amplitudes of at most (m / (K - m))^p, for index m of K points.
template <int Dim>
[[nodiscard]] WaveMesh<Dim> choose_mesh(const Box<Dim>& box, double longest, double accuracy);

/// Fourier components of a density assigned to a mesh, sum over points of density exp(-i k.x),
/// divided by the transform of the B-spline; in the order of `WaveMesh::modes`, times a phase that
/// depends on the mode alone. `density`: points() numbers, the last direction runs fastest.
template <int Dim>
[[nodiscard]] std::vector<std::complex<double>> transform_mesh(const WaveMesh<Dim>& mesh,
                                                               const double* density, int threads);

} // namespace shadow
