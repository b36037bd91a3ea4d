// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/neighbours/neighbours.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

/// Pair lists on the host, and the O(N^2) truth about them.
namespace shadow {

template <int Dim>
struct HostList {
    std::vector<std::int32_t> begin, end;
    std::vector<std::vector<Run>> runs; ///< by cluster
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

template <int Dim, class Real>
HostList<Dim> fetch_list(const Backend& backend, Particles<Dim, Real>& particles,
                         const Neighbours<Dim, Real>& neighbours, int index) {
    HostList<Dim> out;
    const auto n = static_cast<std::size_t>(particles.size());
    const PairListView view = neighbours.list(index);
    const auto count = static_cast<std::size_t>(fetch(backend, view.cluster_count, 1)[0]);
    out.begin = fetch(backend, view.cluster_begin, count);
    out.end = fetch(backend, view.cluster_end, count);
    out.stride = view.stride;
    const auto run_count = fetch(backend, view.run_count, count);
    const auto stride = static_cast<std::size_t>(view.stride);
    const auto runs = fetch(backend, view.runs, count * stride);
    for (std::size_t c = 0; c < count; ++c)
        out.runs.emplace_back(runs.data() + c * stride, runs.data() + c * stride + run_count[c]);
    out.id = fetch(backend, particles.view().id, n);
    out.position.resize(n);
    for (std::size_t d = 0; d < Dim; ++d) {
        const auto x = fetch(backend, particles.view().position.component[d], n);
        for (std::size_t i = 0; i < n; ++i) out.position[i][d] = static_cast<double>(x[i]);
    }
    return out;
}

/// Empty if clusters hold each particle once, runs are in range, hold no candidate twice and not
/// the cluster itself; else what is wrong.
template <int Dim>
std::string shape_error(const HostList<Dim>& list, int cluster_size, std::int64_t bound) {
    const auto n = static_cast<std::int32_t>(list.id.size());
    if (static_cast<std::int64_t>(list.begin.size()) > bound) return "more clusters than the bound";
    std::int32_t next = 0;
    for (std::size_t c = 0; c < list.begin.size(); ++c) {
        if (list.begin[c] != next || list.end[c] <= next || list.end[c] - next > cluster_size)
            return "cluster " + std::to_string(c) + " is not the next few particles";
        next = list.end[c];
        const auto& runs = list.runs[c];
        if (static_cast<std::int64_t>(runs.size()) > list.stride)
            return "more runs than the stride";
        for (std::size_t a = 0; a < runs.size(); ++a) {
            if (runs[a].begin < 0 || runs[a].begin >= runs[a].end || runs[a].end > n)
                return "a run is empty or out of range";
            if (runs[a].shift == 0 && runs[a].begin < list.end[c] && runs[a].end > list.begin[c])
                return "a run holds its own cluster";
            for (std::size_t b = 0; b < a; ++b)
                if (runs[a].shift == runs[b].shift && runs[a].begin < runs[b].end &&
                    runs[a].end > runs[b].begin)
                    return "two runs overlap";
        }
    }
    return next == n ? "" : "clusters end at " + std::to_string(next);
}

/// Pairs (i, j, image) nearer than `distance` that the list does not offer to i.
template <int Dim>
std::int64_t missing_pairs(const HostList<Dim>& list, const Box<Dim>& box, double distance) {
    // The nearest image is within L/2, so others within `distance` are at most this far from it.
    const double shortest = box.shortest_periodic_length();
    const int around = box.is_open() ? 0 : static_cast<int>(std::floor(distance / shortest + 0.5));
    std::int64_t missing = 0;
    std::int64_t images = 1;
    for (int d = 0; d < Dim; ++d) images *= 2 * around + 1;
    const auto n = static_cast<std::int32_t>(list.id.size());
    for (std::size_t c = 0; c < list.begin.size(); ++c)
        for (std::int32_t i = list.begin[c]; i < list.end[c]; ++i)
            for (std::int32_t j = 0; j < n; ++j) {
                std::array<double, Dim> dx;
                std::array<int, Dim> nearest{};
                for (std::size_t d = 0; d < Dim; ++d) {
                    dx[d] = list.position[static_cast<std::size_t>(j)][d] -
                            list.position[static_cast<std::size_t>(i)][d];
                    if (box.periodic()[d])
                        nearest[d] = -static_cast<int>(std::floor(dx[d] / box.lengths()[d] + 0.5));
                }
                for (std::int64_t m = 0; m < images; ++m) {
                    std::int64_t rest = m;
                    std::int32_t shift = 0;
                    double r2 = 0.0;
                    bool exists = true;
                    for (std::size_t d = 0; d < Dim; ++d) {
                        const int k =
                            nearest[d] + static_cast<int>(rest % (2 * around + 1)) - around;
                        rest /= 2 * around + 1;
                        exists = exists && (k == 0 || box.periodic()[d]);
                        const double x = dx[d] + k * box.lengths()[d];
                        r2 += x * x;
                        shift |= Run::pack(static_cast<int>(d), k);
                    }
                    if (!exists || r2 >= distance * distance) continue;
                    bool found = shift == 0 && j >= list.begin[c] && j < list.end[c];
                    for (const Run& run : list.runs[c])
                        found = found || (run.shift == shift && j >= run.begin && j < run.end);
                    missing += !found;
                }
            }
    return missing;
}

/// Equal to the last bit: order, positions, clusters and runs.
template <int Dim>
bool same(const HostList<Dim>& a, const HostList<Dim>& b) {
    const auto same_run = [](const Run& x, const Run& y) {
        return x.begin == y.begin && x.end == y.end && x.shift == y.shift;
    };
    const auto same_runs = [&](const std::vector<Run>& x, const std::vector<Run>& y) {
        return std::equal(x.begin(), x.end(), y.begin(), y.end(), same_run);
    };
    return a.id == b.id && a.position == b.position && a.begin == b.begin && a.end == b.end &&
           std::equal(a.runs.begin(), a.runs.end(), b.runs.begin(), b.runs.end(), same_runs);
}

/// Particles offered to clusters, per cluster.
template <int Dim>
double mean_candidates(const HostList<Dim>& list) {
    double sum = 0.0;
    for (const auto& runs : list.runs)
        for (const Run& run : runs) sum += run.end - run.begin;
    return sum / static_cast<double>(list.begin.size());
}

} // namespace shadow
