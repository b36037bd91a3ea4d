// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/advance.hpp"
#include "kernels/pack_philox.hpp"

namespace shadow::SHADOW_ISA {

/// As many particles as there are lanes; if there are fewer, the other lanes repeat the first.
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
    /// table[stride * species] of each particle.
    [[nodiscard]] SHADOW_PACK P look_up(const double* table, const std::uint16_t* species,
                                        int stride = 1) const {
        int kind[size];
        read(species, kind);
        double lane[size];
        for (int k = 0; k < size; ++k) lane[k] = table[stride * kind[k]];
        return P::load(lane);
    }
};

/// The factor by which momenta are kept, the width of their noise, and inverse masses.
struct BathNumbers {
    using P = Bunch::P;
    P kept, width, inverse_mass;

    template <int Dim>
    SHADOW_PACK BathNumbers(const Advance<Dim>& op, const FlowEntry& f, bool collisions)
        : kept(collisions ? 0.0 : f.kept(0)),
          width(square_root(P(f.noise_of(0)) * P(op.particles.mass[0]))),
          inverse_mass(op.particles.inverse_mass[0]) {}
    template <int Dim>
    SHADOW_PACK void look_up(const Advance<Dim>& op, const FlowEntry& f, const Bunch& bunch,
                             const std::uint16_t* species) {
        P noise(f.noise);
        if (f.by_species) {
            kept = bunch.look_up(f.by_species, species, 2);
            noise = bunch.look_up(f.by_species + 1, species, 2);
        }
        width = square_root(noise * bunch.look_up(op.particles.mass, species));
        inverse_mass = bunch.look_up(op.particles.inverse_mass, species);
    }
};

/// New momenta of a bunch from particle i on; with collisions only of chosen particles.
template <bool collisions, int Dim>
SHADOW_PACK void renew(const Advance<Dim>& op, const Bunch& bunch, std::int64_t i,
                       const BathNumbers& bath, const Bunch::P (&gauss)[Dim], const bool* chosen) {
    using P = Bunch::P;
    P change(0);
    for (int d = 0; d < Dim; ++d) {
        double* p = op.particles.momentum.component[d] + i;
        const P before = bunch.numbers(p);
        P after = bath.kept * before + bath.width * gauss[d];
        if constexpr (collisions)
            for (int k = 0; k < bunch.count; ++k)
                if (!chosen[k]) after.v[k] = before.v[k];
        for (int k = 0; k < bunch.count; ++k) p[k] = after.v[k];
        change = change + (after - before) * (after + before);
    }
    const P heat = P(0.5) * change * bath.inverse_mass;
    for (int k = 0; k < bunch.count; ++k) op.heat[i + k] += heat.v[k];
}

/// Random numbers of a block of particles, one loop for each stage.
template <int Dim>
struct NoiseBlock {
    using P = pack<float, lanes<float>>;
    static constexpr int size = 128;
    NormalBlock<size, Dim + Dim % 2> noise;
    double uniform[size];
    bool chosen[size];
    bool wanted[size / P::size]; ///< is any particle of a pack chosen?

    /// Calls `use(first of a bunch, bunch)`.
    template <class Use>
    static SHADOW_PACK void each(int count, const Use& use) {
        for (int k = 0; k < count; k += Bunch::size)
            use(k, Bunch{count - k < Bunch::size ? count - k : Bunch::size});
    }
    /// Chooses the particles from `first` on that collide.
    SHADOW_PACK void choose(const Advance<Dim>& op, const FlowEntry& f, std::int64_t first,
                            int count) {
        if (!f.together)
            each(
                count, [&](int k, Bunch bunch) __attribute__((always_inline)) {
                    const auto id = bunch.words(op.particles.id + first + k);
                    PhiloxPack<Bunch::size>(op.seed, f.stream, id,
                                            static_cast<std::uint64_t>(f.step), op.collision_block)
                        .uniform(0)
                        .store(uniform + k);
                });
        for (bool& any : wanted) any = false;
        for (int k = 0; k < count; ++k) {
            chosen[k] = f.together || uniform[k] < f.value;
            if (chosen[k]) wanted[k / P::size] = true;
        }
    }
    /// Normal numbers for the packs that are wanted.
    SHADOW_PACK void draw(const Advance<Dim>& op, const FlowEntry& f, std::int64_t first,
                          int count) {
        each(
            count, [&](int k, Bunch bunch) __attribute__((always_inline)) {
                if (!wanted[k / P::size]) return;
                const auto id = bunch.words(op.particles.id + first + k);
                const PhiloxPack<Bunch::size> numbers(op.seed, f.stream, id,
                                                      static_cast<std::uint64_t>(f.step), 0);
                noise.take(numbers, k);
            });
        for (int k = 0; k < count; k += P::size)
            if (wanted[k / P::size]) noise.make(k);
    }
};

/// The flow of a bath in Advance over particles [first, last), by friction and noise or by
/// collisions. The result for a particle does not depend on its lane.
template <bool collisions, int Dim>
void bath_flow_by(const Advance<Dim>& op, const FlowEntry& f, std::int64_t first,
                  std::int64_t last) {
    using Block = NoiseBlock<Dim>;
    BathNumbers bath(op, f, collisions);
    Block block;
    for (bool& wanted : block.wanted) wanted = true;
    for (; first < last; first += Block::size) {
        const int count = static_cast<int>(last - first < Block::size ? last - first : Block::size);
        if constexpr (collisions) block.choose(op, f, first, count);
        block.draw(op, f, first, count);
        Block::each(
            count, [&](int k, Bunch bunch) __attribute__((always_inline)) {
                if (!block.wanted[k / Block::P::size]) return;
                if (!op.one_species) bath.look_up(op, f, bunch, op.particles.species + first + k);
                Bunch::P gauss[Dim];
                for (int d = 0; d < Dim; ++d)
                    for (int lane = 0; lane < Bunch::size; ++lane)
                        gauss[d].v[lane] = block.noise.normal[d][k + lane];
                renew<collisions>(op, bunch, first + k, bath, gauss, block.chosen + k);
            });
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
