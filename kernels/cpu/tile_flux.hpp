// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_kernel.hpp"

/// The inner loop over a TileList for the flux of heat, kernels/ops/heat_flux.hpp: what the pairs
/// of a brick add to it. Nothing is scattered, so rows alone have sums.
namespace shadow::SHADOW_ISA {

/// As add_pairs.
template <bool Self, int Dim, class Pair, class Lanes>
SHADOW_PACK void
carry_pairs(const TileBlock<Dim, Pair>& block, int slot, const pack<Pair, lanes<Pair>> (&row)[Dim],
            const pack<Pair, lanes<Pair>> (&velocity)[Dim], const Lanes& interaction, Ending ending,
            [[maybe_unused]] int part, pack<Pair, lanes<Pair>> (&sum)[Dim]) {
    using P = pack<Pair, lanes<Pair>>;
    P delta[Dim], together[Dim], r2(0), along(0);
    for (int d = 0; d < Dim; ++d) {
        delta[d] = row[d] - columns<Pair>(block.place[d] + slot);
        together[d] = velocity[d] + columns<Pair>(block.velocity[d] + slot);
        r2 = r2 + delta[d] * delta[d];
        along = along + delta[d] * together[d];
    }
    auto inside = r2 < interaction.cutoff2;
    if constexpr (Self) inside = inside & all_but_self<Pair>(part);
    const auto pair = interaction(r2, ending);
    const P u = select(inside, pair.u, P(0));
    const P work = select(inside, pair.f_over_r, P(0)) * along;
    for (int d = 0; d < Dim; ++d) sum[d] = sum[d] + (u * together[d] + work * delta[d]);
}

/// As add_row.
template <int Dim, class Pair, class Parameters>
SHADOW_PACK void carry_row(const TileBlock<Dim, Pair> block, int i, std::int32_t t,
                           std::int32_t end, bool self, Ending ending, Parameters& parameters) {
    using P = pack<Pair, lanes<Pair>>;
    constexpr int parts = tile_parts<Pair>;
    P row[Dim], velocity[Dim], sum[Dim];
    for (int d = 0; d < Dim; ++d) {
        row[d] = rows<Pair>(block.place[d] + 4 * i);
        velocity[d] = rows<Pair>(block.velocity[d] + 4 * i);
        sum[d] = P(0);
    }
    parameters.template open<Ending::split>(4 * i);
    if (self) {
        for (int part = 0; part < parts; ++part) {
            const int slot = 4 * i + part * across<Pair>;
            carry_pairs<true>(block, slot, row, velocity,
                              parameters.template at<Ending::split>(slot), ending, part, sum);
        }
        for (P& s : sum) s = P(Pair(0.5)) * s; // these pairs came from both sides
    }
    for (; t < end; ++t)
        for (int part = 0; part < parts; ++part) {
            const int slot = 4 * block.tile[t] + part * across<Pair>;
            carry_pairs<false>(block, slot, row, velocity,
                               parameters.template at<Ending::split>(slot), ending, part, sum);
        }
    for (int d = 0; d < Dim; ++d)
        add_four<Pair>(block.parts + 4 * d, sum_columns<Pair>(P(Pair(0.5)) * sum[d]));
}

/// Any ending in one loop, with the parameters of all: this is not where time is spent.
template <class Interaction, int Dim, class Pair>
__attribute__((flatten)) void tile_flux_kernel(const TileBlock<Dim, Pair>& block,
                                               const BlockTask<Pair>& task) {
    with_parameters<Interaction, Dim>(
        block, task, [&](auto& parameters) __attribute__((always_inline)) {
            const Ending ending = Interaction::always_shifted ? Ending::shifted : task.ending;
            for (int r = 0; r < block.rows; ++r) {
                const cpu::TileRow* row = block.row + r;
                const bool self = r == 0 || row[-1].four != row->four;
                carry_row(block, row->four, row[-1].end, row->end, self, ending, parameters);
            }
        });
}

} // namespace shadow::SHADOW_ISA
