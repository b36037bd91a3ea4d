// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/cuda/warp.hpp"
#include "kernels/staged.hpp"

#include <cstdint>

/// The order in which a particle of a staged list goes through its members. Eight lanes read
/// members of 16 bytes from shared memory together, each from its bank group, member mod 8: members
/// of one group are read one after another (a bank conflict). So lane l takes its entry of row r
/// from group (r + l) mod 8, or from the next one that has entries left (bench/README.md).
namespace shadow::cuda {

/// In one and two dimensions the lists of neighbouring particles largely coincide, and in ascending
/// order lanes read the same members.
template <int Dim>
inline constexpr int bank_groups = Dim == 3 ? 8 : 1;

/// The shared memory of a warp: whether lane l interacts with the members of a group, 32 of them in
/// words[group * words_of_group + k][l], the lowest bit first.
template <int Dim>
struct BankOrderMemory {
    std::uint32_t words[staged_members<Dim> / warp::lanes][warp::lanes];
    std::uint32_t near[2 * warp::lanes]; ///< of members, the lanes that they interact with
};

template <int Dim>
class BankOrder {
  public:
    using Memory = BankOrderMemory<Dim>;

    SHADOW_DEVICE BankOrder(Memory& memory, int lane)
        : memory_(memory), lane_(lane),
          turn_(static_cast<unsigned>(lane) % groups * words_of_group) {}

    /// Records which lanes interact with member m, for other lanes to read after the next
    /// warp::sync().
    SHADOW_DEVICE void note(std::int32_t m, std::uint32_t lanes) {
        const auto place = static_cast<unsigned>(m) % warp::lanes;
        memory_.near[(m & warp::lanes) + place_in_word(place)] = lanes;
    }

    /// Called by all lanes when members up to `count` have been recorded, at most 32 since the last
    /// call. `last`: there are no more.
    SHADOW_DEVICE void take(std::int32_t count, bool last) {
        if (count - taken_ >= warp::lanes) take_block(warp::lanes);
        if (!last) return;
        if (count > taken_) take_block(static_cast<unsigned>(count - taken_));
        if (blocks_ % groups != 0) store_words();
    }

    /// Members with which this lane interacts.
    [[nodiscard]] SHADOW_DEVICE std::int32_t size() const { return size_; }

    /// The next member, or `none` if there are no more.
    [[nodiscard]] SHADOW_DEVICE std::int32_t next(std::int32_t none) {
        std::int32_t member = none;
        if (left_ != 0) {
            const auto ahead = static_cast<unsigned>(warp::lowest(left_ >> turn_));
            const unsigned which = (turn_ + ahead) % all_words;
            const std::uint32_t bits = memory_.words[which][lane_], rest = bits & (bits - 1);
            memory_.words[which][lane_] = rest;
            if (rest == 0) left_ &= ~(twice << which);
            const unsigned place =
                which % words_of_group * warp::lanes + static_cast<unsigned>(warp::lowest(bits));
            member = static_cast<std::int32_t>(place * groups + which / words_of_group);
        }
        turn_ = (turn_ + words_of_group) % all_words;
        return member;
    }

  private:
    static constexpr unsigned groups = bank_groups<Dim>;
    static constexpr unsigned all_words = staged_members<Dim> / warp::lanes;
    static constexpr unsigned words_of_group = all_words / groups;
    static constexpr unsigned bits_of_group = warp::lanes / groups; ///< in a block of 32 members
    /// Bits of words twice, so that they can be scanned cyclically from any of them.
    static constexpr std::uint32_t twice = 1u | std::uint32_t{1} << all_words;
    static_assert(2 * all_words <= 32 && all_words % groups == 0);

    /// The bit of member `place` of a block in a word, in which the members of a group are
    /// adjacent.
    SHADOW_DEVICE static unsigned place_in_word(unsigned place) {
        return place % groups * bits_of_group + place / groups;
    }
    SHADOW_DEVICE static unsigned place_in_block(unsigned bit) {
        return bit % bits_of_group * groups + bit / bits_of_group;
    }

    SHADOW_DEVICE void take_block(unsigned count) {
        const bool noted = place_in_block(static_cast<unsigned>(lane_)) < count;
        const std::uint32_t lanes = noted ? memory_.near[(taken_ & warp::lanes) + lane_] : 0u;
        const std::uint32_t members = warp::transpose(lanes, lane_);
        size_ += warp::population(members);
        // The bits of each group are shifted in from above.
        for (unsigned g = 0; g < groups; ++g)
            word_[g] = static_cast<std::uint32_t>(
                (std::uint64_t{members >> g * bits_of_group} << 32 | word_[g]) >> bits_of_group);
        taken_ += static_cast<std::int32_t>(count);
        if (++blocks_ % groups == 0) store_words();
    }

    SHADOW_DEVICE void store_words() {
        const unsigned k = (blocks_ - 1) / groups;
        const unsigned missing = (groups - 1 - (blocks_ - 1) % groups) * bits_of_group;
        for (unsigned g = 0; g < groups; ++g) {
            const std::uint32_t word = word_[g] >> missing;
            memory_.words[g * words_of_group + k][lane_] = word;
            if (word != 0) left_ |= twice << (g * words_of_group + k);
            word_[g] = 0;
        }
    }

    Memory& memory_;
    int lane_;
    unsigned turn_;          ///< first word of the group whose turn it is
    std::int32_t taken_ = 0; ///< members
    unsigned blocks_ = 0;    ///< of 32 of them
    std::int32_t size_ = 0;
    std::uint32_t word_[groups] = {}; ///< of the groups, not yet in memory
    std::uint32_t left_ = 0;          ///< which words have bits, twice over
};

} // namespace shadow::cuda
