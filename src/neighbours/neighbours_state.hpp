// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/neighbours/neighbours.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/clusters.hpp"
#include "kernels/ops/displacement.hpp"
#include "kernels/ops/entries.hpp"
#include "kernels/ops/in_turn.hpp"
#include "kernels/ops/ranges.hpp"
#include "kernels/ops/shear.hpp"
#include "kernels/ops/sort.hpp"
#include "kernels/ops/wrap.hpp"
#include "kernels/staged.hpp"

namespace shadow {

template <int Dim>
struct Neighbours<Dim>::State {
    static constexpr int last = Dim - 1;
    /// A factor of the reach that covers rounding of cell arithmetic.
    static constexpr double pad = 1.0 + 1e-9;
    /// With lists on demand: if smaller, lists would always be outdated when they are requested; if
    /// larger, rounding of positions would grow.
    static constexpr double far_outside = 0.5;

    struct List {
        double cutoff;
        bool for_forces;
        bool all_pairs = false; ///< for forces which need no list
        std::int64_t stride = 0;
        Array<std::int32_t> range_count;
        Array<NeighbourRange> ranges;
        /// The staged list; empty on the CPU.
        std::int32_t max_rows = 0;
        Array<std::uint32_t> member;
        Array<std::int32_t> member_count, row_count;
        Array<std::uint64_t> rows;
        Array<double> centre;
    };

    /// ParticleEntries, and the same in memory order.
    struct Entries {
        Array<std::int32_t> begin_by_id, tag_by_id;
        Array<std::uint32_t> partner_by_id;
        Array<std::int32_t> begin, partner, tag;
        std::int32_t width;
    };

    const Backend& backend;
    Box<Dim> box;
    std::int32_t cluster_size;
    double skin, tile_skin;
    std::vector<List> lists;
    std::vector<std::function<Property()>> attached;
    std::vector<Entries> entries;
    Array<std::int32_t> index_of_id;                          ///< empty: not requested
    Array<std::int32_t> entry_count;                          ///< empty where there are no entries
    std::vector<std::array<std::uint32_t, 2>> excluded_pairs; ///< until they are planned
    int excluded = -1;                                        ///< in `entries`

    GridLimits<Dim> limits{};
    bool planned = false, any_finite = false, measured = false, open = false;
    bool keeps_sorted = false, on_demand = false;
    bool made = false; ///< lists have been made, from any positions
    std::int64_t n = 0, clusters = 0;
    std::int64_t generation = 0; ///< of the lists; counted on the CPU only
    std::int32_t samples = 0, sample_stride = 1;

    Array<std::int32_t> flag;
    Array<std::int64_t> rebuilds;
    Array<BoxView<Dim>> built;       ///< the box at the last build
    BoxView<Dim>* sliding = nullptr; ///< the box whose images slide
    Array<Strain<Dim>> strain;
    Array<std::int32_t> too_small;
    double least = 1.0;          ///< of `may_shrink`
    double longest_cutoff = 0.0; ///< of the finite ones
    Array<Grid<Dim>> grid;
    Array<Window<Dim>> window;
    Array<std::int64_t> pairs;
    Array<std::int32_t> bin_count; ///< zeros, except while bins are counted
    Array<std::int32_t> bin_start, order;
    Array<std::int32_t> column_cut, column_clusters, first_cluster, cluster_begin, cluster_end;
    Array<unsigned char> scratch;
    std::array<Array<double>, Dim> reference;

    State(const Backend& b, const Box<Dim>& region, int c, double s, double t)
        : backend(b), box(region), cluster_size(c), skin(s), tile_skin(t), flag(b, 1),
          rebuilds(b, 1), built(b, std::vector{region.view()}), strain(b, 1), too_small(b, 1) {}

    [[nodiscard]] VectorView<Dim, double> reference_view() {
        VectorView<Dim, double> v{};
        for (std::size_t d = 0; d < Dim; ++d) v.component[d] = reference[d].data();
        return v;
    }
    [[nodiscard]] TestDisplacement<Dim> displacement_test(const ParticlesView<Dim>& p) {
        return {p.position, reference_view(), strain.data(), flag.data()};
    }
    template <class Op>
    void run(const Op& op, std::int64_t count) {
        launch(backend, op, count, flag.data());
    }
    template <class Op>
    void count_and_scan(const Op& op, std::int64_t count, const Counts& counts) {
        launch_and_scan(backend, op, count, counts, flag.data());
    }
    [[nodiscard]] PairListView view(List& list) const;
    [[nodiscard]] ExclusionView excluded_view() const;
    void place_ids(const ParticlesView<Dim>& p, const std::int32_t* gate);
    void place_entries(const ParticlesView<Dim>& p);
    [[nodiscard]] const std::int32_t* cluster_count() const {
        return first_cluster.data() + column_clusters.size();
    }

    void plan(std::int64_t particles);
    void plan_all_pairs();
    void plan_widths();
    void plan_memory();
    void reserve_scratch();
    [[nodiscard]] std::vector<Property> properties(const ParticlesView<Dim>& p);
    void plan_staged(List& list) const;
    void plan_exclusions();
    int keep(const ParticleEntries& given);
    [[nodiscard]] Box<Dim> smallest_box() const;
    [[nodiscard]] FollowBox<Dim> follow_box(const ParticlesView<Dim>& p);
    [[nodiscard]] int images_along_column(double reach) const;
    [[nodiscard]] bool cuts_long_clusters() const;

    void rebuild(const ParticlesView<Dim>& p);
    void choose_grid(const ParticlesView<Dim>& p);
    void sort(const ParticlesView<Dim>& p);
    void permute(const ParticlesView<Dim>& p);
    void permute(PropertyTable& together);
    void cut_clusters(const ParticlesView<Dim>& p);
    void build_ranges(const ParticlesView<Dim>& p);
};

} // namespace shadow
