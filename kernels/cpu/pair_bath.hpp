// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/near_particles.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/pack_philox.hpp"

/// Baths between pairs by packs of the partners of a particle. Numbers are made in packs and added
/// one after the other, so that bits do not depend on the width of a pack.
namespace shadow::SHADOW_ISA {

/// The numbers that particle i draws with partners `first` ... of a pack.
template <int Dim>
SHADOW_PACK PhiloxPack<DoublePack::size> draw(const PairNumbers<Dim>& numbers, std::int64_t i,
                                              const Partners<Dim>& partners, int first) {
    const std::uint32_t* id = numbers.particles.id;
    std::uint64_t lower[DoublePack::size], higher[DoublePack::size];
    for (int k = 0; k < DoublePack::size; ++k) {
        const std::uint32_t other = id[partners.at(first + k)];
        lower[k] = other < id[i] ? other : id[i];
        higher[k] = other < id[i] ? id[i] : other;
    }
    typename DoublePack::Bits a, b;
    __builtin_memcpy(&a, lower, sizeof(a));
    __builtin_memcpy(&b, higher, sizeof(b));
    return PhiloxPack<DoublePack::size>::of_pair(numbers.seed, numbers.stream, a, b,
                                                 static_cast<std::uint64_t>(numbers.step), 0);
}

template <int Dim>
SHADOW_PACK DoublePack inverse_masses(const PairNumbers<Dim>& numbers, std::int64_t i,
                                      const Partners<Dim>& partners, int first) {
    double lane[DoublePack::size];
    for (int k = 0; k < DoublePack::size; ++k)
        lane[k] = numbers.inverse_mass(partners.at(first + k));
    return DoublePack(numbers.inverse_mass(i)) + DoublePack::load(lane);
}

template <int Dim>
SHADOW_PACK void take(const FindFirstPair<Dim>& op, FirstPair<Dim>& sum, std::int64_t i,
                      const Partners<Dim>& partners) {
    for (int first = 0; first < partners.count; first += DoublePack::size) {
        const auto number = draw(op.numbers, i, partners, first);
        const auto key = (number.x[0] << 32) | (number.x[1] & std::uint64_t{0xFFFFFFFF});
        partners.each(first, [&](int k, const double(&dx)[Dim], std::int32_t j) {
            op.offer(sum, dx, j, key[k]);
        });
    }
}

template <int Dim>
SHADOW_PACK void take(const PredictVelocities<Dim>& op, typename PredictVelocities<Dim>::Sum& sum,
                      std::int64_t i, const Partners<Dim>& partners) {
    const PairNumbers<Dim>& numbers = op.pairs.numbers;
    const std::uint32_t* id = numbers.particles.id;
    using Noise = NormalBlock<2 * Partners<Dim>::most, 2>;
    Noise noise;
    for (int first = 0; first < partners.count; first += DoublePack::size)
        noise.take(draw(numbers, i, partners, first), first);
    for (int first = 0; first < partners.count; first += Noise::P::size) noise.make(first);
    for (int first = 0; first < partners.count; first += DoublePack::size) {
        DoublePack mine, both;
        for (int k = 0; k < DoublePack::size; ++k) {
            const double low = noise.normal[0][first + k], high = noise.normal[1][first + k];
            mine.v[k] = id[i] < id[partners.at(first + k)] ? low : high;
            both.v[k] = low + high;
        }
        const auto terms = op.pairs.terms(partners.squares(first),
                                          inverse_masses(numbers, i, partners, first), mine, both);
        partners.each(first, [&](int k, const double(&dx)[Dim], std::int32_t) {
            op.add(sum, dx, {terms.own.v[k], terms.both.v[k], terms.friction.v[k]});
        });
    }
}

template <int Dim>
SHADOW_PACK void take(const AddPairFriction<Dim>& op, typename AddPairFriction<Dim>::Sum& sum,
                      std::int64_t i, const Partners<Dim>& partners) {
    for (int first = 0; first < partners.count; first += DoublePack::size) {
        const DoublePack r2 = partners.squares(first);
        const DoublePack friction =
            op.pairs.strength(square_root(r2),
                              inverse_masses(op.pairs.numbers, i, partners, first)) /
            r2;
        partners.each(first, [&](int k, const double(&dx)[Dim], std::int32_t j) {
            op.add(sum, dx, friction.v[k], i, j);
        });
    }
}

/// Cluster c of a sweep; `scratch` as for NearParticles.
template <int Dim, class Op>
void sweep_cluster(const Sweep<Dim, Op>& sweep, std::int64_t c, double* scratch,
                   std::int64_t most) {
    NearParticles<Dim> near(sweep, c, scratch, most);
    const std::int32_t end = sweep.list.cluster_end[c];
    constexpr std::int32_t group = NearParticles<Dim>::group;
    for (std::int32_t first = sweep.list.cluster_begin[c]; first < end; first += group) {
        const std::int32_t last = first + group < end ? first + group : end;
        near.narrow(first, last);
        for (std::int32_t i = first; i < last; ++i) {
            auto sum = sweep.op.begin();
            near.each_partners(
                i, [&](const Partners<Dim>& partners) { take(sweep.op, sum, i, partners); });
            sweep.op.end(i, sum);
        }
    }
}

} // namespace shadow::SHADOW_ISA
