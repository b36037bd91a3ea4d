// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/sweep_in_packs.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/ops/sweep.hpp"

#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class Op>                                                                   \
    void sweep_cluster(const Sweep<Dim, Op>& sweep, std::int64_t c, double* scratch,               \
                       std::int64_t most);                                                         \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

template <int Dim, class Op>
void sweep_in_packs(const Backend& backend, const Sweep<Dim, Op>& sweep, std::int64_t first,
                    std::int64_t last) {
    constexpr std::int64_t whole_pack = 8; // behind what is counted
    const PairListView& list = sweep.list;
    std::vector<double> scratch;
    for (std::int64_t c = first; c < last && c < *list.cluster_count; ++c) {
        std::int64_t most = list.cluster_end[c] - list.cluster_begin[c] + whole_pack;
        const NeighbourRange* ranges = list.ranges + c * list.stride;
        for (std::int32_t r = 0; r < list.range_count[c]; ++r)
            most += ranges[r].end - ranges[r].begin;
        const auto size = static_cast<std::size_t>(2 * (Dim + 1) * most);
        if (scratch.size() < size) scratch.resize(size);
        SHADOW_DISPATCH(backend, sweep_cluster, sweep, c, scratch.data(), most);
    }
}

#define SHADOW_INSTANTIATE(Op, Dim)                                                                \
    template void sweep_in_packs(const Backend&, const Sweep<Dim, Op<Dim>>&, std::int64_t,         \
                                 std::int64_t);
SHADOW_PACKED_SWEEPS(SHADOW_INSTANTIATE)
#undef SHADOW_INSTANTIATE

} // namespace cpu
} // namespace shadow
