// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/all_pairs.hpp"

#include <cstring>

namespace shadow::cuda {

/// Written and read in one access.
struct alignas(16) PositionPart {
    std::uint32_t word[4];
};

/// The position of a particle as the blocks of the persistent kernel publish it. Each part carries
/// the tag of its round: once all parts have the expected tag the position is complete, so a block
/// waits only for the positions that it reads.
template <int Dim, class Pair>
class PublishedPosition {
  public:
    /// Words of the coordinates, three in each part; the fourth word has the label and the tag.
    static constexpr int words = Dim * static_cast<int>(sizeof(Pair)) / 4;
    static constexpr int parts = (words + 2) / 3;
    PositionPart part[parts];

    PublishedPosition() = default;
    SHADOW_DEVICE PublishedPosition(const BoxPosition<Dim, Pair>& position, std::uint32_t tag) {
        std::uint32_t x[3 * parts] = {};
        std::memcpy(x, position.x, sizeof position.x);
        for (int k = 0; k < parts; ++k)
            part[k] = {{x[3 * k], x[3 * k + 1], x[3 * k + 2], position.label | tag_bits(tag)}};
    }
    [[nodiscard]] SHADOW_DEVICE BoxPosition<Dim, Pair> position() const {
        std::uint32_t x[3 * parts];
        for (int k = 0; k < 3 * parts; ++k) x[k] = part[k / 3].word[k % 3];
        BoxPosition<Dim, Pair> found;
        std::memcpy(found.x, x, sizeof found.x);
        found.label = part[0].word[3] & ~tag_bits(~0u);
        return found;
    }
    [[nodiscard]] SHADOW_DEVICE bool has_tag(std::uint32_t tag) const {
        bool all = true;
        for (int k = 0; k < parts; ++k)
            all = all && (part[k].word[3] & tag_bits(~0u)) == tag_bits(tag);
        return all;
    }

  private:
    /// Between the bits of the species and the highest bit, which marks a lost particle.
    [[nodiscard]] SHADOW_DEVICE static constexpr std::uint32_t tag_bits(std::uint32_t tag) {
        return (tag & 0x7FFFu) << 16;
    }
};

} // namespace shadow::cuda
