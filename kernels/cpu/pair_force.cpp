// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/pair_force.hpp"

#include "kernels/cpu/launch.hpp"
#include "kernels/cpu/pair_sweep.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_force.hpp"
#include "kernels/cpu/tile_views.hpp"
#include "kernels/ops/advance.hpp"
#include "kernels/ops/sums.hpp"
#include "kernels/ops/sweep.hpp"

#include <algorithm>
#include <vector>

namespace shadow {

namespace cpu {

namespace {

/// One pair at a time, from both sides.
template <int Dim, class Pair>
void sweep_pairs(const Backend& backend, const PairForcePayload<Dim, Pair>& t) {
    const std::int64_t n = t.particles.size;
    std::vector<SymmetricTensor<Dim>> virial(static_cast<std::size_t>(t.virial ? n : 0));
    const SharePairs<Dim, Pair> pairs{t.particles.species,
                                      t.table,
                                      t.interaction,
                                      t.species_count,
                                      t.ending,
                                      false,
                                      nullptr,
                                      t.list.exclusions,
                                      t.particles.box};
    using Forces = SweepForces<Dim, Pair>;
    const Sweep<Dim, Forces> sweep{
        t.particles.position,     t.particles.box, t.list, t.cutoff * t.cutoff, 1,
        {t, pairs, virial.data()}};
    const std::int64_t clusters = *t.list.cluster_count;
    parallel_ranges(backend.threads(), clusters, 1, [&](std::int64_t begin, std::int64_t end) {
        for (; begin < end; ++begin) sweep(begin);
    });
    const auto count = static_cast<std::int32_t>(n);
    if (t.virial)
        cpu::reduce(backend, SumVirial<Dim>{{}, virial.data(), &count, t.virial_so_far()}, n,
                    t.virial, nullptr);
}

} // namespace

template <int Dim, class Pair>
void pair_force(const Backend& backend, const PairForcePayload<Dim, Pair>& payload) {
    PairForcePayload<Dim, Pair> t = payload;
    // An earlier failure that has not been read yet is the one to report: later ones are its
    // consequences.
    std::int32_t ignored = 0;
    if (*t.status != 0) t.status = &ignored;
    if (t.tiles && t.tiles->compute(backend, t)) return;
    sweep_pairs(backend, t);
    if (t.advance && *t.status == 0) cpu::launch(backend, *t.advance, t.particles.size, nullptr);
}

#define SHADOW_PAIR_FORCE(Dim, Pair)                                                               \
    template void pair_force(const Backend&, const PairForcePayload<Dim, Pair>&);
SHADOW_PAIR_FORCE(1, double)
SHADOW_PAIR_FORCE(1, float)
SHADOW_PAIR_FORCE(2, double)
SHADOW_PAIR_FORCE(2, float)
SHADOW_PAIR_FORCE(3, double)
SHADOW_PAIR_FORCE(3, float)

} // namespace cpu

double list_skin(const Backend& backend, double skin, double cutoff) {
    if (backend.is_cuda()) return skin;
    constexpr double skins = 6.0, cutoffs = 1.2; // measured, bench/README.md
    return std::max(skin, std::min(skins * skin, cutoffs * cutoff));
}

int pair_cluster_size(const Backend& backend, int dim) {
    if (backend.is_cuda()) return cuda::pair_cluster_size;
    constexpr int swept = 8; // those that Sweep processes together
    return dim == 1 ? swept : tile_cluster_size;
}

} // namespace shadow
