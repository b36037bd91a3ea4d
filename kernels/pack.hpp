// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <immintrin.h>
#include <type_traits>

/// SIMD numbers over the vector extension of GCC and Clang, with the names of std::simd. Only for
/// files compiled by the host compiler. Each instruction set has its own namespace, named by
/// SHADOW_ISA, so that inline functions of two sets are never the same symbol for the linker.
#if !defined(SHADOW_ISA)
#define SHADOW_ISA baseline
#endif
#define SHADOW_PACK __attribute__((always_inline)) inline

namespace shadow::SHADOW_ISA {

#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif

/// Lanes of the pair kernels. Two doubles would make too small a cluster: SSE uses two registers.
template <class T>
inline constexpr int lanes = vector_bytes == 16 ? 4 : vector_bytes / static_cast<int>(sizeof(T));

/// The native type; GCC drops a dependent vector_size in overload checking, hence one per width.
template <class T, int N>
struct native;
#define SHADOW_NATIVE(T, I, N)                                                                     \
    template <>                                                                                    \
    struct native<T, N> {                                                                          \
        typedef T type __attribute__((vector_size(N * sizeof(T))));                                \
        typedef std::u##I bits __attribute__((vector_size(N * sizeof(T))));                        \
        typedef std::I truth __attribute__((vector_size(N * sizeof(T))));                          \
    };
SHADOW_NATIVE(float, int32_t, 4)
SHADOW_NATIVE(float, int32_t, 8)
SHADOW_NATIVE(float, int32_t, 16)
SHADOW_NATIVE(double, int64_t, 4)
SHADOW_NATIVE(double, int64_t, 8)
#undef SHADOW_NATIVE

/// One truth value per lane: a mask register with AVX-512, else a vector of 0 and -1.
template <class T, int N>
struct mask {
    using Truth = typename native<T, N>::truth;
#if defined(__AVX512F__)
    std::uint32_t v;
    friend SHADOW_PACK mask operator&(mask a, mask b) {
        return {a.v & b.v};
    }
    /// Lanes below `count`.
    static SHADOW_PACK mask first(int count) {
        return {count >= N ? (1U << N) - 1U : (1U << count) - 1U};
    }
    [[nodiscard]] SHADOW_PACK int count() const {
        return __builtin_popcount(v);
    }
#else
    Truth v;
    friend SHADOW_PACK mask operator&(mask a, mask b) {
        return {a.v & b.v};
    }
    static SHADOW_PACK mask first(int count) {
        return {iota() < Truth{} + count};
    }
    static SHADOW_PACK Truth iota() {
        Truth x;
        for (int k = 0; k < N; ++k) x[k] = k;
        return x;
    }
#endif
};

template <class T, int N>
struct pack {
    using Number = T;
    using V = typename native<T, N>::type;
    using Bits = typename native<T, N>::bits;
    using Mask = mask<T, N>;
    static constexpr int size = N;
    V v;

    pack() = default;
    SHADOW_PACK pack(V x) : v(x) {}
    /// The same number in every lane.
    template <class U>
    requires std::is_arithmetic_v<U> SHADOW_PACK explicit pack(U x) : v(static_cast<T>(x) - V{}) {}

    static SHADOW_PACK pack load(const T* p) {
        pack x;
        __builtin_memcpy(&x.v, p, sizeof(V));
        return x;
    }
    SHADOW_PACK void store(T* p) const { __builtin_memcpy(p, &v, sizeof(V)); }

    friend SHADOW_PACK pack operator+(pack a, pack b) { return a.v + b.v; }
    friend SHADOW_PACK pack operator-(pack a, pack b) { return a.v - b.v; }
    friend SHADOW_PACK pack operator*(pack a, pack b) { return a.v * b.v; }
    friend SHADOW_PACK pack operator/(pack a, pack b) { return a.v / b.v; }
    friend SHADOW_PACK pack operator-(pack a) { return -a.v; }

