// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/ranges.hpp"
#include "kernels/views.hpp"

#include <cmath>
#include <cstdint>

/// Staged lists (see StagedList): how they are planned, and how the building of neighbour ranges
/// and of staged lists is enqueued.
namespace shadow {

/// Members that a warp can hold in its shared memory: for 32 particles of a dense liquid, all
/// within 2.8 diameters, and a quarter more (bench/README.md).
template <int Dim>
inline constexpr std::int32_t staged_members = Dim == 3 ? 512 : (Dim == 2 ? 256 : 128);

/// Maximum number of particles of a cluster: lanes of a warp.
inline constexpr int staged_lanes = 32;

/// Entries of a particle's list in one number, which are loaded together.
inline constexpr int entries_in_one = 4;
inline constexpr int entry_bits = 16;

/// A member is a particle and its periodic image, one of 3^Dim: there are no more if no two images
/// of a cluster's neighbours are two boxes apart.
inline constexpr int staged_index_bits = 27;
inline constexpr std::int64_t max_staged_particles = std::int64_t{1} << staged_index_bits;
template <int Dim>
inline constexpr int staged_images = Dim == 3 ? 27 : (Dim == 2 ? 9 : 3);

/// Rows to plan for: neighbours within `reach` at this density and a third more, at least as many
/// as a dense liquid has within 2.8 diameters, since the mean density is no guide for a droplet. 0:
/// lists would need too much memory.
template <int Dim>
inline std::int32_t plan_rows(double density, double reach) {
    constexpr std::int32_t least = Dim == 3 ? 128 : (Dim == 2 ? 40 : 12);
    constexpr std::int32_t most = 512;
    constexpr double ball = Dim == 3 ? 4.18879020478639 : (Dim == 2 ? 3.14159265358979 : 2.0);
    const double rows = 4.0 / 3.0 * density * ball * std::pow(reach, Dim) + 16.0;
    if (!(rows <= most)) return 0;
    const auto whole = (static_cast<std::int32_t>(rows) + 3) / entries_in_one * entries_in_one;
    return whole > least ? whole : least;
}

template <int Dim>
struct StagePayload {
    ParticlesView<Dim> particles;
    PairListView list; ///< with neighbour ranges and the memory of the staged lists
};

/// Whether this backend has kernels that read staged lists.
[[nodiscard]] inline bool has_staged_lists(const Backend& backend) {
    return backend.is_cuda();
}

namespace cuda {
/// Defined in kernels/cuda/stage.cu. `clusters` is a bound on the number of clusters.
template <int Dim>
void stage(const Backend& backend, const StagePayload<Dim>& payload, std::int64_t clusters,
           const int* gate);
template <int Dim>
void find_ranges(const Backend& backend, const BuildRanges<Dim>& op, std::int64_t clusters,
                 const int* gate);
} // namespace cuda

/// Enqueues the search for neighbour ranges: on a GPU by a warp for each cluster, else by `launch`,
/// which the calling file includes.
template <int Dim>
void find_ranges(const Backend& backend, const BuildRanges<Dim>& op, std::int64_t clusters,
                 const int* gate) {
    if (backend.is_cuda())
        cuda::find_ranges(backend, op, clusters, gate);
    else
        launch(backend, op, clusters, gate);
}

/// Enqueues the building of staged lists from neighbour ranges; the CPU has none.
template <int Dim>
void stage(const Backend& backend, const StagePayload<Dim>& payload, std::int64_t clusters,
           const int* gate) {
    if (backend.is_cuda()) cuda::stage(backend, payload, clusters, gate);
}

} // namespace shadow
