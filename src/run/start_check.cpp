// SPDX-License-Identifier: BSD-3-Clause
#include "start_check.hpp"

#include "shadow/system/nearest_partner.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <vector>

namespace shadow {
namespace {

/// The median distance to the nearest partner, over about a hundred particles.
template <int Dim>
double typical_distance(const Snapshot<Dim>& start, const Box<Dim>& box) {
    constexpr std::size_t enough = 100;
    std::vector<double> nearest;
    for (std::size_t i = 0; i < start.size(); i += 1 + start.size() / enough)
        nearest.push_back(nearest_partner(start, box, static_cast<std::uint32_t>(i)).distance);
    const auto middle = nearest.begin() + static_cast<std::ptrdiff_t>(nearest.size() / 2);
    std::nth_element(nearest.begin(), middle, nearest.end());
    return *middle;
}

} // namespace

template <int Dim>
std::string start_problem(const Snapshot<Dim>& start, const Box<Dim>& box,
                          const StartForce& largest, double dt, double drift, double power) {
    const double mass = start.mass(largest.id);
    const double move = largest.force / mass * drift * drift * dt * dt;
    const Partner partner = nearest_partner(start, box, largest.id);
    if (std::isfinite(largest.force) && !(move > partner.distance)) return "";
    const std::string minimise =
        "put a [[stage]] with integrator = { method = \"minimize\" } first";
    if (!std::isfinite(partner.distance))
        return fmt::format("the force on particle {} at the start is {:.3g} (it has no partner, so "
                           "an external force causes it); start from other positions",
                           largest.id, largest.force);
    const std::string pair = fmt::format("particles {} and {}", std::min(largest.id, partner.id),
                                         std::max(largest.id, partner.id));
    if (!std::isfinite(largest.force))
        return fmt::format(
            "{} overlap at the start (at distance {:.6g} the force is not finite{}); "
            "move one of them",
            pair, partner.distance, largest.infinite);
    // No pair is that much closer in a lattice or in a liquid.
    constexpr double close = 0.7;
    const double typical = typical_distance(start, box);
    if (partner.distance < close * typical)
        return fmt::format("{} overlap at the start (at distance {:.6g}, where {:.3g} is typical, "
                           "the force is {:.3g}); {}, or start from other positions",
                           pair, partner.distance, typical, largest.force, minimise);
    // With a tenth of the distance per step the motion is still far from accurate but bounded.
    // In logarithms: the displacement in a step may overflow.
    const double shorter = std::log(0.1 * partner.distance) - std::log(largest.force / mass) -
                           2.0 * (std::log(drift) + std::log(dt));
    const double dt_that_does = std::exp(std::log(dt) + 0.5 * power * shorter);
    return fmt::format(
        "dt = {} is too large for the start (in the first step the force of {:.3g} "
        "would move particle {} by {:.3g}, beyond its nearest partner {} at distance "
        "{:.6g}); use a dt below {:.1g}, or if all particles overlap, {}",
        dt, largest.force, largest.id, move, partner.id, partner.distance, dt_that_does, minimise);
}

template <int Dim>
double coarseness(const Snapshot<Dim>& start, const Box<Dim>& box) {
    constexpr std::size_t together = 64;
    const std::size_t n = start.size();
    if (n < 2) return 0.0;
    std::vector<double> away(n), x;
    for (std::size_t first = 0; first < n; first += together) {
        const std::size_t last = std::min(n, first + together);
        for (std::size_t d = 0; d < Dim; ++d) {
            x.clear();
            for (std::size_t i = first; i < last; ++i) x.push_back(start.position[i][d]);
            const auto middle = x.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
            std::nth_element(x.begin(), middle, x.end());
            for (std::size_t i = first; i < last; ++i)
                away[i] = std::max(away[i], std::abs(start.position[i][d] - *middle));
        }
    }
    const auto tenth = away.begin() + static_cast<std::ptrdiff_t>(n - 1 - n / 10);
    std::nth_element(away.begin(), tenth, away.end());
    return *tenth * std::numeric_limits<float>::epsilon() / typical_distance(start, box);
}

std::string far_apart(double coarseness) {
    return fmt::format(
        "an infinite cut-off between groups of particles that are far apart (in mixed precision "
        "distances of neighbours are good to {:.1g} of them there); set compute.precision = "
        "\"double\"",
        coarseness);
}

template double coarseness(const Snapshot<1>&, const Box<1>&);
template double coarseness(const Snapshot<2>&, const Box<2>&);
template double coarseness(const Snapshot<3>&, const Box<3>&);
template std::string start_problem(const Snapshot<1>&, const Box<1>&, const StartForce&, double,
                                   double, double);
template std::string start_problem(const Snapshot<2>&, const Box<2>&, const StartForce&, double,
                                   double, double);
template std::string start_problem(const Snapshot<3>&, const Box<3>&, const StartForce&, double,
                                   double, double);

} // namespace shadow
