// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/registry.hpp"

namespace shadow {

/// All forces by plain sums (DirectForce), with which the forces of a device are compared. Periodic
/// charges use the mesh of a CPU. The sum for one particle takes a time proportional to the number
/// of particles.
template <int Dim>
class DirectSum {
  public:
    /// Keeps references to `box` and `particles`. `pair_is_double`: as for the forces to be
    /// checked.
    DirectSum(const ForcePlan& forces, const Box<Dim>& box, const Snapshot<Dim>& particles,
              bool pair_is_double);

    [[nodiscard]] DirectTotals<Dim> operator()(std::size_t particle) const;
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    std::vector<DirectForce<Dim>> forces_;
    std::size_t size_;
};

} // namespace shadow
