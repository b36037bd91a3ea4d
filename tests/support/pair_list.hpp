// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/neighbours/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

/// Pair lists on the host, and their O(N^2) reference.
namespace shadow {

template <int Dim>
struct HostList {
    std::vector<std::int32_t> begin, end;
    std::vector<std::vector<NeighbourRange>> ranges; ///< by cluster
    std::int64_t stride = 0;
    std::vector<std::uint32_t> id;
    std::vector<std::array<double, Dim>> position; ///< memory order
};

template <class T>
std::vector<T> fetch(const Backend& backend, const T* from, std::size_t n) {
    std::vector<T> out(n);
    detail::copy_to_host(backend, out.data(), from, n * sizeof(T));
    return out;
}

template <int Dim>
HostList<Dim> fetch_list(const Backend& backend, Particles<Dim>& particles,
                         const Neighbours<Dim>& neighbours, int index) {
    HostList<Dim> out;
    const auto n = static_cast<std::size_t>(particles.size());
    const PairListView view = neighbours.list(index);
    const auto count = static_cast<std::size_t>(fetch(backend, view.cluster_count, 1)[0]);
    out.begin = fetch(backend, view.cluster_begin, count);
    out.end = fetch(backend, view.cluster_end, count);
    out.stride = view.stride;
    const auto range_count = fetch(backend, view.range_count, count);
    const auto stride = static_cast<std::size_t>(view.stride);
    const auto ranges = fetch(backend, view.ranges, count * stride);
    for (std::size_t c = 0; c < count; ++c)
        out.ranges.emplace_back(ranges.data() + c * stride,
                                ranges.data() + c * stride + range_count[c]);
    out.id = fetch(backend, particles.view().id, n);
    out.position.resize(n);
    for (std::size_t d = 0; d < Dim; ++d) {
        const auto x = fetch(backend, particles.view().position.component[d], n);
        for (std::size_t i = 0; i < n; ++i) out.position[i][d] = static_cast<double>(x[i]);
    }
    return out;
}

/// Empty if clusters hold each particle once, and ranges are valid, hold no candidate twice and not
/// the cluster itself; otherwise the error.
template <int Dim>
std::string shape_error(const HostList<Dim>& list, int cluster_size, std::int64_t bound) {
    const auto n = static_cast<std::int32_t>(list.id.size());
    if (static_cast<std::int64_t>(list.begin.size()) > bound) return "more clusters than the bound";
    std::int32_t next = 0;
    for (std::size_t c = 0; c < list.begin.size(); ++c) {
        if (list.begin[c] != next || list.end[c] <= next || list.end[c] - next > cluster_size)
            return "cluster " + std::to_string(c) + " is not the next few particles";
        next = list.end[c];
        const auto& ranges = list.ranges[c];
        if (static_cast<std::int64_t>(ranges.size()) > list.stride)
            return "more ranges than the stride";
        for (std::size_t a = 0; a < ranges.size(); ++a) {
            if (ranges[a].begin < 0 || ranges[a].begin >= ranges[a].end || ranges[a].end > n)
                return "a range is empty or beyond the particles";
            if (ranges[a].shift == 0 && ranges[a].begin < list.end[c] &&
                ranges[a].end > list.begin[c])
                return "a range holds its own cluster";
            for (std::size_t b = 0; b < a; ++b)
                if (ranges[a].shift == ranges[b].shift && ranges[a].begin < ranges[b].end &&
                    ranges[a].end > ranges[b].begin)
                    return "two ranges overlap";
        }
    }
    return next == n ? "" : "clusters end at " + std::to_string(next);
}

/// Number of pairs (i, j, image) closer than `distance` that the list does not offer to i.
template <int Dim>
std::int64_t missing_pairs(const HostList<Dim>& list, const Box<Dim>& box, double distance) {
    // The nearest image is within L/2, so others within `distance` are at most this far from it.
    const double shortest = box.shortest_periodic_length();
    const int around = box.is_open() ? 0 : static_cast<int>(std::floor(distance / shortest + 0.5));
    std::int64_t missing = 0;
    std::int64_t images = 1;
    for (int d = 0; d < Dim; ++d) images *= 2 * around + 1;
    const auto n = static_cast<std::int32_t>(list.id.size());
    const std::array<double, Dim> length = box.lengths();
    const std::array<bool, Dim> periodic = box.periodic();
    for (std::size_t c = 0; c < list.begin.size(); ++c)
        for (std::int32_t i = list.begin[c]; i < list.end[c]; ++i)
            for (std::int32_t j = 0; j < n; ++j) {
                std::array<double, Dim> dx;
                std::array<int, Dim> nearest{};
                double least = 0.0;
                for (std::size_t d = 0; d < Dim; ++d) {
                    dx[d] = list.position[static_cast<std::size_t>(j)][d] -
                            list.position[static_cast<std::size_t>(i)][d];
                    if (periodic[d])
                        nearest[d] = -static_cast<int>(std::floor(dx[d] / length[d] + 0.5));
                    const double x = dx[d] + nearest[d] * length[d];
                    least += x * x;
                }
                if (least >= distance * distance) continue; // as are other images
                for (std::int64_t m = 0; m < images; ++m) {
                    std::int64_t rest = m;
                    std::int32_t shift = 0;
                    double r2 = 0.0;
                    bool exists = true;
                    for (std::size_t d = 0; d < Dim; ++d) {
                        const int k =
                            nearest[d] + static_cast<int>(rest % (2 * around + 1)) - around;
                        rest /= 2 * around + 1;
                        exists = exists && (k == 0 || periodic[d]);
                        const double x = dx[d] + k * length[d];
                        r2 += x * x;
                        shift |= NeighbourRange::pack(static_cast<int>(d), k);
                    }
                    if (!exists || r2 >= distance * distance) continue;
                    bool found = shift == 0 && j >= list.begin[c] && j < list.end[c];
                    for (const NeighbourRange& range : list.ranges[c])
                        found =
                            found || (range.shift == shift && j >= range.begin && j < range.end);
                    missing += !found;
                }
            }
    return missing;
}

/// Equal to the last bit: order, positions, clusters and neighbour ranges.
template <int Dim>
bool same(const HostList<Dim>& a, const HostList<Dim>& b) {
    const auto same_range = [](const NeighbourRange& x, const NeighbourRange& y) {
        return x.begin == y.begin && x.end == y.end && x.shift == y.shift;
    };
    const auto same_ranges = [&](const std::vector<NeighbourRange>& x,
                                 const std::vector<NeighbourRange>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_range);
    };
    return a.id == b.id && a.position == b.position && a.begin == b.begin && a.end == b.end &&
           std::equal(a.ranges.begin(), a.ranges.end(), b.ranges.begin(), b.ranges.end(),
                      same_ranges);
}

/// Mean number of particles offered to a cluster.
template <int Dim>
double mean_candidates(const HostList<Dim>& list) {
    double sum = 0.0;
    for (const auto& ranges : list.ranges)
        for (const NeighbourRange& range : ranges) sum += range.end - range.begin;
    return sum / static_cast<double>(list.begin.size());
}

} // namespace shadow
