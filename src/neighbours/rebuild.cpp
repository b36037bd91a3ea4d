// SPDX-License-Identifier: BSD-3-Clause
#include "neighbours_state.hpp"

#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

template <int Dim>
void Neighbours<Dim>::State::choose_grid(const ParticlesView<Dim>& p) {
    const WrapPositions<Dim> wrap{p.box, p.position, p.image};
    if (measured)
        run(InTurn{wrap, CountHashed<Dim>{p.position, 1.0 / limits.reach, bin_count.data(),
                                          static_cast<std::uint32_t>(limits.max_bins)}},
            n);
    else
        run(wrap, n);
    if (open) {
        run(SampleWindow<Dim>{p.position, p.id, static_cast<std::uint32_t>(sample_stride),
                              window.data()},
            n);
        run(RankWindow<Dim>{window.data(), samples}, std::int64_t{samples} * Dim);
    }
    const PlanGrid<Dim> plan{limits, p.box, window.data(), pairs.data(), grid.data()};
    if (measured)
        reduce(backend, PlanMeasuredGrid<Dim>{{bin_count.data()}, plan}, limits.max_bins,
               pairs.data(), flag.data());
    else
        run(plan, 1);
}

template <int Dim>
void Neighbours<Dim>::State::sort(const ParticlesView<Dim>& p) {
    auto* bin = reinterpret_cast<std::int32_t*>(scratch.data());
    auto* place = bin + n;
    count_and_scan(CountBins<Dim>{grid.data(), p.position, bin_count.data(), bin, place}, n,
                   {bin_count.data(), bin_start.data(), limits.max_bins});
    run(ScatterOrder{bin_start.data(), bin, place, order.data()}, n);
    run(InTurn{SortBin{p.position.component[last], p.id, bin_start.data(), order.data()},
               Clear{bin_count.data()}},
        limits.max_bins);
}

/// Larger elements first, so that all are aligned in scratch memory. Positions are sorted into the
/// reference.
template <int Dim>
std::vector<Property> Neighbours<Dim>::State::properties(const ParticlesView<Dim>& p) {
    std::vector<Property> all;
    const auto add = [&](auto* data, void* sorted = nullptr) {
        all.push_back({static_cast<std::int32_t>(sizeof *data), data, sorted});
    };
    for (std::size_t d = 0; d < Dim; ++d) {
        add(p.position.component[d], reference[d].data());
        add(p.momentum.component[d]);
        add(p.image.component[d]);
    }
    add(p.id);
    add(p.species);
    for (const auto& property : attached)
        if (const Property here = property(); here.bytes > 0) all.push_back(here);
    std::stable_sort(all.begin(), all.end(),
                     [](const Property& a, const Property& b) { return a.bytes > b.bytes; });
    return all;
}

/// Sorts as many in one pass as fit into scratch memory.
template <int Dim>
void Neighbours<Dim>::State::permute(const ParticlesView<Dim>& p) {
    PropertyTable together;
    std::size_t used = 0;
    for (Property& property : properties(p)) {
        const std::size_t bytes =
            property.sorted ? 0 : static_cast<std::size_t>(property.bytes * n);
        if (used + bytes > scratch.size() || together.count == PropertyTable::capacity) {
            permute(together);
            used = 0;
        }
        if (!property.sorted) property.sorted = scratch.data() + used;
        used += bytes;
        together.of[together.count++] = property;
    }
    permute(together);
}

template <int Dim>
void Neighbours<Dim>::State::permute(PropertyTable& together) {
    run(SortProperties{order.data(), together}, n);
    run(StoreProperties{together}, n);
    together.count = 0;
}

template <int Dim>
void Neighbours<Dim>::State::cut_clusters(const ParticlesView<Dim>& p) {
    const CutColumn<Dim> cut{grid.data(), bin_start.data(), p.position.component[last],
                             cluster_size, cuts_long_clusters() ? p.box : nullptr};
    count_and_scan(CountClusters<Dim>{cut, column_cut.data(), column_clusters.data()},
                   limits.max_columns,
                   {column_clusters.data(), first_cluster.data(), limits.max_columns});
    run(FillClusters<Dim>{cut, column_cut.data(), first_cluster.data(), limits.max_columns,
                          cluster_begin.data(), cluster_end.data()},
        clusters);
}

template <int Dim>
void Neighbours<Dim>::State::build_ranges(const ParticlesView<Dim>& p) {
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
                    BuildRanges<Dim>{grid.data(), bin_start.data(), p.box, p.position,
                                     cluster_count(), cluster_begin.data(), cluster_end.data(),
                                     reach, images_along_column(reach), list.range_count.data(),
                                     list.ranges.data(), list.stride},
                    clusters, flag.data());
        if (list.max_rows > 0)
            stage(backend, StagePayload<Dim>{p, view(list)}, clusters, flag.data());
    }
}

template <int Dim>
FollowBox<Dim> Neighbours<Dim>::State::follow_box(const ParticlesView<Dim>& p) {
    FollowBox<Dim> follow{p.box,         built.data(),    skin, longest_cutoff, {},
                          strain.data(), too_small.data()};
    for (std::size_t d = 0; d < Dim; ++d) follow.least[d] = least * box.lengths()[d];
    return follow;
}

/// All launches are behind the gate `flag`.
template <int Dim>
void Neighbours<Dim>::State::rebuild(const ParticlesView<Dim>& p) {
    made = true;
    if (!backend.is_asynchronous()) {
        if (*flag.data() == 0) return; // scratch memory may have been released
        ++generation;
        if (any_finite && scratch.size() == 0) reserve_scratch();
    }
    if (any_finite) {
        if (sliding) run(ReduceSlide<Dim>{sliding}, 1);
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
    place_ids(p, flag.data());
    place_entries(p);
    build_ranges(p);
    launch(backend, FinishRebuild<Dim>{flag.data(), rebuilds.data(), built.data(), follow_box(p)},
           1, flag.data());
}

template struct Neighbours<1>::State;
template struct Neighbours<2>::State;
template struct Neighbours<3>::State;

} // namespace shadow