    friend SHADOW_PACK pack abs(pack a) {
        const Bits magnitude = ~((Bits{} + 1) << (8 * static_cast<int>(sizeof(T)) - 1));
        return reinterpret_cast<V>(reinterpret_cast<Bits>(a.v) & magnitude);
    }
#if defined(__AVX512F__)
    friend SHADOW_PACK Mask operator<(pack a, pack b) {
        if constexpr (sizeof(T) == 4)
            return {_mm512_cmp_ps_mask(a.v, b.v, _CMP_LT_OQ)};
        else
            return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ)};
    }
    friend SHADOW_PACK pack select(Mask m, pack a, pack b) {
        if constexpr (sizeof(T) == 4)
            return V(_mm512_mask_blend_ps(static_cast<__mmask16>(m.v), b.v, a.v));
        else
            return V(_mm512_mask_blend_pd(static_cast<__mmask8>(m.v), b.v, a.v));
    }
    friend SHADOW_PACK pack max(pack a, pack b) {
        if constexpr (sizeof(T) == 4)
            return V(_mm512_maskz_max_ps(0xFFFF, a.v, b.v));
        else
            return V(_mm512_maskz_max_pd(0xFF, a.v, b.v));
    }
#else
    // GCC 12 splits vectors of two registers into scalars in comparisons and selections, hence the
    // separate versions.
    friend SHADOW_PACK Mask operator<(pack a, pack b) {
        if constexpr (sizeof(V) > vector_bytes) {
            struct Halves {
                __m128d low, high;
            };
            const auto x = __builtin_bit_cast(Halves, a.v), y = __builtin_bit_cast(Halves, b.v);
            const Halves less{_mm_cmplt_pd(x.low, y.low), _mm_cmplt_pd(x.high, y.high)};
            return {__builtin_bit_cast(typename native<T, N>::truth, less)};
        } else {
            return {a.v < b.v};
        }
    }
    friend SHADOW_PACK pack select(Mask m, pack a, pack b) {
        if constexpr (sizeof(V) > vector_bytes)
            return reinterpret_cast<V>(
                (reinterpret_cast<Bits>(m.v) & reinterpret_cast<Bits>(a.v)) |
                (~reinterpret_cast<Bits>(m.v) & reinterpret_cast<Bits>(b.v)));
        else
            return m.v ? a.v : b.v;
    }
    friend SHADOW_PACK pack max(pack a, pack b) {
        return select(b < a, a, b);
    }
#endif

    /// The largest lane, by halves.
    friend SHADOW_PACK T reduce_max(pack a) {
        T lane[N];
        a.store(lane);
        for (int half = N / 2; half > 0; half /= 2)
            for (int k = 0; k < half; ++k)
                lane[k] = lane[k] > lane[k + half] ? lane[k] : lane[k + half];
        return lane[0];
    }
};

#if defined(__AVX2__) && !defined(__AVX512F__)
namespace detail {
/// For each set of 8 lanes the numbers of its members, one per byte.
struct CompressTable {
    std::uint64_t order[256];
    constexpr CompressTable() : order{} {
        for (unsigned set = 0; set < 256; ++set) {
            int n = 0;
            for (unsigned lane = 0; lane < 8; ++lane)
                if (set >> lane & 1U) order[set] |= std::uint64_t{lane} << (8 * n++);
        }
    }
};
inline constexpr CompressTable compress_table;
/// And the number of members below each lane.
struct ExpandTable {
    std::uint64_t place[256];
    constexpr ExpandTable() : place{} {
        for (unsigned set = 0; set < 256; ++set) {
            unsigned n = 0;
            for (unsigned lane = 0; lane < 8; ++lane) {
                place[set] |= std::uint64_t{n} << (8 * lane);
                n += set >> lane & 1U;
            }
        }
    }
};
inline constexpr ExpandTable expand_table;
} // namespace detail
#endif

