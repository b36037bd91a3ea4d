// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/pair_cluster.hpp"
#include "kernels/cuda/persistent_steps.hpp"
#include "kernels/ops/advance.hpp"

#include <cooperative_groups.h>

/// The persistent kernel (persistent_steps.hpp): one thread block cluster on as many
/// multiprocessors. It calls the functors of the kernels it replaces, so its bits are theirs;
/// without energies, which change no bit of a force.
namespace shadow::cuda {

/// Asks for memory in the first-level cache, by so many threads.
SHADOW_DEVICE void touch(const void* begin, std::int64_t bytes, int thread, int threads) {
    constexpr std::int64_t sector = 32;
    for (std::int64_t at = thread * sector; at < bytes; at += threads * sector)
        asm volatile("prefetch.global.L1 [%0];" ::"l"(static_cast<const char*>(begin) + at));
}

/// The lists of a cluster. Each barrier empties the cache, and few warps cannot hide how far away
/// the lists are then, row by row.
SHADOW_DEVICE void touch_lists(const StagedList& staged, std::int64_t cluster, int thread,
                               int threads) {
    if (!staged.row_count || staged.row_count[cluster] < 0) return;
    const std::int32_t fours = staged.row_count[cluster] / entries_in_one;
    touch(staged.member + cluster * staged.max_members,
          staged.member_count[cluster] * std::int64_t{sizeof(*staged.member)}, thread, threads);
    touch(staged.rows + cluster * (staged.max_rows / entries_in_one) * warp::lanes,
          fours * std::int64_t{warp::lanes * sizeof(*staged.rows)}, thread, threads);
}

/// A Driver of `run_rounds`: the threads of a thread block cluster share the particles, its teams
/// of warps the clusters of particles.
template <class Rule, int Dim, class State, class Pair>
class PersistentDriver {
  public:
    using Memory = ClusterMemory<Dim, Pair, false>;

    /// `buffer`: of the block; `memory`: of its warps.
    __device__ PersistentDriver(const PairForcePayload<Dim, State, Pair>& pair,
                                const PersistentControl& control, Advance<Dim, State>* buffer,
                                Memory* memory)
        : pair_(pair), control_(control), law_(pair), buffer_(buffer), memory_(memory) {}

    SHADOW_DEVICE void advance(int round) {
        const Advance<Dim, State>& op = buffer_[round % 2];
        const std::int64_t first = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
        const std::int64_t stride = std::int64_t{gridDim.x} * blockDim.x;
        for (std::int64_t i = first; i < control_.particles; i += stride) op(i);
        wait();
    }
    SHADOW_DEVICE bool gate_open() const {
        return *static_cast<const volatile int*>(control_.gate) != 0;
    }
    SHADOW_DEVICE void force(int round) {
        fetch(round + 1);
        // Clusters next to each other go to different blocks.
        const int warps = control_.team, threads = warps * warp::lanes;
        const int team = static_cast<int>(threadIdx.x) / threads;
        const int thread = static_cast<int>(threadIdx.x) % threads;
        const int teams = static_cast<int>(blockDim.x) / threads;
        const auto sync = [=] { warp::sync_team(team, warps); };
        const std::int64_t first = std::int64_t{team} * gridDim.x + blockIdx.x;
        const std::int32_t count = *pair_.list.cluster_count;
        for (std::int64_t cluster = first; cluster < count; cluster += teams * gridDim.x) {
            touch_lists(pair_.list.staged, cluster, thread, threads);
            ClusterWarp<false, Dim, State, Pair, Rule>(pair_, law_, memory_ + team * warps, cluster,
                                                       {thread / warp::lanes, warps},
                                                       thread % warp::lanes)
                .sum(sync);
            sync(); // before the memory is used again
        }
        wait();
    }
    SHADOW_DEVICE void stop(int round) {
        if (blockIdx.x != 0 || threadIdx.x != 0) return;
        *control_.stopped_at = round;
        cudaGraphSetConditional(control_.more, round < control_.rounds ? 1u : 0u);
    }
    /// Brings the functor of a round into shared memory; it is there after the next `wait`.
    SHADOW_DEVICE void fetch(int round) {
        static_assert(sizeof(Advance<Dim, State>) % sizeof(std::uint64_t) == 0);
        if (round >= control_.rounds) return;
        const auto* from = reinterpret_cast<const std::uint64_t*>(
            control_.advances + static_cast<std::size_t>(round) * control_.stride);
        auto* to = reinterpret_cast<std::uint64_t*>(buffer_ + round % 2);
        constexpr unsigned words = sizeof(Advance<Dim, State>) / sizeof(std::uint64_t);
        for (unsigned k = threadIdx.x; k < words; k += blockDim.x) to[k] = from[k];
    }
    /// For all blocks; orders what they write.
    SHADOW_DEVICE static void wait() { cooperative_groups::this_cluster().sync(); }

  private:
    const PairForcePayload<Dim, State, Pair>& pair_;
    const PersistentControl& control_;
    const Rule law_;
    Advance<Dim, State>* buffer_;
    Memory* memory_;
};

template <class Interaction, int Dim, class State, class Pair, bool OneSpecies>
__global__ void __launch_bounds__(persistent_warps* warp::lanes, 1)
    run_persistent(const __grid_constant__ PairForcePayload<Dim, State, Pair> pair,
                   const __grid_constant__ PersistentControl control) {
#if __CUDA_ARCH__ >= 900
    // Or its blocks would not wait for each other.
    if (cooperative_groups::this_cluster().num_blocks() != gridDim.x) __trap();
    extern __shared__ __align__(16) unsigned char storage[];
    __shared__ Advance<Dim, State> buffer[2];
    using Driver = PersistentDriver<Law<Interaction, Pair, OneSpecies>, Dim, State, Pair>;
    Driver driver(pair, control, buffer, reinterpret_cast<typename Driver::Memory*>(storage));
    if (!control.resumes) driver.fetch(0);
    driver.wait();
    run_rounds(driver, control);
#endif
}

/// What is recorded beside the pair kernel with these parameters.
template <class Interaction, int Dim, class State, class Pair, bool OneSpecies>
const PersistentKernel* persistent_kernel() {
    constexpr std::size_t max_bytes = 227 * 1024; // that a block can have, from sm_90 on
    constexpr std::size_t bytes = sizeof(ClusterMemory<Dim, Pair, false>);
    static_assert(persistent_warps % block_warps<Pair> == 0);
    static_assert(persistent_warps * bytes + 2 * sizeof(Advance<Dim, State>) <= max_bytes);
    static const PersistentKernel kernel{
        reinterpret_cast<const void*>(run_persistent<Interaction, Dim, State, Pair, OneSpecies>),
        &mark<Advance<Dim, State>>, bytes};
    return &kernel;
}

} // namespace shadow::cuda
