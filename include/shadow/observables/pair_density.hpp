// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/ops/origin_pairs.hpp"

#include <vector>

namespace shadow {

/// Mean number density at a distance r from a particle, in any box: the others in a shell around it
/// over the volume of the shell, averaged over particles. Times the volumes of shells it sums to
/// the number of others; in a periodic box it is rho g(r) (N - 1) / N. It is called pair_density;
/// of a mixture there are also pair_density_A_B ..., particles of B around one of A.
template <int Dim>
class PairDensity final : public AveragingObservable<Dim> {
  public:
    /// `radius`: at most half the shortest periodic length of the box.
    PairDensity(const std::vector<Population>& species, double radius, int bins);

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return species_.size() * species_.size() * static_cast<std::size_t>(bins_);
    }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    std::vector<double> species_; ///< particles of each
    std::vector<SpeciesPair> pairs_;
    double radius_;
    int bins_;
    std::vector<double> shells_; ///< volumes of the bins
    Array<std::int64_t> counts_;
};

} // namespace shadow
