// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/thermo.hpp"

#include "keys.hpp"

#include "shadow/observables/shells.hpp"
#include "shadow/system/units.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/sums.hpp"

#include <fmt/format.h>

namespace shadow {

template <int Dim>
Thermo<Dim>::Thermo(const Box<Dim>& box, double boltzmann, const ConservedMass<Dim>& conserved_mass,
                    std::vector<std::string> levels, bool with_bath, std::optional<double> barostat,
                    bool shape_changes, double adapted_step, bool boosted)
    : with_pressure_(box.is_periodic()), boltzmann_(boltzmann), conserved_mass_(conserved_mass),
      levels_(std::move(levels)), with_bath_(with_bath), barostat_(barostat),
      shape_changes_(shape_changes), adapted_step_(adapted_step), boosted_(boosted) {}

template <int Dim>
std::vector<Quantity> Thermo<Dim>::quantities() const {
    std::vector<Quantity> all{{"potential_energy", "energy"},
                              {"kinetic_energy", "energy"},
                              {"total_energy", "energy"},
                              {"conserved_energy", "energy"},
                              {"temperature", "temperature"}};
    if (with_pressure_) all.push_back({"pressure", pressure_dimension(Dim)});
    if (barostat_) {
        all.push_back({"volume", Dim == 1 ? "length" : fmt::format("length^{}", Dim)});
        all.push_back({"density", per_volume(Dim)});
        all.push_back({"enthalpy", "energy"});
    }
    for (int d = 0; d < Dim && shape_changes_; ++d)
        all.push_back({fmt::format("length_{}", "xyz"[d]), "length"});
    for (const std::string& level : levels_) all.push_back({"potential_energy_" + level, "energy"});
    if (with_bath_) {
        all.push_back({"nose_s", ""});
        all.push_back({"nose_pi", "energy time"});
    }
    if (adapted_step_ > 0.0) all.push_back({"step_length", "time"});
    if (boosted_) all.push_back({"boost_energy", "energy"});
    all.push_back({"momentum", "mass length/time", Dim});
    return all;
}

template <int Dim>
void Thermo<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) sums_ = Array<ThermoSums<Dim>>(backend, 1);
    MeasureThermo<Dim> measure{};
    measure.particles = system.particles();
    measure.energy = system.energies();
    measure.heat = system.heat();
    reduce(backend, measure, system.size(), sums_.data());

    FinishThermo<Dim> finish{};
    finish.sums = sums_.data();
    finish.virial = system.virials();
    finish.tail_energy = system.tail_energy();
    if (!levels_.empty()) measure_levels(system, finish);
    finish.scalars = {system.scalars()};
    finish.extended = extended_;
    finish.tail_virial = system.tail_virial();
    finish.freedom_boltzmann = system.degrees_of_freedom() * boltzmann_;
    finish.conserved_mass = conserved_mass_;
    finish.box = measure.particles.box;
    finish.with_pressure = with_pressure_;
    finish.particles = barostat_ ? static_cast<double>(system.size()) : 0.0;
    finish.with_lengths = shape_changes_;
    finish.with_bath = with_bath_;
    finish.adapted_step = adapted_step_;
    finish.boosted = boosted_;
    finish.pressure = barostat_.value_or(0.0);
    finish.row = row;
    launch(backend, finish, 1);
}

template <int Dim>
void Thermo<Dim>::measure_levels(ParticleSystem<Dim>& system, FinishThermo<Dim>& finish) {
    const Backend& backend = system.backend();
    if (potential_.size() == 0) potential_ = Array<double>(backend, levels_.size());
    double* potential = potential_.data();
    finish.levels = potential;
    for (const ForceLevel level : system.levels()) {
        reduce(backend, SumArrays{{}, system.energies(level)}, system.size(), potential++);
        finish.level_tail.add(system.tail_energy(level).value);
    }
}

template <int Dim>
std::vector<Quantity> AngularMomentum<Dim>::quantities() const {
    return {{"angular_momentum", "mass length^2/time", AngularSums<Dim>::components}};
}

template <int Dim>
void AngularMomentum<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    reduce(system.backend(), MeasureAngularMomentum<Dim>{system.particles()}, system.size(),
           reinterpret_cast<AngularSums<Dim>*>(row));
}

SHADOW_INSTANTIATE_EACH_DIMENSION(Thermo)
template class AngularMomentum<2>;
template class AngularMomentum<3>;

namespace {

template <int Dim>
Made<Dim> make_thermo(const ObservableInput<Dim>& in) {
    const Integrator* method = in.context.integrator;
    const double adapted_step = method && !method->is_even() ? method->dt() : 0.0;
    return std::make_unique<Thermo<Dim>>(
        in.context.box, in.context.boltzmann, in.context.conserved_mass,
        in.context.separate_levels(), in.context.has_bath, in.context.barostat,
        in.context.shape_changes, adapted_step, method && method->boosts());
}

template <int Dim>
Made<Dim> make_angular_momentum(const ObservableInput<Dim>& in) {
    if constexpr (Dim == 1)
        in.fail("type", "angular-momentum in one dimension (there is no rotation); remove it, or "
                        "observe thermo for the momentum");
    else
        return std::make_unique<AngularMomentum<Dim>>();
}

} // namespace

ObservableEntry thermo_entry() {
    return {
        {"thermo",
         "Energies, temperature, pressure (in a periodic box) and momentum of the whole system; if "
         "forces have several levels, the potential energy of each level; with a barostat volume, "
         "density and enthalpy, and the lengths of the box where its shape changes; step_length of "
         "steps that follow the motion, which weights the means of series; boost_energy, from "
         "which weights are computed with a boost or nose-density",
         "T = 2 K / (k_B g), P = (2 K + sum r.f) / (d V); enthalpy = K + U + V times the pressure "
         "of the barostat; conserved energy = K + U - heat of the baths + energy of the variables "
         "which a method adds",
         "Allen and Tildesley 2017, section 2.4",
         {every_key()}},
        SHADOW_EACH_DIMENSION(make_thermo)};
}

ObservableEntry angular_momentum_entry() {
    return {{"angular-momentum",
             "Total angular momentum about the origin, of unwrapped positions",
             "L = sum r x p",
             "",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_angular_momentum)};
}

} // namespace shadow
