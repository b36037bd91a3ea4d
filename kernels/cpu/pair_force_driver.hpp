// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/finite.hpp"
#include "kernels/cpu/pair_force_block.hpp"
#include "kernels/pair_force.hpp"

/// The CPU pair force over the runs of a list, each pair from both sides: for lists of all pairs,
/// and whatever a TileList cannot hold. For each cluster, as many particles at a time as there are
/// lanes:
/// 1. bound them by a box and take its centre as origin of the pair arithmetic;
/// 2. go through its runs, subtract the centre in the precision of the state, and keep, next to
///    each other, the neighbours closer to the box than the cut-off (about half of the candidates);
/// 3. let the block kernel of the interaction add them up; store the sums.
/// So the inner loop has neither indices nor periodic images nor double precision.
namespace shadow::SHADOW_ISA {

/// In units of the lengths in question; covers rounding of the filter.
inline constexpr double filter_margin = 1e-5;

/// Defined in isa/, where one table of kernels is compiled per precision and dimension.
template <int Dim, class Pair>
BlockKernel<Dim, Pair> find_block_kernel(int interaction, bool energy);

template <int Dim, class State, class Pair>
class PairForceDriver {
  public:
    using Payload = PairForcePayload<Dim, State, Pair>;
    static constexpr int width = lanes<Pair>;
    using P = pack<Pair, width>;

    explicit PairForceDriver(const Payload& payload)
        : t_(payload),
          kernel_(find_block_kernel<Dim, Pair>(payload.interaction, payload.energy != nullptr)),
          task_{payload.table, payload.species_count, payload.ending},
          reach2_(static_cast<Pair>(payload.cutoff * payload.cutoff * (1.0 + filter_margin))) {}

    void cluster(std::int64_t c) {
        const std::int32_t first = t_.list.cluster_begin[c], last = t_.list.cluster_end[c];
        const Run* runs = t_.list.runs + c * t_.list.stride;
        if (t_.energy) t_.parts[c] = {};
        for (std::int32_t begin = first; begin < last; begin += width) {
            const int n = last - begin < width ? last - begin : width;
            open(begin, n);
            gather({first, begin, 0});
            gather({begin + n, last, 0});
            for (std::int32_t k = 0; k < t_.list.run_count[c]; ++k) gather(runs[k]);
            kernel_(block_, task_);
            store(c, begin, n);
        }
    }

  private:
    void open(std::int32_t begin, int n) {
        const auto present = P::Mask::first(n);
        for (int d = 0; d < Dim; ++d) {
            const State* x = t_.particles.position.component[d] + begin;
            const P relative = select(present, load_difference<Pair, width>(x, x[0]), P(0));
            const Pair high = reduce_max(relative), low = -reduce_max(-relative);
            centre_[d] = x[0] + static_cast<State>(Pair(0.5) * (high + low));
            half_[d] = P(Pair(0.5) * (high - low) * Pair(1.0 + filter_margin));
            const P lane = select(present, load_difference<Pair, width>(x, centre_[d]), P(0));
            lane.store(block_.lane[d]);
            lane.store(block_.neighbour[d]);
        }
        block_.own = block_.size = n;
        for (int k = 0; k < width; ++k) {
            for (int d = 0; d < Dim; ++d) block_.force[d][k] = 0.0;
            block_.energy[k] = 0.0;
            for (auto& component : block_.virial) component[k] = 0.0;
        }
        if (t_.species_count == 1) return;
        for (int k = 0; k < width; ++k) {
            block_.lane_species[k] = k < n ? t_.particles.species[begin + k] : 0;
            block_.neighbour_species[k] = static_cast<Pair>(block_.lane_species[k]);
        }
    }

    void gather(const Run& run) {
        State origin[Dim];
        const State* x[Dim];
        for (int d = 0; d < Dim; ++d) {
            origin[d] = centre_[d] - static_cast<State>(run.images(d) * t_.box.length[d]);
            x[d] = t_.particles.position.component[d];
        }
        int size = block_.size;
        for (std::int32_t j = run.begin; j < run.end; j += width) {
            P relative[Dim], distance2(0);
            for (int d = 0; d < Dim; ++d) {
                relative[d] = load_difference<Pair, width>(x[d] + j, origin[d]);
                const P gap = max(abs(relative[d]) - half_[d], P(0));
                distance2 = distance2 + gap * gap;
            }
            auto within = distance2 < P(reach2_);
            if (run.end - j < width) within = within & P::Mask::first(run.end - j);
            const Compress<Pair, width> keep(within);
            for (int d = 0; d < Dim; ++d) keep.store(block_.neighbour[d] + size, relative[d]);
            if (t_.species_count > 1) keep.store(block_.neighbour_species + size, species(j));
            size += keep.count;
            if (size > block_.capacity - width) {
                block_.size = size;
                kernel_(block_, task_);
                block_.own = size = 0;
            }
        }
        block_.size = size;
    }

    P species(std::int32_t j) const {
        P x;
        for (int k = 0; k < width; ++k) x.v[k] = static_cast<Pair>(t_.particles.species[j + k]);
        return x;
    }

    void store(std::int64_t c, std::int32_t begin, int n) {
        double doubt = 0.0; // not a number as soon as anything is not finite
        for (int d = 0; d < Dim; ++d) {
            for (int k = 0; k < n; ++k)
                doubt += (block_.force[d][k] - block_.force[d][k]) +
                         static_cast<double>(block_.lane[d][k] - block_.lane[d][k]);
            add(t_.force.component[d] + begin, block_.force[d], 1.0, n);
        }
        if (t_.energy) {
            add(t_.energy + begin, block_.energy, 0.5, n);
            for (int v = 0; v < tensor_size<Dim>; ++v)
                for (int k = 0; k < n; ++k) t_.parts[c].component[v] += 0.5 * block_.virial[v][k];
        }
        if (!is_finite(doubt)) report(begin, n);
    }

    template <class T>
    void add(T* to, const double* sums, double factor, int n) const {
        if (t_.accumulate)
            for (int k = 0; k < n; ++k)
                to[k] = static_cast<T>(static_cast<double>(to[k]) + factor * sums[k]);
        else
            for (int k = 0; k < n; ++k) to[k] = static_cast<T>(factor * sums[k]);
    }

    void report(std::int32_t begin, int n) {
        for (int k = 0; k < n; ++k) {
            bool finite = true;
            for (int d = 0; d < Dim; ++d)
                finite = finite && is_finite(block_.force[d][k]) && is_finite(block_.lane[d][k]);
            if (!finite) report_not_finite(t_.status, t_.particles.id[begin + k]);
        }
    }

    const Payload& t_;
    BlockKernel<Dim, Pair> kernel_;
    BlockTask<Pair> task_;
    Pair reach2_;
    State centre_[Dim];
    P half_[Dim];
    Block<Dim, Pair> block_;
};

/// Clusters [first, last).
template <int Dim, class State, class Pair>
void pair_force(const PairForcePayload<Dim, State, Pair>& payload, std::int64_t first,
                std::int64_t last) {
    PairForceDriver<Dim, State, Pair> driver(payload);
    for (std::int64_t c = first; c < last; ++c) driver.cluster(c);
}

} // namespace shadow::SHADOW_ISA
