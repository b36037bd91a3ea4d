// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"

#include <cstdint>

/// Counting in bins. An op that counts has `std::int64_t* histogram` in backend memory and `void
/// count(std::int64_t i, Add&& add) const`, which calls `add(k)` for each bin k that index i is to
/// be counted in, any number of times. It is called with `count` of kernels/launch.hpp.
namespace shadow {

/// How many there are of each, and where these go: first[i] = number[0] + ... + number[i-1] for i
/// in [0, size]; `first` has size + 1 elements and may not alias `number`.
struct Counts {
    const std::int32_t* number;
    std::int32_t* first;
    std::int64_t size;
};

/// Adds each at once.
struct AddToHistogram {
    std::int64_t* histogram;

    SHADOW_INLINE void operator()(std::int64_t k) const {
        atomic_add(histogram + k, std::int64_t{1});
    }
};

/// Does so for all that an index is counted in.
template <class Op>
struct CountAtOnce {
    Op op;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        op.count(i, AddToHistogram{op.histogram});
    }
};

/// What one thread of a block counts: in counters of the block, of 32 bits, which are added to the
/// histogram in the end. So that these cannot overflow a thread that has counted its share of their
/// range goes to the histogram.
struct AddToBlock {
    std::uint32_t* counts;
    std::int64_t* histogram;
    std::uint32_t left; ///< of its share; all shares of a block are less than 2^32

    SHADOW_INLINE void operator()(std::int64_t k) {
        if (left == 0) return AddToHistogram{histogram}(k);
        --left;
        atomic_add(counts + k, std::uint32_t{1});
    }
};

/// Adds a counter of a block to the histogram.
SHADOW_INLINE void add_counts(const std::uint32_t* counts, std::int64_t* histogram,
                              std::int64_t k) {
    if (counts[k] != 0) atomic_add(histogram + k, std::int64_t{counts[k]});
}

} // namespace shadow
