// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/radial_density.hpp"

#include "keys.hpp"

#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"

namespace shadow {

template <int Dim>
RadialDensity<Dim>::RadialDensity(const std::vector<Population>& species, double radius, int bins)
    : AveragingObservable<Dim>({names_by_species("radial_density", species),
                                per_volume(Dim),
                                {middles("r", "length", 0.0, radius, bins)}}),
      species_(species.size()), radius_(radius), bins_(bins),
      shells_(shell_volumes<Dim>(radius, bins)) {}

template <int Dim>
void RadialDensity<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
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

template <int Dim>
void RadialDensity<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    const auto bins = static_cast<std::size_t>(bins_);
    std::vector<double> curves(bins);
    for (std::size_t at = 0; at < row.size(); ++at) {
        const double density = row[at] / shells_[at % bins];
        curves[at % bins] += density;
        curves.push_back(density);
    }
    this->average_.add(curves);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(RadialDensity)

namespace {

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
