// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/heat_flux.hpp"

#include "kernels/launch.hpp"

#include <fmt/format.h>

namespace shadow {

template <int Dim, class Real>
void HeatFluxRow<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) {
        sums_ = Array<KineticSums<Dim>>(backend, 1);
        centre_ = Array<double>(backend, Dim);
        share_ = Array<Share<Dim>>(backend, static_cast<std::size_t>(system.size()));
        flux_ = Array<Flux<Dim>>(backend, 1);
    }
    reduce(backend, MeasureKinetic<Dim, Real>{system.particles()}, system.size(), sums_.data());
    launch(backend, FindCentreVelocity<Dim>{sums_.data(), centre_.data()}, 1);
    const Scalars scalars{system.scalars()};
    const Share<Dim>* share = system.share(share_.data()) ? share_.data() : nullptr;
    reduce(backend, MeasureHeatFlux<Dim, Real>{system.particles(), share, centre_.data(), scalars},
           system.size(), flux_.data());
    launch(backend,
           FinishHeatFlux<Dim>{sums_.data(), flux_.data(), scalars,
                               system.degrees_of_freedom() * scale_.boltzmann,
                               scale_.conserved_mass, scale_.volume, row},
           1);
}

template <int Dim, class Real>
std::vector<Quantity> HeatFlux<Dim, Real>::quantities() const {
    const std::string unit =
        Dim == 1 ? "energy/time" : fmt::format("energy/length^{}/time", Dim - 1);
    std::vector<Quantity> all;
    for (int d = 0; d < Dim; ++d) all.push_back({fmt::format("heat_flux_{}", "xyz"[d]), unit});
    return all;
}

template <int Dim, class Real>
void ThermalConductivity<Dim, Real>::accumulate(double /*time*/, std::span<const double> row) {
    this->average_.add(row.first(Dim), row[Dim]);
}

template <int Dim, class Real>
std::vector<ArrayEstimate> ThermalConductivity<Dim, Real>::estimates() const {
    const double T = this->average_.temperature();
    const FluxScale<Dim>& scale = this->source_.scale();
    constexpr const char* unit[] = {"energy length/time/temperature", "energy/time/temperature",
                                    "energy/length/time/temperature"};
    const std::string conductivity = unit[Dim - 1];
    return this->average_.estimates(scale.volume / (scale.boltzmann * T * T),
                                    {{{"heat_flux_autocorrelation", conductivity + "/time"},
                                      {"thermal_conductivity_green_kubo", conductivity},
                                      {"thermal_conductivity_helfand", conductivity}}});
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template class HeatFluxRow<Dim, Real>;                                                         \
    template class HeatFlux<Dim, Real>;                                                            \
    template class ThermalConductivity<Dim, Real>;
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)

} // namespace shadow
