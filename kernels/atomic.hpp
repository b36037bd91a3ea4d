// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

/// Atomic operations on backend memory, for functors compiled by both compilers. All relaxed: the
/// end of the launch orders memory.
namespace shadow {

/// Adds and returns the previous value.
SHADOW_INLINE std::int32_t atomic_add(std::int32_t* place, std::int32_t value) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(place, value);
#else
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
#endif
}

SHADOW_INLINE std::uint32_t atomic_add(std::uint32_t* place, std::uint32_t value) {
#if defined(__CUDA_ARCH__)
    return atomicAdd(place, value);
#else
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
#endif
}

SHADOW_INLINE std::int64_t atomic_add(std::int64_t* place, std::int64_t value) {
#if defined(__CUDA_ARCH__)
    return static_cast<std::int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(place),
                                               static_cast<unsigned long long>(value)));
#else
    return __atomic_fetch_add(place, value, __ATOMIC_RELAXED);
#endif
}

/// Writes `value` if `expected` is there; returns the previous value.
SHADOW_INLINE std::int32_t atomic_replace(std::int32_t* place, std::int32_t expected,
                                          std::int32_t value) {
#if defined(__CUDA_ARCH__)
    return atomicCAS(place, expected, value);
#else
    __atomic_compare_exchange_n(place, &expected, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
#endif
}

/// Writes `value`, which is not zero, if the present value is zero or larger: the lowest wins,
/// whatever the order of threads.
SHADOW_INLINE void atomic_keep_lowest(std::int32_t* place, std::int32_t value) {
    std::int32_t old = 0;
    for (;;) {
        const std::int32_t found = atomic_replace(place, old, value);
        if (found == old || (found != 0 && found <= value)) return;
        old = found;
    }
}

/// A load while other threads may store.
SHADOW_INLINE std::int32_t atomic_load(const std::int32_t* place) {
#if defined(__CUDA_ARCH__)
    return *reinterpret_cast<const volatile std::int32_t*>(place);
#else
    return __atomic_load_n(place, __ATOMIC_RELAXED);
#endif
}

/// A store that several threads may do at the same time.
SHADOW_INLINE void atomic_store(std::int32_t* place, std::int32_t value) {
#if defined(__CUDA_ARCH__)
    *reinterpret_cast<volatile std::int32_t*>(place) = value;
#else
    __atomic_store_n(place, value, __ATOMIC_RELAXED);
#endif
}

} // namespace shadow
