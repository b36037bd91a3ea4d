// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/finite.hpp"
#include "kernels/cpu/tile_kernel_table.hpp"
#include "kernels/cpu/tile_task.hpp"

#include <limits>

/// The CPU pair force over a TileList around its inner loop, in three passes:
/// `gather_superclusters` computes positions relative to the centres of their superclusters, in the
/// order of slots and the precision of the pairs; `compute_chunk` fills blocks and calls the
/// kernel; `collect_superclusters` sums the contributions to each supercluster.
namespace shadow::SHADOW_ISA {

/// Are 4 n numbers finite?
template <class T>
SHADOW_PACK bool all_finite(const T* x, std::int32_t n) {
    Four<T> sum = {}; // NaN if any number is not finite
    for (std::int32_t q = 0; q < n; ++q) {
        const Four<T> four = load_four(x + 4 * q);
        sum += four - four;
    }
    return is_finite(sum[0] + sum[1] + sum[2] + sum[3]);
}

template <class Payload>
SHADOW_PACK void report(const Payload& payload, std::int32_t particle) {
    report_not_finite(payload.status, payload.particles.id[particle]);
}

/// Writes positions of superclusters [first, last) and returns the square of the largest
/// displacement of a particle since tiles were listed. If coordinates are not finite, returns
/// infinity and reports the lowest such id, but with `ahead`, that is before the step of these
/// positions, reports nothing.
template <int Dim, class Pair>
float gather_superclusters(const TileTask<Dim, Pair>& t, std::int32_t first, std::int32_t last,
                           bool ahead) {
    using F = pack<float, lanes<float>>;
    F farthest(0);
    const std::int32_t across = t.strain.gradient;
    for (std::int32_t b = first; b < last; ++b) {
        const std::int32_t slot = 4 * t.first_subcluster[b],
                           slots = 4 * t.first_subcluster[b + 1] - slot;
        const std::int32_t n = t.size[b];
        alignas(64) float moved2[tile_cluster_size + F::size] = {};
        double centres[Dim];
        for (int d = 0; d < Dim; ++d) centres[d] = t.centre[d][b];
        for (int d = 0; d < Dim; ++d) {
            const double* x = t.payload.particles.position.component[d];
            const double centre = centres[d];
            Pair* to = t.place[d] + slot;
            const float* listed = t.listed[d] + slot;
            const auto factor = static_cast<float>(t.strain.factor[d]);
            const auto shift =
                static_cast<float>(t.strain.moved(centres, t.listed_centre[d][b], d));
            for (std::int32_t k = 0; k < n; ++k)
                to[k] = static_cast<Pair>(x[t.particle[slot + k]] - centre);
            for (std::int32_t k = n; k < slots; ++k)
                to[k] = static_cast<Pair>(cpu::padding_place(t.far, slot + k));
            if (t.strain.slope != 0.0 && d == t.strain.flow) {
                const double* y = t.payload.particles.position.component[across];
                for (std::int32_t k = 0; k < n; ++k) {
                    const double above = y[t.particle[slot + k]] - centres[across];
                    const float moved = static_cast<float>(to[k]) * factor + shift - listed[k] -
                                        static_cast<float>(t.strain.slope * above);
                    moved2[k] += moved * moved;
                }
            } else {
                for (std::int32_t k = 0; k < n; ++k) {
                    const float moved = static_cast<float>(to[k]) * factor + shift - listed[k];
                    moved2[k] += moved * moved;
                }
            }
        }
        const bool finite = all_finite(moved2, slots / 4);
        for (std::int32_t k = 0; k < n; k += F::size) farthest = max(farthest, F::load(moved2 + k));
        if (t.species && !ahead)
            for (std::int32_t k = 0; k < slots; ++k)
                t.species[slot + k] = static_cast<Pair>(
                    k < n ? t.payload.particles.species[t.particle[slot + k]] : 0);
        if (finite) continue;
        if (ahead) return std::numeric_limits<float>::infinity();
        for (std::int32_t k = 0; k < n; ++k)
            for (int d = 0; d < Dim; ++d)
                if (!is_finite(t.place[d][slot + k])) report(t.payload, t.particle[slot + k]);
    }
    return reduce_max(farthest);
}

/// Coordinates of the subclusters of a segment across a face of the box. They are rounded once,
/// from the positions of the particles: the sum of a rounded coordinate and the box length would
/// have the same error for all particles, and energy would leak through the face.
template <int Dim, class Pair>
void fill_across(const TileTask<Dim, Pair>& t, const cpu::TileSegment& segment, int d,
                 double origin, const std::int32_t* subcluster, std::int32_t end, Pair* to) {
    const double* x = t.payload.particles.position.component[d];
    for (std::int32_t q = segment.begin; q < end; ++q)
        for (int k = 0; k < 4; ++k) {
            const std::int32_t particle = t.particle[4 * std::int64_t{subcluster[q]} + k];
            to[4 * q + k] = static_cast<Pair>(x[particle] - origin);
        }
}

/// Empty slots in the last subcluster of another supercluster, or of an image of the same one. Own
/// empty slots have positive coordinates, so these get negative ones: if two coincided, or one
/// coincided with itself, the force between them would be dropped, but its virial would count.
template <int Dim, class Pair>
SHADOW_PACK void turn_padding(const TileTask<Dim, Pair>& t, const cpu::TileSegment& segment,
                              std::int32_t last_subcluster, Pair* last_place) {
    const std::int32_t first = t.first_subcluster[segment.supercluster];
    const std::int32_t n = t.size[segment.supercluster] - 4 * (last_subcluster - first);
    for (std::int32_t k = n; k < 4; ++k) last_place[k] = static_cast<Pair>(-t.far);
}

/// Memory of a thread for a block.
template <int Dim, class Pair>
struct BlockPlaces {
    Pair *place[Dim], *species;
};

/// Copies the subclusters of a segment into a block.
template <int Dim, class Pair>
SHADOW_PACK void fill_segment(const TileTask<Dim, Pair>& t, std::int32_t supercluster,
                              const TileBlock<Dim, Pair>& block, std::int32_t s,
                              const BlockPlaces<Dim, Pair>& at) {
    const cpu::TileSegment& segment = block.segment[s];
    const std::int32_t end = s + 1 < block.segments ? block.segment[s + 1].begin : block.size;
    // Local copies: for all the compiler knows, stores could change members.
    const std::int32_t* subcluster = block.subcluster;
    const Pair* from[Dim];
    Pair *to[Dim], offset[Dim];
    for (int d = 0; d < Dim; ++d) {
        from[d] = t.place[d];
        to[d] = at.place[d];
        // Exact, see TileList::place_superclusters.
        offset[d] =
            static_cast<Pair>(t.centre[d][segment.supercluster] - t.centre[d][supercluster]);
    }
    for (std::int32_t q = segment.begin; q < end; ++q)
        for (int d = 0; d < Dim; ++d)
            store_four(to[d] + 4 * q,
                       load_four(from[d] + 4 * std::int64_t{subcluster[q]}) + offset[d]);
    if (segment.shift != 0) {
        const NeighbourRange image{0, 0, segment.shift};
        for (int d = 0; d < Dim; ++d)
            if (const double away = image.offset(*t.payload.particles.box, d); away != 0.0)
                fill_across(t, segment, d, t.centre[d][supercluster] - away, subcluster, end,
                            to[d]);
    }
    if (s > 0) turn_padding(t, segment, subcluster[end - 1], at.place[0] + 4 * (end - 1));
    if (!t.species) return;
    for (std::int32_t q = segment.begin; q < end; ++q)
        store_four(at.species + 4 * q, load_four(t.species + 4 * std::int64_t{subcluster[q]}));
}

/// `scratch`: TileTask::scratch_size numbers, those of the reactions 0.
template <int Dim, class Pair>
void compute_chunk(const TileTask<Dim, Pair>& t, const TileChunkView& chunk, Pair* scratch) {
    const auto kernel = find_tile_kernel<Dim, Pair>(t.payload.interaction, t.work);
    const std::int64_t room = 4 * static_cast<std::int64_t>(t.largest_block);
    const std::int64_t numbers = std::int64_t{4} * t.channels();
    TileBlock<Dim, Pair> block{};
    BlockPlaces<Dim, Pair> at;
    block.species = at.species = scratch + Dim * room;
    block.reaction = scratch + t.reaction_begin();
    for (int d = 0; d < Dim; ++d) block.place[d] = at.place[d] = scratch + d * room;
    block.tile = chunk.tile;
    block.masked = chunk.masked;
    alignas(64) double virial[4 * tensor_size<Dim>];
    block.virial = t.virial ? virial : nullptr;
    block.sums = t.sums + chunk.sum_begin * numbers;
    for (std::int32_t b = chunk.first; b < chunk.last; ++b) {
        const std::int32_t k = b - chunk.first;
        block.subcluster = chunk.subcluster + chunk.block_begin[k];
        block.size = chunk.block_size[k];
        block.segment = chunk.segment + chunk.segment_begin[k];
        block.segments = chunk.segment_begin[k + 1] - chunk.segment_begin[k];
        block.row = chunk.row + chunk.row_begin[k];
        block.rows = chunk.row_begin[k + 1] - chunk.row_begin[k];
        for (std::int32_t s = 0; s < block.segments; ++s) fill_segment(t, b, block, s, at);
        for (double& part : virial) part = 0.0;
        kernel(block, t.payload);
        for (int c = 0; t.virial && c < tensor_size<Dim>; ++c) {
            const double* part = virial + 4 * c;
            t.virial[b].component[c] = (part[0] + part[2]) + (part[1] + part[3]);
        }
    }
}

/// Loads sums and sets them to zero for the next chunk.
SHADOW_PACK Four<double> take_four(double* from) {
    const Four<double> taken = load_four(from);
    store_four(from, Four<double>{});
    return taken;
}

/// Collects forces and energies of targets of a batch.
template <int Dim, class Pair>
class Collector {
  public:
    Collector(const TileTask<Dim, Pair>& task, const TileBatchView& batch)
        : t_(task), batch_(batch) {}

