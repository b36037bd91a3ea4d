// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/all_pairs.hpp"

#include <cstring>

namespace shadow::cuda {

/// What is written and read at once.
struct alignas(16) ToldPart {
    std::uint32_t word[4];
};

/// What the blocks of the persistent kernel tell each other of a particle: where it is, and the
/// turn, a number which each part carries. Who finds it in all parts has the whole, so no block
/// waits for more than what it reads.
template <int Dim, class Pair>
class ToldPlace {
  public:
    /// Words of the coordinates, three a part; the fourth says whose they are.
    static constexpr int words = Dim * static_cast<int>(sizeof(Pair)) / 4;
    static constexpr int parts = (words + 2) / 3;
    ToldPart part[parts];

    ToldPlace() = default;
    SHADOW_DEVICE ToldPlace(const BoxPosition<Dim, Pair>& place, std::uint32_t turn) {
        std::uint32_t x[3 * parts] = {};
        std::memcpy(x, place.x, sizeof place.x);
        for (int k = 0; k < parts; ++k)
            part[k] = {{x[3 * k], x[3 * k + 1], x[3 * k + 2], place.label | turn_bits(turn)}};
    }
    [[nodiscard]] SHADOW_DEVICE BoxPosition<Dim, Pair> place() const {
        std::uint32_t x[3 * parts];
        for (int k = 0; k < 3 * parts; ++k) x[k] = part[k / 3].word[k % 3];
        BoxPosition<Dim, Pair> found;
        std::memcpy(found.x, x, sizeof found.x);
        found.label = part[0].word[3] & ~turn_bits(~0u);
        return found;
    }
    [[nodiscard]] SHADOW_DEVICE bool is_of(std::uint32_t turn) const {
        bool all = true;
        for (int k = 0; k < parts; ++k)
            all = all && (part[k].word[3] & turn_bits(~0u)) == turn_bits(turn);
        return all;
    }

  private:
    /// Between those of the species and the highest, that of a lost particle.
    [[nodiscard]] SHADOW_DEVICE static constexpr std::uint32_t turn_bits(std::uint32_t turn) {
        return (turn & 0x7FFFu) << 16;
    }
};

} // namespace shadow::cuda
