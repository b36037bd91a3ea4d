// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/particle_histogram.hpp"

#include "histogram_rows.hpp"
#include "keys.hpp"

#include "shadow/observables/shells.hpp"

#include "kernels/launch.hpp"

#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <int Dim>
DensityProfile<Dim>::DensityProfile(const std::string& name, const Box<Dim>& box,
                                    const std::vector<Population>& species,
                                    std::vector<Direction> directions)
    : AveragingObservable<Dim>({{}, "", {}}), species_(species.size()), volume_(1.0) {
    constexpr const char* names[] = {"x", "y", "z"};
    std::vector<Axis> axes;
    std::array<bool, Dim> divided{};
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

template <int Dim>
void DensityProfile<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (histogram_.size() == 0) histogram_ = Array<std::int64_t>(backend, width());
    op_.particles = system.particles();
    op_.histogram = histogram_.data();
    const auto bins = static_cast<std::int64_t>(width());
    count(backend, op_, system.size(), bins);
    launch(backend, TakeCounts{histogram_.data(), row}, bins);
}

template <int Dim>
void DensityProfile<Dim>::accumulate(double /*time*/, std::span<const double> row) {
    this->average_.add(scaled(row, species_, std::vector<double>(1 + species_, 1.0 / volume_)));
}

SHADOW_INSTANTIATE_EACH_DIMENSION(DensityProfile)

namespace {

/// Largest number of cells of a map.
constexpr std::int64_t max_cells = 1'000'000;

/// A direction of a profile with its range: the box if it is periodic, otherwise the range of the
/// input.
template <int Dim>
auto read_direction(const ObservableInput<Dim>& in, const std::string& name, std::int64_t bins,
                    bool has_range) {
    typename DensityProfile<Dim>::Direction along{};
    along.d = name == "x" ? 0 : name == "y" ? 1 : 2;
    along.bins = checked_bins(in, bins);
    const auto d = static_cast<std::size_t>(along.d);
    if (along.d >= Dim)
        in.fail(has_range ? "direction" : "directions",
                fmt::format("direction {} in {} dimension{} (there is none); give another", name,
                            Dim, Dim == 1 ? "" : "s"));
    if (in.context.box.periodic()[d]) {
        if (has_range && in.has("range"))
            in.fail("range", fmt::format("a range along {}, where the box is periodic (a "
                                         "profile goes through all of it there; a range is "
                                         "for open directions); remove it",
                                         name));
        along.low = in.context.box.origin()[d];
        along.high = along.low + in.context.box.lengths()[d];
        return along;
    }
    if (!has_range)
        in.fail("directions", fmt::format("a map along {}, where the box is open (it has no "
                                          "length there); use density-profile with a range",
                                          name));
    const std::vector<double> range = in.numbers("range");
    if (range.size() != 2 || !(range[0] < range[1]) || !std::isfinite(range[1] - range[0]))
        in.fail("range", "not a range (an open direction needs a lower and an upper end); give "
                         "two numbers");
    along.low = range[0];
    along.high = range[1];
    return along;
}

template <int Dim>
Made<Dim> make_density(const ObservableInput<Dim>& in, const std::vector<std::string>& names,
                       const std::vector<std::int64_t>& bins) {
    std::vector<typename DensityProfile<Dim>::Direction> directions;
    std::array<bool, Dim> divided{};
    for (std::size_t k = 0; k < names.size(); ++k) {
        const auto along = read_direction(in, names[k], bins[k], names.size() == 1);
        divided[static_cast<std::size_t>(along.d)] = true;
        directions.push_back({along.d, along.low, along.high, along.bins});
    }
    for (std::size_t d = 0; d < Dim; ++d)
        if (!divided[d] && !in.context.box.periodic()[d])
            in.fail("type", "a density in a box that is open in another direction (a slab has "
                            "no volume there); make that direction periodic");
    return std::make_unique<DensityProfile<Dim>>(
        names.size() == 1 ? "density_profile" : "density_map", in.context.box, in.context.species,
        std::move(directions));
}

template <int Dim>
Made<Dim> make_density_profile(const ObservableInput<Dim>& in) {
    return make_density<Dim>(in, {in.choice("direction")}, {in.integer("bins")});
}

template <int Dim>
Made<Dim> make_density_map(const ObservableInput<Dim>& in) {
    const std::vector<std::string> names = in.texts("directions");
    const std::vector<std::int64_t> bins = in.integers("bins");
    for (const std::string& name : names)
        if (name != "x" && name != "y" && name != "z")
            in.fail("directions", fmt::format("direction \"{}\" (not one of x, y, z); give two "
                                              "of these",
                                              name));
    if (names.size() != 2 || names[0] == names[1])
        in.fail("directions", "not two directions (a map has two); give two different ones");
    if (bins.size() != 2)
        in.fail("bins", "not two numbers (each direction has its bins); give two");
    if (bins[0] > 0 && bins[1] > 0 && bins[0] > max_cells / bins[1])
        in.fail("bins", fmt::format("{} x {} bins (over {} in all: they would be empty, and not "
                                    "fit into memory); give fewer",
                                    bins[0], bins[1], max_cells));
    return make_density<Dim>(in, names, bins);
}

} // namespace

ObservableEntry density_profile_entry() {
    using enum KeyType;
    return {{"density-profile",
             "Number density along a direction, of all particles and of each species",
             "rho(x) = n(x) / v, n particles in a slab of volume v",
             "",
             {every_key(),
              {"direction", text, "", "", "direction of the profile", "\"x\"", {"x", "y", "z"}},
              bins_key(100),
              {"range", numbers, "length", "required where the box is open",
               "lower and upper end along an open direction; along a periodic direction the "
               "profile covers the whole box, and range must be absent",
               "[-5.0, 5.0]"}}},
            SHADOW_EACH_DIMENSION(make_density_profile)};
}

ObservableEntry density_map_entry() {
    using enum KeyType;
    return {{"density-map",
             "Number density over two directions, of all particles and of each species",
             "rho(x, y) = n(x, y) / v, n particles in a cell or column of volume v",
             "",
             {every_key(),
              {"directions", texts, "", "[\"x\", \"y\"]", "two of x, y, z"},
              {"bins", integers, "", "[100, 100]", "along each"}}},
            SHADOW_EACH_DIMENSION(make_density_map)};
}

} // namespace shadow
