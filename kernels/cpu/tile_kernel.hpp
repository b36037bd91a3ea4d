// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/block_task.hpp"
#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_types.hpp"
#include "kernels/tensor.hpp"

/// The inner loop of the CPU pair force over a TileList: one supercluster with its block.
namespace shadow::SHADOW_ISA {

/// One supercluster with the fours of its block, in coordinates relative to the supercluster's
/// centre; small enough for the first level cache. Channels of its sums are as TileWork says.
template <int Dim, class Pair>
struct TileBlock {
    const Pair* place[Dim];   ///< by slot
    const Pair* species;      ///< by slot, numbers of type Pair to be packed
    std::int32_t size;        ///< fours
    const std::int32_t* four; ///< numbers of all superclusters
    std::int32_t segments, rows;
    const cpu::TileSegment* segment;
    const cpu::TileRow* row; ///< of numbers in `tile` and `masked`
    const std::uint16_t* tile;
    const cpu::MaskedTile* masked;
    Pair* reaction; ///< sums over own particles: lanes of tiles by four and channel; 0 before and
                    ///< after
    double* sums;   ///< of the chunk, [four][channel][4], whole pairs
    double*
        virial; ///< of the supercluster, with energies: [component][4], to be summed over the last
};

using cpu::TileWork;

/// What the rows of a tile get, and with energies their virial.
template <int Dim, TileWork work, class P>
struct TileSums {
    P channel[cpu::tile_channels<Dim>(work)];
    P virial[work == TileWork::energies ? tensor_size<Dim> : 1];
};

/// The same parameters for all pairs.
template <class Lanes>
struct OneSpecies {
    Lanes same;
    template <Ending>
    SHADOW_PACK void open(int) {}
    template <Ending>
    SHADOW_PACK const Lanes& at(int) const {
        return same;
    }
};

/// Those of the rows with each species; which of them a column takes is chosen lane by lane, and
/// only of what the ending reads.
template <class Interaction, class Pair>
struct ManySpecies {
    using P = pack<Pair, lanes<Pair>>;
    using Lanes = typename Interaction::template Of<P>;
    static constexpr int fields = field_count<Interaction>;
    const BlockTask<Pair>& task;
    const Pair* species; ///< by slot
    P* by_species;       ///< [species][field]

