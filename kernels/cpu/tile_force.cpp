// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_force.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/launch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_task.hpp"
#include "kernels/ops/advance.hpp"
#include "kernels/ops/sums.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class Pair>                                                                 \
    float gather_superclusters(const TileTask<Dim, Pair>& task, std::int32_t first,                \
                               std::int32_t last, bool ahead);                                     \
    template <int Dim, class Pair>                                                                 \
    void compute_chunk(const TileTask<Dim, Pair>& task, const TileChunkView& chunk,                \
                       Pair* scratch);                                                             \
    template <int Dim, class Pair>                                                                 \
    void collect_superclusters(const TileTask<Dim, Pair>& task, const TileBatchView& batch,        \
                               std::int32_t first, std::int32_t last);                             \
    template <int Dim, class Pair>                                                                 \
    bool collect_supercluster(const TileTask<Dim, Pair>& task, const TileBatchView& batch,         \
                              std::int32_t target, const VectorView<Dim, double>& force,           \
                              std::int32_t base);                                                  \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

/// The minimum number of superclusters per thread.
constexpr std::int64_t supercluster_grain = 4;
constexpr std::size_t alignment = 64;

/// The first `count` numbers of `memory`, whose contents may be lost.
template <class T>
T* numbers(std::vector<unsigned char>& memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T) + alignment;
    if (memory.size() < bytes) {
        memory.clear();
        memory.resize(bytes + bytes / 16);
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return reinterpret_cast<T*>((address + alignment - 1) / alignment * alignment);
}

/// Scratch memory of this thread, with reactions 0.
template <int Dim, class Pair>
Pair* scratch(const TileTask<Dim, Pair>& task) {
    static thread_local std::vector<unsigned char> memory;
    Pair* all = numbers<Pair>(memory, task.scratch_size());
    std::fill(all + task.reaction_begin(), all + task.scratch_size(), Pair(0));
    return all;
}

template <int Dim>
bool all_finite(const VectorView<Dim, double>& x, std::int32_t begin, std::int32_t end) {
    return std::all_of(x.component, x.component + Dim, [=](const double* component) {
        return std::all_of(component + begin, component + end,
                           [](double number) { return std::isfinite(number); });
    });
}

} // namespace

template <int Dim>
template <class Pair>
std::optional<TileTask<Dim, Pair>>
TileForce<Dim>::follow(const Backend& backend, const PairForcePayload<Dim, Pair>& payload) {
    if (payload.list.generation < 0 || payload.list.generation != generation_) {
        // A list of all pairs has no reference.
        const bool all = payload.reference.component[0] == nullptr;
        // The box may have changed: after a restart, or if a force is evaluated later.
        const BoxView<Dim>* box = all ? payload.particles.box : payload.reference_box;
        usable_ = list_.build(backend, all ? payload.particles.position : payload.reference,
                              payload.particles.size, *box, payload.list);
        generation_ = payload.list.generation;
        listed_ = gathered_ = false;
    }
    if (!usable_) return std::nullopt;
    list_.follow_all(backend, payload.particles.position);
    list_.follow_slide(*payload.particles.box, *payload.reference_box);
    TileTask<Dim, Pair> t = task(payload);
    const bool is_gathered = payload.follows && gathered_ && gathered_strain_ == t.strain &&
                             std::isfinite(farthest_.load());
    gathered_ = false;
    if (!is_gathered) farthest_ = gather(backend, t);
    if (farthest_ > t.strain.limit2 || !listed_) {
        const Pair* now[Dim];
        std::copy_n(t.place, Dim, now);
        list_.list(backend, now, *payload.particles.box, payload.list.tile_reach,
                   payload.list.exclusions);
        listed_box_ = *payload.particles.box;
        for (int d = 0; d < Dim; ++d)
            if (listed_box_.sliding.any()) listed_centre_[d] = list_.centre[d];
        listed_ = true;
        t = task(payload);
    }
    t.largest_block = list_.largest_block;
    return t;
}

