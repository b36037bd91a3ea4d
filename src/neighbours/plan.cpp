// SPDX-License-Identifier: BSD-3-Clause
#include "neighbours_state.hpp"

#include "shadow/core/error.hpp"

#include "kernels/all_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {

namespace {
/// If the box is longer than this many reaches, clusters are limited to half of it; then L/2 + 2
/// reach < L and no neighbour range needs a third image.
constexpr double long_box = 4.1;
} // namespace

template <int Dim>
void Neighbours<Dim>::State::plan(std::int64_t particles) {
    planned = true;
    n = particles;
    open = !box.is_periodic();
    for (const List& list : lists)
        if (std::isfinite(list.cutoff)) longest_cutoff = std::max(longest_cutoff, list.cutoff);
    any_finite = longest_cutoff > 0.0;
    if (lists.empty()) return;
    plan_all_pairs();
    if (any_finite) {
        limits.reach = (longest_cutoff + skin) * pad;
        limits.cluster_size = cluster_size;
        limits.particles = n;
        if (const double shortest = smallest_box().shortest_periodic_length();
            limits.reach > 100.0 * shortest)
            throw InputError(
                fmt::format("cut-off plus skin {} (over 100 times the shortest box length {}: "
                            "images are counted in 8 bits); use a smaller skin or a larger box",
                            limits.reach, shortest));
        plan_widths();
    } else {
        limits.max_columns = 1;
    }
    plan_exclusions();
    plan_memory();
}

/// The box for which memory is planned.
template <int Dim>
Box<Dim> Neighbours<Dim>::State::smallest_box() const {
    auto lengths = box.lengths();
    for (double& length : lengths) length *= least;
    return box.with_lengths(lengths);
}

template <int Dim>
void Neighbours<Dim>::State::plan_all_pairs() {
    if (!sums_all_pairs(backend) || !excluded_pairs.empty()) return;
    int without = 0, with = 0;
    for (List& list : lists) {
        list.all_pairs = list.for_forces && small_for_all_pairs(smallest_box(), n, list.cutoff);
        if (list.for_forces) ++(list.all_pairs ? without : with);
    }
    on_demand = without > 0 && with == 0 && !keeps_sorted;
}

/// Bounds of the widths and counts: functions of the input alone, so that a restart, which has
/// other positions, plans the same.
template <int Dim>
void Neighbours<Dim>::State::plan_widths() {
    const double infinity = std::numeric_limits<double>::infinity();
    limits.mean_density = static_cast<double>(n) / box.volume();
    limits.widest = limits.mean_density > 0.0
                        ? std::pow(cluster_size / limits.mean_density, 1.0 / Dim)
                        : infinity;
    limits.narrowest = std::max(limits.reach / 3.0, std::min(limits.widest, 0.75 * limits.reach));
    measured = limits.widest > 1.25 * limits.narrowest;

    double columns = 1.0;
    for (std::size_t d = 0; d + 1 < Dim; ++d)
        columns *= box.periodic()[d]
                       ? std::max(1.0, std::floor(box.lengths()[d] / limits.narrowest))
                       : infinity;
    const double per_cluster = static_cast<double>(n) / cluster_size;
    if (columns > per_cluster) columns = std::min(columns, std::max(64.0, per_cluster / 4.0));
    limits.max_columns = static_cast<std::int32_t>(columns);
    limits.max_bins = static_cast<std::int32_t>(
        std::min<std::int64_t>(limits.max_columns + n / 2, std::numeric_limits<int>::max() - 1));
    sample_stride = static_cast<std::int32_t>(n / window_samples + 1);
    samples = static_cast<std::int32_t>((n + sample_stride - 1) / sample_stride);
}

template <int Dim>
bool Neighbours<Dim>::State::cuts_long_clusters() const {
    return box.periodic()[last] && least * box.lengths()[last] > long_box * limits.reach;
}

template <int Dim>
int Neighbours<Dim>::State::images_along_column(double reach) const {
    if (!box.periodic()[last]) return 1;
    if (cuts_long_clusters()) return 2;
    // As images slide, a cluster may begin anywhere between two of them.
    const bool slides = box.sliding().along(static_cast<std::int32_t>(last));
    return 2 * static_cast<int>(std::ceil(pad * reach / (least * box.lengths()[last]))) +
           (slides ? 2 : 1);
}

