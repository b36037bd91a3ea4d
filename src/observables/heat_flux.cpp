// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/heat_flux.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {

template <int Dim>
void HeatFluxRow<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) {
        sums_ = Array<KineticSums<Dim>>(backend, 1);
        centre_ = Array<double>(backend, Dim);
        share_ = Array<Share<Dim>>(backend, static_cast<std::size_t>(system.size()));
        flux_ = Array<Flux<Dim>>(backend, 1);
    }
    reduce(backend, MeasureKinetic<Dim>{system.particles()}, system.size(), sums_.data());
    launch(backend, FindCentreVelocity<Dim>{sums_.data(), centre_.data()}, 1);
    const Share<Dim>* share = system.share(share_.data()) ? share_.data() : nullptr;
    reduce(backend, MeasureHeatFlux<Dim>{system.particles(), share, centre_.data()}, system.size(),
           flux_.data());
    launch(backend,
           FinishHeatFlux<Dim>{sums_.data(), flux_.data(),
                               system.degrees_of_freedom() * scale_.boltzmann,
                               scale_.conserved_mass, system.particles().box, row},
           1);
}

template <int Dim>
std::vector<Quantity> HeatFluxRow<Dim>::quantities() const {
    const std::string unit =
        Dim == 1 ? "energy/time" : fmt::format("energy/length^{}/time", Dim - 1);
    std::vector<Quantity> all;
    for (int d = 0; d < Dim; ++d) all.push_back({fmt::format("heat_flux_{}", "xyz"[d]), unit});
    return all;
}

template <int Dim>
TransportAverage::Names HeatFluxRow<Dim>::transport_names() {
    constexpr const char* unit[] = {"energy length/time/temperature", "energy/time/temperature",
                                    "energy/length/time/temperature"};
    const std::string conductivity = unit[Dim - 1];
    return {{{"heat_flux_autocorrelation", conductivity + "/time"},
             {"thermal_conductivity_green_kubo", conductivity},
             {"thermal_conductivity_helfand", conductivity}}};
}

SHADOW_INSTANTIATE_EACH_DIMENSION(HeatFluxRow)

namespace {

/// The scale of a heat flux, which is defined for forces between two particles only.
template <int Dim>
FluxScale<Dim> read_heat_scale(const ObservableInput<Dim>& in) {
    in.context.forces.each([&](const auto& force) {
        const int members = force.template claims<Dim>().members;
        if (members > 2)
            in.fail("type",
                    fmt::format("a heat flux with {} (the energy flow between {} particles is not "
                                "the sum over pairs that it is computed from); remove one",
                                force.name, members));
    });
    return read_flux_scale(in, "a heat flux");
}

template <int Dim>
Made<Dim> make_heat_flux(const ObservableInput<Dim>& in) {
    return std::make_unique<HeatFlux<Dim>>(HeatFluxRow<Dim>(read_heat_scale(in)));
}

template <int Dim>
Made<Dim> make_thermal_conductivity(const ObservableInput<Dim>& in) {
    const auto kinds = std::count_if(in.context.species.begin(), in.context.species.end(),
                                     [](const Population& p) { return p.particles > 0; });
    if (kinds > 1)
        in.fail("type", fmt::format("thermal-conductivity of {} species (energy also flows "
                                    "with a flux of one species through the other, which this "
                                    "would count as conduction); observe heat-flux, or use "
                                    "one species",
                                    kinds));
    require_interval(in, "thermal-conductivity", "heat flux");
    return std::make_unique<ThermalConductivity<Dim>>(
        HeatFluxRow<Dim>(read_heat_scale(in)), in.interval(), read_ladder(in, in.context, 10));
}

} // namespace

ObservableEntry heat_flux_entry() {
    return {{"heat-flux",
             "Heat flux relative to the centre of mass; for a mixture the energy flux",
             "J = (sum of e_i v_i + sum over pairs of r (f . (v_i + v_j)) / 2) / V, e_i the energy "
             "of a particle with half of that of its pairs and that in fields",
             "Irving and Kirkwood 1950; Allen and Tildesley 2017, section 2.7",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_heat_flux)};
}

ObservableEntry thermal_conductivity_entry() {
    return {{"thermal-conductivity",
             "Thermal conductivity of a fluid of one species, by the Green-Kubo and the "
             "Einstein-Helfand formula, and the autocorrelation of the heat flux",
             "heat_flux_autocorrelation(t) = V/(k_B T^2) <J_x(0) J_x(t)>, averaged over "
             "directions; thermal_conductivity_green_kubo(t) = its integral; "
             "thermal_conductivity_helfand(t) = V/(2 k_B T^2) d/dt <(integral of J_x)^2>",
             "Allen and Tildesley 2017, section 2.7", integral_keys("heat flux")},
            SHADOW_EACH_DIMENSION(make_thermal_conductivity)};
}

} // namespace shadow
