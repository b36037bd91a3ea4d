// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/transform.hpp"
#include "kernels/ops/charge_mesh.hpp"

#include <algorithm>

/// From charges to their potential on a mesh: on a CPU with its own loops; on a GPU or with a
/// library mode by mode between transforms.
namespace shadow {

/// Sizes, in numbers, of each part of the spectrum and of scratch memory.
struct MeshSizes {
    std::size_t spectrum, scratch;
};
template <int Dim, class T>
[[nodiscard]] MeshSizes mesh_sizes(const Backend& backend, const ChargeMesh<Dim, T>& mesh,
                                   const FourierPlan* plan) {
    if (!backend.is_cuda() && !plan)
        return {static_cast<std::size_t>(cpu::spectrum_size(mesh)),
                static_cast<std::size_t>(cpu::scratch_size(mesh) * mesh.copies)};
    const auto modes = static_cast<std::size_t>(mesh.mode_count());
    return {modes, plan ? plan->work_bytes() / sizeof(T) + 1 : 2 * modes};
}
/// On a CPU each thread spreads charges to its own cells.
[[nodiscard]] inline std::int32_t mesh_copies(const Backend& backend) {
    return backend.is_cuda() ? 1 : std::max(1, backend.threads());
}

/// Number of threads for splines; on a CPU, which has its own loops, that of particles.
template <int Dim>
[[nodiscard]] std::int64_t spline_threads(const Backend& backend,
                                          const ParticlesView<Dim>& particles) {
    return backend.is_cuda() ? particles.size * spline_lanes : particles.size;
}

/// From particles to `cells`, which the CPU loops clear themselves.
template <int Dim, class T>
void spread(const Backend& backend, const ChargeMesh<Dim, T>& mesh,
            const ParticlesView<Dim>& particles) {
    if (backend.is_cuda()) launch(backend, ClearCells<Dim, T>{mesh}, mesh.cell_count());
    launch(backend, SpreadCharges<Dim, T>{mesh, particles}, spline_threads(backend, particles));
}

/// From `potential` to particles.
template <int Dim, class T>
void gather(const Backend& backend, const GatherForces<Dim, T>& op) {
    launch(backend, op, spline_threads(backend, op.particles));
}

/// From `cells` to `potential`: that of the energy (`component` -1) or of a component of the
/// virial. Adds the total virial to `*virial`, in backend memory, unless that is null. `plan` is
/// the plan of a library, or null.
template <int Dim, class T>
void convolve(const Backend& backend, const ChargeMesh<Dim, T>& mesh, const FourierPlan* plan,
              int component, SymmetricTensor<Dim>* virial) {
    if (!backend.is_cuda() && !plan) return cpu::convolve(backend, mesh, component, virial);
    launch(backend, LoadCells<Dim, T>{mesh}, mesh.cell_count());
    transform(backend, mesh, plan, false);
    if (virial) reduce(backend, SumMeshVirial<Dim, T>{{}, mesh, virial}, mesh.mode_count(), virial);
    launch(backend, ApplyInfluence<Dim, T>{mesh, component}, mesh.mode_count());
    transform(backend, mesh, plan, true);
    if (!backend.is_cuda()) cpu::repeat_fronts(backend, mesh);
}

} // namespace shadow
