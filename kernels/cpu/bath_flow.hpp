// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/advance.hpp"
#include "kernels/pack_philox.hpp"

namespace shadow::SHADOW_ISA {

/// As many particles as there are lanes, or fewer: then the other lanes repeat the first.
struct Bunch {
    using P = pack<double, lanes<double>>;
    using Words = P::Bits;
    static constexpr int size = P::size;
    int count;

    /// x[k] of particle k, in its lane.
    template <class From, class To>
    SHADOW_PACK void read(const From* x, To (&lane)[size]) const {
        if (count == size)
            for (int k = 0; k < size; ++k) lane[k] = static_cast<To>(x[k]);
        else
            for (int k = 0; k < size; ++k) lane[k] = static_cast<To>(x[k < count ? k : 0]);
    }
    [[nodiscard]] SHADOW_PACK P numbers(const double* x) const {
        double lane[size];
        read(x, lane);
        return P::load(lane);
    }
    [[nodiscard]] SHADOW_PACK Words words(const std::uint32_t* x) const {
        std::uint64_t lane[size];
        read(x, lane);
        Words words;
        __builtin_memcpy(&words, lane, sizeof(words));
        return words;
    }
    /// Of the species of each particle, whose numbers are so far apart.
    [[nodiscard]] SHADOW_PACK P look_up(const double* table, const std::uint16_t* species,
                                        int stride = 1) const {
        int kind[size];
        read(species, kind);
        double lane[size];
        for (int k = 0; k < size; ++k) lane[k] = table[stride * kind[k]];
        return P::load(lane);
    }
};

/// Which particles of a bunch collide; is there one?
template <int Dim>
SHADOW_PACK bool choose(const Advance<Dim>& op, const FlowEntry& f, Bunch::Words id, int count,
                        bool (&chosen)[Bunch::size]) {
    const auto number =
        PhiloxPack<Bunch::size>(op.seed, f.stream, id, static_cast<std::uint64_t>(f.step),
                                op.collision_block)
            .uniform(0);
    bool any = false;
    for (int k = 0; k < Bunch::size; ++k) {
        chosen[k] = k < count && (f.together || number.v[k] < f.value);
        any = any || chosen[k];
    }
    return any;
}

/// The flow of a bath in Advance over particles [first, last), by friction and noise or by
/// collisions. What a particle gets does not depend on its lane.
template <bool collisions, int Dim>
void bath_flow_by(const Advance<Dim>& op, const FlowEntry& f, std::int64_t first,
                  std::int64_t last) {
    using P = Bunch::P;
    const ParticlesView<Dim>& particles = op.particles;
    P kept(collisions ? 0.0 : f.kept(0));
    P width = square_root(P(f.noise_of(0)) * P(particles.mass[0])),
      inverse_mass(particles.inverse_mass[0]);
    for (std::int64_t i = first; i < last; i += Bunch::size) {
        const Bunch bunch{static_cast<int>(last - i < Bunch::size ? last - i : Bunch::size)};
        const auto id = bunch.words(particles.id + i);
        [[maybe_unused]] bool chosen[Bunch::size];
        if constexpr (collisions)
            if (!choose(op, f, id, bunch.count, chosen)) continue;
        if (!op.one_species) {
            const std::uint16_t* species = particles.species + i;
            P noise(f.noise);
            if (f.by_species) {
                kept = bunch.look_up(f.by_species, species, 2);
                noise = bunch.look_up(f.by_species + 1, species, 2);
            }
            width = square_root(noise * bunch.look_up(particles.mass, species));
            inverse_mass = bunch.look_up(particles.inverse_mass, species);
        }
        P gauss[4];
        for (int pair = 0; 2 * pair < Dim; ++pair)
            PhiloxPack<P::size>(op.seed, f.stream, id, static_cast<std::uint64_t>(f.step),
                                static_cast<std::uint32_t>(pair))
                .normal(gauss[2 * pair], gauss[2 * pair + 1]);
        P change(0);
        for (int d = 0; d < Dim; ++d) {
            double* p = particles.momentum.component[d] + i;
            const P before = bunch.numbers(p);
            P after = kept * before + width * gauss[d];
            if constexpr (collisions)
                for (int k = 0; k < bunch.count; ++k)
                    if (!chosen[k]) after.v[k] = before.v[k];
            for (int k = 0; k < bunch.count; ++k) p[k] = after.v[k];
            change = change + (after - before) * (after + before);
        }
        const P heat = P(0.5) * change * inverse_mass;
        for (int k = 0; k < bunch.count; ++k) op.heat[i + k] += heat.v[k];
    }
}

template <int Dim>
void bath_flow(const Advance<Dim>& op, const FlowEntry& f, std::int64_t first, std::int64_t last) {
    if (f.kind != FlowEntry::Kind::collisions)
        bath_flow_by<false>(op, f, first, last);
    else if (!f.together || op.collides(f, 0))
        bath_flow_by<true>(op, f, first, last);
}

} // namespace shadow::SHADOW_ISA