template <int Dim>
void Neighbours<Dim>::State::plan_memory() {
    const auto size = static_cast<std::size_t>(n);
    const auto columns = static_cast<std::size_t>(limits.max_columns);
    if (!entries.empty()) entry_count = Array<std::int32_t>(backend, size);
    clusters = (n + cluster_size - 1) / cluster_size;
    if (any_finite)
        clusters = std::min<std::int64_t>(n, n / cluster_size + limits.max_columns *
                                                                    (cuts_long_clusters() ? 2 : 1));
    const auto bound = static_cast<std::size_t>(clusters);
    cluster_begin = Array<std::int32_t>(backend, bound);
    cluster_end = Array<std::int32_t>(backend, bound);
    column_cut = Array<std::int32_t>(backend, columns);
    column_clusters = Array<std::int32_t>(backend, columns);
    first_cluster = Array<std::int32_t>(backend, columns + 1);
    double width[Dim];
    for (std::size_t d = 0; d < Dim; ++d)
        width[d] = box.periodic()[d] ? std::min(limits.narrowest, least * box.lengths()[d])
                                     : limits.narrowest;
    for (List& list : lists) {
        const double reach = (list.cutoff + skin) * pad;
        list.stride =
            std::isfinite(list.cutoff)
                ? range_stride<Dim>(smallest_box().view(), width, reach, images_along_column(reach))
                : 2;
        list.range_count = Array<std::int32_t>(backend, bound);
        list.ranges = Array<NeighbourRange>(backend, bound * static_cast<std::size_t>(list.stride));
        plan_staged(list);
    }
    flag.set(0, 1);
    if (!any_finite) return;
    grid = Array<Grid<Dim>>(backend, 1);
    if (open) window = Array<Window<Dim>>(backend, 1);
    if (measured) pairs = Array<std::int64_t>(backend, 1);
    bin_count = Array<std::int32_t>(backend, static_cast<std::size_t>(limits.max_bins));
    bin_start = Array<std::int32_t>(backend, static_cast<std::size_t>(limits.max_bins) + 1);
    order = Array<std::int32_t>(backend, size);
    for (auto& component : reference) component = Array<double>(backend, size);
    reserve_scratch();
}

/// Allocates memory for bins and places, or for properties: on a GPU for all of them, to sort them
/// in one pass.
template <int Dim>
void Neighbours<Dim>::State::reserve_scratch() {
    std::int32_t all = 0, longest = std::max(2 * 4, Dim * 8);
    for (const Property& property : properties({})) {
        if (!property.sorted) all += property.bytes;
        longest = std::max(longest, property.bytes);
    }
    const std::int32_t each = sorts_in_one_pass(backend) ? std::max(all, longest) : longest;
    scratch = Array<unsigned char>(backend, static_cast<std::size_t>(each * n));
}

/// Allocates staged lists if the device has kernels for them. A cluster that needs more uses its
/// neighbour ranges, so nothing ever has to grow.
template <int Dim>
void Neighbours<Dim>::State::plan_staged(List& list) const {
    if (!has_staged_lists(backend) || !list.for_forces || !std::isfinite(list.cutoff)) return;
    if (list.all_pairs) return;
    if (cluster_size > staged_lanes || n > max_staged_particles) return;
    list.max_rows = plan_rows<Dim>(limits.mean_density, list.cutoff + skin);
    if (list.max_rows == 0) return;
    const auto bound = static_cast<std::size_t>(clusters);
    list.member = Array<std::uint32_t>(backend, bound * staged_members<Dim>);
    list.member_count = Array<std::int32_t>(backend, bound);
    list.rows = Array<std::uint64_t>(
        backend, bound * static_cast<std::size_t>(list.max_rows / entries_in_one * staged_lanes));
    list.row_count = Array<std::int32_t>(backend, bound);
    list.centre = Array<double>(backend, bound * Dim);
}

template <int Dim>
bool small_for_all_pairs(const Box<Dim>& box, std::int64_t particles, double cutoff) {
    return particles <= max_all_pairs_particles && box.is_periodic() && !box.sliding().any() &&
           2.0 * cutoff <= box.shortest_periodic_length();
}
template bool small_for_all_pairs(const Box<1>&, std::int64_t, double);
template bool small_for_all_pairs(const Box<2>&, std::int64_t, double);
template bool small_for_all_pairs(const Box<3>&, std::int64_t, double);

template struct Neighbours<1>::State;
template struct Neighbours<2>::State;
template struct Neighbours<3>::State;

} // namespace shadow
