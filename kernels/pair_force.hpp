// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/potentials/truncation.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

#include <cstdint>

/// The pair force: the arguments of its drivers on the CPU (kernels/cpu/pair_force) and on GPUs
/// (kernels/cuda/pair_force). `double` is the number type of the particle arrays, `Pair` that of
/// the arithmetic on one pair: (double, double), (double, float) or (float, float).
namespace shadow {

template <int Dim>
struct Advance;
namespace cpu {
template <int Dim>
class TileForce;
}

template <int Dim, class Pair>
struct PairForcePayload {
    ParticlesView<Dim> particles;
    PairListView list;
    VectorView<Dim, double> reference; ///< positions from which the list was made,
    const BoxView<Dim>* reference_box; ///< and the box at that time
    VectorView<Dim, double> force;     ///< by particle
    double* energy;                    ///< by particle, half of each pair, or null: forces only
    SymmetricTensor<Dim>*
        virial; ///< sum of r f over pairs, one tensor, or null; on GPUs only with energy
    SymmetricTensor<Dim>* parts; ///< of the virial, by cluster of the list; room for all. GPUs only
                                 ///< write these, the caller adds them
    std::int32_t* status;        ///< one int: 0, or 1 + lowest id with a force that is not finite
    bool accumulate;             ///< add to the present values
    Ending ending;
    std::int32_t interaction; ///< position in `Interactions`, kernels/potentials/list.hpp
    std::int32_t species_count;
    double cutoff;     ///< the longest of all species pairs
    const Pair* table; ///< row (a * species_count + b): the fields of Interaction::Of<Pair>
    cpu::TileForce<Dim>* tiles;  ///< of this force, on the CPU; null: use the neighbour ranges
    const Advance<Dim>* advance; ///< on the CPU: applied to each particle once its force is known,
                                 ///< and then `force` is not written; null: only forces
    bool follows; ///< particles are at the positions to which `advance` of the last call moved them

    [[nodiscard]] const SymmetricTensor<Dim>* virial_so_far() const {
        return accumulate ? virial : nullptr;
    }
};

/// Particles per cluster of the lists that the pair kernels of a backend use.
[[nodiscard]] int pair_cluster_size(const Backend& backend, int dim = 3);
/// The skin that lists should have for pair forces of this skin and cut-off. The CPU repeatedly
/// makes tiles from the lists, with the requested skin; so its lists may last longer.
[[nodiscard]] double list_skin(const Backend& backend, double skin, double cutoff);

namespace cpu {
template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload);
} // namespace cpu

namespace cuda {
/// Defined in kernels/cuda/pair_force*.cu. `clusters` is a bound on the number of clusters.
template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                std::int64_t clusters);
inline constexpr int pair_cluster_size = 32;
} // namespace cuda

/// Whether this backend keeps tiles for a pair force.
[[nodiscard]] inline bool has_tiles(const Backend& backend) {
    return !backend.is_cuda();
}

/// Enqueues the evaluation of one pair force for all particles.
template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                std::int64_t clusters) {
    if (backend.is_cuda()) return cuda::pair_force(backend, payload, clusters);
    cpu::pair_force(backend, payload);
}

} // namespace shadow
