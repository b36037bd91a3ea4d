// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/directional_temperature.hpp"

#include "kernels/launch.hpp"

namespace shadow {

template <int Dim, class Real>
std::vector<Quantity> DirectionalTemperature<Dim, Real>::quantities() const {
    std::vector<Quantity> all;
    for (const char* direction : {"x", "y", "z"})
        if (all.size() < Dim)
            all.push_back({std::string("temperature_") + direction, "temperature"});
    return all;
}

template <int Dim, class Real>
void DirectionalTemperature<Dim, Real>::enqueue(ParticleSystem<Dim, Real>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) sums_ = Array<KineticSums<Dim>>(backend, 1);
    reduce(backend, MeasureKinetic<Dim, Real>{system.particles()}, system.size(), sums_.data());
    launch(backend,
           FinishDirections<Dim>{sums_.data(),
                                 {system.scalars()},
                                 system.degrees_of_freedom() * boltzmann_ / Dim,
                                 conserved_mass_,
                                 row},
           1);
}

template class DirectionalTemperature<1, double>;
template class DirectionalTemperature<2, double>;
template class DirectionalTemperature<3, double>;

} // namespace shadow
