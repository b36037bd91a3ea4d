// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/cuda/published_position.hpp"
#include "kernels/ops/advance.hpp"

/// The persistent kernel (persistent_steps.hpp) of systems whose forces are summed over all pairs.
/// It has the blocks of the kernel that sums these forces; they all run at the same time, and
/// publish the positions of their particles once a step. It calls the functors of the kernels it
/// replaces, so its bits are the same; it has no energies, which do not change the bits of a force.
namespace shadow::cuda {

/// In one access, bypassing the caches of multiprocessors: a concurrent write is seen completely or
/// not at all.
__device__ inline PositionPart load_whole(const PositionPart* from) {
    std::uint64_t low, high;
    asm volatile("{\n\t.reg .b128 whole;\n\t"
                 "ld.relaxed.gpu.global.b128 whole, [%2];\n\t"
                 "mov.b128 {%0, %1}, whole;\n\t}"
                 : "=l"(low), "=l"(high)
                 : "l"(__cvta_generic_to_global(from)));
    return {{static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 32),
             static_cast<std::uint32_t>(high), static_cast<std::uint32_t>(high >> 32)}};
}
__device__ inline void store_whole(PositionPart* to, const PositionPart& part) {
    const std::uint64_t low = part.word[0] | std::uint64_t{part.word[1]} << 32;
    const std::uint64_t high = part.word[2] | std::uint64_t{part.word[3]} << 32;
    asm volatile("{\n\t.reg .b128 whole;\n\t"
                 "mov.b128 whole, {%1, %2};\n\t"
                 "st.relaxed.gpu.global.b128 [%0], whole;\n\t}" ::"l"(__cvta_generic_to_global(to)),
                 "l"(low), "l"(high));
}

/// A block of the persistent kernel.
template <class Rule, int Dim, class Pair>
class PersistentBlock {
  public:
    using Pairs = AllPairsBlock<Dim, Pair, Rule, false>;
    using Payload = PairForcePayload<Dim, Pair>;
    using Published = PublishedPosition<Dim, Pair>;

    /// `buffer` and `memory` are those of the block.
    __device__ PersistentBlock(const Payload& pair, const PersistentControl& control,
                               const Rule& law, Advance<Dim>* buffer,
                               typename Pairs::Memory& memory)
        : particles_(pair.particles), control_(control), buffer_(buffer),
          pairs_(pair, law, memory, blockIdx.x, static_cast<int>(threadIdx.x)), tag_(*control.tag) {
    }

    __device__ void run() {
        fetch(0);
        for (int round = 0; round < control_.rounds; ++round) {
            __syncthreads(); // the functor and the forces are complete, and the memory is free
            advance(round);
            fetch(round + 1);
            pairs_.sum([] { __syncthreads(); },
                       [&](std::int32_t j) { return wait_for(j).position(); });
        }
        if (blockIdx.x == 0 && threadIdx.x == 0) *control_.tag = tag_;
    }

  private:
    /// Loads the functor of a round into shared memory.
    __device__ void fetch(int round) {
        static_assert(sizeof(Advance<Dim>) % sizeof(std::uint64_t) == 0);
        if (round >= control_.rounds) return;
        const auto* from = reinterpret_cast<const std::uint64_t*>(
            control_.advances + static_cast<std::size_t>(round) * control_.stride);
        auto* to = reinterpret_cast<std::uint64_t*>(buffer_ + round % 2);
        constexpr unsigned words = sizeof(Advance<Dim>) / sizeof(std::uint64_t);
        for (unsigned k = threadIdx.x; k < words; k += blockDim.x) to[k] = from[k];
    }
    __device__ void advance(int round) {
        ++tag_;
        const std::int32_t i = pairs_.first() + static_cast<std::int32_t>(threadIdx.x);
        if (threadIdx.x < static_cast<unsigned>(pairs_.own()) && i < particles_.size) {
            double x[Dim];
            buffer_[round % 2].apply(i, x);
            publish(i, x);
        }
        __syncwarp();
    }
    [[nodiscard]] __device__ Published* positions() const {
        return reinterpret_cast<Published*>(control_.positions) + tag_ % 2 * particles_.size;
    }
    /// Publishes the position of a particle of this block, over that of the round before the last,
    /// which no block reads any more: this block has read the positions of the last round, and the
    /// blocks that published those had read the ones before.
    __device__ void publish(std::int32_t i, const double (&x)[Dim]) const {
        const std::uint32_t species = Rule::one_species ? 0u : particles_.species[i];
        const Published mine(pairs_.nearest().position(x, species), tag_);
        for (int k = 0; k < Published::parts; ++k)
            store_whole(positions()[i].part + k, mine.part[k]);
    }
    [[nodiscard]] __device__ Published wait_for(std::int32_t j) const {
        Published found;
        do {
            for (int k = 0; k < Published::parts; ++k)
                found.part[k] = load_whole(positions()[j].part + k);
        } while (!found.has_tag(tag_));
        return found;
    }

    const ParticlesView<Dim>& particles_;
    const PersistentControl& control_;
    Advance<Dim>* buffer_;
    Pairs pairs_;
    std::uint32_t tag_; ///< of the round whose positions are published
};

template <class Interaction, int Dim, class Pair, bool OneSpecies>
__global__ void __launch_bounds__(all_pairs_threads, 1)
    run_persistent(const __grid_constant__ PairForcePayload<Dim, Pair> pair,
                   const __grid_constant__ PersistentControl control) {
    using Rule = Law<Interaction, Pair, OneSpecies>;
    using Block = PersistentBlock<Rule, Dim, Pair>;
    __shared__ Advance<Dim> buffer[2];
    __shared__ typename Block::Pairs::Memory memory;
    const Rule law(pair);
    Block(pair, control, law, buffer, memory).run();
}

/// Recorded with the pair kernel that has these parameters.
template <class Interaction, int Dim, class Pair, bool OneSpecies>
const PersistentKernel* persistent_kernel() {
    static const PersistentKernel kernel{
        reinterpret_cast<const void*>(run_persistent<Interaction, Dim, Pair, OneSpecies>),
        &mark<Advance<Dim>>, sizeof(PublishedPosition<Dim, Pair>)};
    return &kernel;
}

} // namespace shadow::cuda
