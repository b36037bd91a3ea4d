// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/ops/radii.hpp"

#include <vector>

namespace shadow {

/// Number density of particles around their centre of mass, of a droplet or cluster: those in a
/// shell over its volume. In periodic directions the centre is the phase of the first Fourier
/// component of the mass. It is called radial_density; of a mixture there are also radial_density_A
/// ..., around the centre of all.
template <int Dim>
class RadialDensity final : public AveragingObservable<Dim> {
  public:
    /// `radius`: at most half the shortest periodic length of the box.
    RadialDensity(const std::vector<Population>& species, double radius, int bins);

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return species_ * static_cast<std::size_t>(bins_);
    }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    std::size_t species_;
    double radius_;
    int bins_;
    std::vector<double> shells_; ///< volumes of the bins
    Array<CentreSums<Dim>> sums_;
    Array<double> centre_;
    Array<std::int64_t> histogram_;
};

} // namespace shadow
