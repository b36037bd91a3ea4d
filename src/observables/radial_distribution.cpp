// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/radial_distribution.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/histograms.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <int Dim>
RadialDistribution<Dim>::RadialDistribution(const Box<Dim>& box,
                                            const std::vector<Population>& species, double radius,
                                            int bins)
    : AveragingObservable<Dim>(
          {names_by_pair("rdf", species), "", {middles("r", "length", 0.0, radius, bins)}}),
      volume_(box.volume()), bins_(bins), shells_(shell_volumes<Dim>(radius, bins)),
      pairs_(species_pairs(species)), cells_(box, radius, population(species), species.size()) {
    for (const SpeciesPair& pair : pairs_) {
        const auto a = static_cast<double>(species[static_cast<std::size_t>(pair.a)].particles);
        const auto b = static_cast<double>(species[static_cast<std::size_t>(pair.b)].particles);
        numbers_.push_back(pair.a == pair.b ? 0.5 * a * (a - 1.0) : a * b);
    }
    view_.inverse_width = bins_ / radius;
    view_.bins = bins_;
}

template <int Dim>
std::size_t RadialDistribution<Dim>::width() const {
    return pairs_.size() * static_cast<std::size_t>(bins_);
}

template <int Dim>
void RadialDistribution<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) histogram_ = Array<std::int64_t>(backend, width());
    static_cast<CellPairs<Dim>&>(view_) = cells_.sort(system);
    view_.parts = cells_.parts();
    view_.part = static_cast<std::int32_t>(this->measured_++ % view_.parts);
    std::int64_t* histogram = histogram_.data();
    for (const SpeciesPair& pair : pairs_) {
        count(backend, CountPairs<Dim>{view_, pair.a, pair.b, histogram}, view_.chosen(), bins_);
        histogram += bins_;
    }
    launch(backend, TakeCounts{histogram_.data(), row}, static_cast<std::int64_t>(width()));
}

template <int Dim>
void RadialDistribution<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    const auto bins = static_cast<std::size_t>(bins_);
    std::vector<double> all(bins), curves(bins);
    double number = 0.0;
    for (std::size_t p = 0; p < numbers_.size(); ++p) {
        number += numbers_[p];
        for (std::size_t k = 0; k < bins; ++k) {
            const double count = cells_.parts() * row[p * bins + k];
            all[k] += count;
            curves.push_back(numbers_[p] > 0.0 ? count * volume_ / (numbers_[p] * shells_[k])
                                               : 0.0);
        }
    }
    for (std::size_t k = 0; k < bins; ++k) curves[k] = all[k] * volume_ / (number * shells_[k]);
    this->average_.add(curves);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(RadialDistribution)

namespace {

/// Neighbours per particle within the default radius of a pair distribution; limits its cost.
constexpr double rdf_neighbours = 256.0;

/// The longest distance at which a pair has only one image, or the shorter distance within which
/// there are `rdf_neighbours`.
template <int Dim>
double default_radius(const ObservableContext<Dim>& context) {
    const double density = static_cast<double>(context.particles()) / context.box.volume();
    return std::min(0.5 * context.box.shortest_periodic_length(),
                    std::pow(rdf_neighbours / (ball_volume<Dim>(1.0) * density), 1.0 / Dim));
}

template <int Dim>
Made<Dim> make_rdf(const ObservableInput<Dim>& in) {
    if (!in.context.box.is_periodic())
        in.fail("type", "rdf in an open box (it has no density to compare with); use "
                        "pair-density, or make the box periodic");
    if (in.context.particles() < 2)
        in.fail("type", "rdf of one particle (it has no pairs); remove it");
    const double half = in.half_box();
    const double radius = in.positive("radius", default_radius(in.context));
    if (radius > half)
        in.fail("radius", fmt::format("radius {} (beyond {}, half the shortest box length, a shell "
                                      "overlaps its own image); lower it",
                                      radius, half));
    return std::make_unique<RadialDistribution<Dim>>(in.context.box, in.context.species, radius,
                                                     read_bins(in));
}

} // namespace

ObservableEntry rdf_entry() {
    using enum KeyType;
    return {{"rdf",
             "Radial distribution function g(r) of all particles and of each pair of species",
             "g(r) = V n(r) / (N (N - 1)/2 v(r)), n pairs in a shell of volume v; between species "
             "N_a N_b",
             "Allen and Tildesley 2017, section 2.6",
             {every_key(),
              {"radius", number, "length", "half the box, or 256 neighbours", "largest distance",
               "2.0"},
              bins_key(200)}},
            SHADOW_EACH_DIMENSION(make_rdf)};
}

} // namespace shadow
