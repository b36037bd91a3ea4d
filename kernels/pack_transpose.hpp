// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack.hpp"

#include <utility>

namespace shadow::SHADOW_ISA {

namespace detail {
/// Exchanges the off-diagonal blocks of `step` lanes of two rows, `step` apart.
template <int step, class T, int N, std::size_t... lane>
SHADOW_PACK void exchange_blocks(pack<T, N>& a, pack<T, N>& b, std::index_sequence<lane...>) {
    const auto low = __builtin_shufflevector(a.v, b.v, ((lane & step) ? N + lane - step : lane)...);
    const auto high =
        __builtin_shufflevector(a.v, b.v, ((lane & step) ? N + lane : lane + step)...);
    a = pack<T, N>(low);
    b = pack<T, N>(high);
}
} // namespace detail

/// Rows become columns (Eklundh 1972, IEEE Trans. Comput. C-21, 801).
template <class T, int N, int step = N / 2>
SHADOW_PACK void transpose(pack<T, N> (&row)[N]) {
    for (int i = 0; i < N; ++i)
        if ((i & step) == 0)
            detail::exchange_blocks<step>(row[i], row[i + step], std::make_index_sequence<N>{});
    if constexpr (step > 1) transpose<T, N, step / 2>(row);
}

} // namespace shadow::SHADOW_ISA