    /// Collects one target; the force on particle i is written to index i - `base` of `force`.
    /// Returns whether all forces are finite.
    bool operator()(std::int32_t k, const VectorView<Dim, double>& force, std::int32_t base) {
        const cpu::ReductionTarget& target = batch_.target[k];
        const std::int32_t end = batch_.target[k + 1].begin;
        const std::int32_t b = target.supercluster, first = t_.first_subcluster[b], n = t_.size[b];
        const std::int32_t subclusters = t_.first_subcluster[b + 1] - first;
        const std::int32_t* particle = t_.particle + 4 * std::int64_t{first};
        const auto& p = t_.payload;
        const bool add = p.accumulate || !target.first;
        for (int d = 0; d < Dim; ++d) load(p.force.component[d], add, particle, n, force_[d]);
        if (p.energy) load(p.energy, add, particle, n, energy_);
        for (std::int32_t g = target.begin; g < end; ++g)
            receive(batch_.contribution[g], subclusters);
        bool finite = true;
        for (int d = 0; d < Dim; ++d) {
            double* to = force.component[d];
            for (std::int32_t i = 0; i < n; ++i) to[particle[i] - base] = force_[d][i];
            for (std::int32_t i = n; i % 4 != 0; ++i) force_[d][i] = 0; // padding
            finite = finite && all_finite(force_[d], (n + 3) / 4);
        }
        if (p.energy)
            for (std::int32_t i = 0; i < n; ++i) p.energy[particle[i]] = energy_[i];
        if (finite) return true;
        for (std::int32_t i = 0; i < n; ++i)
            for (int d = 0; d < Dim; ++d)
                if (!is_finite(force_[d][i])) report(p, particle[i]);
        return false;
    }

