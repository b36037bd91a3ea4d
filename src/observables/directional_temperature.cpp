// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/directional_temperature.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"

namespace shadow {

template <int Dim>
std::vector<Quantity> DirectionalTemperature<Dim>::quantities() const {
    std::vector<Quantity> all;
    for (const char* direction : {"x", "y", "z"})
        if (all.size() < Dim)
            all.push_back({std::string("temperature_") + direction, "temperature"});
    return all;
}

template <int Dim>
void DirectionalTemperature<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) sums_ = Array<KineticSums<Dim>>(backend, 1);
    reduce(backend, MeasureKinetic<Dim>{system.particles()}, system.size(), sums_.data());
    FinishDirections<Dim> finish{sums_.data(), {}, conserved_mass_, row};
    // A conserved momentum reduces the freedom of its own direction, a conserved angular momentum
    // that of all directions equally.
    double freedom = system.degrees_of_freedom();
    for (const double mass : conserved_mass_.along) freedom += mass > 0.0 ? 1.0 : 0.0;
    for (std::size_t d = 0; d < Dim; ++d)
        finish.freedom_boltzmann[d] =
            boltzmann_ * (freedom / Dim - (conserved_mass_.along[d] > 0.0 ? 1.0 : 0.0));
    launch(backend, finish, 1);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(DirectionalTemperature)

namespace {

template <int Dim>
Made<Dim> make_directional_temperature(const ObservableInput<Dim>& in) {
    return std::make_unique<DirectionalTemperature<Dim>>(in.context.boltzmann,
                                                         in.context.conserved_mass);
}

} // namespace

ObservableEntry directional_temperature_entry() {
    return {{"directional-temperature",
             "Temperature of the motion along each direction",
             "T_x = sum p_x^2 / m / (k_B g_x), without the motion of the centre of mass where it "
             "is conserved; the g_x sum to g",
             "Allen and Tildesley 2017, section 2.4",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_directional_temperature)};
}

} // namespace shadow
