// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_table.hpp"
#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/cell_sort.hpp"

#include "kernels/ops/derivative_term.hpp"

#include <vector>

namespace shadow {

/// Functions of the second derivatives of the potential energy U in a periodic box.
///
/// `hypervirial`: X = sum over pairs of r d(r u')/dr / Dim^2 (Allen and Tildesley 2017, section
/// 2.5), with mean-field corrections where the forces have them, for the compressibilities;
/// `squared_force` |grad U|^2 and `laplacian` of U: the ratio of their means is k_B T (Rugh 1997,
/// Phys. Rev. Lett. 78, 772; Butler et al. 1998, J. Chem. Phys. 109, 6519). Derivatives are those
/// of the truncated potentials; a jump of the force at its cut-off contributes to them. With more
/// than `CellSort::max_origins` particles each measurement sums the pairs of a part of the system,
/// in turn, and scales the sums.
template <int Dim>
class Configurational final : public Observable<Dim> {
  public:
    /// `forces`: all pair forces of the system; their cut-offs are at most half the shortest length
    /// of the box.
    Configurational(const Box<Dim>& box, const std::vector<Population>& species,
                    const std::vector<PairForceDescription>& forces);

    /// hypervirial, squared_force, laplacian
    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] bool follows_tilt() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    [[nodiscard]] std::vector<double> state() const override;
    void restore(std::span<const double> state) override;

    /// The sums of the last measurement for a pair of species; for tests of the kernels.
    [[nodiscard]] SumPairDerivatives<Dim> sums_of(std::size_t pair) const;

  private:
    void move_terms(const Backend& backend);

    std::vector<SpeciesPair> pairs_;
    std::vector<DerivativeTerm> terms_; ///< [pair][potential]
    std::vector<double> rows_;          ///< of all tables, one after the other
    std::vector<std::size_t> table_at_; ///< where each table begins in `rows_`
    std::vector<double> reach_;         ///< by pair: the longest cut-off
    int potentials_ = 0;
    CellSort<Dim> cells_;
    CellPairs<Dim> view_{};
    std::int64_t measured_ = 0;
    Array<double> backend_rows_;
    Array<DerivativeTerm> backend_terms_;
    Array<PairDerivatives> sums_;
};

} // namespace shadow
