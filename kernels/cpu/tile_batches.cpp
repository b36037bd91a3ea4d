// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace shadow::cpu {

namespace {

/// Size of the sums of a batch, for each thread: 1.5 MiB at 96 bytes a subcluster (3D).
constexpr std::int32_t batch_subclusters = 16384;

} // namespace

/// Divides the chunks into batches and sorts their contributions by supercluster.
template <int Dim>
void TileList<Dim>::make_batches(const Backend& backend) {
    std::int64_t sums = 0;
    for (const TileChunk& chunk : chunks) sums += chunk.sums;
    // The same number of chunks for each thread.
    const auto threads = static_cast<std::size_t>(backend.threads());
    const auto length = static_cast<std::size_t>(
        sums > 0 ? batch_subclusters * static_cast<std::int64_t>(chunks.size()) / sums : 1);
    const std::size_t most = threads * std::max<std::size_t>(1, length);
    std::size_t count = 0;
    std::int32_t largest = 0;
    for (std::size_t p = 0; p < chunks.size(); ++count) {
        if (batches.size() <= count) batches.emplace_back();
        TileBatch& batch = batches[count];
        batch.first_chunk = static_cast<std::int32_t>(p);
        batch.sum_begin.clear();
        std::int32_t subclusters = 0;
        do {
            batch.sum_begin.push_back(subclusters);
            subclusters += chunks[p].sums;
            ++p;
        } while (p < chunks.size() && batch.sum_begin.size() < most);
        batch.last_chunk = static_cast<std::int32_t>(p);
        largest = std::max(largest, subclusters);
    }
    batches.resize(count);
    room_of_sums = count > 1 ? 2 * largest : largest;
    for (std::size_t w = 1; w < count; w += 2)
        for (std::int32_t& begin : batches[w].sum_begin) begin += largest;
    std::vector<std::vector<Contribution>> given(count);
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(count), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        for (std::int64_t w = first; w < last; ++w)
                            given[static_cast<std::size_t>(w)] =
                                contributions(batches[static_cast<std::size_t>(w)]);
                    });
    make_targets(given);
}

/// Contributions by supercluster, in the order of chunks.
template <int Dim>
std::vector<Contribution> TileList<Dim>::contributions(const TileBatch& batch) const {
    const auto first = [this](std::int32_t b) {
        return first_subcluster[static_cast<std::size_t>(b)];
    };
    std::vector<Contribution> all;
    for (std::int32_t p = batch.first_chunk; p < batch.last_chunk; ++p) {
        const TileChunk& chunk = chunks[static_cast<std::size_t>(p)];
        std::int32_t sums = batch.sum_begin[static_cast<std::size_t>(p - batch.first_chunk)];
        const auto add = [&](std::int32_t b) {
            all.push_back({b, sums});
            sums += first(b + 1) - first(b);
        };
        for (std::int32_t b = chunk.first; b < chunk.last; ++b) add(b);
        for (const std::int32_t b : chunk.halo) add(b);
    }
    std::sort(all.begin(), all.end(), [](const Contribution& a, const Contribution& b) {
        return std::pair(a.supercluster, a.sums) < std::pair(b.supercluster, b.sums);
    });
    return all;
}

/// Contributions of a batch to a supercluster wait for the next batch if it contributes too, unless
/// some of them have waited already: there is no room for a third batch.
template <int Dim>
void TileList<Dim>::make_targets(const std::vector<std::vector<Contribution>>& given) {
    const auto owner = [](const Contribution& c) {
        return static_cast<std::size_t>(c.supercluster);
    };
    const auto before = [](const Contribution& a, const Contribution& b) {
        return a.supercluster < b.supercluster;
    };
    // By supercluster, the last batch that contributes, the next one, and the one with which
    // waiting sums are collected.
    std::vector<std::size_t> last(size.size()), next(size.size()), due(size.size(), given.size());
    for (std::size_t w = 0; w < given.size(); ++w)
        for (const Contribution& c : given[w]) last[owner(c)] = w;
    std::vector<bool> has(size.size());
    std::vector<Contribution> waiting, all;
    for (std::size_t w = 0; w < given.size(); ++w) {
        if (w + 1 < given.size())
            for (const Contribution& c : given[w + 1]) next[owner(c)] = w + 1;
        TileBatch& batch = batches[w];
        batch.target.clear();
        batch.contribution.clear();
        all.clear();
        std::merge(waiting.begin(), waiting.end(), given[w].begin(), given[w].end(),
                   std::back_inserter(all), before);
        waiting.clear();
        const auto so_far = [&batch] {
            return static_cast<std::int32_t>(batch.contribution.size());
        };
        for (auto c = all.begin(), end = c; c != all.end(); c = end) {
            end = std::upper_bound(c, all.end(), *c, before);
            const std::size_t b = owner(*c);
            if (next[b] == w + 1 && due[b] != w) {
                waiting.insert(waiting.end(), c, end);
                due[b] = w + 1;
                continue;
            }
            batch.target.push_back({c->supercluster, so_far(), !has[b], last[b] == w});
            batch.contribution.insert(batch.contribution.end(), c, end);
            has[b] = true;
        }
        batch.target.push_back({superclusters(), so_far(), false, false});
    }
}

template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
