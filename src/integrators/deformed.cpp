// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/deformed.hpp"

#include <algorithm>

namespace shadow {

void Deformed::step(System& system) {
    if (settings_.is_due(system.step() + 1, first_step())) system.expect_energies(true);
    method().step(system);
    if (settings_.is_due(system.step(), first_step())) deform(system);
}

void Deformed::deform(System& system) const {
    const auto steps = static_cast<double>(settings_.every);
    system.measure_potential();
    system.measure_kinetic();
    BeginDeformation begin{};
    for (std::size_t d = 0; d < settings_.rates.size(); ++d)
        begin.strain[d] = settings_.rates[d].at(step_of_stage(system) - 0.5 * steps) * steps * dt();
    system.advance(begin);
    for (int d = 0; d < static_cast<int>(settings_.rates.size()); ++d) {
        if (settings_.rates[static_cast<std::size_t>(d)].largest() == 0.0) continue;
        system.scale_box(of_row(Scalar::box_strain, d), Axes{1} << d);
        system.scale_momenta(of_row(Scalar::box_friction, d), Axes{1} << d);
    }
    system.measure_potential();
    system.measure_kinetic();
    system.advance(EndDeformation{});
}

std::int64_t Deformed::steady_from() const {
    std::int64_t from = AroundMethod::steady_from();
    for (const Ramp& rate : settings_.rates) from = std::max(from, rate.steady_from());
    return from;
}

Claims Deformed::claims() const {
    Claims claims = method().claims();
    claims.symmetric = claims.symplectic = claims.conserves_spin = false;
    return claims;
}

} // namespace shadow
