// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pair_force.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/launch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_force.hpp"
#include "kernels/cpu/tile_views.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class State, class Pair>                                                    \
    void pair_force(const PairForcePayload<Dim, State, Pair>& payload, std::int64_t first,         \
                    std::int64_t last);                                                            \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {
/// Clusters that make the least work worth a thread.
constexpr std::int64_t cluster_grain = 1;
} // namespace

template <int Dim, class State, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, State, Pair>& payload) {
    PairForcePayload<Dim, State, Pair> t = payload;
    // An earlier failure not yet looked at is the one to tell: what follows are its consequences.
    std::int32_t ignored = 0;
    if (*t.status != 0) t.status = &ignored;
    if (t.tiles && t.tiles->compute(backend, t)) return;
    parallel_ranges(backend.threads(), *t.list.cluster_count, cluster_grain,
                    [&](std::int64_t begin, std::int64_t end) {
                        SHADOW_DISPATCH(backend, pair_force, t, begin, end);
                    });
    if (t.energy)
        cpu::reduce(backend, SumVirial<Dim>{{}, t.parts, t.list.cluster_count, t.virial_so_far()},
                    *t.list.cluster_count, t.virial, nullptr);
}

#define SHADOW_PAIR_FORCE(Dim, State, Pair)                                                        \
    template void pair_force(const Backend&, const PairForcePayload<Dim, State, Pair>&);
SHADOW_PAIR_FORCE(1, double, double)
SHADOW_PAIR_FORCE(1, double, float)
SHADOW_PAIR_FORCE(2, double, double)
SHADOW_PAIR_FORCE(2, double, float)
SHADOW_PAIR_FORCE(3, double, double)
SHADOW_PAIR_FORCE(3, double, float)

} // namespace cpu

double list_skin(const Backend& backend, double skin, double cutoff) {
    if (backend.is_cuda()) return skin;
    constexpr double skins = 6.0, cutoffs = 1.2; // measured, bench/README.md
    return std::max(skin, std::min(skins * skin, cutoffs * cutoff));
}

int pair_cluster_size(const Backend& backend) {
    return backend.is_cuda() ? cuda::pair_cluster_size : tile_cluster_size;
}

} // namespace shadow
