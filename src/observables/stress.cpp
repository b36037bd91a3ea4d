// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/stress.hpp"

#include "keys.hpp"

#include "shadow/system/units.hpp"

#include "kernels/launch.hpp"

#include <array>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

template <int Dim>
std::vector<Quantity> tensor_quantities(const std::string& name) {
    constexpr const char* directions[3][6] = {
        {"xx"}, {"xx", "yy", "xy"}, {"xx", "yy", "zz", "xy", "xz", "yz"}};
    std::vector<Quantity> all;
    for (int k = 0; k < tensor_size<Dim>; ++k)
        all.push_back(
            {fmt::format("{}_{}", name, directions[Dim - 1][k]), pressure_dimension(Dim)});
    return all;
}
template std::vector<Quantity> tensor_quantities<1>(const std::string&);
template std::vector<Quantity> tensor_quantities<2>(const std::string&);
template std::vector<Quantity> tensor_quantities<3>(const std::string&);

template <int Dim>
void PressureTensor<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) sums_ = Array<KineticSums<Dim>>(backend, 1);
    reduce(backend, MeasureKinetic<Dim>{system.particles()}, system.size(), sums_.data());
    launch(backend,
           FinishStress<Dim>{sums_.data(), system.virials(), system.tail_virial(),
                             system.degrees_of_freedom() * scale_.boltzmann, scale_.conserved_mass,
                             system.particles().box, row},
           1);
}

template <int Dim>
auto PressureTensor<Dim>::equivalent(std::span<const double> row)
    -> std::array<double, components> {
    std::array<double, components> all{};
    if constexpr (Dim > 1) {
        std::copy_n(row.begin() + Dim, tensor_size<Dim> - Dim, all.begin());
        all[tensor_size<Dim> - Dim] = 0.5 * (row[0] - row[1]);
    }
    if constexpr (Dim == 3) all[4] = (row[0] + row[1] - 2.0 * row[2]) / (2.0 * std::sqrt(3.0));
    return all;
}

template <int Dim>
TransportAverage::Names PressureTensor<Dim>::transport_names() {
    const std::string pressure = pressure_dimension(Dim), unit = pressure + " time";
    return {{{"stress_autocorrelation", pressure},
             {"viscosity_green_kubo", unit},
             {"viscosity_helfand", unit}}};
}

SHADOW_INSTANTIATE_EACH_DIMENSION(PressureTensor)

namespace {

template <int Dim>
Made<Dim> make_stress(const ObservableInput<Dim>& in) {
    return std::make_unique<Stress<Dim>>(
        PressureTensor<Dim>(read_flux_scale(in, "a pressure tensor")));
}

template <int Dim>
Made<Dim> make_viscosity(const ObservableInput<Dim>& in) {
    if constexpr (Dim == 1) {
        in.fail("type", "viscosity in one dimension (nothing can be sheared); remove it");
    } else {
        require_interval(in, "viscosity", "stress");
        return std::make_unique<Viscosity<Dim>>(
            PressureTensor<Dim>(read_flux_scale(in, "a pressure tensor")), in.interval(),
            read_ladder(in, in.context, 10));
    }
}

} // namespace

ObservableEntry stress_entry() {
    return {{"stress",
             "Pressure tensor: xx, yy, zz, xy, xz, yz; the stress is its negative",
             "P_ab = (sum m v_a v_b + sum over pairs of r_a f_b) / V",
             "Allen and Tildesley 2017, section 2.4",
             {every_key()}},
            SHADOW_EACH_DIMENSION(make_stress)};
}

ObservableEntry viscosity_entry() {
    return {
        {"viscosity",
         "Shear viscosity of an isotropic fluid, by the Green-Kubo and the Einstein-Helfand "
         "formula, and the autocorrelation of the stress",
         "stress_autocorrelation(t) = V/(k_B T) <P_xy(0) P_xy(t)>, averaged over the independent "
         "components of the traceless tensor; viscosity_green_kubo(t) = its integral; "
         "viscosity_helfand(t) = V/(2 k_B T) d/dt <(integral of P_xy)^2>",
         "Daivis and Evans 1994; Allen and Tildesley 2017, section 2.7", integral_keys("stress")},
        SHADOW_EACH_DIMENSION(make_viscosity)};
}

} // namespace shadow
