// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack_transpose.hpp"
#include "kernels/potentials/tabulated.hpp"

#include <utility>

/// Lookups in spline tables: four numbers for each lane from a place of its own. Loads of four and
/// transposes, because gathers take longer on most processors.
namespace shadow::SHADOW_ISA {

namespace detail {
/// Lanes that hold whole numbers below 2^22 (float) or 2^51 in magnitude, as integers.
template <class T, int N>
SHADOW_PACK typename native<T, N>::truth whole(pack<T, N> x) {
    using Truth = typename native<T, N>::truth;
    // Added to this, the last bits of the mantissa are the number.
    constexpr T shift = T(3) * static_cast<T>(std::int64_t{1} << (NumberBits<T>::mantissa - 1));
    const pack<T, N> zero(shift);
    return __builtin_bit_cast(Truth, (x + zero).v) - __builtin_bit_cast(Truth, zero.v);
}

/// What stands at from[index[0]] and the three numbers after it, then at from[index[4]] ...
template <class T, int N>
SHADOW_PACK pack<T, N> every_fourth(const T* from, const typename NumberBits<T>::Integer* index) {
    using Four = typename native<T, 4>::type;
    Four part[N / 4];
    for (int k = 0; k < N / 4; ++k) __builtin_memcpy(&part[k], from + index[4 * k], sizeof(Four));
    if constexpr (N == 4) {
        return pack<T, N>(part[0]);
    } else if constexpr (N == 8) {
        return pack<T, N>(__builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7));
    } else {
        const auto low = __builtin_shufflevector(part[0], part[1], 0, 1, 2, 3, 4, 5, 6, 7);
        const auto high = __builtin_shufflevector(part[2], part[3], 0, 1, 2, 3, 4, 5, 6, 7);
        return pack<T, N>(__builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
                                                  12, 13, 14, 15));
    }
}
} // namespace detail

/// See kernels/potentials/tabulated.hpp.
template <class T, int N>
SHADOW_PACK SplineSegment<pack<T, N>> find_segment(pack<T, N> s, pack<T, N> within,
                                                   const SegmentPlace<pack<T, N>>& place,
                                                   const T* table) {
    using P = pack<T, N>;
    using Bits = NumberBits<T>;
    using Integer = typename Bits::Integer;
    using Truth = typename native<T, N>::truth;
    const Truth fineness = detail::whole(place.fineness);
    const Truth dropped = Truth{} + Bits::mantissa - fineness;
    const Truth knot = __builtin_bit_cast(Truth, within.v) >> dropped;
    const Truth segment = knot - ((Truth{} + Bits::bias) << fineness) + detail::whole(place.first);
    const Truth number = segment * segment_numbers;
    alignas(64) Integer index[N];
    __builtin_memcpy(index, &number, sizeof(number));
    P row[4];
    for (int k = 0; k < 4; ++k) row[k] = detail::every_fourth<T, N>(table, index + k);
    const auto all = std::make_index_sequence<N>{};
    detail::exchange_blocks<2>(row[0], row[2], all);
    detail::exchange_blocks<2>(row[1], row[3], all);
    detail::exchange_blocks<1>(row[0], row[1], all);
    detail::exchange_blocks<1>(row[2], row[3], all);
    return {row[0], row[1], row[2], row[3],
            s - P(__builtin_bit_cast(typename P::V, knot << dropped))};
}

} // namespace shadow::SHADOW_ISA