/// Stores the chosen lanes of packs contiguously; `store` writes N numbers, of which the first
/// `count` are valid.
template <class T, int N>
struct Compress {
    int count;
#if defined(__AVX512F__)
    mask<T, N> chosen;
    SHADOW_PACK explicit Compress(mask<T, N> m) : count(m.count()), chosen(m) {}
    SHADOW_PACK void store(T* to, pack<T, N> x) const {
        using V = typename pack<T, N>::V;
        if constexpr (sizeof(T) == 4)
            pack<T, N>(V(_mm512_maskz_compress_ps(static_cast<__mmask16>(chosen.v), x.v)))
                .store(to);
        else
            pack<T, N>(V(_mm512_maskz_compress_pd(static_cast<__mmask8>(chosen.v), x.v))).store(to);
    }
#elif defined(__AVX2__)
    __m256i order;
    SHADOW_PACK explicit Compress(mask<T, N> m) {
        const int set = _mm256_movemask_ps(reinterpret_cast<__m256>(m.v));
        count = __builtin_popcount(static_cast<unsigned>(set)) / (static_cast<int>(sizeof(T)) / 4);
        order = _mm256_cvtepu8_epi32(
            _mm_cvtsi64_si128(static_cast<long long>(detail::compress_table.order[set])));
    }
    SHADOW_PACK void store(T* to, pack<T, N> x) const {
        const __m256 moved = _mm256_permutevar8x32_ps(reinterpret_cast<__m256>(x.v), order);
        __builtin_memcpy(to, &moved, sizeof(moved));
    }
#else
    int place[N];
    SHADOW_PACK explicit Compress(mask<T, N> m) : count(0) {
        for (int k = 0; k < N; ++k) {
            place[k] = count;
            count -= static_cast<int>(m.v[k]);
        }
    }
    SHADOW_PACK void store(T* to, pack<T, N> x) const {
        for (int k = 0; k < N; ++k) to[place[k]] = x.v[k];
    }
#endif
};

/// The inverse of Compress: `load` reads N numbers, of which the first `count` go to the chosen
/// lanes; the others are zero.
template <class T, int N>
struct Expand {
    mask<T, N> chosen;
    int count;
#if defined(__AVX512F__)
    SHADOW_PACK explicit Expand(mask<T, N> m) : chosen(m), count(m.count()) {}
    [[nodiscard]] SHADOW_PACK pack<T, N> load(const T* from) const {
        using V = typename pack<T, N>::V;
        const V packed = pack<T, N>::load(from).v;
        if constexpr (sizeof(T) == 4)
            return V(_mm512_maskz_expand_ps(static_cast<__mmask16>(chosen.v), packed));
        else
            return V(_mm512_maskz_expand_pd(static_cast<__mmask8>(chosen.v), packed));
    }
#elif defined(__AVX2__)
    __m256i place;
    SHADOW_PACK explicit Expand(mask<T, N> m) : chosen(m) {
        const int set = _mm256_movemask_ps(reinterpret_cast<__m256>(m.v));
        count = __builtin_popcount(static_cast<unsigned>(set)) / (static_cast<int>(sizeof(T)) / 4);
        place = _mm256_cvtepu8_epi32(
            _mm_cvtsi64_si128(static_cast<long long>(detail::expand_table.place[set])));
    }
    [[nodiscard]] SHADOW_PACK pack<T, N> load(const T* from) const {
        using V = typename pack<T, N>::V;
        const __m256 packed = reinterpret_cast<__m256>(pack<T, N>::load(from).v);
        const __m256 moved = _mm256_permutevar8x32_ps(packed, place);
        return select(chosen, pack<T, N>(reinterpret_cast<V>(moved)), pack<T, N>(0));
    }
#else
    int place[N];
    SHADOW_PACK explicit Expand(mask<T, N> m) : chosen(m), count(0) {
        for (int k = 0; k < N; ++k) {
            place[k] = count;
            count -= static_cast<int>(m.v[k]);
        }
    }
    [[nodiscard]] SHADOW_PACK pack<T, N> load(const T* from) const {
        pack<T, N> x;
        for (int k = 0; k < N; ++k) x.v[k] = from[place[k]];
        return select(chosen, x, pack<T, N>(0));
    }
#endif
};

} // namespace shadow::SHADOW_ISA
