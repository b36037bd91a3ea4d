// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_types.hpp"
#include "kernels/potentials/truncation.hpp"
#include "kernels/tensor.hpp"

/// The pairs of one supercluster with its block: data, parameters and sums.
namespace shadow::SHADOW_ISA {

/// One supercluster with the subclusters of its block, in coordinates relative to the
/// supercluster's centre; small enough for the first level cache. TileWork gives the channels of
/// its sums.
template <int Dim, class Pair>
struct TileBlock {
    const Pair* place[Dim];         ///< by slot
    const Pair* species;            ///< by slot, as numbers of type Pair that packs can hold
    std::int32_t size;              ///< subclusters
    const std::int32_t* subcluster; ///< indices among all subclusters
    std::int32_t segments, rows;
    const cpu::TileSegment* segment;
    const cpu::TileRow* row; ///< ranges in `tile` and `masked`
    const std::uint16_t* tile;
    const cpu::MaskedTile* masked;
    Pair* reaction; ///< sums over own particles: lanes of tiles by subcluster and channel; 0 before
                    ///< and after
    double* sums; ///< of the chunk, [subcluster][channel][4]; energies and virials of pairs are not
                  ///< halved
    double* virial; ///< of the supercluster, or null: [component][4], to be summed over the last
};

using cpu::TileWork;

/// The same parameters for all pairs.
template <class I, class Pair>
struct OneSpecies {
    using Interaction = I;
    using Lanes = typename I::template Of<pack<Pair, lanes<Pair>>>;
    static constexpr bool is_same = true;
    Lanes same;
    template <int>
    SHADOW_PACK void open(int) {}
    template <int>
    SHADOW_PACK const Lanes& at(int) const {
        return same;
    }
    template <int>
    SHADOW_PACK void open_kinds() {}
    template <int>
    SHADOW_PACK const Lanes& of_kind(const Pair*) const {
        return same;
    }
};

/// Parameters of the rows with each species; those of a column are chosen lane by lane, and only
/// the first `read` of them. The kind of a pair is the species of the row times the number of
/// species, plus the species of the column.
template <class I, class Pair>
struct ManySpecies {
    using Interaction = I;
    using P = pack<Pair, lanes<Pair>>;
    using Lanes = typename I::template Of<P>;
    static constexpr bool is_same = false;
    static constexpr int fields = field_count<I>;
    const Pair* table; ///< as in PairForcePayload
    std::int32_t species_count;
    const Pair* species; ///< by slot
    P* by_species;       ///< [species][field]
    P* by_kind;          ///< [field], a lane for each kind, if there are enough lanes
    P row_kind;

    SHADOW_PACK ManySpecies(const Pair* rows_by_kind, std::int32_t count, const Pair* s, P* memory)
        : table(rows_by_kind), species_count(count), species(s), by_species(memory),
          by_kind(memory + count * fields), row_kind(0) {}
    [[nodiscard]] SHADOW_PACK int kinds() const { return species_count * species_count; }

    template <int read>
    SHADOW_PACK void open(int slot) {
        row_kind = rows<Pair>(species + slot) * P(species_count);
        for (int b = 0; b < species_count; ++b)
            for (int f = 0; f < read; ++f) {
                Pair number[4];
                for (int k = 0; k < 4; ++k) {
                    const int a = static_cast<int>(species[slot + k]);
                    number[k] = table[(a * species_count + b) * fields + f];
                }
                by_species[b * fields + f] = rows<Pair>(number);
            }
    }
    template <int read>
    SHADOW_PACK Lanes at(int slot) const {
        const P kind = columns<Pair>(species + slot);
        P chosen[read];
        for (int f = 0; f < read; ++f) chosen[f] = by_species[f];
        for (int b = 1; b < species_count; ++b) {
            const auto higher = P(static_cast<Pair>(b) - Pair(0.5)) < kind;
            for (int f = 0; f < read; ++f)
                chosen[f] = select(higher, by_species[b * fields + f], chosen[f]);
        }
        return parameters(chosen);
    }
    template <int read>
    SHADOW_PACK void open_kinds() {
        if (kinds() > P::size) return;
        for (int k = 0; k < kinds(); ++k)
            for (int f = 0; f < read; ++f)
                reinterpret_cast<Pair*>(by_kind + f)[k] = table[k * fields + f];
    }
    /// Kinds of the pairs of the rows with the columns from `slot` on.
    [[nodiscard]] SHADOW_PACK P kind(int slot) const {
        return row_kind + columns<Pair>(species + slot);
    }
    /// Parameters of as many pairs as there are lanes.
    template <int read>
    SHADOW_PACK Lanes of_kind(const Pair* kind) const {
        P chosen[read];
#if defined(__AVX512F__)
        if (kinds() <= P::size) {
            for (int f = 0; f < read; ++f) chosen[f] = choose_lanes(by_kind[f], P::load(kind));
            return parameters(chosen);
        }
#endif
        Pair number[read][P::size];
        for (int k = 0; k < P::size; ++k)
            for (int f = 0; f < read; ++f)
                number[f][k] = table[fields * static_cast<int>(kind[k]) + f];
        for (int f = 0; f < read; ++f) chosen[f] = P::load(number[f]);
        return parameters(chosen);
    }

