// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/launch.hpp"
#include "kernels/ops/charge_mesh.hpp"
#include "kernels/ops/sort.hpp"

#include <algorithm>

/// From charges on a mesh to their potential: on a CPU by its own loops, on a GPU stage by stage.
namespace shadow {

/// Numbers of each part of the spectrum, and of scratch memory.
struct MeshSizes {
    std::size_t spectrum, scratch;
};
template <int Dim, class T>
[[nodiscard]] MeshSizes mesh_sizes(const Backend& backend, const ChargeMesh<Dim, T>& mesh) {
    if (backend.is_cuda()) {
        const auto points = static_cast<std::size_t>(mesh.lines() * mesh.count[Dim - 1]);
        return {points, 2 * points};
    }
    return {static_cast<std::size_t>(cpu::spectrum_size(mesh)),
            static_cast<std::size_t>(cpu::scratch_size(mesh) * mesh.copies)};
}
/// Charges of each thread are spread to its own cells on a CPU, which clears them itself.
[[nodiscard]] inline std::int32_t mesh_copies(const Backend& backend) {
    return backend.is_cuda() ? 1 : std::max(1, backend.threads());
}
[[nodiscard]] inline bool clears_cells(const Backend& backend) {
    return backend.is_cuda();
}

namespace detail {

/// All directions, one after the other. Back is with real and imaginary parts exchanged.
template <int Dim, class T>
void transform_stages(const Backend& backend, const ChargeMesh<Dim, T>& mesh, bool back) {
    const std::int64_t points = mesh.lines() * mesh.count[Dim - 1];
    T* real = back ? mesh.imaginary : mesh.real;
    T* imaginary = back ? mesh.real : mesh.imaginary;
    T *to_real = mesh.scratch, *to_imaginary = mesh.scratch + points;
    int stages = 0;
    std::int64_t inner = points;
    for (int d = 0; d < Dim; ++d) {
        inner /= mesh.count[d];
        std::int32_t stride = 1;
        for (std::int32_t s = 0; s < mesh.axis[d].stages; ++s, ++stages) {
            const std::int32_t radix = mesh.axis[d].radix[s];
            launch(backend,
                   TransformStage<T>{mesh.axis[d], s, stride, inner, real, imaginary, to_real,
                                     to_imaginary},
                   points / radix);
            std::swap(real, to_real);
            std::swap(imaginary, to_imaginary);
            stride *= radix;
        }
    }
    if (stages % 2 == 0) return;
    launch(backend, CopyNumbers<T>{real, to_real}, points);
    launch(backend, CopyNumbers<T>{imaginary, to_imaginary}, points);
}

} // namespace detail

/// From `cells` to `potential`, or to component `component` of the virial instead (-1: of the
/// energy). Adds the virial of all to `*virial`, in backend memory, unless that is null.
template <int Dim, class T>
void convolve(const Backend& backend, const ChargeMesh<Dim, T>& mesh, int component,
              SymmetricTensor<Dim>* virial) {
    if (!backend.is_cuda()) return cpu::convolve(backend, mesh, component, virial);
    const std::int64_t points = mesh.lines() * mesh.count[Dim - 1];
    launch(backend, LoadCells<Dim, T>{mesh}, points);
    detail::transform_stages(backend, mesh, false);
    if (virial) reduce(backend, SumMeshVirial<Dim, T>{{}, mesh, virial}, points, virial);
    launch(backend, ApplyInfluence<Dim, T>{mesh, component}, points);
    detail::transform_stages(backend, mesh, true);
    launch(backend, StorePotential<Dim, T>{mesh}, points);
}

} // namespace shadow
