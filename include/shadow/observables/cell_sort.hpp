// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/particle_system.hpp"

#include "kernels/ops/cells.hpp"

namespace shadow {

/// Sorts the particles of a periodic box by species and cell, so that all pairs up to a radius can
/// be visited: for observables that use pairs without a neighbour list.
template <int Dim>
class CellSort {
  public:
    /// The number of particles whose pairs are visited in a measurement that may use a part of the
    /// system.
    static constexpr std::int64_t max_origins = 32768;

    /// `radius`: at most half the shortest length of the box.
    CellSort(const Box<Dim>& box, double radius, std::int64_t particles, std::size_t species);

    /// The number of parts into which a system should be divided, to be measured in turn.
    [[nodiscard]] std::int32_t parts() const noexcept { return parts_; }
    /// Enqueues the sort, particles of a cell by memory index; the pairs returned are those of all
    /// cells.
    [[nodiscard]] CellPairs<Dim> sort(ParticleSystem<Dim>& system);
    /// In backend memory: the particle at each position of the sorted order. Valid after `sort`.
    [[nodiscard]] const std::int32_t* index() const { return index_.data(); }

  private:
    std::size_t species_;
    std::int32_t parts_;
    CellPairs<Dim> pairs_{};
    Array<std::uint32_t> key_;
    Array<std::int32_t> begin_, index_;
    Array<std::byte> work_;
    Array<double> place_[Dim];
};

} // namespace shadow
