// SPDX-License-Identifier: BSD-3-Clause
#include "fractions.cuh"

#include "shadow/core/error.hpp"

#include <algorithm>

namespace shadow::bench {

namespace {

constexpr int eight = 8, four = 4;
static_assert(eight * four == warp::lanes);
/// Forces in fixed point: to 2^-36, up to 1.3e8.
constexpr double fixed_unit = 68719476736.0;

/// Half the lengths of the box around particles [begin, end), and its centre.
template <int Dim>
struct Bounds {
    float centre[Dim], half[Dim];
    SHADOW_DEVICE Bounds(const LiquidForces<Dim>& forces, std::int64_t begin, std::int64_t end) {
        for (int d = 0; d < Dim; ++d) {
            const double* x = forces.particles.position.component[d];
            double low = x[begin], high = low;
            for (std::int64_t i = begin + 1; i < end; ++i) {
                low = std::fmin(low, x[i]);
                high = std::fmax(high, x[i]);
            }
            centre[d] = static_cast<float>(0.5 * (low + high) - forces.particles.box->origin[d]);
            half[d] = static_cast<float>(0.5 * (high - low));
        }
    }
    SHADOW_DEVICE bool within(const Bounds& other, const BoxView<Dim>& box, float reach) const {
        float sum = 0;
        for (int d = 0; d < Dim; ++d) {
            const auto length = static_cast<float>(box.length[d]);
            float apart = std::fabs(centre[d] - other.centre[d]);
            apart = std::fmin(apart, length - apart) - half[d] - other.half[d];
            apart = std::fmax(apart, 0.0f);
            sum += apart * apart;
        }
        return sum < reach * reach;
    }
};

/// Up to four particles: the first and, from bit 30 on, how many there are beside it.
constexpr int four_bits = 30;

/// Of four q, which is half of cluster q / 2; empty where end <= begin.
struct FourRange {
    std::int64_t begin, end;
    SHADOW_DEVICE FourRange(const PairListView& list, std::int64_t q)
        : begin(list.cluster_begin[q / 2] + q % 2 * four), end(list.cluster_end[q / 2]) {
        if (end > begin + four) end = begin + four;
    }
};

/// Whether any of [begin, end) is within reach of any particle of the range.
template <int Dim>
SHADOW_DEVICE bool anyone_within(const LiquidForces<Dim>& forces, std::int32_t begin,
                                 std::int32_t end, const FourRange& range, double reach) {
    bool found = false;
    for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t j = range.begin; j < range.end; ++j) {
            double r2 = 0.0;
            for (int d = 0; d < Dim; ++d) {
                const double* x = forces.particles.position.component[d];
                const double apart = std::fabs(x[i] - x[j]);
                const double nearest = std::fmin(apart, forces.particles.box->length[d] - apart);
                r2 += nearest * nearest;
            }
            found |= r2 < reach * reach;
        }
    return found;
}

/// The fours within reach that hold no particle before the eight; one block an eight.
template <int Dim>
__global__ void list_fours(const __grid_constant__ LiquidForces<Dim> forces, float reach,
                           std::int32_t most, std::uint32_t* fours, std::int32_t* count) {
    const PairListView& list = forces.list;
    const std::int64_t own = blockIdx.x, all = 2 * std::int64_t{*list.cluster_count};
    if (2 * own >= all) return;
    const Bounds<Dim> mine(forces, list.cluster_begin[own], list.cluster_end[own]);
    std::int32_t kept = 0;
    for (std::int64_t base = 2 * own; base < all; base += warp::lanes) {
        const std::int64_t q = base + threadIdx.x;
        const FourRange range(list, q < all ? q : 0);
        const bool close = q < all && range.begin < range.end &&
                           mine.within(Bounds<Dim>(forces, range.begin, range.end),
                                       *forces.particles.box, reach) &&
                           anyone_within(forces, list.cluster_begin[own], list.cluster_end[own],
                                         range, static_cast<double>(reach));
        const std::uint32_t survivors = warp::ballot(close);
        const std::int32_t at = kept + warp::rank(survivors, static_cast<int>(threadIdx.x));
        if (close && at < most)
            fours[own * most + at] = static_cast<std::uint32_t>(range.begin) |
                                     static_cast<std::uint32_t>(range.end - range.begin - 1)
                                         << four_bits;
        kept += warp::population(survivors);
    }
    if (threadIdx.x == 0) count[own] = kept;
}

SHADOW_DEVICE void add_fixed(std::int64_t* target, float force) {
    atomicAdd(
        reinterpret_cast<unsigned long long*>(target),
        static_cast<unsigned long long>(__double2ll_rn(static_cast<double>(force) * fixed_unit)));
}

/// Sums each of four numbers over eight lanes next to each other; of lanes with the same lane % 4
/// each has the sum of that number.
SHADOW_DEVICE float sum_of_eight(float (&x)[4], int lane) {
    const bool odd = lane & 1, upper = lane & 2;
    float low = odd ? x[1] : x[0], high = odd ? x[3] : x[2];
    low += warp::shuffle_xor(odd ? x[0] : x[1], 1);
    high += warp::shuffle_xor(odd ? x[2] : x[3], 1);
    float sum = upper ? high : low;
    sum += warp::shuffle_xor(upper ? low : high, 2);
    return sum + warp::shuffle_xor(sum, 4);
}

/// A warp an eight: lane % 8 is one of its particles, lane / 8 one of four others.
template <int Dim>
__global__ void __launch_bounds__(block_threads, 8)
    sum_half(const __grid_constant__ LiquidForces<Dim> forces,
             const Fraction<Dim>* __restrict__ place, std::int32_t most,
             const std::uint32_t* __restrict__ fours, const std::int32_t* __restrict__ count,
             std::int64_t* sum) {
    const int lane = static_cast<int>(threadIdx.x) % warp::lanes;
    const std::int64_t own = std::int64_t{blockIdx.x} * block_warps + threadIdx.x / warp::lanes;
    const PairListView& list = forces.list;
    if (own >= *list.cluster_count) return;
    const std::int32_t i = list.cluster_begin[own] + lane % eight, end = list.cluster_end[own];
    const Rule law(forces);
    const float cutoff2 = law.cutoff2();
    const Scale<Dim> scale(*forces.particles.box);
    const Fraction<Dim> mine = place[i < end ? i : end - 1];
    float total[4] = {};
    const std::int32_t entries = count[own];
    const std::uint32_t* entry = fours + own * most;
    std::uint32_t next = *entry;
    for (std::int32_t k = 0; k < entries; ++k) {
        const auto first = static_cast<std::int32_t>(next & ((1u << four_bits) - 1u));
        const auto beside = static_cast<std::int32_t>(next >> four_bits);
        next = *++entry; // there is room behind the last
        const int slot = lane / eight;
        const std::int32_t j = first + (slot < beside ? slot : beside);
        float r[Dim];
        scale.distance(mine, Fraction<Dim>::load(place + j), r);
        PairSums<Dim, float> part;
        const bool masked = j <= i || slot > beside || i >= end;
        cuda::add_at<false, false>(law, cutoff2, r, 0, 0, masked, part);
        float reaction[4] = {};
        for (int d = 0; d < Dim; ++d) {
            total[d] += part.force[d];
            reaction[d] = -part.force[d];
        }
        const float whole = sum_of_eight(reaction, lane);
        if (lane % eight < Dim && slot <= beside)
            add_fixed(sum + 4 * std::int64_t{j} + lane % four, whole);
    }
    for (int d = 0; d < Dim; ++d)
        for (int mask = eight; mask < warp::lanes; mask *= 2)
            total[d] += warp::shuffle_xor(total[d], mask);
    if (lane < eight && i < end)
        for (int d = 0; d < Dim; ++d) add_fixed(sum + 4 * std::int64_t{i} + d, total[d]);
}

/// Sums become forces, and zero.
template <int Dim>
__global__ void collect(const __grid_constant__ LiquidForces<Dim> forces, std::int64_t* sum) {
    const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
    if (i >= forces.particles.size) return;
    PairSums<Dim, double> sums;
    for (int d = 0; d < Dim; ++d) {
        sums.force[d] = static_cast<double>(sum[4 * i + d]) / fixed_unit;
        sum[4 * i + d] = 0;
    }
    cuda::store<Dim, float, false>(forces, static_cast<std::int32_t>(i), sums, false);
}

} // namespace

