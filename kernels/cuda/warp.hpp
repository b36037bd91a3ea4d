// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

/// Collective operations of the lanes of a warp. nvcc maps these to instructions; a host compiler
/// sees only declarations, which the tests define by an emulator that runs warps of 32 lanes in
/// lockstep (emulated/warp_emulator.hpp), so that warp code is tested without a GPU. All lanes must
/// take part in each call, from the same line of code.
namespace shadow::warp {

inline constexpr int lanes = 32;

#if defined(__CUDACC__)
#define SHADOW_DEVICE __device__ __forceinline__
#define SHADOW_UNROLL _Pragma("unroll 4")
#define SHADOW_UNROLL_TWICE _Pragma("unroll 2")
#define SHADOW_UNROLL_LANES _Pragma("unroll 32")
#define SHADOW_NO_UNROLL _Pragma("unroll 1")

template <class T>
SHADOW_DEVICE T shuffle(T value, int from) {
    return __shfl_sync(0xFFFFFFFFu, value, from);
}
template <class T>
SHADOW_DEVICE T shuffle_xor(T value, int mask) {
    return __shfl_xor_sync(0xFFFFFFFFu, value, mask);
}
/// The value of the lane `distance` below, or the lane's own if there is none.
template <class T>
SHADOW_DEVICE T shuffle_up(T value, int distance) {
    return __shfl_up_sync(0xFFFFFFFFu, value, static_cast<unsigned>(distance));
}
SHADOW_DEVICE std::uint32_t ballot(bool predicate) {
    return __ballot_sync(0xFFFFFFFFu, predicate);
}
/// Synchronises the lanes and orders the shared memory of the warp.
SHADOW_DEVICE void sync() {
    __syncwarp();
}
/// Synchronises `warps` warps and orders their shared memory: of the first or the second team of a
/// block. A barrier whose number the compiler does not know would occupy all barriers.
SHADOW_DEVICE void sync_team(int team, int warps) {
    if (warps == 1)
        sync();
    else if (team == 0)
        asm volatile("bar.sync 0, %0;" ::"r"(warps * lanes) : "memory");
    else
        asm volatile("bar.sync 1, %0;" ::"r"(warps * lanes) : "memory");
}
/// Loads the cache line of an address into the second-level cache.
SHADOW_DEVICE void prefetch(const void* address) {
    asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
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
#define SHADOW_UNROLL_TWICE
#define SHADOW_UNROLL_LANES
#define SHADOW_NO_UNROLL

/// The source position of a call; clang 14 has no std::source_location.
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
void sync_team(int team, int warps, const Site& site = Site::current());
void sync(const Site& site = Site::current());
inline void prefetch(const void*) {}
inline int population(std::uint32_t bits) {
    return __builtin_popcount(bits);
}
inline int lowest(std::uint32_t bits) {
    return __builtin_ctz(bits);
}
#endif

/// The output index of lane `lane`'s survivor: the survivors in lower lanes come first.
SHADOW_DEVICE int rank(std::uint32_t survivors, int lane) {
    return population(survivors & ((std::uint32_t{1} << lane) - 1u));
}

/// Prefetches the memory of a warp's array while the warp does something else.
template <class T>
SHADOW_DEVICE void prefetch(const T* begin, std::int32_t count, int lane) {
    constexpr int in_line = 128 / sizeof(T);
    SHADOW_NO_UNROLL
    for (std::int32_t k = lane * in_line; k < count; k += lanes * in_line) prefetch(begin + k);
}

/// Sum over this lane and all lower ones.
SHADOW_DEVICE std::int32_t inclusive_scan(std::int32_t value, int lane) {
    for (int distance = 1; distance < lanes; distance *= 2) {
        const std::int32_t below = shuffle_up(value, distance);
        if (lane >= distance) value += below;
    }
    return value;
}

/// Bit c of lane l becomes bit l of lane c.
SHADOW_DEVICE std::uint32_t transpose(std::uint32_t bits, int lane) {
    std::uint32_t low = 0x0000FFFFu; // bits whose number has no `k`
    for (int k = lanes / 2; k > 0; k /= 2) {
        const std::uint32_t other = shuffle_xor(bits, k);
        const bool upper = (lane & k) != 0;
        bits = upper ? (bits & ~low) | (other >> k & low) : (bits & low) | (other << k & ~low);
        low ^= low << k / 2;
    }
    return bits;
}

} // namespace shadow::warp
