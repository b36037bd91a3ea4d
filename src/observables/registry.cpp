// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include <algorithm>

namespace shadow {

/// The only list of observables, in the order of `mdrun --list`, one per line. Each is defined next
/// to its class, by a function NAME_entry.
#define SHADOW_OBSERVABLES(ENTRY)                                                                  \
    ENTRY(thermo)                                                                                  \
    ENTRY(shadow_energy)                                                                           \
    ENTRY(energy_terms)                                                                            \
    ENTRY(stress)                                                                                  \
    ENTRY(shear_flow)                                                                              \
    ENTRY(heat_flux)                                                                               \
    ENTRY(angular_momentum)                                                                        \
    ENTRY(directional_temperature)                                                                 \
    ENTRY(configurational)                                                                         \
    ENTRY(bond_order)                                                                              \
    ENTRY(bond_correlation)                                                                        \
    ENTRY(positional_correlation)                                                                  \
    ENTRY(steinhardt)                                                                              \
    ENTRY(rdf)                                                                                     \
    ENTRY(pair_density)                                                                            \
    ENTRY(radial_density)                                                                          \
    ENTRY(clusters)                                                                                \
    ENTRY(structure_factor)                                                                        \
    ENTRY(intermediate_scattering)                                                                 \
    ENTRY(density_profile)                                                                         \
    ENTRY(density_map)                                                                             \
    ENTRY(bonded_distribution)                                                                     \
    ENTRY(molecule_size)                                                                           \
    ENTRY(molecular_pressure)                                                                      \
    ENTRY(velocity_distribution)                                                                   \
    ENTRY(kinetic_energy_distribution)                                                             \
    ENTRY(msd)                                                                                     \
    ENTRY(vacf)                                                                                    \
    ENTRY(viscosity)                                                                               \
    ENTRY(thermal_conductivity)                                                                    \
    ENTRY(time_correlation)                                                                        \
    ENTRY(distribution)
#define SHADOW_DECLARE(name) ObservableEntry name##_entry();
SHADOW_OBSERVABLES(SHADOW_DECLARE)
#undef SHADOW_DECLARE

namespace {

const std::vector<ObservableEntry>& entries() {
#define SHADOW_ENTRY(name) name##_entry(),
    static const std::vector<ObservableEntry> all = {SHADOW_OBSERVABLES(SHADOW_ENTRY)};
#undef SHADOW_ENTRY
    return all;
}

const ObservableEntry& entry_of(const Parameters& params) {
    std::vector<std::string> names;
    for (const ObservableEntry& entry : entries()) names.push_back(entry.descriptor.name);
    const std::string type = params.choice("type", names);
    const auto at = std::find(names.begin(), names.end(), type) - names.begin();
    return entries()[static_cast<std::size_t>(at)];
}

} // namespace

const Descriptor& observe_table() {
    static const Descriptor table{
        "observe",
        "Measurements; any number of them, and each type has keys of its own. In a run with stages "
        "it is [[stage.observe]]",
        "",
        "",
        {{"type", KeyType::text, "", "", "one of mdrun --list observe", "\"thermo\""},
         every_key()}};
    return table;
}

const std::vector<Descriptor>& observables() {
    static const std::vector<Descriptor> all = [] {
        std::vector<Descriptor> found;
        for (const ObservableEntry& entry : entries()) found.push_back(entry.descriptor);
        return found;
    }();
    return all;
}

bool is_analysis(const Parameters& params) {
    return entry_of(params).analysis;
}

template <int Dim>
std::unique_ptr<Observable<Dim>> make_observable(const Parameters& params,
                                                 const ObservableContext<Dim>& context) {
    const ObservableEntry& entry = entry_of(params);
    return entry.make(ObservableInput<Dim>(params, entry.descriptor, context));
}

#define SHADOW_INSTANTIATE(Dim)                                                                    \
    template std::unique_ptr<Observable<Dim>> make_observable(const Parameters&,                   \
                                                              const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1)
SHADOW_INSTANTIATE(2)
SHADOW_INSTANTIATE(3)
#undef SHADOW_INSTANTIATE

} // namespace shadow