    template <Ending ending>
    SHADOW_PACK void open(int slot) {
        for (int b = 0; b < task.species_count; ++b)
            for (int f = 0; f < fields_read<Interaction>(ending); ++f) {
                Pair number[4];
                for (int k = 0; k < 4; ++k) {
                    const int a = static_cast<int>(species[slot + k]);
                    number[k] = task.table[(a * task.species_count + b) * fields + f];
                }
                by_species[b * fields + f] = rows<Pair>(number);
            }
    }
    template <Ending ending>
    SHADOW_PACK Lanes at(int slot) const {
        constexpr int read = fields_read<Interaction>(ending);
        const P kind = columns<Pair>(species + slot);
        P chosen[read];
        for (int f = 0; f < read; ++f) chosen[f] = by_species[f];
        for (int b = 1; b < task.species_count; ++b) {
            const auto higher = P(static_cast<Pair>(b) - Pair(0.5)) < kind;
            for (int f = 0; f < read; ++f)
                chosen[f] = select(higher, by_species[b * fields + f], chosen[f]);
        }
        Lanes parameters;
        __builtin_memcpy(&parameters, chosen, sizeof(chosen));
        return parameters;
    }
};

/// Adds `x`, the same for row and column but for a sign, to channel c of both.
template <class P, class Pair>
SHADOW_PACK void add_both(P* sum, Pair* reaction, int c, P x, bool opposite) {
    sum[c] = sum[c] + x;
    Pair* to = reaction + c * P::size;
    (opposite ? P::load(to) - x : P::load(to) + x).store(to);
}

/// All pairs of a tile.
struct AllPairs {
    template <class Mask>
    SHADOW_PACK Mask operator()(Mask inside) const {
        return inside;
    }
};
/// Those of `part` that `pairs` names.
template <class Pair>
struct ChosenPairs {
    std::uint16_t pairs;
    int part;
    template <class Mask>
    SHADOW_PACK Mask operator()(Mask inside) const {
        return inside & chosen_pairs<Pair>(pairs, part);
    }
};

/// What rows get from columns [slot, slot + across), added to `sum`, and the columns to `reaction`.
template <TileWork work, int Dim, class Pair, class Lanes, class Choice>
SHADOW_PACK void add_pairs(const TileBlock<Dim, Pair>& block, int slot,
                           const pack<Pair, lanes<Pair>> (&row)[Dim], const Lanes& interaction,
                           Ending ending, const Pair* table, const Choice& choice, Pair* reaction,
                           TileSums<Dim, work, pack<Pair, lanes<Pair>>>& sum) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr bool shares = work == TileWork::shares;
    P delta[Dim], r2(0);
    for (int d = 0; d < Dim; ++d) {
        delta[d] = row[d] - columns<Pair>(block.place[d] + slot);
        r2 = r2 + delta[d] * delta[d];
    }
    const auto inside = choice(r2 < interaction.cutoff2);
    const auto pair = evaluate(interaction, r2, ending, table);
    const P f_over_r = select(inside, pair.f_over_r, P(0));
    if constexpr (!shares)
        for (int d = 0; d < Dim; ++d) add_both(sum.channel, reaction, d, f_over_r * delta[d], true);
    if constexpr (work != TileWork::forces) {
        constexpr int energy = shares ? tensor_size<Dim> : Dim;
        add_both(sum.channel, reaction, energy, select(inside, pair.u, P(0)), false);
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b) {
                constexpr auto at = tensor_index<Dim>;
                const P force = f_over_r * delta[a];
                if constexpr (shares)
                    add_both(sum.channel, reaction, at(a, b), force * delta[b], false);
                else
                    sum.virial[at(a, b)] = sum.virial[at(a, b)] + force * delta[b];
            }
    }
}

template <class Pair>
SHADOW_PACK void add_four(double* sum, Four<Pair> x) {
    store_four(sum, load_four(sum) + convert<double, Pair>(x));
}

/// Of the parameters those are opened that `read` needs.
template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_row(const TileBlock<Dim, Pair> block, const cpu::TileRow tiles, Ending ending,
                         const Pair* table, Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int all = cpu::tile_channels<Dim>(work), parts = tile_parts<Pair>;
    const int i = tiles.four;
    P row[Dim];
    TileSums<Dim, work, P> sum;
    for (int d = 0; d < Dim; ++d) row[d] = rows<Pair>(block.place[d] + 4 * i);
    for (P& s : sum.channel) s = P(0);
    for (P& s : sum.virial) s = P(0);
    parameters.template open<read>(4 * i);
    const auto add = [&](int k, int part, const auto& choice) __attribute__((always_inline)) {
        const int slot = 4 * k + part * across<Pair>;
        add_pairs<work>(block, slot, row, parameters.template at<read>(slot), ending, table, choice,
                        block.reaction + (k * parts + part) * all * P::size, sum);
    };
    for (std::int32_t t = tiles.masked_begin; t < tiles.masked_end; ++t)
        for (int part = 0; part < parts; ++part)
            add(block.masked[t].tile, part, ChosenPairs<Pair>{block.masked[t].pairs, part});
    for (std::int32_t t = tiles.begin; t < tiles.end; ++t)
        for (int part = 0; part < parts; ++part) add(block.tile[t], part, AllPairs{});
    double* to = block.sums + std::int64_t{block.four[i] + block.segment[0].sum} * 4 * all;
    for (int c = 0; c < all; ++c) add_four<Pair>(to + 4 * c, sum_columns<Pair>(sum.channel[c]));
    if constexpr (work == TileWork::energies)
        for (int c = 0; c < tensor_size<Dim>; ++c)
            add_four<Pair>(block.virial + 4 * c, sum_columns<Pair>(sum.virial[c]));
}

