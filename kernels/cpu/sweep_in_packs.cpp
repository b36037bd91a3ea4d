// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/sweep_in_packs.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/ops/sweep.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class Op>                                                                   \
    void sweep_cluster(const Sweep<Dim, Op>& sweep, std::int64_t c, double* memory,                \
                       std::int64_t most, PairsOfCluster found);                                   \
    template <int Dim>                                                                             \
    void brake_cluster(const Sweep<Dim, AddPairFriction<Dim>>& sweep, std::int64_t c,              \
                       PairsOfCluster known);                                                      \
    }
SHADOW_EACH_SET(SHADOW_DECLARE)

namespace cpu {
namespace {

constexpr std::int64_t widest_pack = 16;

/// The maximum number of particles near a cluster, plus a pack.
template <int Dim, class Op>
std::int64_t max_near(const Sweep<Dim, Op>& sweep, std::int64_t c) {
    const PairListView& list = sweep.list;
    std::int64_t most = list.cluster_end[c] - list.cluster_begin[c] + widest_pack;
    const NeighbourRange* ranges = list.ranges + c * list.stride;
    for (std::int32_t r = 0; r < list.range_count[c]; ++r) most += ranges[r].end - ranges[r].begin;
    return most;
}

/// Numbers for positions near a cluster and near a group, and for quantities of partners.
template <int Dim>
std::size_t scratch_numbers(std::int64_t most) {
    return static_cast<std::size_t>((2 * (Dim + 1) + sweep_group * (Dim + 2 + 8)) * most);
}

/// Memory for the pairs of one cluster.
class FoundPairs {
  public:
    FoundPairs(std::int64_t particles, std::int64_t most)
        : count_(make<std::int32_t>(particles)), partner_(make<std::int32_t>(particles * most)),
          number_(make<double>(particles * most)) {}

    [[nodiscard]] PairsOfCluster view() const {
        return {count_.get(), partner_.get(), number_.get()};
    }
    void keep(std::int64_t particles, KnownPairs& kept) const {
        const auto pairs =
            std::accumulate(count_.get(), count_.get() + particles, std::ptrdiff_t{0});
        kept.count.assign(count_.get(), count_.get() + particles);
        kept.partner.assign(partner_.get(), partner_.get() + pairs);
        kept.number.assign(number_.get(), number_.get() + pairs);
    }

  private:
    template <class T>
    static std::unique_ptr<T[]> make(std::int64_t size) {
        return std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(size));
    }
    std::unique_ptr<std::int32_t[]> count_, partner_;
    std::unique_ptr<double[]> number_;
};

PairsOfCluster view(KnownPairs& pairs) {
    return {pairs.count.data(), pairs.partner.data(), pairs.number.data()};
}

} // namespace

template <int Dim, class Op>
void sweep_in_packs(const Backend& backend, const Sweep<Dim, Op>& sweep, std::int64_t first,
                    std::int64_t last) {
    last = std::min<std::int64_t>(last, *sweep.list.cluster_count);
    if constexpr (requires { sweep.op.known; }) {
        for (std::int64_t c = first; c < last; ++c)
            SHADOW_DISPATCH(backend, brake_cluster, sweep, c, view(sweep.op.known[c]));
    } else {
        std::int64_t most = 0, particles = 0;
        for (std::int64_t c = first; c < last; ++c) {
            most = std::max(most, max_near(sweep, c));
            particles = std::max<std::int64_t>(particles, sweep.list.cluster_end[c] -
                                                              sweep.list.cluster_begin[c]);
        }
        const auto memory = std::make_unique_for_overwrite<double[]>(scratch_numbers<Dim>(most));
        constexpr bool keeps = requires {
            sweep.op.found;
        };
        FoundPairs found(keeps ? particles : 0, most);
        for (std::int64_t c = first; c < last; ++c) {
            SHADOW_DISPATCH(backend, sweep_cluster, sweep, c, memory.get(), most, found.view());
            if constexpr (keeps)
                found.keep(sweep.list.cluster_end[c] - sweep.list.cluster_begin[c],
                           sweep.op.found[c]);
        }
    }
}

#define SHADOW_INSTANTIATE(Op, Dim)                                                                \
    template void sweep_in_packs(const Backend&, const Sweep<Dim, Op<Dim>>&, std::int64_t,         \
                                 std::int64_t);
SHADOW_FIRST_SWEEPS(SHADOW_INSTANTIATE)
SHADOW_SECOND_SWEEPS(SHADOW_INSTANTIATE)
#undef SHADOW_INSTANTIATE

} // namespace cpu
} // namespace shadow
