// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/registry.hpp"

#include "shadow/observables/bond_order.hpp"
#include "shadow/observables/radial_distribution.hpp"
#include "shadow/observables/self_correlation.hpp"
#include "shadow/observables/structure_factor.hpp"
#include "shadow/observables/thermo.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {

namespace {

/// How one observable is made; `supports` says where it exists.
template <int Dim, class Real>
using Maker = std::unique_ptr<Observable<Dim, Real>> (*)(const Parameters&,
                                                         const ObservableContext<Dim>&);

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_thermo(const Parameters&,
                                                   const ObservableContext<Dim>& context) {
    return std::make_unique<Thermo<Dim, Real>>(context.box, context.boltzmann);
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_angular_momentum(const Parameters& params,
                                                             const ObservableContext<Dim>&) {
    if constexpr (Dim == 1)
        params.fail("type", "angular-momentum in one dimension (nothing turns on a line); remove "
                            "it, or observe thermo for the momentum");
    else
        return std::make_unique<AngularMomentum<Dim, Real>>();
}

std::vector<int> read_folds(const Parameters& params) {
    std::vector<int> folds;
    for (const std::int64_t fold : params.integers("folds", {4, 6})) {
        if (fold < 1 || fold > 64)
            params.fail("folds", fmt::format("fold {} (the symmetry of a neighbourhood); give "
                                             "numbers from 1 to 64",
                                             fold));
        folds.push_back(static_cast<int>(fold));
    }
    std::sort(folds.begin(), folds.end());
    if (std::adjacent_find(folds.begin(), folds.end()) != folds.end())
        params.fail("folds", "a fold given twice (each is one quantity); remove one");
    if (folds.empty() || folds.size() > BondOrder::most_folds)
        params.fail("folds",
                    fmt::format("{} folds (one pass takes 1 to {}); give another [[observe]] "
                                "for the rest",
                                folds.size(), BondOrder::most_folds));
    return folds;
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_bond_order(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    if constexpr (Dim != 2) {
        params.fail("type", fmt::format("bond-order in {} dimension{} (angles between bonds are "
                                        "counted in the plane); use it in two dimensions",
                                        Dim, Dim == 1 ? "" : "s"));
    } else {
        const double radius = params.positive("radius");
        const double half = 0.5 * context.box.shortest_periodic_length();
        if (radius > half)
            params.fail("radius", fmt::format("radius {} (a particle would be its own neighbour or "
                                              "count one twice, as half the shortest periodic "
                                              "length is {}); lower the radius or enlarge the box",
                                              radius, half));
        return std::make_unique<BondOrderParameter<Real>>(read_folds(params), radius,
                                                          params.boolean("per_particle", false));
    }
}

/// Neighbours that a pair distribution looks at, unless the input says otherwise: its cost.
constexpr double rdf_neighbours = 256.0;

/// The longest distance that has one image only, or the shorter one within which there are so many
/// neighbours.
template <int Dim>
double default_radius(const ObservableContext<Dim>& context) {
    const double density = static_cast<double>(context.particles()) / context.box.volume();
    const double ball = Dim == 3 ? 4.0 / 3.0 * std::numbers::pi : Dim == 2 ? std::numbers::pi : 2.0;
    return std::min(0.5 * context.box.shortest_periodic_length(),
                    std::pow(rdf_neighbours / (ball * density), 1.0 / Dim));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_rdf(const Parameters& params,
                                                const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "rdf in an open box (it has no density to compare with); make the box "
                            "periodic");
    if (context.particles() < 2)
        params.fail("type", "rdf of one particle (it has no pairs); remove it");
    const double half = 0.5 * context.box.shortest_periodic_length();
    const double radius = params.positive("radius", default_radius(context));
    if (radius > half)
        params.fail("radius", fmt::format("radius {} (beyond {}, half the shortest box length, a "
                                          "shell meets its own image); lower it",
                                          radius, half));
    const std::int64_t bins = params.integer("bins", 200);
    if (bins < 1 || bins > 100000)
        params.fail("bins", fmt::format("{} bins (of which each needs memory and pairs); give 1 to "
                                        "100000",
                                        bins));
    return std::make_unique<RadialDistribution<Dim, Real>>(context.box, context.species, radius,
                                                           static_cast<int>(bins));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_structure_factor(const Parameters& params, const ObservableContext<Dim>& context) {
    if (!context.box.is_periodic())
        params.fail("type", "structure-factor in an open box (wave vectors are those of a periodic "
                            "box); make the box periodic");
    const double longest = params.positive("longest");
    const std::int64_t shells = params.integer("shells", 64);
    if (shells < 1 || shells > 10000)
        params.fail("shells", fmt::format("{} shells (of which each costs a sine and a cosine of "
                                          "every particle); give 1 to 10000",
                                          shells));
    const std::int64_t vectors = params.integer("vectors", 12);
    if (vectors < 1 || vectors > 1000)
        params.fail("vectors", fmt::format("{} wave vectors of a shell (each measurement takes the "
                                           "next of them); give 1 to 1000",
                                           vectors));
    auto chosen = choose_wave_vectors(context.box, longest, static_cast<int>(shells),
                                      static_cast<int>(vectors));
    if (chosen.empty())
        params.fail("longest", fmt::format("no wave vector up to {} (the shortest of this box is "
                                           "2 pi over its longest side); raise it",
                                           longest));
    return std::make_unique<StructureFactor<Dim, Real>>(context.box, context.species,
                                                        std::move(chosen));
}

/// Of correlations in time: `window`, `origins` and `longest`.
template <int Dim>
LagLadder read_ladder(const Parameters& params, const ObservableContext<Dim>& context) {
    if (context.dt == 0.0)
        params.fail("type", "a correlation in time in a minimisation (no time passes there); put "
                            "it into another stage");
    const std::int64_t window = params.integer("window", 16);
    if (window < 4 || window % 2 != 0 || window > 1'000'000)
        params.fail("window", fmt::format("window {} (halves of it are compared at longer lags); "
                                          "give an even number from 4 to 1000000",
                                          window));
    const std::int64_t origins = params.integer("origins", 1);
    if (origins < 1 || window % origins != 0)
        params.fail("origins", fmt::format("{} origins (they share the window of {} evenly); give "
                                           "a divisor of it",
                                           origins, window));
    const std::int64_t measurements = context.steps / context.every;
    if (measurements < window)
        params.fail("window", fmt::format("window {} in a stage with {} measurements (no lag would "
                                          "have two origins); give it more steps, a smaller "
                                          "`every`, or a smaller window",
                                          window, measurements));
    const std::int64_t longest =
        params.integer("longest", std::max(measurements / 4, window) * context.every);
    if (longest < 1 || longest > context.steps)
        params.fail("longest", fmt::format("longest lag of {} steps in a stage of {} (nothing is "
                                           "that old); lower it",
                                           longest, context.steps));
    return {window, origins, longest / context.every};
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_msd(const Parameters& params,
                                                const ObservableContext<Dim>& context) {
    SelfCorrelationPlan plan{false, params.numbers("wavenumbers", {}),
                             context.dt * static_cast<double>(context.every),
                             read_ladder(params, context)};
    for (const double k : plan.wavenumbers)
        if (!(k > 0.0) || !std::isfinite(k))
            params.fail("wavenumbers", fmt::format("wave number {} (2 pi over a length); give "
                                                   "positive numbers",
                                                   k));
    return std::make_unique<SelfCorrelation<Dim, Real>>(context.box.view(), context.species,
                                                        std::move(plan));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_vacf(const Parameters& params,
                                                 const ObservableContext<Dim>& context) {
    return std::make_unique<SelfCorrelation<Dim, Real>>(
        context.box.view(), context.species,
        SelfCorrelationPlan{true,
                            {},
                            context.dt * static_cast<double>(context.every),
                            read_ladder(params, context)});
}

/// The one list of observables.
template <int Dim, class Real>
struct Entry {
    const char* name;
    Maker<Dim, Real> make;
};

template <int Dim, class Real>
constexpr Entry<Dim, Real> entries[] = {
    {"thermo", make_thermo<Dim, Real>},
    {"angular-momentum", make_angular_momentum<Dim, Real>},
    {"bond-order", make_bond_order<Dim, Real>},
    {"rdf", make_rdf<Dim, Real>},
    {"structure-factor", make_structure_factor<Dim, Real>},
    {"msd", make_msd<Dim, Real>},
    {"vacf", make_vacf<Dim, Real>},
};

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_observable(const Parameters& params,
                                                       const ObservableContext<Dim>& context) {
    std::vector<std::string> names;
    for (const auto& entry : entries<Dim, Real>) names.emplace_back(entry.name);
    const std::string type = params.choice("type", names);
    const auto* entry = std::find_if(std::begin(entries<Dim, Real>), std::end(entries<Dim, Real>),
                                     [&type](const auto& e) { return type == e.name; });
    return entry->make(params, context);
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template std::unique_ptr<Observable<Dim, Real>> make_observable(                               \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)
SHADOW_INSTANTIATE(1, float)
SHADOW_INSTANTIATE(2, float)
SHADOW_INSTANTIATE(3, float)

} // namespace shadow
