// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"

#include <algorithm>
#include <array>

namespace shadow::cpu {

namespace {

/// Sums of a wave, for each thread: with 96 bytes a four (three dimensions) 1.5 MiB.
constexpr std::int32_t wave_fours = 16384;

} // namespace

/// Cuts the pages into waves and sorts what they give by the bricks that take it.
template <int Dim>
void TileList<Dim>::make_waves(const Backend& backend) {
    std::int64_t sums = 0;
    for (const TilePage& page : pages) sums += page.sums;
    // As many for each thread.
    const auto threads = static_cast<std::size_t>(backend.threads());
    const auto length = static_cast<std::size_t>(
        sums > 0 ? wave_fours * static_cast<std::int64_t>(pages.size()) / sums : 1);
    const std::size_t most = threads * std::max<std::size_t>(1, length);
    std::size_t count = 0;
    largest_sums = 0;
    for (std::size_t p = 0; p < pages.size(); ++count) {
        if (waves.size() <= count) waves.emplace_back();
        TileWave& wave = waves[count];
        wave.first_page = static_cast<std::int32_t>(p);
        wave.sum_begin.clear();
        std::int32_t fours = 0;
        do {
            wave.sum_begin.push_back(fours);
            fours += pages[p].sums;
            ++p;
        } while (p < pages.size() && wave.sum_begin.size() < most);
        wave.last_page = static_cast<std::int32_t>(p);
        largest_sums = std::max(largest_sums, fours);
    }
    waves.resize(count);
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(count), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        for (std::int64_t w = first; w < last; ++w)
                            sort_gifts(waves[static_cast<std::size_t>(w)]);
                    });
    std::vector<bool> has(size.size());
    for (TileWave& wave : waves)
        for (TileTaker& taker : wave.taker) {
            const auto b = static_cast<std::size_t>(taker.brick);
            if (b == size.size()) continue;
            taker.first = !has[b];
            has[b] = true;
        }
}

template <int Dim>
void TileList<Dim>::sort_gifts(TileWave& wave) const {
    const auto first = [this](std::int32_t b) { return first_four[static_cast<std::size_t>(b)]; };
    std::vector<std::array<std::int32_t, 3>> gifts; // brick, page, four
    for (std::int32_t p = wave.first_page; p < wave.last_page; ++p) {
        const TilePage& page = pages[static_cast<std::size_t>(p)];
        for (std::int32_t b = page.first; b < page.last; ++b)
            gifts.push_back({b, p, first(b) - first(page.first)});
        std::int32_t four = first(page.last) - first(page.first);
        for (const std::int32_t b : page.guest) {
            gifts.push_back({b, p, four});
            four += first(b + 1) - first(b);
        }
    }
    std::sort(gifts.begin(), gifts.end());
    wave.taker.clear();
    wave.gift.clear();
    for (const auto& [brick, page, four] : gifts) {
        if (wave.taker.empty() || wave.taker.back().brick != brick)
            wave.taker.push_back({brick, static_cast<std::int32_t>(wave.gift.size()), false});
        wave.gift.push_back({page, four});
    }
    wave.taker.push_back({bricks(), static_cast<std::int32_t>(wave.gift.size()), false});
}

template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
