// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pairs.hpp"
#include "kernels/pack_spline.hpp"

/// Pairs of a tabulated potential. About a third of a tile is within reach, and a lookup takes as
/// long for the others: pairs within reach are queued, looked up, and go back to their tiles.
namespace shadow::SHADOW_ISA {

template <class Lanes>
concept looks_up = requires(Lanes lanes) {
    lanes.place;
};

template <class Pair>
struct LookupQueue {
    using P = pack<Pair, lanes<Pair>>;
    static constexpr int rows = 16;
    static constexpr int tiles = 256 / sizeof(Pair);      ///< most rows have fewer; 4 KiB of r^2
    static constexpr int capacity = tiles * 16 + P::size; ///< the last is written whole
    /// Of parts of tiles with a pair within reach: where their columns begin, and which pairs.
    std::int32_t slot[tiles * tile_parts<Pair>];
    typename P::Mask inside[tiles * tile_parts<Pair>];
    std::int64_t end[rows];           ///< of their parts
    alignas(64) Pair r2[capacity];    ///< of pairs, then f/r
    alignas(64) Pair first[capacity]; ///< segments of pairs of species, then u

    /// What stands behind the last pair is looked up too.
    template <bool energies, bool same>
    SHADOW_PACK void look_up(std::int64_t pairs, const Pair* table) {
        Tabulated::Of<Pair> all; // rows differ in the cut-off and the first segment only
        __builtin_memcpy(&all, table, sizeof(all));
        P(0).store(r2 + pairs);
        if constexpr (!same) P(all.place.first).store(first + pairs);
        for (std::int64_t k = 0; k < pairs; k += P::size) {
            const P s = P::load(r2 + k);
            const SegmentPlace<P> place{same ? P(all.place.first) : P::load(first + k),
                                        P(all.place.fineness)};
            const auto places = find_places(s, max(P(all.begin), s), place);
            places.x.store(r2 + k);
            places.number.store(first + k);
        }
        for (std::int64_t k = 0; k < pairs; k += P::size) {
            const auto pair = load_segments<Pair, P::size>(first + k, P::load(r2 + k), table)();
            pair.f_over_r.store(r2 + k);
            if constexpr (energies) pair.u.store(first + k);
        }
    }
};

/// How much of a queue is filled, or emptied. Not in the queue, because it would be kept in memory.
struct QueuePlace {
    std::int64_t parts = 0, pairs = 0;
};

/// Puts those pairs of tiles into the queue that are within reach.
template <Ending read, int Dim, class Pair, class Parameters, class Tiles, class P>
SHADOW_PACK void queue_pairs(LookupQueue<Pair>& queue, QueuePlace& to,
                             const TileBlock<Dim, Pair>& block, const P (&place)[Dim],
                             const Tiles& tiles, Parameters& parameters) {
    for (std::int32_t t = tiles.begin; t < tiles.end; ++t)
        for (int part = 0; part < tile_parts<Pair>; ++part) {
            const int slot = 4 * tiles.column(t) + part * across<Pair>;
            const P r2 = Separation<Dim, Pair>(block, slot, place).r2;
            const auto& interaction = parameters.template at<read>(slot);
            const auto inside = tiles.template choose<Pair>(t, part, r2 < interaction.cutoff2);
            const Compress<Pair, P::size> keep(inside);
            queue.slot[to.parts] = slot;
            queue.inside[to.parts] = inside;
            keep.store(queue.r2 + to.pairs, r2);
            if constexpr (!Parameters::is_same)
                keep.store(queue.first + to.pairs, interaction.place.first);
            to.pairs += keep.count;
            to.parts += keep.count > 0;
        }
}

/// What was looked up for the parts of a row up to `end`.
template <TileWork work, int Dim, class Pair>
SHADOW_PACK void add_queued(OpenRow<work, Dim, Pair>& row, const LookupQueue<Pair>& queue,
                            QueuePlace& from, std::int64_t end) {
    using P = pack<Pair, lanes<Pair>>;
    for (; from.parts < end; ++from.parts) {
        const int slot = queue.slot[from.parts];
        const Separation<Dim, Pair> to(row.block, slot, row.place);
        const Expand<Pair, P::size> back(queue.inside[from.parts]);
        const P u = work != TileWork::forces ? back.load(queue.first + from.pairs) : P(0);
        add_pairs<work>(to.delta, back.load(queue.r2 + from.pairs), u, row.reaction(slot), row.sum);
        from.pairs += back.count;
    }
}

/// All rows of a block, as many at once as the queue has room for. A longer one goes through it
/// more than once, and its sums stay open.
template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_looked_up(const TileBlock<Dim, Pair>& block, const Pair* table,
                               Parameters& parameters) {
    LookupQueue<Pair> queue;
    OpenRow<work, Dim, Pair> row(block, 0);
    std::int32_t r = 0, masked = 0, whole = 0; // the next row, and its tiles that were queued
    while (r < block.rows) {
        const std::int32_t first = r;
        const bool is_open = masked + whole > 0;
        std::int32_t rows_queued = 0, room = queue.tiles;
        QueuePlace last;
        while (r < block.rows && rows_queued < queue.rows) {
            const cpu::TileRow& tiles = block.row[r];
            const int size = tiles.end - tiles.begin + tiles.masked_end - tiles.masked_begin;
            if (rows_queued > 0 && size > room) break;
            pack<Pair, lanes<Pair>> place[Dim];
            for (int d = 0; d < Dim; ++d) place[d] = rows<Pair>(block.place[d] + 4 * tiles.four);
            parameters.template open<read>(4 * tiles.four);
            const auto push = [&](auto of, std::int32_t& done) __attribute__((always_inline)) {
                of.begin += done;
                if (of.end - of.begin > room) of.end = of.begin + room;
                queue_pairs<read>(queue, last, block, place, of, parameters);
                done += of.end - of.begin;
                room -= of.end - of.begin;
            };
            push(MaskedTiles{block.masked, tiles.masked_begin, tiles.masked_end}, masked);
            push(WholeTiles{block.tile, tiles.begin, tiles.end}, whole);
            queue.end[rows_queued++] = last.parts;
            if (masked + whole < size) break;
            ++r;
            masked = whole = 0;
        }
        queue.template look_up<work != TileWork::forces, Parameters::is_same>(last.pairs, table);
        QueuePlace next;
        for (int k = 0; k < rows_queued; ++k) {
            if (k > 0 || !is_open) row.open(block.row[first + k].four);
            add_queued(row, queue, next, queue.end[k]);
            if (first + k < r) row.close();
        }
    }
}

} // namespace shadow::SHADOW_ISA
