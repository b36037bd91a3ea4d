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

/// Molecules as bonded forces connect them, which can be put where they are on average in their
/// fast motion, or where their forces are at rest. Particles without such a force stay.
template <int Dim>
class AveragedMolecules {
  public:
    /// `fast`: the forces of the motion, of which none is internal. Attaches to `neighbours`.
    AveragedMolecules(const Backend& backend, std::span<const BondedDescription> fast,
                      const Snapshot<Dim>& start, Neighbours<Dim>& neighbours);

    /// Particles to their averages; where they were is kept. The order of particles in memory is
    /// that of the last `Neighbours::update`.
    void average(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                 const Neighbours<Dim>& neighbours);
    /// Forces on particles at their averages, as `average` made them, to those on particles where
    /// they were: minus the gradient of an energy at the average with respect to the place. Lists
    /// may have been built in between.
    void transpose(const Mollifier& mollifier, const ParticlesView<Dim>& particles,
                   const Neighbours<Dim>& neighbours, const VectorView<Dim, double>& force);
    /// Particles back to where they were.
    void restore(const ParticlesView<Dim>& particles);

    /// "", or why not all bonds and angles of a molecule can be at rest: its atoms have fewer
    /// coordinates.
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
    MoleculeGroups<Dim> groups_; ///< whose numbers are those of projections
    std::string overdetermined_;
    std::array<Array<double>, Dim> kept_;
    Mollifier mollifier_; ///< that of `weight_`
    Array<double> weight_, scratch_;
};

} // namespace shadow
