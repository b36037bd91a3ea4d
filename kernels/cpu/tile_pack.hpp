// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack.hpp"

/// A tile pairs 4 particles with 4 others. It needs one or more packs, each of which pairs the 4
/// particles of one side (the rows) with `across` of the other, lane k = across * row + column.
namespace shadow::SHADOW_ISA {

template <class T>
inline constexpr int across = lanes<T> / 4;

/// p[0 .. across), once for each row.
template <class T>
SHADOW_PACK pack<T, lanes<T>> columns(const T* p) {
    using P = pack<T, lanes<T>>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
        return typename P::V(_mm512_maskz_broadcast_f32x4(0xFFFF, _mm_loadu_ps(p)));
    else
        return typename P::V(_mm512_maskz_broadcast_f64x2(0xFF, _mm_loadu_pd(p)));
#else
    if constexpr (across<T> == 1) {
        return P(*p);
    } else {
        double two;
        __builtin_memcpy(&two, p, sizeof(two));
        const native<double, 4>::type v = two - native<double, 4>::type{};
        return __builtin_bit_cast(typename P::V, v);
    }
#endif
}

/// p[0 .. 4), one number for each row.
template <class T>
SHADOW_PACK pack<T, lanes<T>> rows(const T* p) {
    using P = pack<T, lanes<T>>;
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
        return typename P::V(_mm512_maskz_permutexvar_ps(
            0xFFFF, _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
            columns(p).v));
    else
        return typename P::V(
            _mm512_maskz_permutexvar_pd(0xFF, _mm512_setr_epi64(0, 0, 1, 1, 2, 2, 3, 3),
                                        _mm512_maskz_broadcast_f64x4(0xFF, _mm256_loadu_pd(p))));
#else
    P x;
    for (int k = 0; k < lanes<T>; ++k) x.v[k] = p[k / across<T>];
    return x;
#endif
}

/// Four numbers, those of the particles of a subcluster.
template <class T>
using Four = typename native<T, 4>::type;

template <class T>
SHADOW_PACK Four<T> load_four(const T* p) {
    Four<T> x;
    __builtin_memcpy(&x, p, sizeof(x));
    return x;
}
template <class T>
SHADOW_PACK void store_four(T* p, Four<T> x) {
    __builtin_memcpy(p, &x, sizeof(x));
}

/// The same numbers in another precision. (GCC 12 splits a conversion from float to double.)
template <class To, class From>
SHADOW_PACK Four<To> convert(Four<From> x) {
#if defined(__AVX2__)
    if constexpr (sizeof(To) > sizeof(From)) return _mm256_cvtps_pd(x);
#endif
    return __builtin_convertvector(x, Four<To>);
}

/// Number of packs of one tile.
template <class T>
inline constexpr int tile_parts = 4 / across<T>;

/// Sums over the rows of a tile, by column.
template <class T>
SHADOW_PACK Four<T> sum_rows(const pack<T, lanes<T>> (&tile)[tile_parts<T>]) {
    const auto v = tile[0].v;
    if constexpr (lanes<T> == 16) {
        const auto two = __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7) +
                         __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15);
        return __builtin_shufflevector(two, two, 0, 1, 2, 3) +
               __builtin_shufflevector(two, two, 4, 5, 6, 7);
    } else if constexpr (lanes<T> == 8) {
        const auto w = tile[1].v;
        const Four<T> a =
            __builtin_shufflevector(v, v, 0, 1, 2, 3) + __builtin_shufflevector(v, v, 4, 5, 6, 7);
        const Four<T> b =
            __builtin_shufflevector(w, w, 0, 1, 2, 3) + __builtin_shufflevector(w, w, 4, 5, 6, 7);
        return __builtin_shufflevector(a, b, 0, 1, 4, 5) +
               __builtin_shufflevector(a, b, 2, 3, 6, 7);
    } else {
        Four<T> sum;
        for (int k = 0; k < 4; ++k)
            sum[k] = (tile[k].v[0] + tile[k].v[2]) + (tile[k].v[1] + tile[k].v[3]);
        return sum;
    }
}

