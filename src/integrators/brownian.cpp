// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/brownian.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shadow {

namespace {

constexpr double all_at_once = std::numeric_limits<double>::infinity(); ///< rate of the bath

} // namespace

Brownian::Brownian(const MethodSettings& settings)
    : settings_(settings), word_(parse_word("B1 A½ O1 A½")) {}

/// The first step needs the noise of the step before.
void Brownian::prepare(System& system) {
    const double now = middle_of_step(system);
    system.bath({BathKind::langevin, settings_.dt, all_at_once, settings_.kT.at(now)}, 1);
}

void Brownian::step(System& system) {
    system.mollify({}); // a previous method may have set averages
    const double now = middle_of_step(system);
    apply_word(system, word_, std::sqrt(2.0 * settings_.dt / settings_.friction.at(now)),
               all_at_once, settings_.kT.at(now));
    system.end_step(settings_.dt);
}

Claims Brownian::claims() const {
    return {1,    false, false,
            true, false, "Leimkuhler and Matthews 2013, Appl. Math. Res. eXpress 2013, 34"};
}

std::int64_t Brownian::steady_from() const {
    return std::max(settings_.kT.steady_from(), settings_.friction.steady_from());
}

double Brownian::flow_time() const {
    return std::sqrt(2.0 * settings_.dt / settings_.friction.last());
}

double Brownian::step_of(double flow_time) const {
    return 0.5 * settings_.friction.last() * flow_time * flow_time;
}

} // namespace shadow
