// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include "shadow/observables/averaged_arrays.hpp"
#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"
#include "kernels/ops/radii.hpp"

#include <vector>

namespace shadow {
namespace {

/// Number density of particles around their centre of mass, for a droplet or cluster: the number in
/// a shell divided by its volume. In periodic directions the centre is the phase of the first
/// Fourier component of the mass. The array is called radial_density; in a mixture there are also
/// radial_density_A ..., around the centre of all particles.
template <int Dim>
class RadialDensity final : public AveragingObservable<Dim> {
  public:
    /// `radius`: at most half the shortest periodic length of the box.
    RadialDensity(const std::vector<Population>& species, double radius, int bins)
        : AveragingObservable<Dim>({names_by_species("radial_density", species),
                                    per_volume(Dim),
                                    {middles("r", "length", 0.0, radius, bins)}}),
          species_(species.size()), radius_(radius), bins_(bins),
          shells_(shell_volumes<Dim>(radius, bins)) {}

    [[nodiscard]] bool follows_tilt() const override { return true; }
    [[nodiscard]] std::size_t width() const override {
        return species_ * static_cast<std::size_t>(bins_);
    }
    void enqueue(ParticleSystem<Dim>& system, double* row) override {
        const Backend& backend = system.backend();
        if (histogram_.size() == 0) {
            sums_ = Array<CentreSums<Dim>>(backend, 1);
            centre_ = Array<double>(backend, Dim);
            histogram_ = Array<std::int64_t>(backend, width());
        }
        const ParticlesView<Dim> particles = system.particles();
        reduce(backend, MeasureCentre<Dim>{particles}, system.size(), sums_.data());
        launch(backend, FindCentre<Dim>{sums_.data(), particles.box, centre_.data()}, 1);
        const auto bins = static_cast<std::int64_t>(width());
        count(backend,
              CountRadii<Dim>{particles, centre_.data(), radius_ * radius_, bins_ / radius_, bins_,
                              histogram_.data()},
              system.size(), bins);
        launch(backend, TakeCounts{histogram_.data(), row}, bins);
    }

    void accumulate(double /*time*/, std::span<const double> row) override {
        const auto bins = static_cast<std::size_t>(bins_);
        std::vector<double> curves(bins);
        for (std::size_t at = 0; at < row.size(); ++at) {
            const double density = row[at] / shells_[at % bins];
            curves[at % bins] += density;
            curves.push_back(density);
        }
        this->average_.add(curves);
    }

  private:
    std::size_t species_;
    double radius_;
    int bins_;
    std::vector<double> shells_; ///< volumes of the bins
    Array<CentreSums<Dim>> sums_;
    Array<double> centre_;
    Array<std::int64_t> histogram_;
};

template <int Dim>
Made<Dim> make_radial_density(const ObservableInput<Dim>& in) {
    return std::make_unique<RadialDensity<Dim>>(
        in.context.species, read_distance(in, "radius", in.half_box()), read_bins(in));
}

} // namespace

ObservableEntry radial_density_entry() {
    using enum KeyType;
    return {
        {"radial-density",
         "Number density around the centre of mass of all particles, of all and of each species",
         "rho(r) = n(r) / v, n particles in a shell of volume v around the centre; along periodic "
         "directions that is L / 2 pi arg sum m exp(2 pi i x / L)",
         "Bai and Breen 2008",
         {every_key(),
          {"radius", number, "length", "half the box, where it is periodic", "largest distance",
           "1.5"},
          bins_key(100)}},
        SHADOW_EACH_DIMENSION(make_radial_density)};
}

} // namespace shadow