/// What the fours [begin, end) of a segment got from own particles.
template <TileWork work, int Dim, class Pair>
SHADOW_PACK void add_reactions(const TileBlock<Dim, Pair> block, std::int32_t begin,
                               std::int32_t end, std::int32_t sum) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int all = cpu::tile_channels<Dim>(work), parts = tile_parts<Pair>;
    for (std::int32_t k = begin; k < end; ++k) {
        double* to = block.sums + std::int64_t{block.four[k] + sum} * 4 * all;
        for (int c = 0; c < all; ++c) {
            P tile[parts];
            for (int part = 0; part < parts; ++part) {
                Pair* lane = block.reaction + ((k * parts + part) * all + c) * P::size;
                tile[part] = P::load(lane);
                P(0).store(lane);
            }
            add_four<Pair>(to + 4 * c, sum_rows<Pair>(tile));
        }
    }
}

template <TileWork work, Ending read, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_tiles(const TileBlock<Dim, Pair> block, Ending ending, const Pair* table,
                           Parameters& parameters) {
    for (int r = 0; r < block.rows; ++r)
        add_row<work, read>(block, block.row[r], ending, table, parameters);
    for (int s = 0; s < block.segments; ++s) {
        const std::int32_t end = s + 1 < block.segments ? block.segment[s + 1].begin : block.size;
        add_reactions<work>(block, block.segment[s].begin, end, block.segment[s].sum);
    }
}

/// Defined in isa/, where one table of kernels is compiled per precision and dimension.
template <int Dim, class Pair>
using TileKernel = void (*)(const TileBlock<Dim, Pair>& block, const BlockTask<Pair>& task);
template <int Dim, class Pair>
TileKernel<Dim, Pair> find_tile_kernel(int interaction, cpu::TileWork work);

/// Calls `work` with the parameters of one interaction.
template <class Interaction, int Dim, class Pair, class Work>
SHADOW_PACK void with_parameters(const TileBlock<Dim, Pair>& block, const BlockTask<Pair>& task,
                                 const Work& work) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int fields = field_count<Interaction>;
    using Lanes = typename Interaction::template Of<P>;
    static_assert(sizeof(Lanes) == fields * sizeof(P));
    if (task.species_count == 1) {
        P packs[fields];
        for (int f = 0; f < fields; ++f) packs[f] = P(task.table[f]);
        OneSpecies<Lanes> one;
        __builtin_memcpy(&one.same, packs, sizeof(packs));
        return work(one);
    }
    const auto count = static_cast<std::size_t>(task.species_count);
    auto* memory = __builtin_alloca_with_align(count * sizeof(Lanes), 512);
    ManySpecies<Interaction, Pair> many{task, block.species, static_cast<P*>(memory)};
    work(many);
}

/// The kernel of one interaction: one loop for each ending, without a branch on it. For shares
/// one for all, with the parameters of any: that is not where time is spent.
template <class Interaction, TileWork work, int Dim, class Pair>
__attribute__((flatten)) void tile_kernel(const TileBlock<Dim, Pair>& block,
                                          const BlockTask<Pair>& task) {
    with_parameters<Interaction, Dim>(
        block, task, [&](auto& parameters) __attribute__((always_inline)) {
            const Ending ending = Interaction::always_shifted ? Ending::shifted : task.ending;
            if constexpr (work == TileWork::shares)
                return add_tiles<work, Ending::split>(block, ending, task.table, parameters);
            switch (ending) {
            case Ending::shifted:
                return add_tiles<work, Ending::shifted>(block, Ending::shifted, task.table,
                                                        parameters);
            case Ending::sloped:
                return add_tiles<work, Ending::sloped>(block, Ending::sloped, task.table,
                                                       parameters);
            case Ending::switched:
                return add_tiles<work, Ending::switched>(block, Ending::switched, task.table,
                                                         parameters);
            case Ending::split:
                return add_tiles<work, Ending::split>(block, Ending::split, task.table, parameters);
            }
        });
}

} // namespace shadow::SHADOW_ISA
