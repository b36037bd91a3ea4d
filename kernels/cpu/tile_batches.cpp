// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"

#include <algorithm>
#include <array>

namespace shadow::cpu {

namespace {

/// Sums of a batch, for each thread: with 96 bytes a four (three dimensions) 1.5 MiB.
constexpr std::int32_t batch_fours = 16384;

} // namespace

/// Cuts the chunks into batches and sorts what they give by the superclusters that take it.
template <int Dim>
void TileList<Dim>::make_batches(const Backend& backend) {
    std::int64_t sums = 0;
    for (const TileChunk& chunk : chunks) sums += chunk.sums;
    // As many for each thread.
    const auto threads = static_cast<std::size_t>(backend.threads());
    const auto length = static_cast<std::size_t>(
        sums > 0 ? batch_fours * static_cast<std::int64_t>(chunks.size()) / sums : 1);
    const std::size_t most = threads * std::max<std::size_t>(1, length);
    std::size_t count = 0;
    largest_sums = 0;
    for (std::size_t p = 0; p < chunks.size(); ++count) {
        if (batches.size() <= count) batches.emplace_back();
        TileBatch& batch = batches[count];
        batch.first_chunk = static_cast<std::int32_t>(p);
        batch.sum_begin.clear();
        std::int32_t fours = 0;
        do {
            batch.sum_begin.push_back(fours);
            fours += chunks[p].sums;
            ++p;
        } while (p < chunks.size() && batch.sum_begin.size() < most);
        batch.last_chunk = static_cast<std::int32_t>(p);
        largest_sums = std::max(largest_sums, fours);
    }
    batches.resize(count);
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(count), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        for (std::int64_t w = first; w < last; ++w)
                            sort_contributions(batches[static_cast<std::size_t>(w)]);
                    });
    std::vector<bool> has(size.size());
    for (TileBatch& batch : batches)
        for (ReductionTarget& target : batch.target) {
            const auto b = static_cast<std::size_t>(target.supercluster);
            if (b == size.size()) continue;
            target.first = !has[b];
            has[b] = true;
        }
}

template <int Dim>
void TileList<Dim>::sort_contributions(TileBatch& batch) const {
    const auto first = [this](std::int32_t b) { return first_four[static_cast<std::size_t>(b)]; };
    std::vector<std::array<std::int32_t, 3>> contributions; // supercluster, chunk, four
    for (std::int32_t p = batch.first_chunk; p < batch.last_chunk; ++p) {
        const TileChunk& chunk = chunks[static_cast<std::size_t>(p)];
        for (std::int32_t b = chunk.first; b < chunk.last; ++b)
            contributions.push_back({b, p, first(b) - first(chunk.first)});
        std::int32_t four = first(chunk.last) - first(chunk.first);
        for (const std::int32_t b : chunk.halo) {
            contributions.push_back({b, p, four});
            four += first(b + 1) - first(b);
        }
    }
    std::sort(contributions.begin(), contributions.end());
    batch.target.clear();
    batch.contribution.clear();
    for (const auto& [supercluster, chunk, four] : contributions) {
        if (batch.target.empty() || batch.target.back().supercluster != supercluster)
            batch.target.push_back(
                {supercluster, static_cast<std::int32_t>(batch.contribution.size()), false});
        batch.contribution.push_back({chunk, four});
    }
    batch.target.push_back(
        {superclusters(), static_cast<std::int32_t>(batch.contribution.size()), false});
}

template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
