// SPDX-License-Identifier: BSD-3-Clause
#include "make_averaged.hpp"

#include "shadow/observables/bond_correlation.hpp"
#include "shadow/observables/connected_clusters.hpp"
#include "shadow/observables/pair_density.hpp"
#include "shadow/observables/positional_correlation.hpp"
#include "shadow/observables/radial_density.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow {

template <int Dim>
double read_radius(const Parameters& params, const ObservableContext<Dim>& context) {
    const double radius = params.positive("radius");
    const double half = 0.5 * context.box.shortest_periodic_length();
    if (radius > half)
        params.fail("radius", fmt::format("radius {} (a particle would be its own neighbour or "
                                          "count one twice, as half the shortest periodic length "
                                          "is {}); lower the radius or enlarge the box",
                                          radius, half));
    return radius;
}

namespace {

template <int Dim>
[[noreturn]] void fail_off_plane(const Parameters& params, const char* type) {
    params.fail("type", fmt::format("{} in {} dimension{} (angles between bonds are counted in the "
                                    "plane); use it in two dimensions{}",
                                    type, Dim, Dim == 1 ? "" : "s",
                                    Dim == 3 ? ", and steinhardt in three" : ""));
}

int read_fold(const Parameters& params, std::int64_t least, std::int64_t most) {
    const std::int64_t fold = params.integer("fold", 6);
    if (fold < least || fold > most)
        params.fail("fold", fmt::format("fold {} (the symmetry of a neighbourhood); give a number "
                                        "from {} to {}",
                                        fold, least, most));
    return static_cast<int>(fold);
}

/// A distance of at most `limit`, half the shortest periodic length.
double read_distance(const Parameters& params, const char* key, double standard, double limit) {
    const double distance =
        std::isfinite(standard) ? params.positive(key, standard) : params.positive(key);
    if (distance > limit * (1.0 + 1e-12))
        params.fail(key, fmt::format("{} {} (beyond {}, half the shortest box length, a particle "
                                     "is met through two images); lower it",
                                     key, distance, limit));
    return distance;
}

} // namespace

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_bond_correlation(const Parameters& params, const ObservableContext<Dim>& context) {
    if constexpr (Dim != 2) {
        fail_off_plane<Dim>(params, "bond-correlation");
    } else {
        if (!context.box.is_periodic())
            params.fail("type", "bond-correlation in an open box (pairs near its edges have half "
                                "their neighbours); make the box periodic");
        typename BondCorrelation<Real>::Plan plan{};
        const double half = 0.5 * context.box.shortest_periodic_length();
        plan.fold = read_fold(params, 1, 64);
        plan.radius = read_radius(params, context);
        plan.largest = read_distance(params, "largest", half, half);
        plan.bins = read_bins(params, "bins", params.integer("bins", 200));
        return std::make_unique<BondCorrelation<Real>>(plan);
    }
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>>
make_positional_correlation(const Parameters& params, const ObservableContext<Dim>& context) {
    if constexpr (Dim != 2) {
        fail_off_plane<Dim>(params, "positional-correlation");
    } else {
        if (!context.box.is_periodic())
            params.fail("type", "positional-correlation in an open box (it has no density to "
                                "compare with); make the box periodic");
        if (context.particles() < 2)
            params.fail("type", "positional-correlation of one particle (it has no pairs); remove "
                                "it");
        typename PositionalCorrelation<Real>::Plan plan{};
        const double half = 0.5 * context.box.shortest_periodic_length();
        const double apart =
            std::sqrt(context.box.volume() / static_cast<double>(context.particles()));
        plan.fold = read_fold(params, 2, LatticeDirections::max_fold);
        plan.radius = read_radius(params, context);
        plan.largest = read_distance(params, "largest", half, half);
        plan.width = params.positive("width", 0.25 * apart);
        const double widest = 2.0 * plan.largest * std::sin(std::numbers::pi / plan.fold);
        if (plan.width >= widest)
            params.fail("width", fmt::format("width {} (strips of {} and more along {} directions "
                                             "fill the plane); lower it",
                                             plan.width, widest, plan.fold));
        plan.bins = read_bins(params, "bins", params.integer("bins", 200));
        return std::make_unique<PositionalCorrelation<Real>>(context.box, context.particles(),
                                                             plan);
    }
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_clusters(const Parameters& params,
                                                     const ObservableContext<Dim>& context) {
    const std::int64_t all = context.particles();
    const std::int64_t sizes = params.integer("sizes", std::min<std::int64_t>(100, all));
    if (sizes < 1 || sizes > all || sizes > 1'000'000)
        params.fail("sizes", fmt::format("sizes up to {} (clusters have 1 to {} particles, and a "
                                         "number for each size is kept); give 1 to {}",
                                         sizes, all, std::min<std::int64_t>(all, 1'000'000)));
    return std::make_unique<ConnectedClusters<Dim, Real>>(read_radius(params, context),
                                                          static_cast<int>(sizes),
                                                          params.boolean("per_particle", false));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_pair_density(const Parameters& params,
                                                         const ObservableContext<Dim>& context) {
    if (context.particles() < 2)
        params.fail("type", "pair-density of one particle (it has no pairs); remove it");
    const double half = 0.5 * context.box.shortest_periodic_length();
    return std::make_unique<PairDensity<Dim, Real>>(
        context.species, read_distance(params, "radius", half, half),
        read_bins(params, "bins", params.integer("bins", 200)));
}

template <int Dim, class Real>
std::unique_ptr<Observable<Dim, Real>> make_radial_density(const Parameters& params,
                                                           const ObservableContext<Dim>& context) {
    const double half = 0.5 * context.box.shortest_periodic_length();
    return std::make_unique<RadialDensity<Dim, Real>>(
        context.species, read_distance(params, "radius", half, half),
        read_bins(params, "bins", params.integer("bins", 100)));
}

#define SHADOW_INSTANTIATE(Dim, Real)                                                              \
    template double read_radius(const Parameters&, const ObservableContext<Dim>&);                 \
    template std::unique_ptr<Observable<Dim, Real>> make_bond_correlation(                         \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_positional_correlation(                   \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_clusters(const Parameters&,               \
                                                                  const ObservableContext<Dim>&);  \
    template std::unique_ptr<Observable<Dim, Real>> make_pair_density(                             \
        const Parameters&, const ObservableContext<Dim>&);                                         \
    template std::unique_ptr<Observable<Dim, Real>> make_radial_density(                           \
        const Parameters&, const ObservableContext<Dim>&);
SHADOW_INSTANTIATE(1, double)
SHADOW_INSTANTIATE(2, double)
SHADOW_INSTANTIATE(3, double)
#undef SHADOW_INSTANTIATE

} // namespace shadow
