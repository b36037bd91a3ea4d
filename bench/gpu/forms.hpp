// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/array.hpp"

#include "kernels/pair_force.hpp"

/// Forms of the pair kernel that no run uses, to be measured beside the engine's: Lennard-Jones,
/// one species, mixed precision, forces only, boxes that are periodic in all directions and more
/// than twice as wide as the reach. Both work on positions as fractions of the box of 32 bits,
/// whose differences are those of the nearest images.
namespace shadow::bench {

template <int Dim>
using LiquidForces = PairForcePayload<Dim, float>;

/// Each particle's list of neighbours, gathered through the first-level cache: a lane a particle.
template <int Dim>
class GatheredForces {
  public:
    /// Takes the staged lists of `forces`; throws MachineError if a cluster has none.
    GatheredForces(const Backend& backend, const LiquidForces<Dim>& forces, std::int64_t clusters);
    /// Enqueues the same forces.
    void compute(const LiquidForces<Dim>& forces);
    /// Computed for each particle.
    [[nodiscard]] double pairs() const { return pairs_; }

  private:
    const Backend& backend_;
    std::int64_t clusters_;
    double pairs_ = 0.0;
    Array<std::int32_t> place_;     ///< of particle i from i * stride
    Array<std::int32_t> neighbour_; ///< of lane k of cluster c at [c * max_rows + row][k]
};

/// Each pair once: clusters of 8 particles by 4 particles behind them, the reactions added to sums
/// in fixed point, whose order does not matter.
template <int Dim>
class HalfForces {
  public:
    static constexpr int cluster_size = 8; ///< of the lists of `forces`

    /// Lists of all fours within `reach` of eights, made by trying all.
    HalfForces(const Backend& backend, const LiquidForces<Dim>& forces, std::int64_t clusters,
               double reach);
    void compute(const LiquidForces<Dim>& forces);
    /// Computed for each particle.
    [[nodiscard]] double pairs() const { return pairs_; }

  private:
    static constexpr std::int32_t max_fours = Dim == 3 ? 128 : 48; ///< in the list of an eight
    const Backend& backend_;
    std::int64_t clusters_;
    double pairs_ = 0.0;
    Array<std::int32_t> place_;
    Array<std::uint32_t> four_;
    Array<std::int32_t> four_count_;
    Array<std::int64_t> sum_; ///< of particle i from 4 * i
};

} // namespace shadow::bench
