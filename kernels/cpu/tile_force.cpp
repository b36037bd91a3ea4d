// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_force.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_task.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

#define SHADOW_DECLARE(isa)                                                                        \
    namespace isa {                                                                                \
    template <int Dim, class State, class Pair>                                                    \
    void gather_bricks(const TileTask<Dim, State, Pair>& task, std::int32_t first,                 \
                       std::int32_t last);                                                         \
    template <int Dim, class State, class Pair>                                                    \
    void compute_bricks(const TileTask<Dim, State, Pair>& task, const TilePageView& page,          \
                        std::int32_t first, std::int32_t last, Pair* scratch);                     \
    template <int Dim, class State, class Pair>                                                    \
    void collect_bricks(const TileTask<Dim, State, Pair>& task, const TileWaveView& wave,          \
                        std::int32_t first, std::int32_t last);                                    \
    }
SHADOW_DECLARE(sse)
SHADOW_DECLARE(avx2)
SHADOW_DECLARE(avx512)

namespace cpu {

namespace {

/// Bricks that make the least work worth a thread.
constexpr std::int64_t brick_grain = 4;
constexpr std::size_t alignment = 64;

/// The first so many numbers of `memory`, which may lose what it held.
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

/// Of this thread, the reactions 0.
template <int Dim, class State, class Pair>
Pair* scratch(const TileTask<Dim, State, Pair>& task) {
    static thread_local std::vector<unsigned char> memory;
    Pair* all = numbers<Pair>(memory, task.scratch_size());
    std::fill(all + task.reaction_begin(), all + task.scratch_size(), Pair(0));
    return all;
}

} // namespace

template <int Dim>
template <class State, class Pair>
bool TileForce<Dim>::compute(const Backend& backend,
                             const PairForcePayload<Dim, State, Pair>& payload) {
    if (!std::isfinite(payload.list.reach)) return false;
    if (payload.list.generation < 0 || payload.list.generation != generation_) {
        usable_ = list_.build(backend, payload.reference, payload.particles.size, payload.box,
                              payload.list);
        generation_ = payload.list.generation;
    }
    if (!usable_) return false;
    const TileTask<Dim, State, Pair> t = task(payload);
    parallel_ranges(backend.threads(), list_.bricks(), brick_grain,
                    [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, gather_bricks, t, static_cast<std::int32_t>(first),
                                        static_cast<std::int32_t>(last));
                    });
    for (const TileWave& wave : list_.waves) compute_wave(backend, t, wave);
    return true;
}

template <int Dim>
template <class State, class Pair>
TileTask<Dim, State, Pair> TileForce<Dim>::task(const PairForcePayload<Dim, State, Pair>& payload) {
    TileTask<Dim, State, Pair> t{};
    t.payload = payload;
    t.first_four = list_.first_four.data();
    t.size = list_.size.data();
    t.particle = list_.particle.data();
    t.far = list_.far;
    t.largest_block = list_.largest_block;
    t.channels = payload.energy ? Dim + 2 : Dim;
    const std::size_t slots = list_.particle.size();
    Pair* place = numbers<Pair>(place_, slots * (payload.species_count > 1 ? Dim + 1 : Dim));
    for (int d = 0; d < Dim; ++d) {
        t.centre[d] = list_.centre[d].data();
        t.place[d] = place + static_cast<std::size_t>(d) * slots;
    }
    if (payload.species_count > 1) t.species = place + Dim * slots;
    t.output = numbers<Pair>(output_, static_cast<std::size_t>(list_.largest_output) * 4 *
                                          static_cast<std::size_t>(t.channels));
    return t;
}

template <int Dim>
template <class State, class Pair>
void TileForce<Dim>::compute_wave(const Backend& backend, const TileTask<Dim, State, Pair>& task,
                                  const TileWave& wave) {
    const TilePage* page = list_.pages.data() + wave.first_page;
    const auto n = static_cast<std::size_t>(wave.last_page - wave.first_page);
    pages_.clear();
    for (std::size_t p = 0; p < n; ++p)
        pages_.push_back({page[p].first, page[p].block_begin.data(), page[p].four.data(),
                          page[p].segment_begin.data(), page[p].segment.data(),
                          page[p].tile_begin.data(), page[p].tile.data(), wave.output_begin[p]});
    const std::int32_t origin = page[0].first;
    parallel_ranges(backend.threads(), page[n - 1].last - origin, brick_grain,
                    [&](std::int64_t begin, std::int64_t end) {
                        Pair* memory = scratch(task);
                        auto first = static_cast<std::int32_t>(begin) + origin;
                        const auto last = static_cast<std::int32_t>(end) + origin;
                        for (std::size_t p = 0; p < n && first < last; ++p) {
                            const std::int32_t stop = std::min(last, page[p].last);
                            if (first >= stop) continue;
                            SHADOW_DISPATCH(backend, compute_bricks, task, pages_[p], first, stop,
                                            memory);
                            first = stop;
                        }
                    });
    const TileWaveView view{pages_.data(), wave.first_page, wave.taker.data(), wave.gift.data()};
    parallel_ranges(backend.threads(), static_cast<std::int64_t>(wave.taker.size()) - 1,
                    brick_grain, [&](std::int64_t first, std::int64_t last) {
                        SHADOW_DISPATCH(backend, collect_bricks, task, view,
                                        static_cast<std::int32_t>(first),
                                        static_cast<std::int32_t>(last));
                    });
}

template class TileForce<1>;
template class TileForce<2>;
template class TileForce<3>;
#define SHADOW_COMPUTE(Dim, State, Pair)                                                           \
    template bool TileForce<Dim>::compute(const Backend&,                                          \
                                          const PairForcePayload<Dim, State, Pair>&);
SHADOW_COMPUTE(1, double, double)
SHADOW_COMPUTE(2, double, double)
SHADOW_COMPUTE(3, double, double)
SHADOW_COMPUTE(1, double, float)
SHADOW_COMPUTE(2, double, float)
SHADOW_COMPUTE(3, double, float)
SHADOW_COMPUTE(1, float, float)
SHADOW_COMPUTE(2, float, float)
SHADOW_COMPUTE(3, float, float)

} // namespace cpu
} // namespace shadow
