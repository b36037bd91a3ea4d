// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/system/nearest_partner.hpp"

#include <cmath>
#include <fmt/format.h>

/// The watch over the energy of a stage. It looks at the rows of thermo as they arrive, at the
/// start of a stage, at its end, and at what a checkpoint is to hold.
namespace shadow {

/// All energies, now. Waits for the device.
template <int Dim>
EnergyLook Simulation<Dim>::measure_energies(StageType& stage) {
    system_->prepare_observation(true);
    Array<double> row(backend_, stage.thermo->width());
    stage.thermo->set_extended_energy(stage.integrator->extended_energy(*system_));
    stage.thermo->enqueue(*system_, row.data());
    const std::vector<double> values = row.to_host();
    const std::vector<Quantity> quantities = stage.thermo->quantities();
    const auto value = [&](const std::string& name) {
        std::size_t at = 0;
        for (const Quantity& q : quantities) {
            if (q.name == name) return values[at];
            at += q.width;
        }
        return std::nan("");
    };
    return {system_->step(), value("kinetic_energy"), value("potential_energy"),
            value("conserved_energy")};
}

/// From the first step of a stage on.
template <int Dim>
void Simulation<Dim>::begin_watch(StageType& stage) {
    watch_ = {};
    if (!stage.integrator) return;
    const double kT = stage.integrator->bath_kT().value_or(0.0);
    watch_.begin(measure_energies(stage), 0.5 * kT * stage.degrees_of_freedom, !forces_.constant());
}

/// The present state, which no row shows. The kinetic energy is cheap and tells an explosion, but
/// for a start at rest; only what it does not explain takes all energies. These would come with
/// other rounding of the forces, so the state is put back as it was.
template <int Dim>
void Simulation<Dim>::look_now(StageType& stage) {
    stage.recorder->flush();
    if (!stage.integrator || !watch_.begun()) return;
    if (watch_.last_good().step < system_->step() && !watch_.plausible(system_->kinetic_energy())) {
        EnergyWatch watch = watch_;
        const SystemState<Dim> state = system_->state();
        watch.look(measure_energies(stage));
        watch.exploded() ? void(watch_ = watch) : system_->restore(state);
    }
    if (watch_.exploded()) throw explosion();
}

/// With the pair that feels the largest force, where there still is one, and with what is infinite
/// where that may be the reason.
template <int Dim>
SimulationError Simulation<Dim>::explosion() {
    if (const std::string left = system_->escape(); !left.empty()) return SimulationError(left);
    std::string pair;
    const Snapshot<Dim> now = system_->snapshot();
    const bool finite = std::all_of(now.position.begin(), now.position.end(), [](const auto& x) {
        return std::all_of(x.begin(), x.end(), [](double c) { return std::isfinite(c); });
    });
    bool infinite = !finite;
    if (finite) {
        const auto largest = system_->largest_force();
        infinite = !std::isfinite(largest.force);
        const Partner partner = nearest_partner(now, system_->box(), largest.id);
        if (std::isfinite(partner.distance))
            pair = fmt::format("; at step {} particles {} and {} are at distance {:.4g}",
                               system_->step(), largest.id, partner.id, partner.distance);
    }
    if (infinite) pair += system_->infinite_forces();
    return SimulationError(watch_.explosion(pair) +
                           "; use a smaller dt, or equilibrate the start first");
}

/// Of a failure that the explosion brought about before a row told of it.
template <int Dim>
SimulationError Simulation<Dim>::cause_of(const SimulationError& error) {
    if (watch_.exploded() || stage_ >= stages_.size()) return error;
    stages_[stage_].recorder->flush();
    return watch_.exploded() ? explosion() : error;
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