template <int Dim>
HalfForces<Dim>::HalfForces(const Backend& backend, const LiquidForces<Dim>& forces,
                            std::int64_t clusters, double reach)
    : backend_(backend), clusters_(clusters),
      place_(backend, static_cast<std::size_t>(forces.particles.size * fraction_words<Dim>)),
      four_(backend, static_cast<std::size_t>(clusters * max_fours + 1)),
      four_count_(backend, static_cast<std::size_t>(clusters)),
      sum_(backend, static_cast<std::size_t>(4 * forces.particles.size)) {
    cuda::enqueue(cuda::stream_of(backend.stream()), list_fours<Dim>,
                  static_cast<unsigned>(clusters), warp::lanes, nullptr, forces,
                  static_cast<float>(reach), max_fours, four_.data(), four_count_.data());
    const auto counts = four_count_.to_host();
    if (*std::max_element(counts.begin(), counts.end()) > max_fours)
        throw MachineError("a list of fours is too long (the system is too dense); measure a "
                           "system of lower density");
    for (const std::int32_t count : counts) pairs_ += eight * four * static_cast<double>(count);
    pairs_ /= static_cast<double>(forces.particles.size);
}

template <int Dim>
void HalfForces<Dim>::compute(const LiquidForces<Dim>& forces) {
    cuda::Stream& stream = cuda::stream_of(backend_.stream());
    const auto* at = place<Dim>(backend_, forces, place_);
    cuda::enqueue(stream, sum_half<Dim>, blocks_for(clusters_ * warp::lanes), block_threads,
                  nullptr, forces, at, max_fours, four_.data(), four_count_.data(), sum_.data());
    cuda::enqueue(stream, collect<Dim>, blocks_for(forces.particles.size), block_threads, nullptr,
                  forces, sum_.data());
}

template class HalfForces<2>;
template class HalfForces<3>;

} // namespace shadow::bench
