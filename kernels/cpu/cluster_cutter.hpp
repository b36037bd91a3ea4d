// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cpu/tile_pack.hpp"
#include "kernels/cpu/tile_views.hpp"

namespace shadow::SHADOW_ISA {

/// Sorts the particles of one cluster into subclusters and divides them into superclusters no
/// longer than `limit` in any direction.
template <int Dim>
class ClusterCutter {
  public:
    void load(const VectorView<Dim, double>& position, std::int32_t begin, std::int32_t n) {
        for (int d = 0; d < Dim; ++d) {
            const double* x = position.component[d] + begin;
            for (std::int32_t k = 0; k < n; ++k) {
                const auto place = static_cast<float>(x[k]);
                x_[d][k] = place > -lost_place && place < lost_place ? place : lost_place;
            }
        }
        for (std::int32_t k = 0; k < n; ++k) order_[k] = begin + k;
    }

    /// Writes the new order of memory indices and the size of each supercluster; returns their
    /// number.
    std::int32_t cut(std::int32_t n, float limit, std::int32_t* order, std::uint8_t* size) {
        limit_ = limit;
        size_ = size;
        superclusters_ = 0;
        cut_node(0, n, false);
        for (std::int32_t k = 0; k < n; ++k) order[k] = order_[k];
        return superclusters_;
    }

  private:
    using P = pack<float, lanes<float>>;
    static constexpr float lost_place = 1e30F;

    void cut_node(std::int32_t begin, std::int32_t end, bool in_supercluster) {
        const std::int32_t n = end - begin;
        float longest = -1.0F;
        int direction = 0;
        for (int d = 0; d < Dim; ++d) {
            P high(x_[d][begin]), low = -high; // low: the maximum of -x
            for (std::int32_t k = begin; k < end; k += P::size) {
                const auto mine = P::Mask::first(end - k);
                const P x = P::load(x_[d] + k);
                low = max(low, select(mine, -x, low));
                high = max(high, select(mine, x, high));
            }
            const float length = reduce_max(high) + reduce_max(low);
            if (length > longest) {
                longest = length;
                direction = d;
            }
        }
        if (!in_supercluster && (n == 1 || longest <= limit_)) {
            in_supercluster = true;
            size_[superclusters_++] = static_cast<std::uint8_t>(n);
        }
        if (n == 1 || (in_supercluster && n <= 4)) return;
        sort_along(direction, begin, n);
        const std::int32_t middle = begin + (in_supercluster ? (n + 7) / 8 * 4 : n / 2);
        cut_node(begin, middle, in_supercluster);
        cut_node(middle, end, in_supercluster);
    }

    /// Sorts by counting, for each particle, the coordinates below its own, without a branch. The
    /// last bits of a coordinate are replaced by the particle's number, so that no two are equal.
    void sort_along(int direction, std::int32_t begin, std::int32_t n) {
        alignas(64) float key[tile_cluster_size], rank[tile_cluster_size];
        alignas(64) float moved[Dim][tile_cluster_size];
        std::int32_t index[tile_cluster_size];
        for (std::int32_t k = 0; k < n; ++k) {
            const auto bits = __builtin_bit_cast(std::uint32_t, x_[direction][begin + k]);
            key[k] = __builtin_bit_cast(float, (bits & ~63U) | static_cast<std::uint32_t>(k));
        }
        for (std::int32_t first = 0; first < n; first += P::size) {
            const P mine = P::load(key + first);
            P before(0);
            for (std::int32_t j = 0; j < n; ++j)
                before = before + select(P(key[j]) < mine, P(1), P(0));
            before.store(rank + first);
        }
        for (std::int32_t k = 0; k < n; ++k) {
            const auto to = static_cast<std::int32_t>(rank[k]);
            index[to] = order_[begin + k];
            for (int d = 0; d < Dim; ++d) moved[d][to] = x_[d][begin + k];
        }
        for (std::int32_t k = 0; k < n; ++k) {
            order_[begin + k] = index[k];
            for (int d = 0; d < Dim; ++d) x_[d][begin + k] = moved[d][k];
        }
    }

    alignas(64) float x_[Dim][tile_cluster_size + P::size];
    alignas(64) std::int32_t order_[tile_cluster_size];
    float limit_ = 0.0F;
    std::uint8_t* size_ = nullptr;
    std::int32_t superclusters_ = 0;
};

template <int Dim>
void cut_clusters(const VectorView<Dim, double>& position, const PairListView& list,
                  std::int64_t first, std::int64_t last, float limit, std::int32_t* order,
                  std::uint8_t* size, std::int32_t* superclusters) {
    ClusterCutter<Dim> cutter;
    for (std::int64_t c = first; c < last; ++c) {
        const std::int32_t begin = list.cluster_begin[c], n = list.cluster_end[c] - begin;
        cutter.load(position, begin, n);
        superclusters[c] = cutter.cut(n, limit, order + begin, size + begin);
    }
}

} // namespace shadow::SHADOW_ISA