/// Sums over the columns of a pack, by row.
template <class T>
SHADOW_PACK Four<T> sum_columns(pack<T, lanes<T>> x) {
    const auto v = x.v;
    if constexpr (lanes<T> == 16) {
        const auto two = __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14) +
                         __builtin_shufflevector(v, v, 1, 3, 5, 7, 9, 11, 13, 15);
        return __builtin_shufflevector(two, two, 0, 2, 4, 6) +
               __builtin_shufflevector(two, two, 1, 3, 5, 7);
    } else if constexpr (lanes<T> == 8) {
        return __builtin_shufflevector(v, v, 0, 2, 4, 6) +
               __builtin_shufflevector(v, v, 1, 3, 5, 7);
    } else {
        return v;
    }
}

#if defined(__AVX512F__)
/// The lanes of `from` with the numbers in `lane`.
template <class T, int N>
SHADOW_PACK pack<T, N> choose_lanes(pack<T, N> from, pack<T, N> lane) {
    using V = typename pack<T, N>::V;
    if constexpr (sizeof(T) == 4)
        return V(
            _mm512_maskz_permutexvar_ps(0xFFFF, _mm512_maskz_cvtps_epi32(0xFFFF, lane.v), from.v));
    else
        return V(_mm512_maskz_permutexvar_pd(0xFF, _mm512_maskz_cvtpd_epi64(0xFF, lane.v), from.v));
}
#endif

#if !defined(__AVX512F__)
namespace detail {
/// Four lanes, true where a bit of the row's number is set.
template <class Integer>
struct FourLanes {
    Integer lane[16][4];
    constexpr FourLanes() : lane{} {
        for (int set = 0; set < 16; ++set)
            for (int k = 0; k < 4; ++k) lane[set][k] = set >> k & 1 ? -1 : 0;
    }
};
template <class Integer>
inline constexpr FourLanes<Integer> four_lanes;
} // namespace detail
#endif

/// The lanes of pack `part` of a tile that are set in `pairs` (cpu::MaskedTile).
template <class T>
SHADOW_PACK typename pack<T, lanes<T>>::Mask chosen_pairs(std::uint16_t pairs, int part) {
#if defined(__AVX512F__)
    if constexpr (across<T> == 4)
        return {pairs};
    else
        return {_pext_u32(pairs, 0x3333U << (2 * part))};
#else
    using Truth = typename pack<T, lanes<T>>::Mask::Truth;
    if constexpr (across<T> == 1) {
        // From a table, since GCC 12 splits comparisons of vectors of two registers. Its row is the
        // number formed by bits 0, 4, 8 and 12.
        const unsigned column = static_cast<unsigned>(pairs) >> part & 0x1111U;
        using Integer = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
        Truth chosen;
        __builtin_memcpy(&chosen, detail::four_lanes<Integer>.lane[column * 0x1248U >> 12 & 0xFU],
                         sizeof(chosen));
        return {chosen};
    } else {
        Truth bit;
        for (int k = 0; k < lanes<T>; ++k)
            bit[k] = 1 << (4 * (k / across<T>)+part * across<T> + k % across<T>);
        return {((Truth{} + pairs) & bit) == bit};
    }
#endif
}

/// Is any lane true?
template <class T, int N>
SHADOW_PACK bool any(mask<T, N> m) {
#if defined(__AVX512F__)
    return m.v != 0;
#else
    std::int64_t joined = 0;
    std::int64_t words[sizeof(m.v) / 8];
    __builtin_memcpy(words, &m.v, sizeof(m.v));
    for (const std::int64_t w : words) joined |= w;
    return joined != 0;
#endif
}

} // namespace shadow::SHADOW_ISA
