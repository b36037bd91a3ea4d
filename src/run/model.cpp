// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/model.hpp"

#include "shadow/core/error.hpp"
#include "shadow/forces/fast_motion.hpp"

#include "kernels/pair_force.hpp"

#include <fmt/format.h>
#include <limits>
#include <stdexcept>
#include <utility>

namespace shadow {
namespace {

template <int Dim>
std::vector<Population> populations(const Snapshot<Dim>& start) {
    std::vector<Population> all;
    for (const Species& species : start.species_table) all.push_back({species.name, 0});
    for (const std::uint16_t species : start.species) ++all[species].particles;
    return all;
}

/// The invariance in a magnetic field, which conserves momentum only along itself.
template <int Dim>
Invariance<Dim> invariance_in(const std::array<double, 3>& field, Invariance<Dim> all) {
    if (field == std::array<double, 3>{}) return all;
    all.turning.fill(false);
    for (std::size_t d = 0; d < Dim; ++d)
        for (std::size_t e = 0; e < 3; ++e)
            if (e != d && field[e] != 0.0) all.along[d] = false;
    return all;
}

/// Degrees of freedom depend on the forces that act: if the claims omitted one of them, the
/// temperature would be wrong.
template <int Dim>
void compare_claims(const ForcePlan& plan, const ParticleSystem<Dim>& particles) {
    if (plan.claims<Dim>() != particles.claims())
        throw std::logic_error("forces claim another thing than their descriptions");
}

} // namespace

template <int Dim>
ObservableContext<Dim> Model<Dim>::observables(const Setup<Dim>& setup) const {
    ObservableContext<Dim> context{setup.box, units.boltzmann, populations(setup.start)};
    context.forces = forces;
    context.topology = &setup.topology;
    context.magnetic = is_magnetic();
    context.start = &setup.start;
    return context;
}

template <int Dim>
Model<Dim> model_of(const Setup<Dim>& setup, ModelOptions options) {
    return {.options = std::move(options),
            .units = setup.units,
            .velocities = setup.velocities,
            .topology = setup.topology,
            .magnetic_field = setup.magnetic_field,
            .forces = {},
            .conserved =
                conserved_momenta(setup.box, invariance_in<Dim>(setup.magnetic_field, {}))};
}

template <int Dim>
void add_forces(Model<Dim>& model, const Parameters& root, const Backend& backend,
                const Setup<Dim>& setup) {
    const ModelOptions& options = model.options;
    model.forces = read_forces(root, ForceContext<Dim>{backend, setup.box, setup.start, model.units,
                                                       options.pair_is_double, options.levels,
                                                       &setup.topology, options.folder.string()});
    const ForcePlan& forces = model.forces;
    const Invariance<Dim> all = invariance_of(forces.claims<Dim>());
    model.conserved = conserved_momenta(setup.box, invariance_in<Dim>(model.magnetic_field, all));
}

void refuse_skin(double skin, const ForcePlan& forces) {
    const double cutoff = forces.longest_cutoff();
    if (cutoff > 0.0 && skin > 10.0 * cutoff)
        throw InputError(fmt::format(
            "compute.skin = {} (over 10 times the longest cut-off {}: lists would hold far more "
            "pairs than act); use one about {:.2g}, or leave it out",
            skin, cutoff, forces.default_skin()));
}

template <int Dim>
std::unique_ptr<ParticleSystem<Dim>> make_particles(const Model<Dim>& model, const Backend& backend,
                                                    const Box<Dim>& box, const Snapshot<Dim>& start,
                                                    const ParticleOptions<Dim>& options) {
    const ForcePlan& forces = model.forces;
    refuse_skin(options.skin, forces);
    const bool reversible = options.spacing.position > 0.0;
    // The smallest skin: lists and the order of particles then depend on the current positions
    // alone.
    const double skin = reversible           ? std::numeric_limits<double>::min()
                        : options.skin > 0.0 ? options.skin
                                             : forces.default_skin();
    Neighbours<Dim> neighbours(
        backend, box, pair_cluster_size(backend, Dim),
        reversible ? skin : list_skin(backend, skin, forces.longest_cutoff()), skin);
    if (options.min_length < 1.0) neighbours.may_shrink(options.min_length);
    if (reversible) neighbours.keep_sorted();
    auto terms = make_forces<Dim>(
        forces, {backend, box, start, model.units, model.options.pair_is_double}, neighbours);
    const auto bonded = forces.of<BondedDescription>(1);
    auto fast = std::make_unique<FastMotion<Dim>>();
    if (options.mollifies)
        fast->averaged =
            std::make_unique<AveragedMolecules<Dim>>(backend, bonded, start, neighbours);
    if (options.moves_exactly)
        fast->exact = std::make_unique<HarmonicMotion<Dim>>(backend, bonded,
                                                            forces.of<FieldDescription>(1), start);
    if (options.kicks_implicitly)
        fast->implicit = std::make_unique<ImplicitMolecules<Dim>>(backend, bonded, start);
    if (options.has_light_atoms)
        fast->light = std::make_unique<LightAtoms<Dim>>(backend, bonded, start);
    for (const double radius : options.pair_radii) neighbours.add_list(radius, false);
    if (options.declare_lists) options.declare_lists(neighbours);
    auto particles = std::make_unique<ParticleSystem<Dim>>(backend, box, start, model.options.seed,
                                                           std::move(neighbours), std::move(terms),
                                                           std::move(fast));
    compare_claims(forces, *particles);
    particles->keep_spacing(options.spacing);
    particles->set_magnetic_field(model.magnetic_field);
    return particles;
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template struct Model<Dim>;                                                                    \
    template Model<Dim> model_of(const Setup<Dim>&, ModelOptions);                                 \
    template void add_forces(Model<Dim>&, const Parameters&, const Backend&, const Setup<Dim>&);   \
    template std::unique_ptr<ParticleSystem<Dim>> make_particles(                                  \
        const Model<Dim>&, const Backend&, const Box<Dim>&, const Snapshot<Dim>&,                  \
        const ParticleOptions<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