  private:
    template <int read>
    static SHADOW_PACK Lanes parameters(const P (&chosen)[read]) {
        Lanes all;
        __builtin_memcpy(&all, chosen, sizeof(chosen));
        return all;
    }
};

/// Adds `x`, the same for row and column but for a sign, to channel c of both.
template <class P, class Pair>
SHADOW_PACK void add_both(P* sum, Pair* reaction, int c, P x, bool opposite) {
    sum[c] = sum[c] + x;
    Pair* to = reaction + c * P::size;
    (opposite ? P::load(to) - x : P::load(to) + x).store(to);
}

/// Tiles of which all pairs count.
struct WholeTiles {
    const std::uint16_t* tile;
    std::int32_t begin, end;
    [[nodiscard]] SHADOW_PACK int column(std::int32_t t) const { return tile[t]; }
    template <class Pair, class Mask>
    SHADOW_PACK Mask choose(std::int32_t, int, Mask inside) const {
        return inside;
    }
};
/// Tiles of which some pairs count.
struct MaskedTiles {
    const cpu::MaskedTile* tile;
    std::int32_t begin, end;
    [[nodiscard]] SHADOW_PACK int column(std::int32_t t) const { return tile[t].tile; }
    template <class Pair, class Mask>
    SHADOW_PACK Mask choose(std::int32_t t, int part, Mask inside) const {
        return inside & chosen_pairs<Pair>(tile[t].pairs, part);
    }
};

/// Distance vectors from columns [slot, slot + across) to the rows.
template <int Dim, class Pair>
struct Separation {
    using P = pack<Pair, lanes<Pair>>;
    P delta[Dim], r2;
    SHADOW_PACK Separation(const TileBlock<Dim, Pair>& block, int slot, const P (&row)[Dim])
        : r2(0) {
        for (int d = 0; d < Dim; ++d) {
            delta[d] = row[d] - columns<Pair>(block.place[d] + slot);
            r2 = r2 + delta[d] * delta[d];
        }
    }
};

/// Adds the contributions of pairs, zero beyond the cut-off, to `sum` of the rows and to `reaction`
/// of the columns.
template <TileWork work, int Dim, class Pair, class P>
SHADOW_PACK void add_pairs(const P (&delta)[Dim], P f_over_r, P u, Pair* reaction,
                           P (&sum)[cpu::tile_channels<Dim>(work)]) {
    if constexpr (work == TileWork::shares) {
        for (int a = 0; a < Dim; ++a)
            for (int b = a; b < Dim; ++b)
                add_both(sum, reaction, tensor_index<Dim>(a, b), f_over_r * delta[a] * delta[b],
                         false);
        add_both(sum, reaction, tensor_size<Dim>, u, false);
    } else {
        for (int d = 0; d < Dim; ++d) add_both(sum, reaction, d, f_over_r * delta[d], true);
        if constexpr (work == TileWork::energies) add_both(sum, reaction, Dim, u, false);
    }
}

template <class Pair>
SHADOW_PACK void add_four(double* sum, Four<Pair> x) {
    store_four(sum, load_four(sum) + convert<double, Pair>(x));
}

/// The virial of a supercluster with its block. Positions are those of the images that form the
/// pairs, so the sum over a block of r_i F_i equals the sum over its pairs of (r_i - r_j) f_ij.
template <int Dim, class Pair>
struct TileVirial {
    Four<double> sum[tensor_size<Dim>] = {};

    /// Adds r F of a subcluster of the block.
    SHADOW_PACK void add(const TileBlock<Dim, Pair>& block, int subcluster,
                         const Four<Pair>* force) {
        Four<double> place[Dim];
        for (int d = 0; d < Dim; ++d)
            place[d] = convert<double, Pair>(load_four(block.place[d] + 4 * subcluster));
        for (int a = 0; a < Dim; ++a) {
            const Four<double> f = convert<double, Pair>(force[a]);
            for (int b = a; b < Dim; ++b) sum[tensor_index<Dim>(a, b)] += f * place[b];
        }
    }
    SHADOW_PACK void add_to(double* virial) const {
        for (int c = 0; c < tensor_size<Dim>; ++c)
            store_four(virial + 4 * c, load_four(virial + 4 * c) + sum[c]);
    }
};

/// A row of tiles: positions and sums of its subcluster.
template <TileWork work, int Dim, class Pair>
struct OpenRow {
    using P = pack<Pair, lanes<Pair>>;
    const TileBlock<Dim, Pair>& block;
    int subcluster;
    P place[Dim];
    P sum[cpu::tile_channels<Dim>(work)];

    SHADOW_PACK OpenRow(const TileBlock<Dim, Pair>& of, int i) : block(of) { open(i); }
    SHADOW_PACK void open(int i) {
        subcluster = i;
        for (int d = 0; d < Dim; ++d) place[d] = rows<Pair>(block.place[d] + 4 * i);
        for (P& s : sum) s = P(0);
    }
    SHADOW_PACK void close() const {
        constexpr int all = cpu::tile_channels<Dim>(work);
        double* to = block.sums +
                     std::int64_t{block.subcluster[subcluster] + block.segment[0].sum} * 4 * all;
        Four<Pair> total[all];
        for (int c = 0; c < all; ++c) {
            total[c] = sum_columns<Pair>(sum[c]);
            add_four<Pair>(to + 4 * c, total[c]);
        }
        if constexpr (work == TileWork::shares) return;
        if (block.virial) {
            TileVirial<Dim, Pair> virial;
            virial.add(block, subcluster, total);
            virial.add_to(block.virial);
        }
    }
    /// Sums of columns [slot, slot + across).
    [[nodiscard]] SHADOW_PACK Pair* reaction(int slot) const {
        const std::size_t part = static_cast<unsigned>(slot) / across<Pair>;
        return block.reaction + part * (cpu::tile_channels<Dim>(work) * P::size);
    }
};

} // namespace shadow::SHADOW_ISA
