// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/molecule_groups.hpp"

#include "kernels/ops/light_motion.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace shadow {

/// The motion of light atoms of molecules under bonded forces; a particle without these is a
/// molecule, too.
template <int Dim>
class LightAtoms {
  public:
    /// `fast`: the forces of the motion, none of them internal.
    LightAtoms(const Backend& backend, std::span<const BondedDescription> fast,
               const Snapshot<Dim>& start);

    /// Enqueues mean <- the force on atoms that are not light, averaged from `window` before now to
    /// `window` after, while these atoms are fixed and light ones move; 0 for light ones.
    /// `index_of_id`: indices of particles in memory, backend memory.
    void mean_force(double window, const LightMotion& how, const ParticlesView<Dim>& particles,
                    const std::int32_t* index_of_id, const VectorView<Dim, double>& mean);
    /// Enqueues the motion over a time t, in which atoms that are not light move with constant
    /// momentum.
    void move(double t, const LightMotion& how, const ParticlesView<Dim>& particles,
              const std::int32_t* index_of_id);

    [[nodiscard]] std::size_t bytes() const { return groups_.bytes() + scratch_.bytes(); }

  private:
    [[nodiscard]] LightMotionOp<Dim> prepare(double t, const LightMotion& how,
                                             const ParticlesView<Dim>& particles,
                                             const std::int32_t* index_of_id);

    const Backend& backend_;
    MoleculeGroups<Dim> groups_;
    Array<double> scratch_;
};

} // namespace shadow
