// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// The uses of random numbers; part of the Philox counter, so that no two uses share a sequence.
enum class RandomStream : std::uint32_t {
    velocities = 1,
    jitter = 2,
    placement = 3,
    species = 4,
    wave_vectors = 5,
    orientations = 6,
    barostat = 7,
    rescaling = 8,
    nose_hoover = 9,
    langevin = 16,              ///< 16 + k for the k-th bath flow of a step
    rescaling_of_species = 256, ///< 256 + k for species k
};

/// Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011): four random words from the counter (particle
/// id, stream and block, step) and the key `seed`. The same on every backend and thread count.
/// `block` < 256 numbers the draws of one particle in one step.
struct Philox {
    std::uint32_t x[4];

    SHADOW_INLINE Philox(std::uint64_t seed, std::uint32_t stream, std::uint32_t id,
                         std::uint64_t step, std::uint32_t block = 0)
        : Philox(Counter{id, stream * 256u + block, step}, seed) {}

    /// The same for two particles, in either order: both ids are in the counter, and stream and
    /// block in the key.
    static SHADOW_INLINE Philox of_pair(std::uint64_t seed, std::uint32_t stream, std::uint32_t a,
                                        std::uint32_t b, std::uint64_t step,
                                        std::uint32_t block = 0) {
        return {Counter{a < b ? a : b, a < b ? b : a, step},
                seed ^ (std::uint64_t{stream * 256u + block} << 32)};
    }

    /// Uniform in (0, 1), 53 bits, from words 2k and 2k+1; k is 0 or 1.
    SHADOW_INLINE double uniform(int k) const {
        const std::uint64_t bits = (std::uint64_t{x[2 * k]} << 32) | x[2 * k + 1];
        return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53;
    }

    /// Two independent standard normal numbers (Box and Muller 1958).
    SHADOW_INLINE void normal(double& a, double& b) const {
        const double radius = sqrt(-2.0 * std::log(uniform(0)));
        const double angle = 6.283185307179586476925 * uniform(1);
        a = radius * cos(angle);
        b = radius * sin(angle);
    }

    /// Two normal numbers in single precision, none beyond 6.7, from words 2k and 2k+1: for noise,
    /// of which a run needs many.
    SHADOW_INLINE void normal(float& a, float& b, int k = 0) const {
        const float u = (static_cast<float>(x[2 * k] >> 1) + 0.5F) * 0x1p-31F;
        const float turns = static_cast<float>(static_cast<std::int32_t>(x[2 * k + 1])) * 0x1p-32F;
        const float radius = sqrtf(-2.0F * logf(u)), angle = 6.28318531F * turns;
        a = radius * cosf(angle);
        b = radius * sinf(angle);
    }

    /// All four.
    SHADOW_INLINE void normals(float (&z)[4]) const {
        normal(z[0], z[1], 0);
        normal(z[2], z[3], 1);
    }

  private:
    struct Counter {
        std::uint32_t first, second;
        std::uint64_t step;
    };

    SHADOW_INLINE Philox(const Counter& counter, std::uint64_t key)
        : x{counter.first, counter.second, static_cast<std::uint32_t>(counter.step),
            static_cast<std::uint32_t>(counter.step >> 32)} {
        std::uint32_t k0 = static_cast<std::uint32_t>(key);
        std::uint32_t k1 = static_cast<std::uint32_t>(key >> 32);
        for (int round = 0; round < 10; ++round) {
            const std::uint64_t a = std::uint64_t{0xD2511F53u} * x[0];
            const std::uint64_t b = std::uint64_t{0xCD9E8D57u} * x[2];
            const std::uint32_t x1 = x[1], x3 = x[3];
            x[0] = static_cast<std::uint32_t>(b >> 32) ^ x1 ^ k0;
            x[1] = static_cast<std::uint32_t>(b);
            x[2] = static_cast<std::uint32_t>(a >> 32) ^ x3 ^ k1;
            x[3] = static_cast<std::uint32_t>(a);
            k0 += 0x9E3779B9u;
            k1 += 0xBB67AE85u;
        }
    }
};

} // namespace shadow
