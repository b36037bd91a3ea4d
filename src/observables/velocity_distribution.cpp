// SPDX-License-Identifier: BSD-3-Clause
#include "histogram_rows.hpp"
#include "keys.hpp"

#include "shadow/observables/particle_histogram.hpp"
#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <int Dim>
VelocityDistribution<Dim>::VelocityDistribution(Of of, const std::vector<Population>& species,
                                                double largest, int bins,
                                                const ConservedMass<Dim>& conserved_mass)
    : AveragingObservable<Dim>({{}, "", {}}), of_(of), species_(species),
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

/// For squares x of d independent Gaussian components each, n out of all N: the mean of x^2 over
/// its expected value at the mean x of all has variance (8 d + 24) / (d (d + 2) n) - 8 / (d N); the
/// mean of x over that of all has variance 2/n - 2/N for d = 1.
template <int Dim>
std::vector<Quantity> VelocityDistribution<Dim>::quantities() const {
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

template <int Dim>
void VelocityDistribution<Dim>::enqueue_moments(ParticleSystem<Dim>& system, double* row) {
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
            // For components together, <|u|^4> has 2 sum P_dd^2 + (sum P_dd)^2 instead of (d + 2)
            // sum P_dd^2.
            if (of_ == Of::energies)
                second = n > 0.0 ? (2.0 * second + first * first / n) / (Dim + 2.0) : 0.0;
            projection.push_back(first);
            projection.push_back(second);
        }
        projection_ = Array<double>(backend, projection);
    }
    reduce(backend, MeasureKinetic<Dim>{system.particles()}, system.size(), drift_.data());
    const auto species = static_cast<std::int32_t>(species_.size());
    for (std::int32_t s = 0; s < species; ++s)
        reduce(backend,
               MeasureVelocityMoments<Dim>{system.particles(), drift_.data(), conserved_mass_, s,
                                           of_ == Of::energies},
               system.size(), moments_.data() + s);
    const double gaussian = of_ == Of::energies ? Dim + 2.0 : 3.0;
    launch(backend,
           FinishVelocityMoments{moments_.data(), projection_.data(), species, gaussian, row}, 1);
}

template <int Dim>
void VelocityDistribution<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) histogram_ = Array<std::int64_t>(backend, counts());
    enqueue_moments(system, row);
    const auto size = static_cast<std::int64_t>(counts());
    count(backend,
          CountVelocities<Dim>{system.particles(), drift_.data(), conserved_mass_, bins_,
                               of_ == Of::energies, histogram_.data()},
          system.size(), size);
    launch(backend, TakeCounts{histogram_.data(), row + moments()}, size);
}

template <int Dim>
void VelocityDistribution<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    const std::vector<double> factor = densities(species_, values(), bins_);
    this->average_.add(scaled(row.subspan(moments()), species_.size(), factor));
}

SHADOW_INSTANTIATE_EACH_DIMENSION(VelocityDistribution)

namespace {

template <int Dim>
Made<Dim> make(const ObservableInput<Dim>& in, typename VelocityDistribution<Dim>::Of of) {
    return std::make_unique<VelocityDistribution<Dim>>(
        of, in.context.species, in.positive("largest"), read_bins(in), in.context.conserved_mass);
}

template <int Dim>
Made<Dim> make_velocity_distribution(const ObservableInput<Dim>& in) {
    return make(in, VelocityDistribution<Dim>::Of::components);
}

template <int Dim>
Made<Dim> make_kinetic_energy_distribution(const ObservableInput<Dim>& in) {
    return make(in, VelocityDistribution<Dim>::Of::energies);
}

} // namespace

ObservableEntry velocity_distribution_entry() {
    using enum KeyType;
    return {{"velocity-distribution",
             "Distribution of the components of velocities, of all particles and of each species, "
             "and its deviation from the Maxwell-Boltzmann distribution",
             "density of probability of one component; in equilibrium sqrt(m / 2 pi kT) exp(-m v^2 "
             "/ 2kT); velocity_excess = <(m v^2)^2> / 3 (kT)^2 - 1, temperature_excess = <m v^2> / "
             "kT - 1",
             "",
             {every_key(),
              {"largest", number, "length/time", "", "faster particles are not counted", "5.0"},
              bins_key(100, "from minus the largest to the largest")}},
            SHADOW_EACH_DIMENSION(make_velocity_distribution)};
}

ObservableEntry kinetic_energy_distribution_entry() {
    using enum KeyType;
    return {{"kinetic-energy-distribution",
             "Distribution of the kinetic energies of particles, of all and of each species, and "
             "its deviation from the Maxwell-Boltzmann distribution",
             "density of probability of e = m v^2 / 2; in equilibrium (e/kT)^(d/2 - 1) exp(-e/kT) "
             "/ (kT Gamma(d/2)); kinetic_energy_excess = 4 <e^2> / (d (d + 2) (kT)^2) - 1",
             "",
             {every_key(),
              {"largest", number, "energy", "", "larger energies are not counted", "8.0"},
              bins_key(100, "from 0 to the largest")}},
            SHADOW_EACH_DIMENSION(make_kinetic_energy_distribution)};
}

} // namespace shadow
