// SPDX-License-Identifier: BSD-3-Clause
#include "make_averaged.hpp"

#include "shadow/observables/bond_order.hpp"
#include "shadow/observables/configurational.hpp"
#include "shadow/observables/directional_temperature.hpp"
#include "shadow/observables/energy_terms.hpp"
#include "shadow/observables/heat_flux.hpp"
#include "shadow/observables/steinhardt.hpp"
#include "shadow/observables/stress.hpp"
#include "shadow/observables/thermo.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

namespace {

/// How one observable is made; `supports` says where it exists.
template <int Dim, class Real>
using Maker = std::unique_ptr<Observable<Dim, Real>> (*)(const Parameters&,
                                                         const ObservableContext<Dim>&);

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_thermo(const Parameters&,
                                                   const ObservableContext<Dim>& context) {
    return std::make_unique<Thermo<Dim, Real>>(context.box, context.boltzmann,
                                               context.conserved_mass, context.separate_levels(),
                                               context.has_bath);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_energy_terms(const Parameters& params,
                                                         const ObservableContext<Dim>& context) {
    if (context.forces.empty() && context.forces_are_known)
        params.fail("type", "energy-terms of a system without forces (each is a term); add a "
                            "[[force]], or observe thermo");
    return std::make_unique<EnergyTerms<Dim, Real>>(context.forces.names());
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_stress(const Parameters& params,
                                                   const ObservableContext<Dim>& context) {
    return std::make_unique<Stress<Dim, Real>>(
        PressureTensor<Dim, Real>(read_flux_scale(params, context, "a pressure tensor")));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_heat_flux(const Parameters& params,
                                                      const ObservableContext<Dim>& context) {
    return std::make_unique<HeatFlux<Dim, Real>>(
        HeatFluxRow<Dim, Real>(read_heat_scale(params, context)));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_directional_temperature(const Parameters&, const ObservableContext<Dim>& context) {
    return std::make_unique<DirectionalTemperature<Dim, Real>>(context.boltzmann,
                                                               context.conserved_mass);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_angular_momentum(const Parameters& params,
                                                             const ObservableContext<Dim>&) {
    if constexpr (Dim == 1)
        params.fail("type", "angular-momentum in one dimension (nothing turns on a line); remove "
                            "it, or observe thermo for the momentum");
    else
        return std::make_unique<AngularMomentum<Dim, Real>>();
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_configurational(const Parameters& params,
                                                            const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "configurational in an open box (pairs are found by cells that fill a "
                            "periodic one, and a compressibility needs a volume); make the box "
                            "periodic");
    if (!context.forces.fields.empty())
        params.fail("type", fmt::format("configurational with {} (it takes derivatives of pair "
                                        "forces alone, and a pressure in a field is not one "
                                        "number); remove one",
                                        context.forces.fields.front().info->name));
    if (!context.forces.bonded.empty())
        params.fail("type", fmt::format("configurational with {} (it takes derivatives of pair "
                                        "forces alone); remove one",
                                        context.forces.bonded.front().name));
    if (context.forces.fourier)
        params.fail("type",
                    "configurational with periodic charges (it takes derivatives of pair forces "
                    "alone); use coulomb-dsf, or remove one");
    return std::make_unique<Configurational<Dim, Real>>(context.box, context.species,
                                                        context.forces.descriptions);
}

std::vector<int> read_folds(const Parameters& params) {
    std::vector<int> folds;
    for (const std::int64_t fold : params.integers("folds", {4, 6})) {
        if (fold < 1 || fold > 64)
            params.fail("folds", fmt::format("fold {} (the symmetry of a neighbourhood); give "
                                             "numbers from 1 to 64",
                                             fold));
        folds.push_back(static_cast<int>(fold));
    }
    std::sort(folds.begin(), folds.end());
    if (std::adjacent_find(folds.begin(), folds.end()) != folds.end())
        params.fail("folds", "a fold given twice (each is one quantity); remove one");
    if (folds.empty() || folds.size() > BondOrder::max_folds)
        params.fail("folds",
                    fmt::format("{} folds (one pass takes 1 to {}); give another [[observe]] "
                                "for the rest",
                                folds.size(), BondOrder::max_folds));
    return folds;
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_bond_order(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    if constexpr (Dim != 2)
        params.fail("type", fmt::format("bond-order in {} dimension{} (angles between bonds are "
                                        "counted in the plane); use it in two dimensions{}",
                                        Dim, Dim == 1 ? "" : "s",
                                        Dim == 3 ? ", and steinhardt in three" : ""));
    else
        return std::make_unique<BondOrderParameter<Real>>(
            read_folds(params), read_radius(params, context), params.boolean("per_particle", false),
            params.boolean("global", false) ? context.particles() : 0);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_steinhardt(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    if constexpr (Dim != 3)
        params.fail("type", fmt::format("steinhardt in {} dimension{} (spherical harmonics need "
                                        "directions in space); use {}",
                                        Dim, Dim == 1 ? "" : "s", Dim == 2 ? "bond-order" : "rdf"));
    else
        return std::make_unique<SteinhardtOrder<Real>>(read_radius(params, context),
                                                       params.boolean("global", false),
                                                       params.boolean("per_particle", false));
}

/// The one list of observables.
template <int Dim, class Real>
struct Entry {
    const char* name;
    Maker<Dim, Real> make;
};

template <int Dim, class Real>
constexpr Entry<Dim, Real> entries[] = {
    {"thermo", make_thermo<Dim, Real>},
    {"energy-terms", make_energy_terms<Dim, Real>},
    {"stress", make_stress<Dim, Real>},
    {"heat-flux", make_heat_flux<Dim, Real>},
    {"angular-momentum", make_angular_momentum<Dim, Real>},
    {"directional-temperature", make_directional_temperature<Dim, Real>},
    {"configurational", make_configurational<Dim, Real>},
    {"bond-order", make_bond_order<Dim, Real>},
    {"bond-correlation", make_bond_correlation<Dim, Real>},
    {"positional-correlation", make_positional_correlation<Dim, Real>},
    {"steinhardt", make_steinhardt<Dim, Real>},
    {"rdf", make_rdf<Dim, Real>},
    {"pair-density", make_pair_density<Dim, Real>},
    {"radial-density", make_radial_density<Dim, Real>},
    {"clusters", make_clusters<Dim, Real>},
    {"structure-factor", make_structure_factor<Dim, Real>},
    {"intermediate-scattering", make_intermediate_scattering<Dim, Real>},
    {"density-profile", make_density_profile<Dim, Real>},
    {"density-map", make_density_map<Dim, Real>},
    {"bonded-distribution", make_bonded_distribution<Dim, Real>},
    {"molecule-size", make_molecule_size<Dim, Real>},
    {"molecular-pressure", make_molecular_pressure<Dim, Real>},
    {"velocity-distribution", make_velocity_distribution<Dim, Real>},
    {"kinetic-energy-distribution", make_kinetic_energy_distribution<Dim, Real>},
    {"msd", make_msd<Dim, Real>},
    {"vacf", make_vacf<Dim, Real>},
    {"viscosity", make_viscosity<Dim, Real>},
    {"thermal-conductivity", make_thermal_conductivity<Dim, Real>},
};

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_observable(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    std::vector<std::string> names;
    for (const auto& entry : entries<Dim, Real>) names.emplace_back(entry.name);
    const std::string type = params.choice("type", names);
    const auto* entry = std::find_if(std::begin(entries<Dim, Real>), std::end(entries<Dim, Real>),
                                     [&type](const auto& e) { return type == e.name; });
    return entry->make(params, context);
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template std::unique_ptr<Observable<Dim, Real>> make_observable(                               \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)

} // namespace shadow
