// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/molecule_groups.hpp"

#include "kernels/ops/implicit_kick.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace shadow {

/// Molecules connected by bonded forces, which can be kicked with these forces implicit.
template <int Dim>
class ImplicitMolecules {
  public:
    /// `fast`: the implicit forces, none of them internal.
    ImplicitMolecules(const Backend& backend, std::span<const BondedDescription> fast,
                      const Snapshot<Dim>& start);

    /// Enqueues p <- p + t f(q + (theta - 1/2) t M^-1 p + theta t^2 M^-1 (f + g) / 2), f the fast
    /// forces and g the `given` ones. Momenta become NaN where there is no solution nearby: the
    /// step is too long. `index_of_id`: indices of particles in memory, backend memory.
    void kick(double t, double theta, const ParticlesView<Dim>& particles,
              const TotalForce<Dim>& given, const std::int32_t* index_of_id);

    [[nodiscard]] std::size_t bytes() const { return groups_.bytes() + scratch_.bytes(); }

  private:
    const Backend& backend_;
    MoleculeGroups<Dim> groups_;
    Array<double> scratch_;
};

} // namespace shadow
