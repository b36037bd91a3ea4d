// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/grid.hpp"

/// Sorts particles by column, then by the last coordinate, then by id: a pure function of positions
/// and ids.
namespace shadow {

/// Counts the particles of each bin and numbers them within it, in any order.
template <int Dim>
struct CountBins {
    const Grid<Dim>* grid;
    VectorView<Dim, double> position;
    std::int32_t* count; ///< by bin
    std::int32_t* bin;   ///< by particle
    std::int32_t* place; ///< by particle

    SHADOW_INLINE void operator()(std::int64_t i) const {
        bin[i] = grid->bin(position, i);
        place[i] = atomic_add(count + bin[i], 1);
    }
};

struct ScatterOrder {
    const std::int32_t* start; ///< by bin
    const std::int32_t* bin;
    const std::int32_t* place;
    std::int32_t* order; ///< old index of each new one

    SHADOW_INLINE void operator()(std::int64_t i) const {
        order[start[bin[i]] + place[i]] = static_cast<std::int32_t>(i);
    }
};

/// Sorts the particles of one bin.
struct SortBin {
    static constexpr std::int32_t longest_insertion = 32;
    const double* last; ///< last coordinate
    const std::uint32_t* id;
    const std::int32_t* start;
    std::int32_t* order;

    SHADOW_INLINE void operator()(std::int64_t bin) const {
        std::int32_t* v = order + start[bin];
        const std::int32_t n = start[bin + 1] - start[bin];
        if (n <= longest_insertion)
            insert(v, n);
        else
            heap(v, n);
    }

  private:
    [[nodiscard]] SHADOW_INLINE bool before(std::int32_t a, std::int32_t b) const {
        return last[a] < last[b] || (!(last[b] < last[a]) && id[a] < id[b]);
    }
    SHADOW_INLINE void insert(std::int32_t* v, std::int32_t n) const {
        for (std::int32_t k = 1; k < n; ++k) {
            const std::int32_t x = v[k];
            std::int32_t j = k;
            for (; j > 0 && before(x, v[j - 1]); --j) v[j] = v[j - 1];
            v[j] = x;
        }
    }
    SHADOW_INLINE void heap(std::int32_t* v, std::int32_t n) const {
        for (std::int32_t root = n / 2; root-- > 0;) sift(v, root, n);
        for (std::int32_t end = n - 1; end > 0; --end) {
            const std::int32_t x = v[0];
            v[0] = v[end];
            v[end] = x;
            sift(v, 0, end);
        }
    }
    SHADOW_INLINE void sift(std::int32_t* v, std::int32_t root, std::int32_t n) const {
        const std::int32_t x = v[root];
        for (std::int32_t child = root; (child = 2 * root + 1) < n; root = child) {
            if (child + 1 < n && before(v[child], v[child + 1])) ++child;
            if (!before(x, v[child])) break;
            v[root] = v[child];
        }
        v[root] = x;
    }
};

} // namespace shadow
