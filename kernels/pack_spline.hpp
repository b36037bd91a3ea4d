// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack_transpose.hpp"
#include "kernels/potentials/tabulated.hpp"

#include <utility>

/// Lookups in spline tables: four numbers for each lane from its own address. Uses loads of four
/// and transposes, because gathers are slower on most processors.
namespace shadow::SHADOW_ISA {

namespace detail {
/// Lanes that hold integers below 2^22 (float) or 2^51 in magnitude, as integers.
template <class T, int N>
SHADOW_PACK typename native<T, N>::truth whole(pack<T, N> x) {
    using Truth = typename native<T, N>::truth;
    // After adding this, the last bits of the mantissa are the integer.
    constexpr T shift = T(3) * static_cast<T>(std::int64_t{1} << (NumberBits<T>::mantissa - 1));
    const pack<T, N> zero(shift);
    return __builtin_bit_cast(Truth, (x + zero).v) - __builtin_bit_cast(Truth, zero.v);
}

/// Four numbers at `from`.
template <class T>
SHADOW_PACK typename native<T, 4>::type four_at(const T* from) {
    typename native<T, 4>::type four;
    __builtin_memcpy(&four, from, sizeof(four));
    return four;
}

/// The numbers from[index[0]] and the three after it, then from[index[4]] ...; an index is given by
/// its bits.
template <class T, int N>
SHADOW_PACK pack<T, N> every_fourth(const T* from, const T* index) {
    const auto part = [&](int k) __attribute__((always_inline)) {
        typename NumberBits<T>::Unsigned at;
        __builtin_memcpy(&at, index + 4 * k, sizeof(at));
        return four_at(from + at);
    };
    // Insertions read their second operand from memory.
    if constexpr (N == 4) {
        return pack<T, N>(part(0));
#if defined(__AVX512F__)
    } else if constexpr (N == 16) {
        __m512 all = _mm512_castps128_ps512(part(0));
        all = _mm512_maskz_insertf32x4(0xFFFF, all, part(1), 1);
        all = _mm512_maskz_insertf32x4(0xFFFF, all, part(2), 2);
        return pack<T, N>(_mm512_maskz_insertf32x4(0xFFFF, all, part(3), 3));
    } else {
        return pack<T, N>(
            _mm512_maskz_insertf64x4(0xFF, _mm512_castpd256_pd512(part(0)), part(1), 1));
    }
#elif defined(__AVX2__)
    } else {
        return pack<T, N>(_mm256_insertf128_ps(_mm256_castps128_ps256(part(0)), part(1), 1));
    }
#else
    }
#endif
}

/// Four packs of blocks of four: block k of row i becomes lane i of block k in all of them.
template <class T, int N, std::size_t... lane>
SHADOW_PACK void transpose_blocks(pack<T, N> (&row)[4], std::index_sequence<lane...> all) {
    using P = pack<T, N>;
    if constexpr (sizeof(T) == 8) {
        exchange_blocks<2>(row[0], row[2], all);
        exchange_blocks<2>(row[1], row[3], all);
        exchange_blocks<1>(row[0], row[1], all);
        exchange_blocks<1>(row[2], row[3], all);
    } else { // pairs, because shuffles use two lanes of each operand
        const auto pairs = [](const P& a, const P& b, auto high) __attribute__((always_inline)) {
            return __builtin_shufflevector(
                a.v, b.v,
                ((lane & 2 ? N : 0) + (lane & ~std::size_t{3}) + (lane & 1) + 2 * high())...);
        };
        const auto every_second =
            [](const auto& a, const auto& b, auto odd) __attribute__((always_inline)) {
            return P(__builtin_shufflevector(
                a, b, ((lane & 2 ? N : 0) + (lane & ~std::size_t{3}) + 2 * (lane & 1) + odd())...));
        };
        constexpr std::integral_constant<std::size_t, 0> zero{};
        constexpr std::integral_constant<std::size_t, 1> one{};
        const auto low = pairs(row[0], row[1], zero), high = pairs(row[0], row[1], one);
        const auto low_after = pairs(row[2], row[3], zero), high_after = pairs(row[2], row[3], one);
        row[0] = every_second(low, low_after, zero);
        row[1] = every_second(low, low_after, one);
        row[2] = every_second(high, high_after, zero);
        row[3] = every_second(high, high_after, one);
    }
}
} // namespace detail

/// The beginnings of segments in a table (as the bits of integers), and the positions of numbers
/// within them.
template <class T, int N>
struct Places {
    pack<T, N> number, x;
};

/// See find_segment in kernels/potentials/tabulated.hpp; the fineness is the same for all lanes.
template <class T, int N>
SHADOW_PACK Places<T, N> find_places(pack<T, N> s, pack<T, N> within,
                                     const SegmentPlace<pack<T, N>>& place) {
    using V = typename pack<T, N>::V;
    using Bits = typename pack<T, N>::Bits;
    using Unsigned = typename NumberBits<T>::Unsigned;
    constexpr int four = 2;
    static_assert(segment_numbers == 1 << four);
    const auto fineness = static_cast<int>(place.fineness.v[0]);
    const int dropped = NumberBits<T>::mantissa - fineness;
    const Bits knot = __builtin_bit_cast(Bits, within.v) & (Bits{} + (~Unsigned{0} << dropped));
    const Bits first = __builtin_bit_cast(Bits, detail::whole(place.first)) -
                       (Bits{} + (Unsigned{NumberBits<T>::bias} << fineness));
    const Bits number = (knot >> (dropped - four)) + (first << four);
    return {__builtin_bit_cast(V, number), s - pack<T, N>(__builtin_bit_cast(V, knot))};
}

/// The segments whose numbers begin at table[number[k]]. Numbers are read from memory, because
/// extracting a lane needs two instructions.
template <class T, int N>
SHADOW_PACK SplineSegment<pack<T, N>> load_segments(const T* number, pack<T, N> x, const T* table) {
    pack<T, N> row[4];
    for (int k = 0; k < 4; ++k) row[k] = detail::every_fourth<T, N>(table, number + k);
    detail::transpose_blocks(row, std::make_index_sequence<N>{});
    return {row[0], row[1], row[2], row[3], x};
}

template <class T, int N>
SHADOW_PACK SplineSegment<pack<T, N>> find_segment(pack<T, N> s, pack<T, N> within,
                                                   const SegmentPlace<pack<T, N>>& place,
                                                   const T* table) {
    const Places<T, N> places = find_places(s, within, place);
    alignas(64) T number[N];
    places.number.store(number);
    __asm__("" : "+m"(number));
    return load_segments<T, N>(number, places.x, table);
}

} // namespace shadow::SHADOW_ISA
