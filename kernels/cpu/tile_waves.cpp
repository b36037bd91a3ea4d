// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_list.hpp"

#include <algorithm>

namespace shadow::cpu {

namespace {

/// Output of a wave, for each thread: with 48 bytes a four (three dimensions, float) 3 MiB.
constexpr std::int32_t wave_fours = 65536;

} // namespace

/// Cuts the pages into waves and sorts what their bricks give by those that take it.
template <int Dim>
void TileList<Dim>::make_waves(const Backend& backend) {
    const std::int32_t most = wave_fours * backend.threads();
    std::size_t count = 0;
    largest_output = 0;
    for (std::size_t p = 0; p < pages.size(); ++count) {
        if (waves.size() <= count) waves.emplace_back();
        TileWave& wave = waves[count];
        wave.first_page = static_cast<std::int32_t>(p);
        wave.output_begin.clear();
        std::int32_t fours = 0;
        do {
            wave.output_begin.push_back(fours);
            fours += pages[p].block_begin.back();
            ++p;
        } while (p < pages.size() && fours + pages[p].block_begin.back() <= most);
        wave.last_page = static_cast<std::int32_t>(p);
        largest_output = std::max(largest_output, fours);
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
    std::vector<std::int32_t> next(size.size() + 1, 0);
    const auto each = [&](const auto& visit) {
        for (std::int32_t p = wave.first_page; p < wave.last_page; ++p) {
            const TilePage& page = pages[static_cast<std::size_t>(p)];
            for (std::size_t b = 0; b + 1 < page.block_begin.size(); ++b)
                for (std::int32_t s = page.segment_begin[b]; s < page.segment_begin[b + 1]; ++s) {
                    const TileSegment& segment = page.segment[static_cast<std::size_t>(s)];
                    const std::int32_t end =
                        s + 1 < page.segment_begin[b + 1]
                            ? page.block_begin[b] +
                                  page.segment[static_cast<std::size_t>(s) + 1].begin
                            : page.block_begin[b + 1];
                    visit(segment.brick, p, page.block_begin[b] + segment.begin, end);
                }
        }
    };
    each([&](std::int32_t brick, std::int32_t, std::int32_t, std::int32_t) {
        ++next[static_cast<std::size_t>(brick)];
    });
    wave.taker.clear();
    std::int32_t sum = 0;
    for (std::size_t b = 0; b < next.size(); ++b) {
        const std::int32_t n = next[b];
        if (n > 0 || b + 1 == next.size())
            wave.taker.push_back({static_cast<std::int32_t>(b), sum, false});
        next[b] = sum;
        sum += n;
    }
    wave.gift.resize(static_cast<std::size_t>(sum));
    each([&](std::int32_t brick, std::int32_t p, std::int32_t begin, std::int32_t end) {
        wave.gift[static_cast<std::size_t>(next[static_cast<std::size_t>(brick)]++)] = {
            begin, end - begin,
            wave.output_begin[static_cast<std::size_t>(p - wave.first_page)] + begin, p};
    });
}

template class TileList<1>;
template class TileList<2>;
template class TileList<3>;

} // namespace shadow::cpu