template <int Dim>
template <class Pair>
bool TileForce<Dim>::compute(const Backend& backend, const PairForcePayload<Dim, Pair>& payload) {
    auto followed = follow(backend, payload);
    if (!followed) return false;
    TileTask<Dim, Pair>& t = *followed;
    t.work = payload.energy ? TileWork::energies : TileWork::forces;
    if (payload.virial) {
        virial_.resize(list_.size.size());
        t.virial = virial_.data();
    }
    run(backend, t);
    if (payload.virial) {
        const std::int32_t superclusters = list_.superclusters();
        cpu::reduce(backend,
                    SumVirial<Dim>{{}, virial_.data(), &superclusters, payload.virial_so_far()},
                    superclusters, payload.virial, nullptr);
    }
    return true;
}

template <int Dim>
template <class Pair>
bool TileForce<Dim>::share(const Backend& backend, const PairForcePayload<Dim, Pair>& payload,
                           Share<Dim>* share) {
    auto followed = follow(backend, payload);
    if (!followed) return false;
    followed->work = TileWork::shares;
    followed->share = share;
    followed->accumulate = payload.accumulate;
    run(backend, *followed);
    return true;
}

template <int Dim>
template <class Pair>
void TileForce<Dim>::run(const Backend& backend, TileTask<Dim, Pair>& task) {
    task.sums = numbers<double>(sums_, static_cast<std::size_t>(list_.room_of_sums) * 4 *
                                           static_cast<std::size_t>(task.channels()));
    const bool moves_on = task.payload.advance != nullptr;
    task.ahead = moves_on && list_.keeps_centres(*task.payload.particles.box);
    if (task.ahead) farthest_ = 0.0F;
    for (const TileBatch& batch : list_.batches) {
        compute_chunks(backend, task, batch);
        collect(backend, task, batch);
    }
    if (moves_on) advance_divided(backend, task);
    gathered_ = task.ahead;
    gathered_strain_ = task.strain;
}

template <int Dim>
void TileForce<Dim>::release() {
    list_.release();
    for (auto* memory : {&place_, &sums_}) std::vector<unsigned char>().swap(*memory);
    gathered_ = listed_ = false;
}

/// Gathers positions; returns the square of the largest displacement since tiles were listed.
template <int Dim>
template <class Pair>
float TileForce<Dim>::gather(const Backend& backend, const TileTask<Dim, Pair>& task) {
    std::atomic<float> farthest = 0.0F;
    parallel_ranges(backend.threads(), list_.superclusters(), supercluster_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        keep_largest(farthest,
                                     SHADOW_DISPATCH(backend, gather_superclusters, task,
                                                     static_cast<std::int32_t>(first),
                                                     static_cast<std::int32_t>(last), false));
                    });
    return farthest;
}

template <int Dim>
template <class Pair>
TileTask<Dim, Pair> TileForce<Dim>::task(const PairForcePayload<Dim, Pair>& payload) {
    TileTask<Dim, Pair> t{};
    t.payload = payload;
    t.first_subcluster = list_.first_subcluster.data();
    t.size = list_.size.data();
    t.particle = list_.particle.data();
    t.far = list_.far;
    const std::size_t slots = list_.particle.size();
    Pair* place = numbers<Pair>(place_, slots * (payload.species_count > 1 ? Dim + 1 : Dim));
    for (int d = 0; d < Dim; ++d) {
        t.centre[d] = list_.centre[d].data();
        t.listed[d] = list_.place[d].data();
        t.listed_centre[d] = listed_ && payload.particles.box->sliding.any()
                                 ? listed_centre_[d].data()
                                 : t.centre[d];
        t.place[d] = place + static_cast<std::size_t>(d) * slots;
    }
    if (payload.species_count > 1) t.species = place + Dim * slots;
    const BoxView<Dim>* box = payload.particles.box;
    std::int32_t ignored = 0; // the neighbour lists have reported it
    FollowBox<Dim>{box,
                   listed_ ? &listed_box_ : box,
                   payload.list.tile_reach - payload.cutoff,
                   payload.cutoff,
                   {},
                   &t.strain,
                   &ignored}(0);
    return t;
}

