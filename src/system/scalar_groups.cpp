// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/scalar_groups.hpp"

#include <array>

namespace shadow {
namespace {

constexpr auto of_stage = ScalarGroup::Begins::with_each_stage;

constexpr std::array groups = {
    ScalarGroup{"one", Scalar::one},
    ScalarGroup{"s", Scalar::s},
    ScalarGroup{"pi", Scalar::pi, 1, of_stage},
    ScalarGroup{"drift_scale", Scalar::drift_scale},
    ScalarGroup{"kinetic", Scalar::kinetic},
    ScalarGroup{"potential", Scalar::potential},
    ScalarGroup{"energy_0", Scalar::energy_0},
    ScalarGroup{"failed", Scalar::failed},
    ScalarGroup{"work", Scalar::work},
    ScalarGroup{"mollified", Scalar::mollified},
    ScalarGroup{"unmollified", Scalar::unmollified},
    ScalarGroup{"level_energy_0", Scalar::level_energy_0, max_levels - 1},
    ScalarGroup{"chain_kinetic", Scalar::chain_kinetic},
    ScalarGroup{"chain_first", Scalar::chain_first},
    ScalarGroup{"chain_last", Scalar::chain_last},
    ScalarGroup{"chain_position", Scalar::chain_position, max_chain},
    ScalarGroup{"chain_velocity", Scalar::chain_velocity, max_chain},
    ScalarGroup{"strain", Scalar::strain},
    ScalarGroup{"volume", Scalar::volume},
    ScalarGroup{"virial", Scalar::virial},
    ScalarGroup{"normal", Scalar::normal},
    ScalarGroup{"uniform", Scalar::uniform},
    ScalarGroup{"squares", Scalar::squares},
    ScalarGroup{"box_volume", Scalar::box_volume},
    ScalarGroup{"box_drift", Scalar::box_drift},
    ScalarGroup{"box_energy", Scalar::box_energy},
    ScalarGroup{"box_work", Scalar::box_work, 1, of_stage},
    ScalarGroup{"box_tried", Scalar::box_tried, 1, of_stage},
    ScalarGroup{"box_accepted", Scalar::box_accepted, 1, of_stage},
    ScalarGroup{"momentum_factor", Scalar::momentum_factor},
    ScalarGroup{"bath_heat", Scalar::bath_heat, 1, of_stage},
    ScalarGroup{"box_least", Scalar::box_least},
    ScalarGroup{"box_chain_position", Scalar::box_chain_position, max_chain},
    ScalarGroup{"box_chain_velocity", Scalar::box_chain_velocity, max_chain},
    ScalarGroup{"box_velocity", Scalar::box_velocity, max_groups, of_stage},
    ScalarGroup{"box_strain", Scalar::box_strain, max_groups},
    ScalarGroup{"box_friction", Scalar::box_friction, max_groups},
    ScalarGroup{"kinetic_along", Scalar::kinetic_along, max_groups},
    ScalarGroup{"virial_along", Scalar::virial_along, max_groups},
    ScalarGroup{"elapsed", Scalar::elapsed},
    ScalarGroup{"step_factor", Scalar::step_factor},
    ScalarGroup{"step_weight", Scalar::step_weight},
    ScalarGroup{"step_density", Scalar::step_density},
    ScalarGroup{"step_rate", Scalar::step_rate},
    ScalarGroup{"step_reference", Scalar::step_reference},
    ScalarGroup{"step_shortest", Scalar::step_shortest},
    ScalarGroup{"step_longest", Scalar::step_longest},
    ScalarGroup{"motion_kinetic", Scalar::motion_kinetic},
    ScalarGroup{"motion_power", Scalar::motion_power},
    ScalarGroup{"motion_speed", Scalar::motion_speed},
    ScalarGroup{"motion_acceleration", Scalar::motion_acceleration},
    ScalarGroup{"motion_largest", Scalar::motion_largest},
    ScalarGroup{"box_momentum", Scalar::box_momentum, 1, of_stage},
    ScalarGroup{"box_mass", Scalar::box_mass},
    ScalarGroup{"shear_work", Scalar::shear_work, 1, of_stage},
    ScalarGroup{"bath_size", Scalar::bath_size, 1, of_stage},
    ScalarGroup{"bath_position", Scalar::bath_position, max_bath},
    ScalarGroup{"bath_momentum", Scalar::bath_momentum, max_bath},
    ScalarGroup{"boost", Scalar::boost},
    ScalarGroup{"boosted_kick", Scalar::boosted_kick},
    ScalarGroup{"boost_reference", Scalar::boost_reference},
    ScalarGroup{"kick_scale", Scalar::kick_scale},
    ScalarGroup{"action", Scalar::action},
    ScalarGroup{"species_kinetic", Scalar::species_kinetic, max_species_chains},
    ScalarGroup{"species_held", Scalar::species_held, max_species_chains},
    ScalarGroup{"species_first", Scalar::species_first, max_species_chains},
    ScalarGroup{"species_last", Scalar::species_last, max_species_chains},
    ScalarGroup{"species_position", Scalar::species_position, max_species_chains* max_chain},
    ScalarGroup{"species_velocity", Scalar::species_velocity, max_species_chains* max_chain},
    ScalarGroup{"step_sum", Scalar::step_sum},
    ScalarGroup{"slope_power", Scalar::slope_power},
    ScalarGroup{"slope_square", Scalar::slope_square},
    ScalarGroup{"step_count", Scalar::step_count},
    ScalarGroup{"descent", Scalar::descent_power, 9}};

constexpr bool each_slot_once() {
    int slot = 0;
    for (const ScalarGroup& group : groups) {
        if (static_cast<int>(group.first) != slot) return false;
        slot += group.length;
    }
    return slot == static_cast<int>(Scalar::count);
}
static_assert(each_slot_once(), "a scalar without its row here, or in another place");

} // namespace

std::span<const ScalarGroup> scalar_groups() {
    return groups;
}

} // namespace shadow
