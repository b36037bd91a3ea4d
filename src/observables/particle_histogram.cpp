// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/particle_histogram.hpp"

#include "histogram_rows.hpp"

#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <int Dim, class Real>
DensityProfile<Dim, Real>::DensityProfile(const std::string& name, const Box<Dim>& box,
                                          const std::vector<Population>& species,
                                          std::vector<Direction> directions)
    : AveragingObservable<Dim, Real>({{}, "", {}}), species_(species.size()), volume_(1.0) {
    constexpr const char* names[] = {"x", "y", "z"};
    std::vector<Axis> axes;
    std::array<bool, Dim> divided{};
    op_.box = box.view();
    op_.direction[0] = op_.direction[1] = -1;
    for (const Direction& along : directions) {
        const std::size_t axis = axes.size();
        axes.push_back(middles(names[along.d], "length", along.low, along.high, along.bins));
        op_.bins[axis] = equal_bins(along.low, along.high, along.bins);
        op_.direction[axis] = along.d;
        cells_ *= static_cast<std::size_t>(along.bins);
        volume_ *= (along.high - along.low) / along.bins;
        divided[static_cast<std::size_t>(along.d)] = true;
    }
    for (std::size_t d = 0; d < Dim; ++d)
        if (!divided[d]) volume_ *= box.lengths()[d];
    this->average_ =
        AveragedArrays(names_by_species(name, species), per_volume(Dim), std::move(axes));
}

template <int Dim, class Real>
void DensityProfile<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) histogram_ = Array<std::int64_t>(backend, width());
    op_.particles = system.particles();
    op_.histogram = histogram_.data();
    launch(backend, op_, system.size());
    launch(backend, TakeCounts{histogram_.data(), row}, static_cast<std::int64_t>(width()));
}

template <int Dim, class Real>
void DensityProfile<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    this->average_.add(scaled(row, species_, std::vector<double>(1 + species_, 1.0 / volume_)));
}

template <int Dim, class Real>
VelocityDistribution<Dim, Real>::VelocityDistribution(Of of, const std::vector<Population>& species,
                                                      double largest, int bins,
                                                      const ConservedMass<Dim>& conserved_mass)
    : AveragingObservable<Dim, Real>({{}, "", {}}), of_(of), species_(species),
      bins_(equal_bins(of == Of::energies ? 0.0 : -largest, largest, bins)),
      conserved_mass_(conserved_mass) {
    if (of == Of::energies)
        this->average_ =
            AveragedArrays(names_by_species("kinetic_energy_distribution", species), "1/energy",
                           {middles("kinetic_energy", "energy", 0.0, largest, bins)});
    else
        this->average_ =
            AveragedArrays(names_by_species("velocity_distribution", species), "time/length",
                           {middles("v", "length/time", -largest, largest, bins)});
}

/// Of squares x of d independent Gaussian components each, n among all N, the mean of x^2 over its
/// own at the mean x of all has the variance (8 d + 24) / (d (d + 2) n) - 8 / (d N); the mean of x
/// over that of all 2/n - 2/N with d = 1.
template <int Dim, class Real>
std::vector<Quantity> VelocityDistribution<Dim, Real>::quantities() const {
    const bool energies = of_ == Of::energies;
    const double d = energies ? Dim : 1.0;
    const auto all = static_cast<double>(values() * population(species_));
    const auto number = [](const std::string& name, double variance) {
        return Quantity{name, "", 1, Expectation{0.0, std::sqrt(std::max(variance, 0.0))}};
    };
    const std::string excess = energies ? "kinetic_energy_excess" : "velocity_excess";
    std::vector<Quantity> quantities{number(excess, 8.0 / (d * (d + 2.0) * all))};
    if (species_.size() == 1) return quantities;
    const auto of = [this](const Population& p) {
        return static_cast<double>(values() * std::max<std::int64_t>(1, p.particles));
    };
    for (const Population& p : species_)
        quantities.push_back(number(excess + "_" + p.name,
                                    (8.0 * d + 24.0) / (d * (d + 2.0) * of(p)) - 8.0 / (d * all)));
    for (const Population& p : species_)
        if (!energies)
            quantities.push_back(number("temperature_excess_" + p.name, 2.0 / of(p) - 2.0 / all));
    return quantities;
}

template <int Dim, class Real>
void VelocityDistribution<Dim, Real>::enqueue_moments(ParticleSystem<Dim, Real>& system,
                                                      double* row) {
    const Backend& backend = system.backend();
    if (moments_.size() == 0) {
        drift_ = Array<KineticSums<Dim>>(backend, 1);
        moments_ = Array<VelocityMoments>(backend, species_.size());
        std::vector<double> projection;
        for (std::size_t s = 0; s < species_.size(); ++s) {
            const auto n = static_cast<double>(species_[s].particles);
            double first = 0.0, second = 0.0;
            for (int d = 0; d < Dim; ++d) {
                const double free = 1.0 - conserved_mass_.share(system.species_table()[s].mass, d);
                first += n * free;
                second += n * free * free;
            }
            // Of components together, <|u|^4> has 2 sum P_dd^2 + (sum P_dd)^2 for (d + 2) sum
            // P_dd^2.
            if (of_ == Of::energies)
                second = n > 0.0 ? (2.0 * second + first * first / n) / (Dim + 2.0) : 0.0;
            projection.push_back(first);
            projection.push_back(second);
        }
        projection_ = Array<double>(backend, projection);
    }
    reduce(backend, MeasureKinetic<Dim, Real>{system.particles()}, system.size(), drift_.data());
    const auto species = static_cast<std::int32_t>(species_.size());
    for (std::int32_t s = 0; s < species; ++s)
        reduce(backend,
               MeasureVelocityMoments<Dim, Real>{system.particles(), drift_.data(), conserved_mass_,
                                                 s, of_ == Of::energies},
               system.size(), moments_.data() + s);
    const double gaussian = of_ == Of::energies ? Dim + 2.0 : 3.0;
    launch(backend,
           FinishVelocityMoments{moments_.data(), projection_.data(), species, gaussian, row}, 1);
}

template <int Dim, class Real>
void VelocityDistribution<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) histogram_ = Array<std::int64_t>(backend, counts());
    enqueue_moments(system, row);
    launch(backend,
           CountVelocities<Dim, Real>{system.particles(),
                                      {system.scalars()},
                                      drift_.data(),
                                      conserved_mass_,
                                      bins_,
                                      of_ == Of::energies,
                                      histogram_.data()},
           system.size());
    launch(backend, TakeCounts{histogram_.data(), row + moments()},
           static_cast<std::int64_t>(counts()));
}

template <int Dim, class Real>
void VelocityDistribution<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    const std::vector<double> factor = densities(species_, values(), bins_);
    this->average_.add(scaled(row.subspan(moments()), species_.size(), factor));
}

template class DensityProfile<1, double>;
template class DensityProfile<2, double>;
template class DensityProfile<3, double>;
template class VelocityDistribution<1, double>;
template class VelocityDistribution<2, double>;
template class VelocityDistribution<3, double>;

} // namespace shadow