template <int Dim>
template <class Pair>
void TileForce<Dim>::compute_chunks(const Backend& backend, const TileTask<Dim, Pair>& task,
                                    const TileBatch& batch) {
    chunks_.clear();
    for (std::int32_t p = batch.first_chunk; p < batch.last_chunk; ++p) {
        const TileChunk& chunk = list_.chunks[static_cast<std::size_t>(p)];
        chunks_.push_back(
            {chunk.first, chunk.last, chunk.block_begin.data(), chunk.block_size.data(),
             list_.subcluster(chunk), chunk.segment_begin.data(), chunk.segment.data(),
             chunk.row_begin.data(), chunk.row.data(), list_.tile(chunk), chunk.masked.data(),
             batch.sum_begin[static_cast<std::size_t>(p - batch.first_chunk)], chunk.sums});
    }
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(chunks_.size()), 1,
                    [&](std::int64_t first, std::int64_t last) {
                        Pair* memory = scratch(task);
                        for (; first < last; ++first)
                            SHADOW_DISPATCH(backend, compute_chunk, task,
                                            chunks_[static_cast<std::size_t>(first)], memory);
                    });
}

/// Collects the contributions of the chunks just computed to each supercluster.
template <int Dim>
template <class Pair>
void TileForce<Dim>::collect(const Backend& backend, const TileTask<Dim, Pair>& task,
                             const TileBatch& batch) {
    const TileBatchView view{batch.target.data(), batch.contribution.data()};
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(batch.target.size()) - 1,
                    supercluster_grain, [&](std::int64_t begin, std::int64_t end) {
                        const auto first = static_cast<std::int32_t>(begin),
                                   last = static_cast<std::int32_t>(end);
                        if (task.payload.advance)
                            advance(backend, task, view, first, last);
                        else
                            SHADOW_DISPATCH(backend, collect_superclusters, task, view, first,
                                            last);
                    });
}

/// A particle whose force is not finite is not moved, so that the error can name its partner.
template <int Dim>
template <class Pair>
void TileForce<Dim>::advance(const Backend& backend, const TileTask<Dim, Pair>& task,
                             const TileBatchView& batch, std::int32_t first, std::int32_t last) {
    alignas(alignment) double memory[Dim][tile_cluster_size];
    VectorView<Dim, double> force;
    ForcesApart<Dim> apart;
    for (int d = 0; d < Dim; ++d) {
        apart.of[d] = task.payload.force.component[d];
        apart.at[d] = force.component[d] = memory[d];
    }
    float farthest = 0.0F;
    for (; first < last; ++first) {
        const ReductionTarget& target = batch.target[first];
        const std::int32_t b = target.supercluster;
        const std::int32_t begin = list_.memory_begin[static_cast<std::size_t>(b)];
        apart.begin = begin;
        if (!target.last || begin < 0) {
            SHADOW_DISPATCH(backend, collect_superclusters, task, batch, first, first + 1);
            continue;
        }
        if (SHADOW_DISPATCH(backend, collect_supercluster, task, batch, first, force, begin))
            apply_flows(backend, *task.payload.advance, begin, begin + task.size[b], apart);
        if (task.ahead)
            farthest = std::max(
                farthest, SHADOW_DISPATCH(backend, gather_superclusters, task, b, b + 1, true));
    }
    keep_largest(farthest_, farthest);
}

/// Advances the particles of divided clusters, whose forces have been written.
template <int Dim>
template <class Pair>
void TileForce<Dim>::advance_divided(const Backend& backend, const TileTask<Dim, Pair>& task) {
    parallel_ranges(
        backend.threads(), static_cast<std::int64_t>(list_.divided.size()), supercluster_grain,
        [&](std::int64_t first, std::int64_t last) {
            for (; first < last; ++first) {
                const DividedCluster& cluster = list_.divided[static_cast<std::size_t>(first)];
                if (all_finite(task.payload.force, cluster.begin, cluster.end))
                    task.payload.advance->range(backend, cluster.begin, cluster.end);
                if (task.ahead)
                    keep_largest(farthest_, SHADOW_DISPATCH(backend, gather_superclusters, task,
                                                            cluster.first, cluster.last, true));
            }
        });
}

template class TileForce<2>;
template class TileForce<3>;
#define SHADOW_COMPUTE(Dim, Pair)                                                                  \
    template bool TileForce<Dim>::compute(const Backend&, const PairForcePayload<Dim, Pair>&);     \
    template bool TileForce<Dim>::share(const Backend&, const PairForcePayload<Dim, Pair>&,        \
                                        Share<Dim>*);
SHADOW_COMPUTE(2, double)
SHADOW_COMPUTE(3, double)
SHADOW_COMPUTE(2, float)
SHADOW_COMPUTE(3, float)

} // namespace cpu
} // namespace shadow