  private:
    template <class T>
    static void load(const T* from, bool add, const std::int32_t* particle, std::int32_t n, T* to) {
        if (!add)
            for (std::int32_t k = 0; k < tile_cluster_size; ++k) to[k] = T(0);
        else
            for (std::int32_t k = 0; k < n; ++k) to[k] = from[particle[k]];
    }

    /// Adds in the precision of the state, so that it does not matter where a batch ends.
    void receive(const cpu::Contribution& contribution, std::int32_t subclusters) {
        double* from = t_.sums + std::int64_t{contribution.sums} * 4 * channels_;
        const bool energy = channels_ > Dim;
        for (std::int32_t q = 0; q < subclusters; ++q, from += 4 * channels_) {
            for (int d = 0; d < Dim; ++d) add(force_[d] + 4 * q, take_four(from + 4 * d));
            if (energy) add(energy_ + 4 * q, 0.5 * take_four(from + 4 * Dim));
        }
    }

    template <class T>
    static SHADOW_PACK void add(T* sum, Four<double> x) {
        store_four(sum, load_four(sum) + convert<T, double>(x));
    }

    const TileTask<Dim, Pair>& t_;
    const TileBatchView& batch_;
    const int channels_ = t_.channels();
    alignas(64) double force_[Dim][tile_cluster_size];
    alignas(64) double energy_[tile_cluster_size];
};

/// Collects shares of the particles of targets [first, last) of a batch. Contributions are added
/// one by one to the existing shares, so that it does not matter where a batch ends.
template <int Dim, class Pair>
void collect_shares(const TileTask<Dim, Pair>& t, const TileBatchView& batch, std::int32_t first,
                    std::int32_t last) {
    constexpr int channels = tensor_size<Dim> + 1;
    for (std::int32_t k = first; k < last; ++k) {
        const cpu::ReductionTarget& target = batch.target[k];
        const std::int32_t* particle =
            t.particle + 4 * std::int64_t{t.first_subcluster[target.supercluster]};
        const std::int32_t n = t.size[target.supercluster], numbers = (n + 3) / 4 * 4 * channels;
        alignas(64) double sum[tile_cluster_size * channels] =
            {}; // [subcluster][channel][4], not halved
        const auto each = [&](const auto& work) __attribute__((always_inline)) {
            for (std::int32_t i = 0; i < n; ++i) {
                double* own = sum + i / 4 * 4 * channels + i % 4;
                Share<Dim>& share = t.share[particle[i]];
                for (int c = 0; c < tensor_size<Dim>; ++c)
                    work(own[4 * c], share.virial.component[c]);
                work(own[4 * tensor_size<Dim>], share.energy);
            }
        };
        if (t.accumulate || !target.first)
            each([](double& own, double there) { own = 2.0 * there; });
        for (std::int32_t g = target.begin; g < batch.target[k + 1].begin; ++g) {
            double* from = t.sums + std::int64_t{batch.contribution[g].sums} * 4 * channels;
            for (std::int32_t q = 0; q < numbers; q += 4)
                store_four(sum + q, load_four(sum + q) + take_four(from + q));
        }
        each([](double own, double& there) { there = 0.5 * own; });
    }
}

template <int Dim, class Pair>
void collect_superclusters(const TileTask<Dim, Pair>& task, const TileBatchView& batch,
                           std::int32_t first, std::int32_t last) {
    if (task.work == cpu::TileWork::shares) return collect_shares(task, batch, first, last);
    Collector<Dim, Pair> collect(task, batch);
    for (; first < last; ++first) collect(first, task.payload.force, 0);
}

template <int Dim, class Pair>
bool collect_supercluster(const TileTask<Dim, Pair>& task, const TileBatchView& batch,
                          std::int32_t target, const VectorView<Dim, double>& force,
                          std::int32_t base) {
    Collector<Dim, Pair> collect(task, batch);
    return collect(target, force, base);
}

} // namespace shadow::SHADOW_ISA
