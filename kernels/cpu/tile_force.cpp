// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/cpu/tile_force.hpp"

#include "kernels/cpu/dispatch.hpp"
#include "kernels/cpu/threads.hpp"
#include "kernels/cpu/tile_task.hpp"

#include <cmath>
#include <cstring>

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

/// Of this thread; at least so many numbers, the reactions 0.
template <class T>
T* thread_scratch(std::size_t size, std::size_t reaction_begin) {
    static thread_local std::vector<unsigned char> memory;
    if (memory.size() < size * sizeof(T) + alignment) memory.resize(size * sizeof(T) + alignment);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    auto* aligned = reinterpret_cast<T*>((address + alignment - 1) / alignment * alignment);
    std::memset(aligned + reaction_begin, 0, (size - reaction_begin) * sizeof(T));
    return aligned;
}

} // namespace

template <int Dim>
std::size_t TileForce<Dim>::bytes() const {
    return list_.bytes() + place_.capacity() + output_.capacity();
}

template <int Dim>
template <class T>
T* TileForce<Dim>::reserve(std::vector<unsigned char>& memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T) + alignment;
    if (memory.size() < bytes) {
        memory.clear();
        memory.resize(bytes + bytes / 16);
    }
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    return reinterpret_cast<T*>((address + alignment - 1) / alignment * alignment);
}

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

    TileTask<Dim, State, Pair> task{};
    task.payload = payload;
    task.first_four = list_.first_four.data();
    task.size = list_.size.data();
    task.particle = list_.particle.data();
    task.far = list_.far;
    task.largest_block = list_.largest_block;
    task.channels = payload.energy ? Dim + 2 : Dim;
    const std::size_t slots = list_.particle.size();
    Pair* place = reserve<Pair>(place_, slots * (payload.species_count > 1 ? Dim + 1 : Dim));
    for (int d = 0; d < Dim; ++d) {
        task.centre[d] = list_.centre[d].data();
        task.place[d] = place + static_cast<std::size_t>(d) * slots;
    }
    if (payload.species_count > 1) task.species = place + Dim * slots;
    task.output = reserve<Pair>(output_, static_cast<std::size_t>(list_.largest_output) * 4 *
                                             static_cast<std::size_t>(task.channels));

    parallel_ranges(
        backend.threads(), list_.bricks(), brick_grain, [&](std::int64_t first, std::int64_t last) {
            SHADOW_DISPATCH(backend, gather_bricks, task, static_cast<std::int32_t>(first),
                            static_cast<std::int32_t>(last));
        });
    std::vector<TilePageView> pages;
    for (const TileWave& wave : list_.waves) {
        pages.clear();
        for (std::int32_t p = wave.first_page; p < wave.last_page; ++p) {
            const TilePage& page = list_.pages[static_cast<std::size_t>(p)];
            pages.push_back({page.first, page.block_begin.data(), page.four.data(),
                             page.segment_begin.data(), page.segment.data(), page.tile_begin.data(),
                             page.tile.data(),
                             wave.output_begin[static_cast<std::size_t>(p - wave.first_page)]});
        }
        const std::int32_t origin = list_.pages[static_cast<std::size_t>(wave.first_page)].first;
        const std::int32_t bricks =
            list_.pages[static_cast<std::size_t>(wave.last_page) - 1].last - origin;
        parallel_ranges(
            backend.threads(), bricks, brick_grain, [&](std::int64_t begin, std::int64_t end) {
                Pair* scratch = thread_scratch<Pair>(task.scratch_size(), task.reaction_begin());
                auto first = static_cast<std::int32_t>(begin) + origin;
                const auto last = static_cast<std::int32_t>(end) + origin;
                for (std::size_t p = 0; p < pages.size() && first < last; ++p) {
                    const std::int32_t stop = std::min(
                        last, list_.pages[static_cast<std::size_t>(wave.first_page) + p].last);
                    if (first >= stop) continue;
                    SHADOW_DISPATCH(backend, compute_bricks, task, pages[p], first, stop, scratch);
                    first = stop;
                }
            });
        const TileWaveView view{pages.data(), wave.first_page, wave.taker.data(), wave.gift.data()};
        parallel_ranges(backend.threads(), static_cast<std::int64_t>(wave.taker.size()) - 1,
                        brick_grain, [&](std::int64_t first, std::int64_t last) {
                            SHADOW_DISPATCH(backend, collect_bricks, task, view,
                                            static_cast<std::int32_t>(first),
                                            static_cast<std::int32_t>(last));
                        });
    }
    return true;
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
