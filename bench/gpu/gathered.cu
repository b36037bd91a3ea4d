// SPDX-License-Identifier: BSD-3-Clause
#include "fractions.cuh"

#include "shadow/core/error.hpp"

#include <algorithm>

namespace shadow::bench {

namespace {

/// Numbers of members become numbers of particles; padding becomes the particle itself.
template <int Dim>
__global__ void name_neighbours(const __grid_constant__ LiquidForces<Dim> forces,
                                std::int32_t* neighbour) {
    const StagedList& staged = forces.list.staged;
    const std::int64_t cluster = blockIdx.x;
    if (cluster >= *forces.list.cluster_count) return;
    const int lane = static_cast<int>(threadIdx.x);
    const std::int32_t begin = forces.list.cluster_begin[cluster],
                       end = forces.list.cluster_end[cluster];
    const std::int32_t self = begin + lane < end ? begin + lane : begin;
    for (std::int32_t row = 0; row < staged.row_count[cluster]; ++row) {
        const std::int64_t at = (cluster * staged.max_rows + row) * warp::lanes + lane;
        const std::uint64_t four =
            staged.rows[(cluster * (staged.max_rows / 4) + row / 4) * warp::lanes + lane];
        const auto member = static_cast<std::int32_t>(four >> entry_bits * (row % 4) & 0xFFFF);
        neighbour[at] =
            member < staged.member_count[cluster]
                ? cuda::member::particle(staged.member[cluster * staged.max_members + member])
                : self;
    }
}

template <int Dim>
__global__ void __launch_bounds__(block_threads, 8)
    sum_gathered(const __grid_constant__ LiquidForces<Dim> forces,
                 const Fraction<Dim>* __restrict__ place,
                 const std::int32_t* __restrict__ neighbour) {
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const std::int64_t cluster = std::int64_t{blockIdx.x} * block_warps + threadIdx.x / warp::lanes;
    if (cluster >= *forces.list.cluster_count) return;
    const std::int32_t i = forces.list.cluster_begin[cluster] + lane;
    if (i >= forces.list.cluster_end[cluster]) return;
    const Rule law(forces);
    const float cutoff2 = law.cutoff2();
    const Scale<Dim> scale(*forces.particles.box);
    const Fraction<Dim> mine = place[i];
    const std::int32_t* row =
        neighbour + cluster * forces.list.staged.max_rows * warp::lanes + lane;
    const std::int32_t count = forces.list.staged.row_count[cluster];
    warp::prefetch(row - lane, count * warp::lanes, lane);
    PairSums<Dim, double> sums;
    std::int32_t next[4] = {i, i, i, i};
    if (count > 0)
        for (int k = 0; k < 4; ++k) next[k] = row[k * warp::lanes];
    for (std::int32_t first = 0; first < count; first += warp::lanes) {
        const std::int32_t end = first + warp::lanes < count ? first + warp::lanes : count;
        PairSums<Dim, float> part;
        for (std::int32_t r = first; r < end; r += 4) {
            std::int32_t now[4];
            for (int k = 0; k < 4; ++k) now[k] = next[k];
            row += 4 * warp::lanes;
            if (r + 4 < count)
                for (int k = 0; k < 4; ++k) next[k] = row[k * warp::lanes];
            for (const std::int32_t j : now) {
                float d[Dim];
                scale.distance(mine, Fraction<Dim>::load(place + j), d);
                cuda::add_at<false, false>(law, cutoff2, d, 0, 0, j == i, part);
            }
        }
        cuda::join<false>(sums, part);
    }
    cuda::store<Dim, float, false>(forces, i, sums, false);
}

} // namespace

template <int Dim>
GatheredForces<Dim>::GatheredForces(const Backend& backend, const LiquidForces<Dim>& forces,
                                    std::int64_t clusters)
    : backend_(backend), clusters_(clusters),
      place_(backend, static_cast<std::size_t>(forces.particles.size * fraction_words<Dim>)),
      neighbour_(backend,
                 static_cast<std::size_t>(clusters * forces.list.staged.max_rows * warp::lanes)) {
    std::vector<std::int32_t> rows(static_cast<std::size_t>(clusters));
    detail::copy_to_host(backend, rows.data(), forces.list.staged.row_count,
                         rows.size() * sizeof(std::int32_t));
    if (*std::min_element(rows.begin(), rows.end()) < 0)
        throw MachineError("a cluster without a staged list (it would be too long); measure a "
                           "system of lower density");
    for (const std::int32_t count : rows) pairs_ += warp::lanes * static_cast<double>(count);
    pairs_ /= static_cast<double>(forces.particles.size);
    cuda::enqueue(cuda::stream_of(backend.stream()), name_neighbours<Dim>,
                  static_cast<unsigned>(clusters), warp::lanes, nullptr, forces, neighbour_.data());
}

template <int Dim>
void GatheredForces<Dim>::compute(const LiquidForces<Dim>& forces) {
    const auto* at = place<Dim>(backend_, forces, place_);
    cuda::enqueue(cuda::stream_of(backend_.stream()), sum_gathered<Dim>,
                  blocks_for(clusters_ * warp::lanes), block_threads, nullptr, forces, at,
                  neighbour_.data());
}

template class GatheredForces<2>;
template class GatheredForces<3>;

} // namespace shadow::bench
