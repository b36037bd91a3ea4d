// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"
#include "shadow/forces/molecule_groups.hpp"
#include "shadow/integrators/mollifier.hpp"
#include "shadow/neighbours/neighbours.hpp"

#include "kernels/ops/averaged_molecules.hpp"

#include <array>
#include <span>
#include <string>

namespace shadow {

/// Molecules connected by bonded forces, whose atoms can be moved to their averages in the fast
/// motion, or to where bonds and angles are at rest. Particles without such a force stay.
template <int Dim>
class AveragedMolecules {
  public:
    /// `fast`: the forces of the motion, none of them internal. Attaches to `neighbours`.
    AveragedMolecules(const Backend& backend, std::span<const BondedDescription> fast,
                      const Snapshot<Dim>& start, Neighbours<Dim>& neighbours);

    /// Moves particles to their averages; their positions before are kept. The order of particles
    /// in memory is that of the last `Neighbours::update`.
    void average(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                 const Neighbours<Dim>& neighbours);
    /// Transforms forces at the averages that `average` made into forces at the positions before:
    /// minus the gradient, with respect to these, of an energy at the averages. Lists may have been
    /// built in between.
    void transpose(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                   const Neighbours<Dim>& neighbours, const VectorView<Dim, double>& force);
    /// Moves particles back to their positions before.
    void restore(const ParticlesView<Dim>& particles);

    /// "", or why not all bonds and angles of a molecule can be at rest: its atoms have fewer
    /// internal coordinates.
    [[nodiscard]] const std::string& overdetermined() const { return overdetermined_; }
    [[nodiscard]] std::int64_t molecules() const { return groups_.molecules(); }
    [[nodiscard]] std::size_t kinds() const { return groups_.kinds(); }
    [[nodiscard]] std::size_t bytes() const;

  private:
    [[nodiscard]] VectorView<Dim, double> kept_view();
    template <Averaging averaging>
    [[nodiscard]] MoleculeOp<Dim, averaging> prepare(const Mollifier& mollifier,
                                                     const ParticlesView<Dim>& particles,
                                                     const Neighbours<Dim>& neighbours);
    template <Averaging averaging>
    void average_by(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                    const Neighbours<Dim>& neighbours);
    template <Averaging averaging>
    void transpose_by(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                      const Neighbours<Dim>& neighbours, const VectorView<Dim, double>& force);

    const Backend& backend_;
    MoleculeGroups<Dim> groups_; ///< with numbers for projections
    std::string overdetermined_;
    std::array<Array<double>, Dim> kept_;
    Mollifier mollifier_; ///< that of `weight_`
    Array<double> weight_, scratch_;
};

} // namespace shadow
