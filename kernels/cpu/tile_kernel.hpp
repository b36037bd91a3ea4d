// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_kernel_table.hpp"
#include "kernels/cpu/tile_pairs.hpp"
#include "kernels/cpu/tile_queue.hpp"
#include "kernels/pack_math.hpp"

/// The inner loop of the CPU pair force over a TileList: one supercluster with its block.
namespace shadow::SHADOW_ISA {

template <TileWork work, Ending read, int Dim, class Pair, class Parameters, class Tiles>
SHADOW_PACK void add_computed(OpenRow<work, Dim, Pair>& row, const Tiles& tiles, Ending ending,
                              Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int fields = fields_read<typename Parameters::Interaction>(read);
    for (std::int32_t t = tiles.begin; t < tiles.end; ++t)
        for (int part = 0; part < tile_parts<Pair>; ++part) {
            const int slot = 4 * tiles.column(t) + part * across<Pair>;
            const Separation<Dim, Pair> to(row.block, slot, row.place);
            const auto& interaction = parameters.template at<fields>(slot);
            const auto inside = tiles.template choose<Pair>(t, part, to.r2 < interaction.cutoff2);
            const auto pair = interaction(to.r2, ending);
            add_pairs<work>(to.delta, select(inside, pair.f_over_r, P(0)),
                            select(inside, pair.u, P(0)), row.reaction(slot), row.sum);
        }
}

/// Opens only the parameters that `read` needs.
template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_row(const TileBlock<Dim, Pair> block, const cpu::TileRow tiles, Ending ending,
                         Parameters& parameters) {
    OpenRow<work, Dim, Pair> row(block, tiles.subcluster);
    parameters.template open<fields_read<typename Parameters::Interaction>(read)>(4 *
                                                                                  tiles.subcluster);
    const MaskedTiles masked{block.masked, tiles.masked_begin, tiles.masked_end};
    const WholeTiles whole{block.tile, tiles.begin, tiles.end};
    add_computed<work, read>(row, masked, ending, parameters);
    add_computed<work, read>(row, whole, ending, parameters);
    row.close();
}

/// Adds the reactions of own particles on subclusters [begin, end) of a segment.
template <TileWork work, int Dim, class Pair>
SHADOW_PACK void add_reactions(const TileBlock<Dim, Pair> block, std::int32_t begin,
                               std::int32_t end, std::int32_t sum) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int all = cpu::tile_channels<Dim>(work), parts = tile_parts<Pair>;
    const bool with_virial = work != TileWork::shares && block.virial;
    TileVirial<Dim, Pair> virial;
    for (std::int32_t k = begin; k < end; ++k) {
        double* to = block.sums + std::int64_t{block.subcluster[k] + sum} * 4 * all;
        Four<Pair> total[all];
        for (int c = 0; c < all; ++c) {
            P tile[parts];
            for (int part = 0; part < parts; ++part) {
                Pair* lane = block.reaction + ((k * parts + part) * all + c) * P::size;
                tile[part] = P::load(lane);
                P(0).store(lane);
            }
            total[c] = sum_rows<Pair>(tile);
            add_four<Pair>(to + 4 * c, total[c]);
        }
        if (with_virial) virial.add(block, k, total);
    }
    if (with_virial) virial.add_to(block.virial);
}

template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_tiles(const TileBlock<Dim, Pair> block, Ending ending, const Pair* table,
                           Parameters& parameters) {
    if constexpr (Parameters::Interaction::template is_costly<Pair>(
                      work == TileWork::shares ? Ending::shifted : read))
        add_by_queue<work, read>(block, ending, table, parameters);
    else
        for (int r = 0; r < block.rows; ++r)
            add_row<work, read>(block, block.row[r], ending, parameters);
    for (int s = 0; s < block.segments; ++s) {
        const std::int32_t end = s + 1 < block.segments ? block.segment[s + 1].begin : block.size;
        add_reactions<work>(block, block.segment[s].begin, end, block.segment[s].sum);
    }
}

/// Calls `work` with the parameters of one interaction.
template <class Interaction, int Dim, class Pair, class Work>
SHADOW_PACK void with_parameters(const TileBlock<Dim, Pair>& block,
                                 const PairForcePayload<Dim, Pair>& payload, const Work& work) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int fields = field_count<Interaction>;
    using Lanes = typename Interaction::template Of<P>;
    static_assert(sizeof(Lanes) == fields * sizeof(P));
    if (payload.species_count == 1) {
        P packs[fields];
        for (int f = 0; f < fields; ++f) packs[f] = P(payload.table[f]);
        OneSpecies<Interaction, Pair> one;
        __builtin_memcpy(&one.same, packs, sizeof(packs));
        return work(one);
    }
    const auto count = static_cast<std::size_t>(payload.species_count);
    auto* memory = __builtin_alloca_with_align((count + 1) * sizeof(Lanes), 512);
    ManySpecies<Interaction, Pair> many(payload.table, payload.species_count, block.species,
                                        static_cast<P*>(memory));
    work(many);
}

/// Forces have one loop over tiles for each ending, without a branch on it. Energies have two and
/// shares one, in which the endings share a loop, since little time is spent there.
template <TileWork work, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_ended_tiles(const TileBlock<Dim, Pair> block, Ending ending, const Pair* table,
                                 Parameters& parameters) {
    using enum Ending;
    if constexpr (work == TileWork::shares)
        return add_tiles<work, split>(block, ending, table, parameters);
    else if constexpr (work == TileWork::energies)
        return ending <= sloped ? add_tiles<work, sloped>(block, ending, table, parameters)
                                : add_tiles<work, split>(block, ending, table, parameters);
    else
        switch (ending) {
        case shifted:
            return add_tiles<work, shifted>(block, shifted, table, parameters);
        case sloped:
            return add_tiles<work, sloped>(block, sloped, table, parameters);
        case switched:
            return add_tiles<work, switched>(block, switched, table, parameters);
        case split:
            return add_tiles<work, split>(block, split, table, parameters);
        }
}

/// The kernel of one interaction.
template <class Interaction, TileWork work, int Dim, class Pair>
__attribute__((flatten)) void tile_kernel(const TileBlock<Dim, Pair>& block,
                                          const PairForcePayload<Dim, Pair>& payload) {
    with_parameters<Interaction, Dim>(
        block, payload, [&](auto& parameters) __attribute__((always_inline)) {
            if constexpr (Interaction::always_shifted)
                add_tiles<work, Ending::shifted>(block, Ending::shifted, payload.table, parameters);
            else
                add_ended_tiles<work>(block, payload.ending, payload.table, parameters);
        });
}

/// Instantiates the kernels of an interaction.
#define SHADOW_TILE_KERNEL(Dim, Pair, work, ...)                                                   \
    template void tile_kernel<__VA_ARGS__, TileWork::work, Dim, Pair>(                             \
        const TileBlock<Dim, Pair>&, const PairForcePayload<Dim, Pair>&);
#define SHADOW_TILE_KERNELS(Dim, Pair, ...)                                                        \
    SHADOW_TILE_KERNEL(Dim, Pair, forces, __VA_ARGS__)                                             \
    SHADOW_TILE_KERNEL(Dim, Pair, energies, __VA_ARGS__)                                           \
    SHADOW_TILE_KERNEL(Dim, Pair, shares, __VA_ARGS__)

} // namespace shadow::SHADOW_ISA
