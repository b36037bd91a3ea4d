// SPDX-License-Identifier: BSD-3-Clause
#include "make_averaged.hpp"

#include "shadow/observables/mesh_structure_factor.hpp"
#include "shadow/observables/particle_histogram.hpp"
#include "shadow/observables/radial_distribution.hpp"
#include "shadow/observables/structure_factor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

int read_bins(const Parameters& params, const std::string& key, std::int64_t bins) {
    if (bins < 1 || bins > 100000)
        params.fail(key, fmt::format("{} bins (of which each needs memory, and particles that are "
                                     "in it); give 1 to 100000",
                                     bins));
    return static_cast<int>(bins);
}

std::int64_t read_vectors(const Parameters& params, std::int64_t standard) {
    const std::int64_t vectors = params.integer("vectors", standard);
    if (vectors < 1 || vectors > 1000)
        params.fail("vectors", fmt::format("{} wave vectors of a length (to average over "
                                           "directions); give 1 to 1000",
                                           vectors));
    return vectors;
}

namespace {

/// Neighbours that a pair distribution looks at, unless the input says otherwise: its cost.
constexpr double rdf_neighbours = 256.0;

/// The longest distance that has one image only, or the shorter one within which there are so many
/// neighbours.
template <int Dim>
double default_radius(const ObservableContext<Dim>& context) {
    const double density = static_cast<double>(context.particles()) / context.box.volume();
    return std::min(0.5 * context.box.shortest_periodic_length(),
                    std::pow(rdf_neighbours / (ball_volume<Dim>(1.0) * density), 1.0 / Dim));
}

/// Of a map.
constexpr std::int64_t max_cells = 1'000'000;

/// A direction of a profile with its range: the box where it is periodic, or as the input says.
template <int Dim>
auto read_direction(const Parameters& params, const ObservableContext<Dim>& context,
                    const std::string& name, std::int64_t bins, bool has_range) {
    typename DensityProfile<Dim, double>::Direction along{};
    along.d = name == "x" ? 0 : name == "y" ? 1 : 2;
    along.bins = read_bins(params, "bins", bins);
    const auto d = static_cast<std::size_t>(along.d);
    if (along.d >= Dim)
        params.fail(has_range ? "direction" : "directions",
                    fmt::format("direction {} in {} dimension{} (there is none); give another",
                                name, Dim, Dim == 1 ? "" : "s"));
    if (context.box.periodic()[d]) {
        if (has_range && params.has("range"))
            params.fail("range", fmt::format("a range along {}, where the box is periodic (a "
                                             "profile goes through all of it there; a range is "
                                             "for open directions); remove it",
                                             name));
        along.low = context.box.origin()[d];
        along.high = along.low + context.box.lengths()[d];
        return along;
    }
    if (!has_range)
        params.fail("directions", fmt::format("a map along {}, where the box is open (it has no "
                                              "length there); use density-profile with a range",
                                              name));
    const std::vector<double> range = params.numbers("range");
    if (range.size() != 2 || !(range[0] < range[1]) || !std::isfinite(range[1] - range[0]))
        params.fail("range", "not a range (an open direction needs a lower and an upper end); give "
                             "two numbers");
    along.low = range[0];
    along.high = range[1];
    return along;
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_density(const Parameters& params, const ObservableContext<Dim>& context,
             const std::vector<std::string>& names, const std::vector<std::int64_t>& bins) {
    std::vector<typename DensityProfile<Dim, Real>::Direction> directions;
    std::array<bool, Dim> divided{};
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto along = read_direction(params, context, names[k], bins[k], names.size() == 1);
        divided[static_cast<std::size_t>(along.d)] = true;
        directions.push_back({along.d, along.low, along.high, along.bins});
    }
    for (std::size_t d = 0; d < Dim; ++d)
        if (!divided[d] && !context.box.periodic()[d])
            params.fail("type", "a density in a box that is open in another direction (a slab has "
                                "no volume there); make that direction periodic");
    return std::make_unique<DensityProfile<Dim, Real>>(
        names.size() == 1 ? "density_profile" : "density_map", context.box, context.species,
        std::move(directions));
}

/// S(k) of all wave vectors, by a mesh.
template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_by_mesh(const Parameters& params,
                                                    const ObservableContext<Dim>& context,
                                                    double longest, int shells) {
    const double accuracy = params.positive("accuracy", 1e-3);
    if (!(accuracy >= 1e-9 && accuracy <= 0.1))
        params.fail("accuracy", fmt::format("accuracy {} (a relative error of Fourier components, "
                                            "on which the mesh depends); give 1e-9 to 0.1",
                                            accuracy));
    // Two numbers a point, of 8 bytes, and the transform: 0.6 GiB.
    constexpr double max_points = 1 << 25;
    double least = static_cast<double>(context.species.size()), points = least;
    for (const double length : context.box.lengths()) least *= longest * length / 3.0;
    if (least < max_points)
        points *= static_cast<double>(choose_mesh(context.box, longest, accuracy).points());
    if (least >= max_points || points > max_points)
        params.fail("longest", fmt::format("wave numbers up to {} of so large a box by a mesh (it "
                                           "would have more than {:.0f} points); lower it or raise "
                                           "accuracy, or use method = \"direct\"",
                                           longest, max_points));
    return std::make_unique<MeshStructureFactor<Dim, Real>>(context.box, context.species, longest,
                                                            shells, accuracy);
}

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_rdf(const Parameters& params,
                                                const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "rdf in an open box (it has no density to compare with); use "
                            "pair-density, or make the box periodic");
    if (context.particles() < 2)
        params.fail("type", "rdf of one particle (it has no pairs); remove it");
    const double half = 0.5 * context.box.shortest_periodic_length();
    const double radius = params.positive("radius", default_radius(context));
    if (radius > half)
        params.fail("radius", fmt::format("radius {} (beyond {}, half the shortest box length, a "
                                          "shell meets its own image); lower it",
                                          radius, half));
    const int bins = read_bins(params, "bins", params.integer("bins", 200));
    return std::make_unique<RadialDistribution<Dim, Real>>(context.box, context.species, radius,
                                                           bins);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_structure_factor(const Parameters& params, const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "structure-factor in an open box (wave vectors are those of a periodic "
                            "box); make the box periodic");
    const double longest = params.positive("longest");
    const std::int64_t shells = params.integer("shells", 64);
    if (shells < 1 || shells > 10000)
        params.fail("shells", fmt::format("{} shells (of which each costs a sine and a cosine of "
                                          "every particle); give 1 to 10000",
                                          shells));
    const bool by_mesh = params.choice("method", {"direct", "fft"}, "direct") == "fft";
    const std::int64_t vectors = by_mesh ? 1 : read_vectors(params, 12);
    auto chosen = choose_wave_vectors(context.box, longest, static_cast<int>(shells),
                                      static_cast<int>(vectors));
    if (chosen.empty())
        params.fail("longest", fmt::format("no wave vector up to {} (the shortest of this box is "
                                           "2 pi over its longest side); raise it",
                                           longest));
    if (by_mesh) return make_by_mesh<Dim, Real>(params, context, longest, static_cast<int>(shells));
    return std::make_unique<StructureFactor<Dim, Real>>(context.box, context.species,
                                                        std::move(chosen));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_density_profile(const Parameters& params,
                                                            const ObservableContext<Dim>& context) {
    return make_density<Dim, Real>(params, context, {params.choice("direction", {"x", "y", "z"})},
                                   {params.integer("bins", 100)});
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_density_map(const Parameters& params,
                                                        const ObservableContext<Dim>& context) {
    const std::vector<std::string> names = params.texts("directions", {"x", "y"});
    const std::vector<std::int64_t> bins = params.integers("bins", {100, 100});
    for (const std::string& name : names)
        if (name != "x" && name != "y" && name != "z")
            params.fail("directions", fmt::format("direction \"{}\" (not one of x, y, z); give two "
                                                  "of these",
                                                  name));
    if (names.size() != 2 || names[0] == names[1])
        params.fail("directions", "not two directions (a map has two); give two different ones");
    if (bins.size() != 2)
        params.fail("bins", "not two numbers (each direction has its bins); give two");
    if (bins[0] > 0 && bins[1] > 0 && bins[0] > max_cells / bins[1])
        params.fail("bins",
                    fmt::format("{} x {} bins (over {} in all: they would be empty, and not "
                                "fit into memory); give fewer",
                                bins[0], bins[1], max_cells));
    return make_density<Dim, Real>(params, context, names, bins);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_velocity_distribution(const Parameters& params, const ObservableContext<Dim>& context) {
    using Distribution = VelocityDistribution<Dim, Real>;
    return std::make_unique<Distribution>(
        Distribution::Of::components, context.species, params.positive("largest"),
        read_bins(params, "bins", params.integer("bins", 100)), context.conserved_mass);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_kinetic_energy_distribution(const Parameters& params, const ObservableContext<Dim>& context) {
    using Distribution = VelocityDistribution<Dim, Real>;
    return std::make_unique<Distribution>(
        Distribution::Of::energies, context.species, params.positive("largest"),
        read_bins(params, "bins", params.integer("bins", 100)), context.conserved_mass);
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template std::unique_ptr<Observable<Dim, Real>> make_rdf(const Parameters&,                    \
                                                             const ObservableContext<Dim>&);       \
    template std::unique_ptr<Observable<Dim, Real>> make_structure_factor(                         \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_density_profile(                          \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_density_map(                              \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_velocity_distribution(                    \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_kinetic_energy_distribution(              \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)

} // namespace shadow
