// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/all_pairs.hpp"
#include "kernels/cuda/pair_cluster.hpp"

#include <type_traits>

/// The pair forces of a small system in a periodic box, from all pairs and without lists: a block
/// of warps sums those on a few particles, which all of its threads share. It loads the positions
/// of all particles into shared memory, a tile of them at a time. In a fixed order: the bits depend
/// only on the order of the particles.
namespace shadow::cuda {

/// Warps of a block; fewer on an emulated GPU, which runs threads one after another.
inline constexpr int all_pairs_warps = 16;
inline constexpr int all_pairs_threads = all_pairs_warps * warp::lanes;

/// The position of a particle, for nearest images: in float as a fraction of the box lengths in
/// 2^-32, whose differences wrap as periodic images do and are exact; in double unchanged.
template <int Dim, class Pair>
struct alignas(sizeof(Pair) * Dim + 4 > 8 ? 16 : 8) BoxPosition {
    using Number = std::conditional_t<sizeof(Pair) == 4, std::uint32_t, double>;
    static constexpr std::uint32_t lost = std::uint32_t{1} << 31;

    Number x[Dim];
    std::uint32_t label; ///< species, and whether the particle is lost: it acts on no others

    [[nodiscard]] SHADOW_DEVICE std::int32_t species() const {
        return static_cast<std::int32_t>(label & 0xFFFF);
    }
    [[nodiscard]] SHADOW_DEVICE bool is_lost() const { return (label & lost) != 0; }
};

/// Positions in a periodic box, and separations of nearest images.
template <int Dim, class Pair>
class NearestImages {
  public:
    SHADOW_DEVICE explicit NearestImages(const BoxView<Dim>& box) {
        for (int d = 0; d < Dim; ++d) {
            const double unit = sizeof(Pair) == 4 ? fractions : 1.0;
            origin_[d] = box.origin[d];
            per_length_[d] = unit / box.length[d];
            length_[d] = static_cast<Pair>(box.length[d] / unit);
            rest_[d] = static_cast<Pair>(box.length[d] / unit - static_cast<double>(length_[d]));
        }
    }

    SHADOW_DEVICE BoxPosition<Dim, Pair> position(const ParticlesView<Dim>& particles,
                                                  std::int64_t i, bool one_species) const {
        double x[Dim];
        for (int d = 0; d < Dim; ++d) x[d] = particles.position.component[d][i];
        return position(x, one_species ? 0u : particles.species[i]);
    }
    SHADOW_DEVICE BoxPosition<Dim, Pair> position(const double (&x)[Dim],
                                                  std::uint32_t species) const {
        BoxPosition<Dim, Pair> found;
        found.label = species;
        for (int d = 0; d < Dim; ++d) {
            const double within = (x[d] - origin_[d]) * per_length_[d];
            const bool sound = std::fabs(within) < farthest;
            if (!sound) found.label |= BoxPosition<Dim, Pair>::lost;
            if constexpr (sizeof(Pair) == 4)
                found.x[d] = static_cast<std::uint32_t>(std::llrint(sound ? within : 0.0));
            else
                found.x[d] = sound ? x[d] : 0.0;
        }
        return found;
    }

    /// From b to a.
    SHADOW_DEVICE void separation(const BoxPosition<Dim, Pair>& a, const BoxPosition<Dim, Pair>& b,
                                  Pair (&r)[Dim]) const {
        for (int d = 0; d < Dim; ++d) {
            if constexpr (sizeof(Pair) == 4) {
                const auto x = static_cast<float>(static_cast<std::int32_t>(a.x[d] - b.x[d]));
                r[d] = std::fma(length_[d], x, rest_[d] * x);
            } else {
                const double x = a.x[d] - b.x[d];
                r[d] = x - length_[d] * (x * per_length_[d] + to_whole - to_whole);
            }
        }
    }

  private:
    static constexpr double fractions = 4294967296.0; ///< of a box length
    /// A particle this many box lengths away is lost: its fractions still fit into 64 bits.
    static constexpr double farthest = 1e8 * (sizeof(Pair) == 4 ? fractions : 1.0);
    /// 1.5 * 2^52: adding it rounds to an integer.
    static constexpr double to_whole = 6755399441055744.0;

    double origin_[Dim], per_length_[Dim];
    Pair length_[Dim]; ///< of the box, or of a fraction of it
    /// The rounding error of the length; without it all separations would be wrong by one factor.
    Pair rest_[Dim];
};

/// The shared memory of a block.
template <int Dim, class Pair, bool WithEnergy, int Warps>
union AllPairsMemory {
    static constexpr int tile_positions = 32768 / sizeof(BoxPosition<Dim, Pair>);
    BoxPosition<Dim, Pair> tile[tile_positions];
    double sum[Warps][summed_numbers<Dim, WithEnergy>][warp::lanes];
};

template <int Dim, class Pair, class Rule, bool WithEnergy, int Warps = all_pairs_warps>
class AllPairsBlock {
  public:
    using Payload = PairForcePayload<Dim, Pair>;
    using Memory = AllPairsMemory<Dim, Pair, WithEnergy, Warps>;
    static constexpr int threads = Warps * warp::lanes;

