// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/cell_sort.hpp"
#include "shadow/observables/shells.hpp"

#include <vector>

namespace shadow {

/// Radial distribution function g(r) of a periodic system: pairs of particles at distance r,
/// relative to their number without correlations (Allen and Tildesley 2017, section 2.6).
/// Normalised by the number of pairs that exist, so that it is 1 for an ideal gas of any number of
/// particles. The array is called rdf; in a mixture there are also rdf_A_A, rdf_A_B ... With more
/// than `CellSort::max_origins` particles each measurement counts the pairs of a part of the
/// system, in turn.
template <int Dim>
class RadialDistribution final : public AveragingObservable<Dim> {
  public:
    /// Counts pairs up to `radius`, at most half the shortest length of the box, in `bins` equal
    /// bins.
    RadialDistribution(const Box<Dim>& box, const std::vector<Population>& species, double radius,
                       int bins);

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override;
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

    /// The pairs of the last measurement; for tests of the kernels.
    [[nodiscard]] const PairHistogram<Dim>& pairs() const { return view_; }

  private:
    double volume_;
    int bins_;
    std::vector<double> numbers_; ///< of existing pairs, by pair of species
    std::vector<double> shells_;  ///< volumes of the bins
    std::vector<SpeciesPair> pairs_;
    PairHistogram<Dim> view_{};
    CellSort<Dim> cells_;
    Array<std::int64_t> histogram_;
};

} // namespace shadow
