// SPDX-License-Identifier: BSD-3-Clause
#include "keys.hpp"

#include <algorithm>

namespace shadow {

/// The one list of observables, in the order of `mdrun --list`. Each is defined beside its class.
#define SHADOW_OBSERVABLES                                                                         \
    thermo_entry(), shadow_energy_entry(), energy_terms_entry(), stress_entry(),                   \
        shear_flow_entry(), heat_flux_entry(), angular_momentum_entry(),                           \
        directional_temperature_entry(), configurational_entry(), bond_order_entry(),              \
        bond_correlation_entry(), positional_correlation_entry(), steinhardt_entry(), rdf_entry(), \
        pair_density_entry(), radial_density_entry(), clusters_entry(), structure_factor_entry(),  \
        intermediate_scattering_entry(), density_profile_entry(), density_map_entry(),             \
        bonded_distribution_entry(), molecule_size_entry(), molecular_pressure_entry(),            \
        velocity_distribution_entry(), kinetic_energy_distribution_entry(), msd_entry(),           \
        vacf_entry(), viscosity_entry(), thermal_conductivity_entry(), time_correlation_entry(),   \
        distribution_entry()
ObservableEntry SHADOW_OBSERVABLES;

namespace {

const std::vector<ObservableEntry>& entries() {
    static const std::vector<ObservableEntry> all = {SHADOW_OBSERVABLES};
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
        "What is measured; any number of these, and each type brings keys of its own. In a run "
        "with stages it is [[stage.observe]]",
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
