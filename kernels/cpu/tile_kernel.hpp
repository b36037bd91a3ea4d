// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/block_task.hpp"
#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_types.hpp"
#include "kernels/tensor.hpp"

/// The inner loop of the CPU pair force over a TileList: one brick with its block.
namespace shadow::SHADOW_ISA {

/// One brick with the fours of its block, in coordinates relative to the brick's centre; small
/// enough for the first level cache. Of `channels` sums: forces, then energy.
template <int Dim, class Pair>
struct TileBlock {
    const Pair* place[Dim];    ///< by slot
    const Pair* species;       ///< by slot, numbers of type Pair to be packed
    const Pair* velocity[Dim]; ///< by slot, for the flux of heat
    std::int32_t size;         ///< fours
    const std::int32_t* four;  ///< numbers of all bricks
    std::int32_t segments, rows;
    const cpu::TileSegment* segment;
    const cpu::TileRow* row; ///< ends in `tile`; the one before the first is there too
    const std::uint16_t* tile;
    Pair* reaction; ///< sums over own particles: lanes of tiles by four and channel; 0 before and
                    ///< after
    double* sums;   ///< of the page, [four][channel][4], whole pairs
    double* parts;  ///< of the brick, [component][4], to be summed over the last: with energies
                    ///< the virial, or the flux of heat
};

template <int Dim, bool Energy>
inline constexpr int channels = Energy ? Dim + 1 : Dim;

/// What the rows of a tile get, and with energies their virial.
template <int Dim, bool Energy, class P>
struct TileSums {
    P channel[channels<Dim, Energy>];
    P virial[Energy ? tensor_size<Dim> : 1];
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

/// What rows get from columns [slot, slot + across), added to `sum`, and the columns to `reaction`;
/// or (`Self`) in `part` of the tile of a four with itself, where all are rows.
template <bool Energy, bool Self, int Dim, class Pair, class Lanes>
SHADOW_PACK void
add_pairs(const TileBlock<Dim, Pair>& block, int slot, const pack<Pair, lanes<Pair>> (&row)[Dim],
          const Lanes& interaction, Ending ending, [[maybe_unused]] int part,
          [[maybe_unused]] Pair* reaction, TileSums<Dim, Energy, pack<Pair, lanes<Pair>>>& sum) {
    using P = pack<Pair, lanes<Pair>>;
    P delta[Dim], r2(0);
    for (int d = 0; d < Dim; ++d) {
        delta[d] = row[d] - columns<Pair>(block.place[d] + slot);
        r2 = r2 + delta[d] * delta[d];
    }
    auto inside = r2 < interaction.cutoff2;
    if constexpr (Self) inside = inside & all_but_self<Pair>(part);
    const auto pair = interaction(r2, ending);
    const P f_over_r = select(inside, pair.f_over_r, P(0));
    for (int d = 0; d < Dim; ++d) {
        sum.channel[d] = sum.channel[d] + f_over_r * delta[d];
        if constexpr (!Self) {
            Pair* to = reaction + d * P::size;
            (P::load(to) - f_over_r * delta[d]).store(to);
        }
    }
    if constexpr (Energy) {
        const P u = select(inside, pair.u, P(0));
        sum.channel[Dim] = sum.channel[Dim] + u;
        if constexpr (!Self) {
            Pair* to = reaction + Dim * P::size;
            (P::load(to) + u).store(to);
        }
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b) {
                P& virial = sum.virial[tensor_index<Dim>(a, b)];
                virial = virial + f_over_r * delta[a] * delta[b];
            }
    }
}

template <class Pair>
SHADOW_PACK void add_four(double* sum, Four<Pair> x) {
    store_four(sum, load_four(sum) + convert<double, Pair>(x));
}

/// Tiles [t, end) of own four i, and with `self` that of the four with itself.
template <bool Energy, Ending ending, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_row(const TileBlock<Dim, Pair> block, int i, std::int32_t t, std::int32_t end,
                         bool self, Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int all = channels<Dim, Energy>, parts = tile_parts<Pair>;
    P row[Dim];
    TileSums<Dim, Energy, P> sum;
    for (int d = 0; d < Dim; ++d) row[d] = rows<Pair>(block.place[d] + 4 * i);
    for (P& s : sum.channel) s = P(0);
    for (P& s : sum.virial) s = P(0);
    parameters.template open<ending>(4 * i);
    if (self) {
        for (int part = 0; part < parts; ++part) {
            const int slot = 4 * i + part * across<Pair>;
            add_pairs<Energy, true>(block, slot, row, parameters.template at<ending>(slot), ending,
                                    part, static_cast<Pair*>(nullptr), sum);
        }
        for (P& s : sum.virial) s = P(Pair(0.5)) * s; // these pairs came from both sides
    }
    for (; t < end; ++t)
        for (int part = 0; part < parts; ++part) {
            const int k = block.tile[t], slot = 4 * k + part * across<Pair>;
            add_pairs<Energy, false>(block, slot, row, parameters.template at<ending>(slot), ending,
                                     part, block.reaction + (k * parts + part) * all * P::size,
                                     sum);
        }
    double* to = block.sums + std::int64_t{block.four[i] + block.segment[0].sum} * 4 * all;
    for (int c = 0; c < all; ++c) add_four<Pair>(to + 4 * c, sum_columns<Pair>(sum.channel[c]));
    if constexpr (Energy)
        for (int c = 0; c < tensor_size<Dim>; ++c)
            add_four<Pair>(block.parts + 4 * c, sum_columns<Pair>(sum.virial[c]));
}

/// What the fours [begin, end) of a segment got from own particles.
template <bool Energy, int Dim, class Pair>
SHADOW_PACK void add_reactions(const TileBlock<Dim, Pair> block, std::int32_t begin,
                               std::int32_t end, std::int32_t sum) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int all = channels<Dim, Energy>, parts = tile_parts<Pair>;
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

template <bool Energy, Ending ending, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_tiles(const TileBlock<Dim, Pair> block, Parameters& parameters) {
    for (int r = 0; r < block.rows; ++r) {
        const cpu::TileRow* row = block.row + r;
        const bool self = r == 0 || row[-1].four != row->four;
        add_row<Energy, ending>(block, row->four, row[-1].end, row->end, self, parameters);
    }
    for (int s = 0; s < block.segments; ++s) {
        const std::int32_t end = s + 1 < block.segments ? block.segment[s + 1].begin : block.size;
        add_reactions<Energy>(block, block.segment[s].begin, end, block.segment[s].sum);
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

/// The kernel of one interaction; one loop for each ending, none of which looks at it.
template <class Interaction, bool Energy, int Dim, class Pair>
__attribute__((flatten)) void tile_kernel(const TileBlock<Dim, Pair>& block,
                                          const BlockTask<Pair>& task) {
    with_parameters<Interaction, Dim>(
        block, task, [&](auto& parameters) __attribute__((always_inline)) {
            switch (Interaction::always_shifted ? Ending::shifted : task.ending) {
            case Ending::shifted:
                return add_tiles<Energy, Ending::shifted>(block, parameters);
            case Ending::sloped:
                return add_tiles<Energy, Ending::sloped>(block, parameters);
            case Ending::tapered:
                return add_tiles<Energy, Ending::tapered>(block, parameters);
            case Ending::split:
                return add_tiles<Energy, Ending::split>(block, parameters);
            }
        });
}

} // namespace shadow::SHADOW_ISA
