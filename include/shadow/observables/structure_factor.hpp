// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/mode_rows.hpp"

namespace shadow {

/// Static structure factor of a periodic system, S(k) = <|rho(k)|^2> / N with rho(k) = sum over
/// particles of exp(i k.x) (Allen and Tildesley 2017, section 2.6), averaged over wave vectors of
/// about the same length. The array is called structure_factor; in a mixture there are also S_ab(k)
/// = Re <rho_a(k) rho_b(-k)> / sqrt(N_a N_b). Each measurement uses one wave vector of each shell,
/// in turn.
template <int Dim>
class StructureFactor final : public AveragingObservable<Dim> {
  public:
    StructureFactor(const Box<Dim>& box, const std::vector<Population>& species,
                    std::vector<Shell<Dim>> shells);

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override { return modes_.width(); }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    ModeRows<Dim> modes_;
    std::vector<double> species_; ///< number of particles of each
    std::vector<SpeciesPair> pairs_;
};

} // namespace shadow
