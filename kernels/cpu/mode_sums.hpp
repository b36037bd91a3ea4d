// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/density_modes.hpp"
#include "kernels/pack_turn.hpp"

namespace shadow::SHADOW_ISA {

/// Sums over particles [first, last) of each species at the given wave vectors: cosines[species *
/// count + k] and sines likewise, with memory for that many packs.
template <int Dim>
void sum_modes(const DensityModes<Dim>& modes, const WaveVector<Dim>* vectors, int species,
               std::int64_t first, std::int64_t last, double* cosines, double* sines) {
    using P = pack<double, lanes<double>>;
    const auto sums = std::int64_t{species} * modes.count;
    for (std::int64_t k = 0; k < sums * P::size; ++k) cosines[k] = sines[k] = 0.0;
    for (std::int64_t i = first; i < last; i += P::size) {
        const auto here = static_cast<int>(last - i < P::size ? last - i : P::size);
        double lane[P::size];
        P place[Dim], x[Dim];
        for (int d = 0; d < Dim; ++d) {
            for (int l = 0; l < P::size; ++l)
                lane[l] = modes.position.component[d][l < here ? i + l : i];
            place[d] = P::load(lane);
        }
        modes.box.fractions(place, x);
        for (int s = 0; s < species; ++s) {
            for (int l = 0; l < P::size; ++l)
                lane[l] = l < here && (species == 1 || modes.species[i + l] == s);
            const P weight = P::load(lane);
            double *c = cosines + std::int64_t{s} * modes.count * P::size,
                   *t = sines + std::int64_t{s} * modes.count * P::size;
            for (std::int32_t k = 0; k < modes.count; ++k, c += P::size, t += P::size) {
                P turns = P(vectors[k].n[0]) * x[0], cosine, sine;
                for (int d = 1; d < Dim; ++d) turns = turns + P(vectors[k].n[d]) * x[d];
                turn(turns, cosine, sine);
                (P::load(c) + weight * cosine).store(c);
                (P::load(t) + weight * sine).store(t);
            }
        }
    }
    for (std::int64_t k = 0; k < sums; ++k) {
        double c = 0.0, s = 0.0;
        for (int l = 0; l < P::size; ++l) {
            c += cosines[k * P::size + l];
            s += sines[k * P::size + l];
        }
        cosines[k] = c;
        sines[k] = s;
    }
}

} // namespace shadow::SHADOW_ISA
