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
    static constexpr int tiles = 32;
    static constexpr int capacity = tiles * 16 + P::size; ///< the last is written whole
    int parts; ///< of tiles, with a pair within reach: where their columns begin, and which pairs
    std::int32_t slot[tiles * tile_parts<Pair>];
    typename P::Mask inside[tiles * tile_parts<Pair>];
    int pairs;                         ///< of all parts
    alignas(64) Pair x[capacity];      ///< r^2, or places in segments; then f/r
    alignas(64) Pair number[capacity]; ///< of segments, the bits of whole ones
    alignas(64) Pair u[capacity];

    SHADOW_PACK void clear() { parts = pairs = 0; }
    template <class Parameters, class Lanes>
    SHADOW_PACK void push(int at, typename P::Mask mask, P r2, const Lanes& interaction) {
        slot[parts] = at;
        inside[parts] = mask;
        const Compress<Pair, P::size> keep(mask);
        if constexpr (Parameters::is_same) {
            keep.store(x + pairs, r2);
        } else {
            const auto places = find_places(r2, interaction.within(r2), interaction.place);
            keep.store(x + pairs, places.x);
            keep.store(number + pairs, P(__builtin_bit_cast(typename P::V, places.number)));
        }
        pairs += keep.count;
        parts += keep.count > 0;
    }
    SHADOW_PACK void store_places(int k, const Places<Pair, P::size>& places) {
        places.x.store(x + k);
        P(__builtin_bit_cast(typename P::V, places.number)).store(number + k);
    }
    /// Of what stands behind the last pair any segment is read.
    template <bool energies, class Parameters>
    SHADOW_PACK void look_up(const Pair* table, const Parameters& parameters) {
        if constexpr (Parameters::is_same)
            for (int k = 0; k < pairs; k += P::size) {
                const P r2 = P::load(x + k);
                const auto& same = parameters.same;
                store_places(k, find_places(r2, same.within(r2), same.place));
            }
        else
            P(0).store(number + pairs);
        for (int k = 0; k < pairs; k += P::size) {
            const auto pair = load_segments<Pair, P::size>(number + k, P::load(x + k), table)();
            pair.f_over_r.store(x + k);
            if constexpr (energies) pair.u.store(u + k);
        }
    }
};

template <TileWork work, Ending read, int Dim, class Pair, class Parameters, class Tiles>
SHADOW_PACK void add_looked_up(OpenRow<work, Dim, Pair>& row, const Tiles& tiles, const Pair* table,
                               Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr bool energies = work != TileWork::forces;
    LookupQueue<Pair> queue;
    for (std::int32_t begin = tiles.begin; begin < tiles.end; begin += queue.tiles) {
        const std::int32_t last = begin + queue.tiles;
        const std::int32_t end = last < tiles.end ? last : tiles.end;
        queue.clear();
        for (std::int32_t t = begin; t < end; ++t)
            for (int part = 0; part < tile_parts<Pair>; ++part) {
                const int slot = 4 * tiles.column(t) + part * across<Pair>;
                const P r2 = Separation<Dim, Pair>(row.block, slot, row.place).r2;
                const auto& interaction = parameters.template at<read>(slot);
                const auto inside = tiles.template choose<Pair>(t, part, r2 < interaction.cutoff2);
                queue.template push<Parameters>(slot, inside, r2, interaction);
            }
        queue.template look_up<energies>(table, parameters);
        int pairs = 0;
        for (int k = 0; k < queue.parts; ++k) {
            const Separation<Dim, Pair> to(row.block, queue.slot[k], row.place);
            const Expand<Pair, P::size> back(queue.inside[k]);
            const P u = energies ? back.load(queue.u + pairs) : P(0);
            add_pairs<work>(to.delta, back.load(queue.x + pairs), u, row.reaction(queue.slot[k]),
                            row.sum);
            pairs += back.count;
        }
    }
}

} // namespace shadow::SHADOW_ISA
