// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/averaged_arrays.hpp"

#include "kernels/ops/histograms.hpp"
#include "kernels/ops/velocity_moments.hpp"

#include <array>
#include <vector>

namespace shadow {

/// Number density along one or two directions, averaged over the others: particles in a slab (for
/// two directions in 3D: a column) over its volume. For all particles and, in a mixture, for each
/// species.
template <int Dim>
class DensityProfile final : public AveragingObservable<Dim> {
  public:
    struct Direction {
        int d;            ///< 0 .. Dim - 1
        double low, high; ///< particles outside are not counted
        int bins;
    };
    /// One or two `directions`; the others are periodic. The array is called `name`.
    DensityProfile(const std::string& name, const Box<Dim>& box,
                   const std::vector<Population>& species, std::vector<Direction> directions);

    [[nodiscard]] std::size_t width() const override { return species_ * cells_; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    std::size_t species_, cells_ = 1;
    double volume_; ///< of a cell
    CountPlaces<Dim> op_{};
    Array<std::int64_t> histogram_;
};

/// Distribution of the components of velocities, all directions together, or of the kinetic
/// energies of particles: the probability density of one component or energy, for all particles and
/// for each species. The Maxwell-Boltzmann densities are (m / 2 pi kT)^1/2 exp(-m v^2 / 2kT) and,
/// for e = m v^2 / 2 in d dimensions, (e / kT)^(d/2 - 1) exp(-e / kT) / (kT Gamma(d/2)). Moments
/// measure the deviation from them: `velocity_excess`, the fourth moment over its value at the
/// temperature of all particles, less one, for all particles and for each species, and
/// `temperature_excess` for each species of a mixture; for energies likewise
/// `kinetic_energy_excess`, the second moment over its value, less one. All are 0 in equilibrium,
/// including terms of order 1/N (see FinishVelocityMoments).
template <int Dim>
class VelocityDistribution final : public AveragingObservable<Dim> {
  public:
    enum class Of { components, energies };
    /// `bins` of [-largest, largest), for energies [0, largest); values outside are not counted but
    /// enter the normalisation.
    VelocityDistribution(Of of, const std::vector<Population>& species, double largest, int bins,
                         const ConservedMass<Dim>& conserved_mass);

    [[nodiscard]] std::vector<Quantity> quantities() const override;
    [[nodiscard]] std::size_t width() const override { return moments() + counts(); }
    [[nodiscard]] bool follows_box() const override { return true; }
    [[nodiscard]] bool follows_shear() const override { return true; }
    [[nodiscard]] bool needs_velocities() const override { return true; }
    void enqueue(ParticleSystem<Dim>& system, double* row) override;
    void accumulate(double time, std::span<const double> row) override;

  private:
    [[nodiscard]] std::size_t moments() const {
        return species_.size() > 1 ? 1 + 2 * species_.size() : 1;
    }
    [[nodiscard]] std::size_t counts() const {
        return species_.size() * static_cast<std::size_t>(bins_.count);
    }
    void enqueue_moments(ParticleSystem<Dim>& system, double* row);

    /// Values per particle.
    [[nodiscard]] int values() const { return of_ == Of::energies ? 1 : Dim; }

    Of of_;
    std::vector<Population> species_;
    Bins bins_;
    ConservedMass<Dim> conserved_mass_;
    Array<std::int64_t> histogram_;
    Array<KineticSums<Dim>> drift_;
    Array<VelocityMoments> moments_;
    Array<double> projection_;
};

} // namespace shadow
