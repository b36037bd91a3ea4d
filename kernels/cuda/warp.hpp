// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>
#if !defined(__CUDACC__)
#endif

/// What the lanes of a warp do together. nvcc maps these to instructions; a host compiler sees
/// declarations only, which the tests define by an emulator that runs 32 lanes in lockstep
/// (emulated/warp_emulator.hpp), so that warp code is tested without a GPU. All lanes must
/// take part in each call, from one place of the code.
namespace shadow::warp {

inline constexpr int lanes = 32;

#if defined(__CUDACC__)
#define SHADOW_DEVICE __device__ __forceinline__
#define SHADOW_UNROLL _Pragma("unroll 4")

template <class T>
SHADOW_DEVICE T shuffle(T value, int from) {
    return __shfl_sync(0xFFFFFFFFu, value, from);
}
template <class T>
SHADOW_DEVICE T shuffle_xor(T value, int mask) {
    return __shfl_xor_sync(0xFFFFFFFFu, value, mask);
}
/// The value of the lane `distance` below, or the own one where there is none.
template <class T>
SHADOW_DEVICE T shuffle_up(T value, int distance) {
    return __shfl_up_sync(0xFFFFFFFFu, value, static_cast<unsigned>(distance));
}
SHADOW_DEVICE std::uint32_t ballot(bool predicate) {
    return __ballot_sync(0xFFFFFFFFu, predicate);
}
/// Orders the shared memory of the warp.
SHADOW_DEVICE void sync() {
    __syncwarp();
}
SHADOW_DEVICE int population(std::uint32_t bits) {
    return __popc(bits);
}
SHADOW_DEVICE int lowest(std::uint32_t bits) {
    return __ffs(static_cast<int>(bits)) - 1;
}
#else
#define SHADOW_DEVICE inline
#define SHADOW_UNROLL

/// Where a lane calls; std::source_location is not there with clang 14.
struct Site {
    const char* file;
    const char* function;
    int line;

    static constexpr Site current(const char* file_name = __builtin_FILE(),
                                  const char* function_name = __builtin_FUNCTION(),
                                  int line_number = __builtin_LINE()) {
        return {file_name, function_name, line_number};
    }
};

template <class T>
T shuffle(T value, int from, const Site& site = Site::current());
template <class T>
T shuffle_xor(T value, int mask, const Site& site = Site::current());
template <class T>
T shuffle_up(T value, int distance, const Site& site = Site::current());
std::uint32_t ballot(bool predicate, const Site& site = Site::current());
void sync(const Site& site = Site::current());
inline int population(std::uint32_t bits) {
    return __builtin_popcount(bits);
}
inline int lowest(std::uint32_t bits) {
    return __builtin_ctz(bits);
}
#endif

/// Where lane `lane` puts its survivor: the survivors in lower lanes come first.
SHADOW_DEVICE int rank(std::uint32_t survivors, int lane) {
    return population(survivors & ((std::uint32_t{1} << lane) - 1u));
}

/// Sum over this lane and all lower ones.
SHADOW_DEVICE std::int32_t inclusive_scan(std::int32_t value, int lane) {
    for (int distance = 1; distance < lanes; distance *= 2) {
        const std::int32_t below = shuffle_up(value, distance);
        if (lane >= distance) value += below;
    }
    return value;
}

} // namespace shadow::warp
