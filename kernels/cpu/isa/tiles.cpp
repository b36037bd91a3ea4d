// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/cluster_cutter.hpp"
#include "kernels/cpu/supercluster_lister.hpp"
#include "kernels/cpu/tile_driver.hpp"

namespace shadow::SHADOW_ISA {

#define SHADOW_TILES(Dim, Pair)                                                                    \
    template float gather_superclusters(const TileTask<Dim, Pair>&, std::int32_t, std::int32_t,    \
                                        bool);                                                     \
    template void compute_chunk(const TileTask<Dim, Pair>&, const TileChunkView&, Pair*);          \
    template void collect_superclusters(const TileTask<Dim, Pair>&, const TileBatchView&,          \
                                        std::int32_t, std::int32_t);                               \
    template bool collect_supercluster(const TileTask<Dim, Pair>&, const TileBatchView&,           \
                                       std::int32_t, const VectorView<Dim, double>&,               \
                                       std::int32_t);
#define SHADOW_CUT(Dim)                                                                            \
    template void cut_clusters(const VectorView<Dim, double>&, const PairListView&, std::int64_t,  \
                               std::int64_t, float, std::int32_t*, std::uint8_t*, std::int32_t*);
#define SHADOW_DIMENSION(Dim)                                                                      \
    SHADOW_TILES(Dim, double)                                                                      \
    SHADOW_TILES(Dim, float)                                                                       \
    SHADOW_CUT(Dim)                                                                                \
    template void bound_superclusters(const TileBounds<Dim>&, std::int32_t, std::int32_t);         \
    template void list_supercluster(const TileGeometry<Dim>&, const BlockRoom<Dim>&, std::int32_t, \
                                    const cpu::TileCandidate*, std::int32_t, TileOutput&);
SHADOW_DIMENSION(2)
SHADOW_DIMENSION(3)

} // namespace shadow::SHADOW_ISA
