// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/pack_math.hpp"
#include "kernels/pack_turn.hpp"
#include "kernels/philox.hpp"

namespace shadow::SHADOW_ISA {

/// The random words of kernels/philox.hpp for N particles at once, and their uniform numbers, with
/// identical bits; normal numbers differ by the rounding of logarithm, cosine and sine.
template <int N>
struct PhiloxPack {
    using P = pack<double, N>;
    using Words = typename P::Bits; ///< lower halves; the upper ones are undefined
    Words x[4];

    SHADOW_PACK PhiloxPack(std::uint64_t seed, std::uint32_t stream, Words id, std::uint64_t step,
                           std::uint32_t block)
        : PhiloxPack(id, Words{} + (stream * 256U + block), step, seed) {}

    /// As that of Philox, with the lower ids and the higher ones.
    static SHADOW_PACK PhiloxPack of_pair(std::uint64_t seed, std::uint32_t stream, Words lower,
                                          Words higher, std::uint64_t step, std::uint32_t block) {
        return {lower, higher, step, seed ^ (std::uint64_t{stream * 256U + block} << 32)};
    }

    /// Word k of each particle.
    SHADOW_PACK void store(int k, std::uint32_t* words) const {
        const auto lower = __builtin_convertvector(x[k], typename native<float, N>::bits);
        __builtin_memcpy(words, &lower, sizeof(lower));
    }

    /// As that of Philox.
    [[nodiscard]] SHADOW_PACK P uniform(int k) const {
        const P high = number(x[2 * k] & word), low = number((x[2 * k + 1] & word) >> 11);
        return ((high * P(0x1p21) + low) + P(0.5)) * P(0x1p-53);
    }

    /// As that of Philox.
    SHADOW_PACK void normal(P& a, P& b) const {
        const P radius = square_root(P(-2.0) * logarithm(uniform(0)));
        P cosine, sine;
        turn(uniform(1), cosine, sine);
        a = radius * cosine;
        b = radius * sine;
    }

  private:
    static constexpr std::uint64_t word = 0xFFFFFFFF;

    SHADOW_PACK PhiloxPack(Words first, Words second, std::uint64_t step, std::uint64_t key)
        : x{first, second, Words{} + static_cast<std::uint32_t>(step), Words{} + (step >> 32)} {
        auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
        for (int round = 0; round < 10; ++round) {
            const Words a = multiply(x[0], 0xD2511F53U), b = multiply(x[2], 0xCD9E8D57U);
            x[0] = (b >> 32) ^ x[1] ^ std::uint64_t{k0};
            x[2] = (a >> 32) ^ x[3] ^ std::uint64_t{k1};
            x[1] = b;
            x[3] = a;
            k0 += 0x9E3779B9U;
            k1 += 0xBB67AE85U;
        }
    }

    /// Integers below 2^52 as numbers.
    static SHADOW_PACK P number(Words integer) {
        constexpr std::uint64_t two52 = 0x4330000000000000;
        return P(reinterpret_cast<typename P::V>(integer | two52)) - P(0x1p52);
    }

    /// The 64-bit products of lower halves.
    static SHADOW_PACK Words multiply(Words a, std::uint32_t by) {
        const Words b = Words{} + std::uint64_t{by};
#if defined(__AVX512F__)
        return reinterpret_cast<Words>(_mm512_maskz_mul_epu32(0xFF, reinterpret_cast<__m512i>(a),
                                                              reinterpret_cast<__m512i>(b)));
#elif defined(__AVX2__)
        return reinterpret_cast<Words>(
            _mm256_mul_epu32(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
#else
        struct Halves {
            __m128i low, high;
        };
        const auto p = __builtin_bit_cast(Halves, a), q = __builtin_bit_cast(Halves, b);
        return __builtin_bit_cast(
            Words, Halves{_mm_mul_epu32(p.low, q.low), _mm_mul_epu32(p.high, q.high)});
#endif
    }
};

/// A pack of normal numbers in single precision, as Philox::normal, from their first words.
struct NormalPack {
    using P = pack<float, lanes<float>>;

    SHADOW_PACK static void make(const std::uint32_t* first, const std::uint32_t* second, float* a,
                                 float* b) {
        const P u = (number(load(first) >> 1) + P(0.5F)) * P(0x1p-31F);
        const P radius = square_root(P(-2.0F) * logarithm(u));
        P cosine, sine;
        turn(number(load(second)) * P(0x1p-32F), cosine, sine);
        (radius * cosine).store(a);
        (radius * sine).store(b);
    }

  private:
    using Bits = typename P::Bits;
    static SHADOW_PACK Bits load(const std::uint32_t* from) {
        Bits bits;
        __builtin_memcpy(&bits, from, sizeof(bits));
        return bits;
    }
    /// For signed integers.
    static SHADOW_PACK P number(Bits bits) {
        using Signed = typename native<float, P::size>::truth;
        return __builtin_convertvector(reinterpret_cast<Signed>(bits), typename P::V);
    }
};

/// Normal numbers of up to `most` particles. Each number is the end of a long chain of operations:
/// all words are computed first, and then the numbers, so that the processor overlaps several
/// chains.
template <int most, int numbers>
struct NormalBlock {
    using P = NormalPack::P;
    static_assert(numbers % 2 == 0 && most % P::size == 0);
    std::uint32_t word[numbers][most] = {};
    float normal[numbers][most];

    template <int N>
    SHADOW_PACK void take(const PhiloxPack<N>& random, int k) {
        for (int d = 0; d < numbers; ++d) random.store(d, word[d] + k);
    }
    /// Makes the numbers of a pack from k on.
    SHADOW_PACK void make(int k) {
        for (int d = 0; d < numbers; d += 2)
            NormalPack::make(word[d] + k, word[d + 1] + k, normal[d] + k, normal[d + 1] + k);
    }
};

} // namespace shadow::SHADOW_ISA
