// SPDX-License-Identifier: BSD-3-Clause
#include "make_averaged.hpp"

#include "shadow/observables/heat_flux.hpp"
#include "shadow/observables/intermediate_scattering.hpp"
#include "shadow/observables/self_correlation.hpp"
#include "shadow/observables/stress.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

namespace {

std::vector<double> read_wavenumbers(const Parameters& params, std::vector<double> all) {
    for (const double k : all)
        if (!(k > 0.0) || !std::isfinite(k))
            params.fail("wavenumbers", fmt::format("wave number {} (2 pi over a length); give "
                                                   "positive numbers",
                                                   k));
    return all;
}

/// A correlation in time over so many measurements must have a stage with that many.
template <int Dim>
void refuse_short_stage(const Parameters& params, const ObservableContext<Dim>& context,
                        std::int64_t window) {
    if (context.dt == 0.0)
        params.fail("type", "a correlation in time in a minimisation (no time passes there); put "
                            "it into another stage");
    if (window < 2 || window > 1'000'000)
        params.fail("window",
                    fmt::format("window {} (a number of measurements); give 2 to 1000000", window));
    const std::int64_t measurements = context.steps / context.every;
    if (measurements < window)
        params.fail("window", fmt::format("window {} in a stage with {} measurements (no lag would "
                                          "have two origins); give it more steps, a smaller "
                                          "`every`, or a smaller window",
                                          window, measurements));
}

/// Of correlations in time: `window`, `origins` and `longest`.
template <int Dim>
LagLadder read_ladder(const Parameters& params, const ObservableContext<Dim>& context,
                      std::int64_t default_window = 16, std::int64_t max_origins = 1) {
    const std::int64_t window = params.integer("window", default_window);
    if (window < 4 || window % 2 != 0 || window > 1'000'000)
        params.fail("window", fmt::format("window {} (halves of it are compared at longer lags); "
                                          "give an even number from 4 to 1000000",
                                          window));
    std::int64_t divisor = max_origins;
    while (window % divisor != 0) --divisor;
    const std::int64_t origins = params.integer("origins", divisor);
    if (origins < 1 || window % origins != 0)
        params.fail("origins", fmt::format("{} origins (they share the window of {} evenly); give "
                                           "a divisor of it",
                                           origins, window));
    refuse_short_stage(params, context, window);
    // The default does not depend on the steps, so that a run can be made longer; it may stand in
    // the input, too, as `mdrun --check` prints it.
    const std::int64_t usual = 16 * window * context.every;
    const std::int64_t longest = params.integer("longest", usual);
    if (longest < 1 || (longest != usual && longest > context.steps))
        params.fail("longest", fmt::format("longest lag of {} steps in a stage of {} (nothing is "
                                           "that old); lower it",
                                           longest, context.steps));
    return {window, origins, longest / context.every};
}

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_intermediate_scattering(const Parameters& params, const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "intermediate-scattering in an open box (wave vectors are those of a "
                            "periodic box); make the box periodic");
    const std::int64_t vectors = read_vectors(params, 6);
    std::vector<Shell<Dim>> shells;
    for (const double k : read_wavenumbers(params, params.numbers("wavenumbers"))) {
        shells.push_back(wave_vectors_near(context.box, k, static_cast<int>(vectors)));
        if (shells.back().vectors.empty())
            params.fail("wavenumbers", fmt::format("no wave vector of the box near {} (the "
                                                   "shortest is 2 pi over its longest side); give "
                                                   "a larger one",
                                                   k));
    }
    if (shells.empty())
        params.fail("wavenumbers", "no wave numbers (each is a curve); give at least one");
    const std::int64_t window = params.integer("window", 100);
    refuse_short_stage(params, context, window);
    const std::int64_t spacing = params.integer("spacing", std::max<std::int64_t>(1, window / 10));
    if (spacing < 1 || spacing > window)
        params.fail("spacing", fmt::format("{} measurements between two origins (a window has {}); "
                                           "give 1 to {}",
                                           spacing, window, window));
    return std::make_unique<IntermediateScattering<Dim, Real>>(
        context.box, static_cast<double>(context.particles()), context.conserved_mass, shells,
        typename IntermediateScattering<Dim, Real>::Window{
            context.dt * static_cast<double>(context.every), static_cast<std::size_t>(window),
            static_cast<std::size_t>(spacing)});
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_msd(const Parameters& params,
                                                const ObservableContext<Dim>& context) {
    SelfCorrelationPlan<Dim> plan{false,
                                  read_wavenumbers(params, params.numbers("wavenumbers", {})),
                                  context.dt * static_cast<double>(context.every),
                                  context.conserved_mass, read_ladder(params, context)};
    std::vector<Population> followed = context.species;
    if (params.choice("of", {"particles", "molecules"}, "particles") == "molecules") {
        plan.molecules = followed_molecules(params, context);
        followed = {{"", static_cast<std::int64_t>(plan.molecules.size())}};
    } else if (params.has("atoms")) {
        params.fail("atoms", "`atoms` of particles (it says how large molecules are); give of = "
                             "\"molecules\", or remove it");
    }
    return std::make_unique<SelfCorrelation<Dim, Real>>(context.box, followed, std::move(plan));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_vacf(const Parameters& params,
                                                 const ObservableContext<Dim>& context) {
    return std::make_unique<SelfCorrelation<Dim, Real>>(
        context.box, context.species,
        SelfCorrelationPlan<Dim>{true,
                                 {},
                                 context.dt * static_cast<double>(context.every),
                                 context.conserved_mass,
                                 read_ladder(params, context)});
}

template <int Dim>
FluxScale<Dim> read_flux_scale(const Parameters& params, const ObservableContext<Dim>& context,
                               const char* flux) {
    if (!context.box.is_periodic())
        params.fail("type", fmt::format("{} in an open box (it has no volume, over which this "
                                        "would be taken); make the box periodic",
                                        flux));
    return {context.box.volume(), context.boltzmann, context.conserved_mass};
}

template <int Dim>
FluxScale<Dim> read_heat_scale(const Parameters& params, const ObservableContext<Dim>& context) {
    for (const BondedDescription& force : context.forces.bonded)
        if (members_of(force.info->kind) > 2)
            params.fail("type",
                        fmt::format("a flux of heat with {} (how the energy of {} particles "
                                    "flows between them is not the sum over pairs that it "
                                    "is made of); remove one",
                                    force.name, members_of(force.info->kind)));
    return read_flux_scale(params, context, "a flux of heat");
}

namespace {

/// Without `every` it would be the default, with which an integral over time is wrong.
void require_interval(const Parameters& params, const char* what, const char* flux) {
    if (params.has("every")) return;
    params.fail("type", fmt::format("{} without every (the {} of a liquid forgets itself in a few "
                                    "steps, and an integral over longer ones is wrong); give it, "
                                    "for example 5",
                                    what, flux));
}

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_viscosity(const Parameters& params,
                                                      const ObservableContext<Dim>& context) {
    if constexpr (Dim == 1) {
        params.fail("type", "viscosity in one dimension (nothing can be sheared); remove it");
    } else {
        require_interval(params, "viscosity", "stress");
        return std::make_unique<Viscosity<Dim, Real>>(
            PressureTensor<Dim, Real>(read_flux_scale(params, context, "a pressure tensor")),
            context.dt * static_cast<double>(context.every), read_ladder(params, context, 100, 10));
    }
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_thermal_conductivity(const Parameters& params, const ObservableContext<Dim>& context) {
    const auto kinds = std::count_if(context.species.begin(), context.species.end(),
                                     [](const Population& p) { return p.particles > 0; });
    if (kinds > 1)
        params.fail("type", fmt::format("thermal-conductivity of {} species (energy also flows "
                                        "with a flux of one species through the other, which this "
                                        "would count as conduction); observe heat-flux, or use "
                                        "one species",
                                        kinds));
    require_interval(params, "thermal-conductivity", "flux of heat");
    return std::make_unique<ThermalConductivity<Dim, Real>>(
        HeatFluxRow<Dim, Real>(read_heat_scale(params, context)),
        context.dt * static_cast<double>(context.every), read_ladder(params, context, 100, 10));
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template std::unique_ptr<Observable<Dim, Real>> make_intermediate_scattering(                  \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_msd(const Parameters&,                    \
                                                             const ObservableContext<Dim>&);       \
    template std::unique_ptr<Observable<Dim, Real>> make_vacf(const Parameters&,                   \
                                                              const ObservableContext<Dim>&);      \
    template std::unique_ptr<Observable<Dim, Real>> make_viscosity(const Parameters&,              \
                                                                   const ObservableContext<Dim>&); \
    template std::unique_ptr<Observable<Dim, Real>> make_thermal_conductivity(                     \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)

template FluxScale<1> read_flux_scale(const Parameters&, const ObservableContext<1>&, const char*);
template FluxScale<2> read_flux_scale(const Parameters&, const ObservableContext<2>&, const char*);
template FluxScale<3> read_flux_scale(const Parameters&, const ObservableContext<3>&, const char*);
template FluxScale<1> read_heat_scale(const Parameters&, const ObservableContext<1>&);
template FluxScale<2> read_heat_scale(const Parameters&, const ObservableContext<2>&);
template FluxScale<3> read_heat_scale(const Parameters&, const ObservableContext<3>&);

} // namespace shadow
