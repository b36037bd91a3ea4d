// SPDX-License-Identifier: BSD-3-Clause
#include "neighbours_state.hpp"

#include <cmath>
#include <limits>

namespace shadow {

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::choose_grid(const ParticlesView<Dim, Real>& p) {
    if (open) {
        run(SampleWindow<Dim, Real>{p.position, p.id, static_cast<std::uint32_t>(sample_stride),
                                    window.data()},
            n);
        run(RankWindow<Dim>{window.data(), samples}, std::int64_t{samples} * Dim);
    }
    if (measured) {
        run(Clear{bin_count.data()}, limits.max_bins);
        run(CountHashed<Dim, Real>{p.position, 1.0 / limits.reach, bin_count.data(),
                                   static_cast<std::uint32_t>(limits.max_bins)},
            n);
        reduce(backend, SumPairs{bin_count.data()}, limits.max_bins, pairs.data(), flag.data());
    }
    run(PlanGrid<Dim>{limits, p.box, window.data(), pairs.data(), grid.data()}, 1);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::sort(const ParticlesView<Dim, Real>& p) {
    auto* bin = reinterpret_cast<std::int32_t*>(scratch.data());
    auto* place = bin + n;
    run(Clear{bin_count.data()}, limits.max_bins);
    run(CountBins<Dim, Real>{grid.data(), p.position, bin_count.data(), bin, place}, n);
    exclusive_scan(backend, bin_count.data(), bin_start.data(), limits.max_bins, flag.data());
    run(ScatterOrder{bin_start.data(), bin, place, order.data()}, n);
    run(SortBin<Real>{p.position.component[last], p.id, bin_start.data(), order.data()},
        limits.max_bins);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::permute(const ParticlesView<Dim, Real>& p) {
    const auto momentum = scratch_view<Real>();
    run(GatherMotion<Dim, Real>{order.data(), p.position, p.momentum, reference_view(), momentum},
        n);
    run(CopyMotion<Dim, Real>{reference_view(), momentum, p.position, p.momentum}, n);
    const auto image = scratch_view<std::int32_t>();
    auto* id = reinterpret_cast<std::uint32_t*>(scratch.data()) + Dim * n;
    auto* species = reinterpret_cast<std::uint16_t*>(id + n);
    run(GatherLabels<Dim>{order.data(), p.image, image, p.id, id, p.species, species}, n);
    run(CopyLabels<Dim>{image, p.image, id, p.id, species, p.species}, n);
    auto* spare = reinterpret_cast<double*>(scratch.data());
    for (Array<double>* companion : companions) {
        if (companion->size() == 0) continue;
        run(GatherDoubles{order.data(), companion->data(), spare}, n);
        run(CopyNumbers<double>{spare, companion->data()}, n);
    }
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::cut_clusters(const ParticlesView<Dim, Real>& p) {
    const CutColumn<Dim, Real> cut{
        grid.data(), bin_start.data(), p.position.component[last], cluster_size,
        cuts_long_clusters() ? 0.5 * box.lengths()[last] : std::numeric_limits<double>::infinity()};
    run(CountClusters<Dim, Real>{cut, column_cut.data(), column_clusters.data()},
        limits.max_columns);
    exclusive_scan(backend, column_clusters.data(), first_cluster.data(), limits.max_columns,
                   flag.data());
    run(FillClusters<Dim, Real>{cut, column_cut.data(), first_cluster.data(), limits.max_columns,
                                cluster_begin.data(), cluster_end.data()},
        clusters);
}

template <int Dim, class Real>
void Neighbours<Dim, Real>::State::build_ranges(const ParticlesView<Dim, Real>& p) {
    for (List& list : lists) {
        if (!std::isfinite(list.cutoff)) {
            run(BuildAllRanges{cluster_count(), cluster_begin.data(), cluster_end.data(),
                               static_cast<std::int32_t>(n), list.range_count.data(),
                               list.ranges.data()},
                clusters);
            continue;
        }
        const double reach = (list.cutoff + skin) * pad;
        find_ranges(backend,
                    BuildRanges<Dim, Real>{
                        grid.data(), bin_start.data(), p.box, p.position, cluster_count(),
                        cluster_begin.data(), cluster_end.data(), reach, images_along_column(reach),
                        list.range_count.data(), list.ranges.data(), list.stride},
                    clusters, flag.data());
        if (list.max_rows > 0)
            stage(backend, StagePayload<Dim, Real>{p, view(list)}, clusters, flag.data());
    }
}

/// Everything behind the gate.
template <int Dim, class Real>
void Neighbours<Dim, Real>::State::rebuild(const ParticlesView<Dim, Real>& p) {
    if (!backend.is_cuda() && *flag.data() != 0) {
        ++generation;
        if (any_finite && scratch.size() == 0) reserve_scratch();
    }
    if (any_finite) {
        run(WrapPositions<Dim, Real>{p.box, p.position, p.image}, n);
        choose_grid(p);
        sort(p);
        permute(p);
        cut_clusters(p);
    } else {
        run(FillConsecutive{cluster_size, static_cast<std::int32_t>(n), cluster_begin.data(),
                            cluster_end.data()},
            clusters);
        first_cluster.set(1, static_cast<std::int32_t>(clusters));
    }
    place_entries(p);
    build_ranges(p);
    launch(backend, FinishRebuild{flag.data(), rebuilds.data()}, 1, flag.data());
}

template struct Neighbours<1, double>::State;
template struct Neighbours<2, double>::State;
template struct Neighbours<3, double>::State;

} // namespace shadow
