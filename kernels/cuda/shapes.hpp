// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

/// Sizes of launches and reductions, which the emulated device shares with the kernels.
namespace shadow::cuda {

/// The largest argument of a kernel.
inline constexpr std::size_t largest_payload = 4000;
/// The sums of the chunks of a scan of 2^31 numbers need the most.
inline constexpr std::size_t scratch_bytes = std::size_t{4} << 20;

/// The maximum number of blocks in the first stage of a reduction, and the minimum of elements per
/// block.
inline constexpr std::int64_t reduce_blocks = 512;
inline constexpr std::int64_t reduce_grain = 1024;

/// Threads of a reducing block: large values need many registers.
template <class Value>
inline constexpr int reduce_threads = sizeof(Value) <= 64 ? 256 : (sizeof(Value) <= 256 ? 128 : 32);

/// The part of a histogram that a block counts is in static shared memory: 24 KiB, so that eight
/// blocks fit. `count_share`: the largest number of items that a thread counts.
inline constexpr int count_threads = 256;
inline constexpr int count_bins = 6144;
inline constexpr int count_blocks = 8; ///< of a multiprocessor
inline constexpr std::uint32_t count_share = 0xffffffffU / count_threads;

/// Blocks of the first stage: a function only of n, and so is the tree.
constexpr std::int64_t blocks_to_reduce(std::int64_t n) {
    const std::int64_t wanted = (n + reduce_grain - 1) / reduce_grain;
    return wanted < 1 ? 1 : (wanted < reduce_blocks ? wanted : reduce_blocks);
}

} // namespace shadow::cuda
