// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/mode_rows.hpp"

namespace shadow {

/// Static structure factor of a periodic system, S(k) = <|rho(k)|^2> / N with rho(k) = sum over
/// particles of exp(i k.x) (Allen and Tildesley 2017, section 2.6), averaged over wave vectors of
/// about the same length; of a mixture also S_ab(k) = Re <rho_a(k) rho_b(-k)> / sqrt(N_a N_b). Each
/// measurement takes one wave vector of each shell, in turn.
template <int Dim, class Real>
class StructureFactor final : public Observable<Dim, Real> {
  public:
    StructureFactor(const Box<Dim>& box, const std::vector<Population>& species,
                    std::vector<Shell<Dim>> shells);

    [[nodiscard]] std::vector<Quantity> quantities() const override { return {}; }
    [[nodiscard]] std::size_t width() const override { return modes_.width(); }
    void enqueue(ParticleSystem<Dim, Real>& system, double* row) override;
    void digest(double time, std::span<const double> row) override;
    /// structure_factor; of a mixture also structure_factor_A_A ...
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const override {
        return curves_.estimates();
    }
    [[nodiscard]] std::vector<double> state() const override { return curves_.state(); }
    void restore(std::span<const double> state) override;

  private:
    ModeRows<Dim, Real> modes_;
    std::vector<double> species_; ///< particles of each
    std::vector<SpeciesPair> pairs_;
    AveragedArrays curves_;
    std::int64_t measured_ = 0;
};

} // namespace shadow
