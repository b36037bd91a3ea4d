// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cstdint>

namespace shadow {

/// Two ops in one launch: for each index the second runs after the first, and may read those
/// results of the first that belong to the same index.
template <class First, class Second>
struct InTurn {
    First first;
    Second second;

    SHADOW_INLINE void operator()(std::int64_t i) const {
        first(i);
        second(i);
    }
};
template <class First, class Second>
InTurn(First, Second) -> InTurn<First, Second>;

} // namespace shadow
