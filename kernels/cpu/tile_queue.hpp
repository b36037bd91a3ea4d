// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pairs.hpp"
#include "kernels/pack_spline.hpp"

/// Pairs of an expensive potential: a table lookup, or many operations. About a third of the pairs
/// of a tile are within reach; these are queued and evaluated, and the results return to their
/// tiles.
namespace shadow::SHADOW_ISA {

template <class Interaction, class Pair>
struct PairQueue {
    using P = pack<Pair, lanes<Pair>>;
    static constexpr bool is_table = std::is_same_v<Interaction, Tabulated>;
    /// Fields of the parameters that a loop over tiles reads: the cut-off, and for a table its
    /// first segment.
    static constexpr int fields = is_table ? Tabulated::fields_that_differ : 1;
    static constexpr int rows = 16;
    static constexpr int tiles = 256 / sizeof(Pair);      ///< most rows have fewer; 4 KiB of r²
    static constexpr int capacity = tiles * 16 + P::size; ///< the last pack is written as a whole
    /// For the parts of tiles with a pair within reach: the first slot of their columns, and which
    /// pairs.
    std::int32_t slot[tiles * tile_parts<Pair>];
    typename P::Mask inside[tiles * tile_parts<Pair>];
    std::int64_t end[rows];          ///< of the parts of each row
    alignas(64) Pair r2[capacity];   ///< r² of pairs, then f/r
    alignas(64) Pair kind[capacity]; ///< selects the parameters, then u

    /// In a mixture: the first segment of a table, or the number of the pair of species.
    template <class Parameters>
    static SHADOW_PACK P kind_of(const Parameters& parameters, int slot) {
        if constexpr (is_table)
            return parameters.template at<fields>(slot).place.first;
        else
            return parameters.kind(slot);
    }

    /// The pack of the last pair is evaluated whole, so entries after it must be valid.
    template <Ending read, bool energies, class Parameters>
    SHADOW_PACK void evaluate(std::int64_t pairs, Ending ending, const Pair* table,
                              const Parameters& parameters) {
        P(1).store(r2 + pairs);
        if constexpr (!Parameters::is_same) P(0).store(kind + pairs);
        if constexpr (is_table)
            look_up<energies, Parameters::is_same>(pairs, table);
        else
            for (std::int64_t k = 0; k < pairs; k += P::size) {
                const auto pair = parameters.template of_kind<fields_read<Interaction>(read)>(
                    kind + k)(P::load(r2 + k), ending);
                pair.f_over_r.store(r2 + k);
                if constexpr (energies) pair.u.store(kind + k);
            }
    }

  private:
    template <bool energies, bool same>
    SHADOW_PACK void look_up(std::int64_t pairs, const Pair* table) {
        Tabulated::Of<Pair> all; // rows differ in the cut-off and the first segment only
        __builtin_memcpy(&all, table, sizeof(all));
        for (std::int64_t k = 0; k < pairs; k += P::size) {
            const P s = P::load(r2 + k);
            const SegmentPlace<P> place{same ? P(all.place.first) : P::load(kind + k),
                                        P(all.place.fineness)};
            const auto places = find_places(s, max(P(all.begin), s), place);
            places.x.store(r2 + k);
            places.number.store(kind + k);
        }
        for (std::int64_t k = 0; k < pairs; k += P::size) {
            const auto pair = load_segments<Pair, P::size>(kind + k, P::load(r2 + k), table)();
            pair.f_over_r.store(r2 + k);
            if constexpr (energies) pair.u.store(kind + k);
        }
    }
};

/// How much of a queue is filled or emptied. Not a member of the queue, which would keep it in
/// memory.
struct QueuePlace {
    std::int64_t parts = 0, pairs = 0;
};

/// Queues the pairs of tiles that are within reach.
template <class Queue, int Dim, class Pair, class Parameters, class Tiles, class P>
SHADOW_PACK void queue_pairs(Queue& queue, QueuePlace& to, const TileBlock<Dim, Pair>& block,
                             const P (&place)[Dim], const Tiles& tiles, Parameters& parameters) {
    for (std::int32_t t = tiles.begin; t < tiles.end; ++t)
        for (int part = 0; part < tile_parts<Pair>; ++part) {
            const int slot = 4 * tiles.column(t) + part * across<Pair>;
            const P r2 = Separation<Dim, Pair>(block, slot, place).r2;
            const auto& interaction = parameters.template at<Queue::fields>(slot);
            const auto inside = tiles.template choose<Pair>(t, part, r2 < interaction.cutoff2);
            const Compress<Pair, P::size> keep(inside);
            queue.slot[to.parts] = slot;
            queue.inside[to.parts] = inside;
            keep.store(queue.r2 + to.pairs, r2);
            if constexpr (!Parameters::is_same)
                keep.store(queue.kind + to.pairs, Queue::kind_of(parameters, slot));
            to.pairs += keep.count;
            to.parts += keep.count > 0;
        }
}

/// Adds the results of the parts of a row up to `end`.
template <TileWork work, class Queue, int Dim, class Pair>
SHADOW_PACK void add_queued(OpenRow<work, Dim, Pair>& row, const Queue& queue, QueuePlace& from,
                            std::int64_t end) {
    using P = pack<Pair, lanes<Pair>>;
    for (; from.parts < end; ++from.parts) {
        const int slot = queue.slot[from.parts];
        const Separation<Dim, Pair> to(row.block, slot, row.place);
        const Expand<Pair, P::size> back(queue.inside[from.parts]);
        const P u = work != TileWork::forces ? back.load(queue.kind + from.pairs) : P(0);
        add_pairs<work>(to.delta, back.load(queue.r2 + from.pairs), u, row.reaction(slot), row.sum);
        from.pairs += back.count;
    }
}

/// Adds all rows of a block, as many at once as the queue can hold. A longer row passes through it
/// in several parts, and its sums stay open.
template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_by_queue(const TileBlock<Dim, Pair>& block, Ending ending, const Pair* table,
                              Parameters& parameters) {
    using Interaction = typename Parameters::Interaction;
    PairQueue<Interaction, Pair> queue;
    if constexpr (!queue.is_table) parameters.template open_kinds<fields_read<Interaction>(read)>();
    OpenRow<work, Dim, Pair> row(block, 0);
    std::int32_t r = 0, masked = 0, whole = 0; // the next row, and its tiles already queued
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
            for (int d = 0; d < Dim; ++d)
                place[d] = rows<Pair>(block.place[d] + 4 * tiles.subcluster);
            parameters.template open<queue.fields>(4 * tiles.subcluster);
            const auto push = [&](auto of, std::int32_t& done) __attribute__((always_inline)) {
                of.begin += done;
                if (of.end - of.begin > room) of.end = of.begin + room;
                queue_pairs(queue, last, block, place, of, parameters);
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
        queue.template evaluate<read, work != TileWork::forces>(last.pairs, ending, table,
                                                                parameters);
        QueuePlace next;
        for (int k = 0; k < rows_queued; ++k) {
            if (k > 0 || !is_open) row.open(block.row[first + k].subcluster);
            add_queued(row, queue, next, queue.end[k]);
            if (first + k < r) row.close();
        }
    }
}

} // namespace shadow::SHADOW_ISA
