// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/all_pairs.hpp"
#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/ops/advance.hpp"

#include <cuda/atomic>

/// The persistent kernel (persistent_steps.hpp) of systems whose forces are summed over all pairs.
/// It has the blocks of the kernel that sums them; they are at work together and wait for each
/// other once a step. It calls the functors of the kernels it replaces, so its bits
/// are theirs; without energies, which change no bit of a force.
namespace shadow::cuda {

/// All threads of all blocks wait for each other; what they wrote is seen by all then. The highest
/// bit of `arrived` changes when the last block comes.
__device__ inline void wait_for_grid(unsigned* arrived) {
    constexpr unsigned turn = 0x80000000u;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        const ::cuda::atomic_ref<unsigned, ::cuda::thread_scope_device> count(*arrived);
        const unsigned add = blockIdx.x == 0 ? turn - (gridDim.x - 1) : 1u;
        const unsigned before = count.fetch_add(add, ::cuda::memory_order_acq_rel);
        while (((count.load(::cuda::memory_order_acquire) ^ before) & turn) == 0) {
        }
        __threadfence();
    }
    __syncthreads();
}

/// From the second-level cache, where other blocks write it.
template <class T>
SHADOW_DEVICE T read_shared(const T* from) {
    static_assert(sizeof(T) % 8 == 0 && alignof(T) % 8 == 0);
    T value;
    for (std::size_t k = 0; k < sizeof(T) / 8; ++k)
        reinterpret_cast<unsigned long long*>(&value)[k] =
            __ldcg(reinterpret_cast<const unsigned long long*>(from) + k);
    return value;
}

/// A Driver of `run_rounds`.
template <class Rule, int Dim, class Pair>
class PersistentDriver {
  public:
    using Block = AllPairsBlock<Dim, Pair, Rule, false>;
    using Payload = PairForcePayload<Dim, Pair>;

    /// `buffer` and `memory`: of the block.
    __device__ PersistentDriver(const Payload& pair, const PersistentControl& control,
                                const Rule& law, Advance<Dim>* buffer,
                                typename Block::Memory& memory)
        : particles_(pair.particles), control_(control), buffer_(buffer),
          block_(pair, law, memory, blockIdx.x, static_cast<int>(threadIdx.x)) {}

    SHADOW_DEVICE void advance(int round) {
        const Advance<Dim>& op = buffer_[round % 2];
        // Others may have opened the gate before.
        bool moved = blockIdx.x == 0 && threadIdx.x == 0 && __ldcg(op.test.flag) != 0;
        if (owns()) {
            op(mine());
            double x[Dim];
            for (int d = 0; d < Dim; ++d) x[d] = particles_.position.component[d][mine()];
            moved = moved || op.test.moved(x, mine());
        }
        tell(round, moved);
    }
    SHADOW_DEVICE void resume(int round) { tell(round, false); }
    /// Brings the first places into shared memory, too.
    SHADOW_DEVICE bool gate_open(int round) {
        fetch(round + 1);
        block_.load(0, place_in(round));
        const bool moved = threadIdx.x < gridDim.x &&
                           __ldcg(control_.moved + round % 2 * gridDim.x + threadIdx.x) != 0;
        return __syncthreads_or(moved) != 0;
    }
    SHADOW_DEVICE void force(int round) {
        block_.sum([] { __syncthreads(); }, place_in(round), true);
        __syncthreads(); // the forces are there, and the memory is free
    }
    SHADOW_DEVICE void stop(int round) {
        if (blockIdx.x != 0 || threadIdx.x != 0) return;
        *control_.stopped_at = round;
        cudaGraphSetConditional(control_.more, round < control_.rounds ? 1u : 0u);
    }
    /// Brings the functor of a round into shared memory; it is there when all threads of the block
    /// have waited.
    SHADOW_DEVICE void fetch(int round) {
        static_assert(sizeof(Advance<Dim>) % sizeof(std::uint64_t) == 0);
        if (round >= control_.rounds) return;
        const auto* from = reinterpret_cast<const std::uint64_t*>(
            control_.advances + static_cast<std::size_t>(round) * control_.stride);
        auto* to = reinterpret_cast<std::uint64_t*>(buffer_ + round % 2);
        constexpr unsigned words = sizeof(Advance<Dim>) / sizeof(std::uint64_t);
        for (unsigned k = threadIdx.x; k < words; k += blockDim.x) to[k] = from[k];
    }

  private:
    [[nodiscard]] SHADOW_DEVICE std::int32_t mine() const {
        return block_.first() + static_cast<std::int32_t>(threadIdx.x);
    }
    [[nodiscard]] SHADOW_DEVICE bool owns() const {
        return threadIdx.x < static_cast<unsigned>(block_.own()) && mine() < particles_.size;
    }
    [[nodiscard]] SHADOW_DEVICE BoxPosition<Dim, Pair>* places(int round) const {
        return reinterpret_cast<BoxPosition<Dim, Pair>*>(control_.places) +
               round % 2 * particles_.size;
    }
    [[nodiscard]] SHADOW_DEVICE auto place_in(int round) const {
        return [from = places(round)](std::int32_t j) { return read_shared(from + j); };
    }

    /// Tells all blocks where the particles of this one are. Nobody reads the places of two rounds
    /// before any more: all have waited since.
    SHADOW_DEVICE void tell(int round, bool moved) {
        if (owns())
            places(round)[mine()] = block_.nearest().place(particles_, mine(), Rule::one_species);
        const int any = __syncthreads_or(moved);
        if (threadIdx.x == 0) control_.moved[round % 2 * gridDim.x + blockIdx.x] = any;
        wait_for_grid(control_.arrived);
    }

    const ParticlesView<Dim>& particles_;
    const PersistentControl& control_;
    Advance<Dim>* buffer_;
    Block block_;
};

template <class Interaction, int Dim, class Pair, bool OneSpecies>
__global__ void __launch_bounds__(all_pairs_threads, 1)
    run_persistent(const __grid_constant__ PairForcePayload<Dim, Pair> pair,
                   const __grid_constant__ PersistentControl control) {
    using Rule = Law<Interaction, Pair, OneSpecies>;
    using Driver = PersistentDriver<Rule, Dim, Pair>;
    __shared__ Advance<Dim> buffer[2];
    __shared__ typename Driver::Block::Memory memory;
    const Rule law(pair);
    Driver driver(pair, control, law, buffer, memory);
    if (!control.resumes) driver.fetch(0);
    __syncthreads();
    run_rounds(driver, control);
}

/// What is recorded beside the pair kernel with these parameters.
template <class Interaction, int Dim, class Pair, bool OneSpecies>
const PersistentKernel* persistent_kernel() {
    static const PersistentKernel kernel{
        reinterpret_cast<const void*>(run_persistent<Interaction, Dim, Pair, OneSpecies>),
        &mark<Advance<Dim>>, sizeof(BoxPosition<Dim, Pair>)};
    return &kernel;
}

} // namespace shadow::cuda
