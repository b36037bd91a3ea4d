// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/near_particles.hpp"
#include "kernels/ops/pair_bath.hpp"
#include "kernels/pack_philox.hpp"

/// Pairwise baths for several particles of a cluster at once: one kind of operation for all their
/// partners, then the next, so that the processor need not wait for a result before starting the
/// next one.
namespace shadow::SHADOW_ISA {

/// The numbers computed for each partner.
struct PairWork {
    std::uint64_t *lower, *higher; ///< ids
    std::uint32_t* word[2];
    float* normal[2];
    double *inverse_masses, *own, *both, *friction;

    SHADOW_PACK PairWork(Scratch& scratch, std::int64_t most)
        : lower(scratch.take<std::uint64_t>(most)),
          higher(scratch.take<std::uint64_t>(most)), word{scratch.take<std::uint32_t>(most),
                                                          scratch.take<std::uint32_t>(most)},
          normal{scratch.take<float>(most), scratch.take<float>(most)},
          inverse_masses(scratch.take(most)), own(scratch.take(most)), both(scratch.take(most)),
          friction(scratch.take(most)) {}
};

/// Random words of all pairs.
template <int Dim>
SHADOW_PACK void draw(const PairNumbers<Dim>& numbers, const GroupPartners<Dim>& partners,
                      const PairWork& work) {
    const std::uint32_t* id = numbers.particles.id;
    partners.each([&](std::int32_t i, std::int64_t first, std::int64_t end) {
        for (std::int64_t k = first; k < end; ++k) {
            const std::uint32_t other = id[partners.at(k)];
            work.lower[k] = other < id[i] ? other : id[i];
            work.higher[k] = other < id[i] ? id[i] : other;
        }
    });
    using Random = PhiloxPack<DoublePack::size>;
    for (std::int64_t k = 0; k < partners.size(); k += DoublePack::size) {
        typename Random::Words lower, higher;
        __builtin_memcpy(&lower, work.lower + k, sizeof(lower));
        __builtin_memcpy(&higher, work.higher + k, sizeof(higher));
        const Random random = Random::of_pair(numbers.seed, numbers.stream, lower, higher,
                                              static_cast<std::uint64_t>(numbers.step), 0);
        for (int word = 0; word < 2; ++word) random.store(word, work.word[word] + k);
    }
}

template <int Dim>
SHADOW_PACK void add_inverse_masses(const PairNumbers<Dim>& numbers,
                                    const GroupPartners<Dim>& partners, const PairWork& work) {
    partners.each([&](std::int32_t i, std::int64_t first, std::int64_t end) {
        const double own = numbers.inverse_mass(i);
        for (std::int64_t k = first; k < end; ++k)
            work.inverse_masses[k] = own + numbers.inverse_mass(partners.at(k));
    });
}

template <int Dim>
SHADOW_PACK void take(const FindFirstPair<Dim>& op, const GroupPartners<Dim>& partners,
                      const PairWork& work, PairsOfCluster&) {
    draw(op.numbers, partners, work);
    partners.each([&](std::int32_t i, std::int64_t first, std::int64_t end) {
        auto sum = op.begin();
        for (std::int64_t k = first; k < end; ++k) {
            double dx[Dim];
            for (int d = 0; d < Dim; ++d) dx[d] = partners.dx[d][k];
            op.offer(sum, dx, partners.at(k),
                     (std::uint64_t{work.word[0][k]} << 32) | work.word[1][k]);
        }
        op.end(i, sum);
    });
}

/// Noise of all pairs: that of the particle itself, and that of both together.
template <int Dim>
SHADOW_PACK void make_noise(const PairNumbers<Dim>& numbers, const GroupPartners<Dim>& partners,
                            const PairWork& work) {
    draw(numbers, partners, work);
    for (std::int64_t k = 0; k < partners.size(); k += NormalPack::P::size)
        NormalPack::make(work.word[0] + k, work.word[1] + k, work.normal[0] + k,
                         work.normal[1] + k);
    const std::uint32_t* id = numbers.particles.id;
    partners.each([&](std::int32_t i, std::int64_t first, std::int64_t end) {
        for (std::int64_t k = first; k < end; ++k) {
            const double low = work.normal[0][k], high = work.normal[1][k];
            work.own[k] = id[i] == work.lower[k] ? low : high;
            work.both[k] = low + high;
        }
    });
}

/// The end of PredictVelocities for all particles of a group: together if friction is small.
template <int Dim>
SHADOW_PACK void end(const PredictVelocities<Dim>& op, const GroupPartners<Dim>& partners,
                     const typename PredictVelocities<Dim>::Sum* sums) {
    constexpr int size = DoublePack::size;
    for (std::int32_t first = partners.first; first < partners.last; first += size) {
        double c[size] = {}, X[tensor_size<Dim>][size] = {}, v[Dim][size] = {}, y[Dim][size];
        const int count = partners.last - first < size ? partners.last - first : size;
        for (int l = 0; l < count; ++l) {
            const auto& sum = sums[first + l - partners.first];
            c[l] = op.pairs.numbers.inverse_mass(first + l);
            for (int k = 0; k < tensor_size<Dim>; ++k) X[k][l] = sum.friction.component[k];
            for (int d = 0; d < Dim; ++d) v[d][l] = sum.own[d];
        }
        DoublePack tensor[tensor_size<Dim>], vector[Dim], result[Dim];
        for (int k = 0; k < tensor_size<Dim>; ++k) tensor[k] = DoublePack::load(X[k]);
        for (int d = 0; d < Dim; ++d) vector[d] = DoublePack::load(v[d]);
        over_one_and_small_root<Dim, DoublePack>(tensor, DoublePack::load(c), vector, result);
        for (int d = 0; d < Dim; ++d) result[d].store(y[d]);
        for (int l = 0; l < count; ++l) {
            const auto& sum = sums[first + l - partners.first];
            double push[Dim];
            for (int d = 0; d < Dim; ++d) push[d] = y[d][l];
            if (c[l] * sum.friction.trace() < small_friction)
                op.end(first + l, sum, push);
            else
                op.end(first + l, sum);
        }
    }
}

template <int Dim>
SHADOW_PACK void take(const PredictVelocities<Dim>& op, const GroupPartners<Dim>& partners,
                      const PairWork& work, PairsOfCluster& found) {
    make_noise(op.pairs.numbers, partners, work);
    add_inverse_masses(op.pairs.numbers, partners, work);
    for (std::int64_t k = 0; k < partners.size(); k += DoublePack::size) {
        const auto terms = op.pairs.terms(
            DoublePack::load(partners.r2 + k), DoublePack::load(work.inverse_masses + k),
            DoublePack::load(work.own + k), DoublePack::load(work.both + k));
        terms.own.store(work.own + k);
        terms.both.store(work.both + k);
        terms.friction.store(work.friction + k);
    }
    typename PredictVelocities<Dim>::Sum sums[GroupPartners<Dim>::particles];
    partners.each([&](std::int32_t i, std::int64_t first, std::int64_t end) {
        auto sum = op.begin();
        for (std::int64_t k = first; k < end; ++k) {
            double dx[Dim];
            for (int d = 0; d < Dim; ++d) dx[d] = partners.dx[d][k];
            op.add(sum, dx, {work.own[k], work.both[k], work.friction[k]});
            *found.partner++ = partners.at(k);
            *found.number++ = work.friction[k];
        }
        *found.count++ = static_cast<std::int32_t>(end - first);
        sums[i - partners.first] = sum;
    });
    end(op, partners, sums);
}

/// Friction of the pairs that PredictVelocities has found, between nearest images.
template <int Dim>
void brake_cluster(const Sweep<Dim, AddPairFriction<Dim>>& sweep, std::int64_t c,
                   PairsOfCluster known) {
    const BoxView<Dim> box = *sweep.box;
    for (std::int32_t i = sweep.list.cluster_begin[c]; i < sweep.list.cluster_end[c]; ++i) {
        auto sum = sweep.op.begin();
        double x[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = sweep.position.component[d][i];
        for (std::int32_t k = *known.count++; k > 0; --k) {
            const std::int32_t j = *known.partner++;
            double dx[Dim];
            for (int d = 0; d < Dim; ++d) dx[d] = sweep.position.component[d][j] - x[d];
            box.unslide(dx);
            for (int d = 0; d < Dim; ++d)
                dx[d] -= box.length[d] * nearbyint(dx[d] * box.inverse_length[d]);
            sweep.op.add(sum, dx, *known.number++, i, j);
        }
        sweep.op.end(i, sum);
    }
}

/// Sweeps cluster c; there is memory for `most` particles near it (cpu::sweep_in_packs).
template <int Dim, class Op>
void sweep_cluster(const Sweep<Dim, Op>& sweep, std::int64_t c, double* memory, std::int64_t most,
                   PairsOfCluster found) {
    Scratch scratch(memory);
    NearParticles<Dim> near(sweep, c, scratch, most);
    constexpr std::int32_t group = cpu::sweep_group;
    GroupPartners<Dim> partners;
    for (int d = 0; d < Dim; ++d) partners.dx[d] = scratch.take(group * most);
    partners.r2 = scratch.take(group * most);
    partners.index = scratch.take(group * most);
    const PairWork work(scratch, group * most);
    const std::int32_t end = sweep.list.cluster_end[c];
    for (std::int32_t first = sweep.list.cluster_begin[c]; first < end; first += group) {
        near.find(first, first + group < end ? first + group : end, partners);
        take(sweep.op, partners, work, found);
    }
}

} // namespace shadow::SHADOW_ISA
