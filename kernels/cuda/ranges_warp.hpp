// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/pair_sums.hpp"
#include "kernels/ops/ranges.hpp"

/// How one warp finds the neighbour ranges of a cluster of up to 32 particles: each lane searches
/// one column at a time. They are in the order of BuildRanges; adjacent ranges are not joined.
namespace shadow::cuda {

template <int Dim>
class RangesWarp {
  public:
    using Op = BuildRanges<Dim>;

    /// Called by all lanes with the same cluster.
    SHADOW_DEVICE RangesWarp(const Op& op, std::int64_t cluster, int lane)
        : op_(op), cluster_(cluster),
          lane_(lane), search_{op.cluster_begin[cluster], op.cluster_end[cluster]} {
        const int last = search_.end - search_.begin - 1;
        const std::int32_t i = search_.begin + (lane < last ? lane : last);
        double low[Dim], high[Dim];
        for (int d = 0; d < Dim; ++d) low[d] = op.position.component[d][i];
        for (int d = 0; d < Dim; ++d) {
            high[d] = low[d];
            for (int mask = 1; mask < warp::lanes; mask *= 2) {
                low[d] = std::fmin(low[d], warp::shuffle_xor(low[d], mask));
                high[d] = std::fmax(high[d], warp::shuffle_xor(high[d], mask));
            }
            op.bound(search_, d, low[d], high[d]);
        }
    }

    SHADOW_DEVICE void make() {
        int columns = 1;
        for (int d = 0; d < Dim - 1; ++d) columns *= 2 * search_.steps[d] + 1;
        NeighbourRange* const out = op_.ranges + cluster_ * op_.stride;
        std::int32_t count = 0;
        const int all = op_.views();
        for (int view = 0; view < all; ++view) {
            const Search seen = op_.seen_from(search_, view);
            for (int first = 0; first < columns; first += warp::lanes)
                count = append(seen, first + lane_, columns, out, count);
        }
        if (lane_ == 0) op_.range_count[cluster_] = count;
    }

  private:
    using Search = typename Op::Search;

    /// Appends the range that each lane finds in its column; returns the new number of ranges.
    SHADOW_DEVICE std::int32_t append(const Search& seen, int number, int columns,
                                      NeighbourRange* out, std::int32_t count) const {
        typename Op::Column column;
        const bool in_reach = number < columns && find(seen, number, column);
        std::int32_t mine = 0;
        if (in_reach) op_.along_column(seen, column, [&](const NeighbourRange&) { ++mine; });
        const std::int32_t stop = count + warp::inclusive_scan(mine, lane_);
        std::int32_t at = stop - mine;
        if (in_reach)
            op_.along_column(seen, column, [&](const NeighbourRange& range) { out[at++] = range; });
        return warp::shuffle(stop, warp::lanes - 1);
    }

    /// The column of a number, which counts the last direction first; false: out of reach.
    SHADOW_DEVICE bool find(const Search& seen, int number, typename Op::Column& column) const {
        if constexpr (Dim == 3) {
            const int along = 2 * seen.steps[1] + 1;
            return op_.template step<0>(seen, number / along - seen.steps[0], column) &&
                   op_.template step<1>(seen, number % along - seen.steps[1], column);
        } else if constexpr (Dim == 2) {
            return op_.template step<0>(seen, number - seen.steps[0], column);
        } else {
            return true;
        }
    }

    const Op& op_;
    std::int64_t cluster_;
    int lane_;
    Search search_;
};

} // namespace shadow::cuda
