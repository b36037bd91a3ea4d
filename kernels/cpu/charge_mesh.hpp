// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/mesh/charge_mesh.hpp"

namespace shadow {

template <int Dim, class T>
struct GatherForces;

/// Charges on a mesh, with loops of the backend's instruction set.
namespace cpu {

/// Number of columns of the spectrum, directions [1][2] or [1], the last padded to whole vectors.
template <int Dim, class T>
[[nodiscard]] SHADOW_INLINE std::int64_t spectrum_columns(const ChargeMesh<Dim, T>& mesh) {
    constexpr std::int64_t block = (Dim == 3 ? 1 : 2) * ChargeMesh<Dim, T>::row_block;
    const std::int64_t filled = (mesh.count[Dim - 1] + block - 1) / block * block;
    return Dim == 3 ? mesh.count[1] * filled : filled;
}
/// Size of `real` and of `imaginary`.
template <int Dim, class T>
[[nodiscard]] SHADOW_INLINE std::int64_t spectrum_size(const ChargeMesh<Dim, T>& mesh) {
    return (mesh.count[0] / 2 + 1) * spectrum_columns(mesh);
}
/// Size of `scratch` for each thread.
template <int Dim, class T>
[[nodiscard]] SHADOW_INLINE std::int64_t scratch_size(const ChargeMesh<Dim, T>& mesh) {
    std::int64_t longest = 0;
    for (int d = 0; d < Dim; ++d) longest = mesh.count[d] > longest ? mesh.count[d] : longest;
    return 4 * mesh.row_block * (longest + mesh.row_block);
}
enum class ConvolutionPass { forward, middle, backward };

/// Fills `cells`, a copy for each thread.
template <int Dim, class T>
void spread_charges(const Backend& backend, const ChargeMesh<Dim, T>& mesh,
                    const ParticlesView<Dim>& particles);
/// From `cells` to `potential`: that of the energy (`component` -1) or of a component of the
/// virial. Adds the total virial to `*virial` unless that is null.
template <int Dim, class T>
void convolve(const Backend& backend, const ChargeMesh<Dim, T>& mesh, int component,
              SymmetricTensor<Dim>* virial);
/// Copies the first points of each line of the potential to its end.
template <int Dim, class T>
void repeat_fronts(const Backend& backend, const ChargeMesh<Dim, T>& mesh);
/// Gathers the forces on particles [begin, end).
template <int Dim, class T>
void gather_forces(const Backend& backend, const GatherForces<Dim, T>& op, std::int64_t begin,
                   std::int64_t end);

} // namespace cpu
} // namespace shadow
