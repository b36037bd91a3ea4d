// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/nose_hoover.hpp"

#include <algorithm>
#include <numbers>
#include <stdexcept>

namespace shadow {

NoseHoover::NoseHoover(const MethodSettings& settings, bool multiple)
    : settings_(settings), parts_(parts_of_step(settings.order)),
      word_(verlet_or_respa(settings, multiple)), part_(word_) {
    if (settings.order > 2) part_ = parse_word("B½ A1 B½", 1, settings.levels);
    if (settings.periods.empty()) return;
    settings_.period = settings.periods.front().value;
    for (const OfSpecies& of : settings.periods)
        settings_.period = std::min(settings_.period, of.value);
}

NoseHooverChain NoseHoover::chain(const System& system, double kT) const {
    const double time = settings_.period / (2.0 * std::numbers::pi),
                 g = system.degrees_of_freedom(), mass = 2.0 * settings_.kT.last() * time * time;
    return {settings_.chain, g * mass, mass, kT, g};
}

SpeciesChains NoseHoover::species_chains(const System& system, double kT) const {
    const std::vector<double> freedom = system.freedom_by_species(),
                              period = in_order(settings_.periods, system.species());
    if (freedom.empty() || freedom.size() > max_species_chains)
        throw std::logic_error("chains by species of a system with none or too many");
    SpeciesChains chains{static_cast<int>(freedom.size()), settings_.chain, kT, {}, {}};
    for (std::size_t k = 0; k < freedom.size(); ++k) {
        const double time = period[k] / (2.0 * std::numbers::pi);
        chains.mass[k] = 2.0 * settings_.kT.last() * time * time;
        chains.g[k] = freedom[k];
    }
    return chains;
}

void NoseHoover::begin_species(System& system) const {
    for (int k = 0; k < max_species_chains * max_chain; ++k) {
        system.set_scalar(of_row(Scalar::species_position, k), 0.0);
        system.set_scalar(of_row(Scalar::species_velocity, k), 0.0);
    }
    system.measure_kinetic_by_species();
    for (int k = 0; k < max_species_chains; ++k)
        system.set_scalar(of_row(Scalar::species_held, k),
                          system.scalar(of_row(Scalar::species_kinetic, k)));
}

void NoseHoover::move(System& system, const SpeciesChains& chains, double dt) const {
    system.advance(SpeciesChainsFirst{0.5 * dt, chains});
    system.scale_momenta_by_species(Scalar::species_first);
    apply_word(system, part_, dt);
    system.measure_kinetic_by_species();
    system.advance(SpeciesChainsSecond{0.5 * dt, chains});
    system.scale_momenta_by_species(Scalar::species_last);
}

void NoseHoover::move(System& system, const NoseHooverChain& chain, double dt) const {
    system.advance(NoseHooverFirst{0.5 * dt, chain});
    system.scale_momenta(Scalar::chain_first);
    apply_word(system, part_, dt);
    system.measure_kinetic();
    system.advance(NoseHooverSecond{0.5 * dt, chain});
    system.scale_momenta(Scalar::chain_last);
}

void NoseHoover::prepare(System& system) {
    system.mollify({});
    system.set_scalar(Scalar::work, 0.0);
    if (scales_species()) return begin_species(system);
    for (int k = 0; k < max_chain; ++k) {
        system.set_scalar(of_row(Scalar::chain_position, k), 0.0);
        system.set_scalar(of_row(Scalar::chain_velocity, k), 0.0);
    }
    system.measure_kinetic();
    system.set_scalar(Scalar::chain_kinetic, system.scalar(Scalar::kinetic));
}

void NoseHoover::step(System& system) {
    const double now = middle_of_step(system);
    const double kT = settings_.kT.at(now), change = kT - settings_.kT.at(now - 1.0);
    if (scales_species()) {
        const SpeciesChains chains = species_chains(system, kT);
        if (change != 0.0) system.advance(SpeciesChainsTemperature{change, chains});
        for (const double part : parts_) move(system, chains, part * settings_.dt);
    } else {
        const NoseHooverChain chain = this->chain(system, kT);
        if (change != 0.0) system.advance(NoseHooverTemperature{change, chain});
        for (const double part : parts_) move(system, chain, part * settings_.dt);
    }
    system.end_step(settings_.dt);
}

Claims NoseHoover::claims() const {
    return {
        settings_.order,
        true,
        false,
        false,
        !scales_species(),
        "Martyna, Klein and Tuckerman 1992, J. Chem. Phys. 97, 2635; Martyna, Tuckerman, Tobias "
        "and Klein 1996, Mol. Phys. 87, 1117"};
}

ExtendedEnergy NoseHoover::extended_energy(const System& system) const {
    const double kT = settings_.kT.at(middle_of_step(system) - 1.0);
    if (scales_species()) return {.species_chains = species_chains(system, kT)};
    return {.chain = chain(system, kT)};
}

} // namespace shadow
