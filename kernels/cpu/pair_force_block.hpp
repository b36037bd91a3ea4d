// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/block_task.hpp"
#include "kernels/tensor.hpp"

#include <cstdint>

/// The inner loop of the CPU pair force: every lane a particle of one cluster, against one
/// neighbour at a time. Compiled for each instruction set; see pair_force_driver.hpp for the whole.
namespace shadow::SHADOW_ISA {

/// One cluster with (some of) its neighbours, in coordinates relative to the cluster's centre;
/// small enough for the first level cache.
template <int Dim, class Pair>
struct Block {
    static constexpr int width = lanes<Pair>;
    static constexpr int capacity = 512;

    alignas(64) Pair lane[Dim][width]; ///< lanes beyond the cluster hold its centre
    alignas(64) Pair neighbour[Dim][capacity + width];
    alignas(64) Pair neighbour_species[capacity + width]; ///< numbers of type Pair, to be packed
    std::int32_t lane_species[width];
    int own;  ///< the first neighbours are the cluster's own particles, one for each of its lanes
    int size; ///< neighbours
    alignas(64) double force[Dim][width];
    alignas(64) double energy[width]; ///< whole pairs
    alignas(64) double virial[tensor_size<Dim>][width];
};

template <int Dim, class Pair>
using BlockKernel = void (*)(Block<Dim, Pair>& block, const BlockTask<Pair>& task);

/// Adds neighbours [first, last) to the sums; `parameters(k)` are those of the lanes with k.
template <bool Energy, bool Own, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_neighbours(Block<Dim, Pair>& block, int first, int last, Ending ending,
                                const Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    P lane[Dim], force[Dim], energy(0), virial[tensor_size<Dim>];
    for (int d = 0; d < Dim; ++d) {
        lane[d] = P::load(block.lane[d]);
        force[d] = P(0);
    }
    for (P& v : virial) v = P(0);
    for (int k = first; k < last; ++k) {
        const auto& interaction = parameters(k);
        P delta[Dim], r2(0);
        for (int d = 0; d < Dim; ++d) {
            delta[d] = lane[d] - P(block.neighbour[d][k]);
            r2 = r2 + delta[d] * delta[d];
        }
        auto inside = r2 < interaction.cutoff2;
        if constexpr (Own) inside = inside & P::Mask::all_but(k);
        const auto pair = interaction(r2, ending);
        const P f_over_r = select(inside, pair.f_over_r, P(0));
        for (int d = 0; d < Dim; ++d) force[d] = force[d] + f_over_r * delta[d];
        if constexpr (Energy) {
            energy = energy + select(inside, pair.u, P(0));
            for (int a = 0; a < Dim; ++a)
                for (int b = a; b < Dim; ++b) {
                    P& v = virial[tensor_index<Dim>(a, b)];
                    v = v + f_over_r * delta[a] * delta[b];
                }
        }
    }
    for (int d = 0; d < Dim; ++d) force[d].add_to(block.force[d]);
    if constexpr (Energy) {
        energy.add_to(block.energy);
        for (int c = 0; c < tensor_size<Dim>; ++c) virial[c].add_to(block.virial[c]);
    }
}

template <bool Energy, int Dim, class Pair, class Parameters>
SHADOW_PACK void add_block(Block<Dim, Pair>& block, Ending ending, const Parameters& parameters) {
    if (block.own > 0) add_neighbours<Energy, true>(block, 0, block.own, ending, parameters);
    for (int k = block.own; k < block.size; k += flush_interval) {
        const int last = k + flush_interval < block.size ? k + flush_interval : block.size;
        add_neighbours<Energy, false>(block, k, last, ending, parameters);
    }
}

/// The kernel of one interaction: parameters are numbers of the table, the same in all lanes if
/// there is one species, else one pack of lanes for each species that a neighbour may have.
template <class Interaction, bool Energy, int Dim, class Pair>
__attribute__((flatten)) void block_kernel(Block<Dim, Pair>& block, const BlockTask<Pair>& task) {
    constexpr int width = lanes<Pair>;
    constexpr int fields = field_count<Interaction>;
    using Lanes = typename Interaction::template Of<pack<Pair, width>>;
    static_assert(sizeof(Lanes) == fields * sizeof(pack<Pair, width>));
    const Ending ending = Interaction::always_shifted ? Ending::shifted : task.ending;

    if (task.species_count == 1) {
        pack<Pair, width> packs[fields];
        for (int f = 0; f < fields; ++f) packs[f] = pack<Pair, width>(task.table[f]);
        Lanes same;
        __builtin_memcpy(&same, packs, sizeof(same));
        const auto parameters = [&](int) -> const Lanes& { return same; };
        // The common ending has a loop of its own, which does not look at it.
        if (ending == Ending::shifted) return add_block<Energy>(block, Ending::shifted, parameters);
        return add_block<Energy>(block, ending, parameters);
    }
    const auto count = static_cast<std::size_t>(task.species_count);
    auto* by_species = static_cast<Lanes*>(__builtin_alloca_with_align(count * sizeof(Lanes), 512));
    auto* numbers = reinterpret_cast<Pair*>(by_species);
    for (std::size_t b = 0; b < count; ++b)
        for (std::size_t k = 0; k < width; ++k) {
            const auto a = static_cast<std::size_t>(block.lane_species[k]);
            const Pair* row = task.table + (a * count + b) * fields;
            for (std::size_t f = 0; f < fields; ++f) numbers[(b * fields + f) * width + k] = row[f];
        }
    add_block<Energy>(block, ending, [&](int k) -> const Lanes& {
        return by_species[static_cast<int>(block.neighbour_species[k])];
    });
}

} // namespace shadow::SHADOW_ISA
