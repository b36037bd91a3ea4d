// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/atomic.hpp"

#include <cstdint>

/// Counting in bins. An op that counts has `std::int64_t* histogram` in backend memory and `void
/// count(std::int64_t i, Add&& add) const`, which calls `add(k)` any number of times, for each bin
/// k into which index i is counted. It is called with `count` of kernels/launch.hpp.
namespace shadow {

/// Counts and their offsets: first[i] = number[0] + ... + number[i-1] for i in [0, size]; `first`
/// has size + 1 elements and may not alias `number`.
struct Counts {
    const std::int32_t* number;
    std::int32_t* first;
    std::int64_t size;
};

/// Adds each count immediately.
struct AddToHistogram {
    std::int64_t* histogram;

    SHADOW_INLINE void operator()(std::int64_t k) const {
        atomic_add(histogram + k, std::int64_t{1});
    }
};

/// Does so for all counts of an index.
template <class Op>
struct CountAtOnce {
    Op op;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        op.count(i, AddToHistogram{op.histogram});
    }
};

/// The counts of one thread of a block: in 32-bit counters of the block, which are added to the
/// histogram at the end. So that these cannot overflow, a thread that has used its share of their
/// range counts in the histogram.
struct AddToBlock {
    std::uint32_t* counts;
    std::int64_t* histogram;
    std::uint32_t left; ///< remaining share; all shares of a block are less than 2^32

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
