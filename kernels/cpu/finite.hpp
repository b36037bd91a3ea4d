// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack.hpp"

/// Particles whose position or force is not a finite number.
namespace shadow::SHADOW_ISA {

template <class T>
SHADOW_PACK bool is_finite(T x) {
    return x - x == T(0);
}

/// Reports particle `id` in the status word of a payload; the lowest id is kept, whatever the order
/// of threads.
SHADOW_PACK void report_not_finite(std::int32_t* status, std::uint32_t id) {
    const auto found = static_cast<std::int32_t>(id) + 1;
    std::int32_t old = __atomic_load_n(status, __ATOMIC_RELAXED);
    while ((old == 0 || found < old) &&
           !__atomic_compare_exchange_n(status, &old, found, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
}

} // namespace shadow::SHADOW_ISA