    SHADOW_DEVICE AllPairsBlock(const Payload& payload, const Rule& law, Memory& memory,
                                std::int64_t block, int thread)
        : payload_(payload), law_(law), memory_(memory), nearest_(*payload.particles.box),
          block_(block), thread_(thread), own_(all_pairs_own(payload.particles.size)) {}

    /// The force on the particles of this block. `sync` is a barrier for all threads of the block;
    /// `position(j)` is that of particle j.
    template <class Sync, class GetPosition>
    SHADOW_DEVICE void sum(const Sync& sync, const GetPosition& position) {
        const auto n = static_cast<std::int32_t>(payload_.particles.size);
        const std::int32_t i = first() + thread_ % own_;
        sums_ = {};
        load(0, position);
        sync();
        const std::int32_t at = i < n ? i : n - 1;
        mine_ = at < Memory::tile_positions ? memory_.tile[at] : position(at);
        add_tile(0, i);
        for (std::int32_t from = Memory::tile_positions; from < n; from += Memory::tile_positions) {
            sync(); // the last tile has been read
            load(from, position);
            sync();
            add_tile(from, i);
        }
        reduce(sync);
        if (thread_ < warp::lanes) finish(i < n && thread_ < own_, i);
    }

    [[nodiscard]] SHADOW_DEVICE const NearestImages<Dim, Pair>& nearest() const { return nearest_; }
    /// The first particle of the block, and their number.
    [[nodiscard]] SHADOW_DEVICE std::int32_t first() const {
        return static_cast<std::int32_t>(block_) * own_;
    }
    [[nodiscard]] SHADOW_DEVICE int own() const { return own_; }

  private:
    /// Loads a tile of positions into shared memory.
    template <class GetPosition>
    SHADOW_DEVICE void load(std::int32_t from, const GetPosition& position) {
        for (std::int32_t k = thread_; k < count(from); k += threads)
            memory_.tile[k] = position(from + k);
    }
    [[nodiscard]] SHADOW_DEVICE std::int32_t count(std::int32_t from) const {
        const auto rest = static_cast<std::int32_t>(payload_.particles.size) - from;
        return rest < Memory::tile_positions ? rest : Memory::tile_positions;
    }

    /// Few particles are within the cut-off. Those among up to 32 positions are found before forces
    /// are summed, so that a warp loops only as often as the largest number found by one of its
    /// threads, whatever the order of particles.
    SHADOW_DEVICE void add_tile(std::int32_t from, std::int32_t i) {
        const Pair cutoff2 = law_.cutoff2();
        const std::int32_t end = count(from), stride = threads / own_;
        PairSums<Dim, Pair> part;
        for (std::int32_t first = thread_ / own_; first < end; first += 32 * stride) {
            std::uint32_t near = find_near(first, stride, end, i - from);
            for (; near != 0; near &= near - 1) {
                const BoxPosition<Dim, Pair> other =
                    memory_.tile[first + warp::lowest(near) * stride];
                Pair r[Dim];
                nearest_.separation(mine_, other, r);
                add_at<false, WithEnergy>(law_, cutoff2, r, mine_.species(), other.species(), false,
                                          part);
            }
        }
        join<WithEnergy>(sums_, part);
    }
    /// A bit for each of up to 32 positions before `end`. `self` is that of the particle itself.
    SHADOW_DEVICE std::uint32_t find_near(std::int32_t first, std::int32_t stride, std::int32_t end,
                                          std::int32_t self) const {
        const Pair cutoff2 = law_.cutoff2();
        std::uint32_t near = 0, bit = 1;
        SHADOW_UNROLL
        for (std::int32_t k = first; k < end && bit != 0; k += stride, bit <<= 1) {
            const BoxPosition<Dim, Pair> other = memory_.tile[k];
            Pair r[Dim];
            nearest_.separation(mine_, other, r);
            if (square<Dim>(r) < cutoff2 && k != self && !other.is_lost()) near |= bit;
        }
        return near;
    }

    /// The first threads get the sums of all threads for their particles.
    template <class Sync>
    SHADOW_DEVICE void reduce(const Sync& sync) {
        for (int mask = own_; mask < warp::lanes; mask *= 2)
            each_number<WithEnergy>(
                sums_, [&](int, double& value) { value += warp::shuffle_xor(value, mask); });
        sync(); // the last tile has been read
        const int w = thread_ / warp::lanes, lane = thread_ % warp::lanes;
        if (lane < own_)
            each_number<WithEnergy>(sums_,
                                    [&](int k, double& value) { memory_.sum[w][k][lane] = value; });
        sync();
        if (thread_ >= own_) return;
        for (int other = 1; other < Warps; ++other)
            each_number<WithEnergy>(
                sums_, [&](int k, double& value) { value += memory_.sum[other][k][thread_]; });
    }

    /// Called by the first warp.
    SHADOW_DEVICE void finish(bool present, std::int32_t i) {
        if (present) store<Dim, Pair, WithEnergy>(payload_, i, sums_, mine_.is_lost());
        if constexpr (WithEnergy)
            if (payload_.energy)
                store_virial<Dim>(payload_.parts[block_], sums_.virial, present, thread_);
    }

    const Payload& payload_;
    const Rule& law_;
    Memory& memory_;
    NearestImages<Dim, Pair> nearest_;
    std::int64_t block_;
    int thread_, own_;
    BoxPosition<Dim, Pair> mine_;
    PairSums<Dim, double> sums_;
};

} // namespace shadow::cuda
