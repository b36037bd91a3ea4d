// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/deformed.hpp"

#include <cmath>

namespace shadow {

void Deformed::prepare(System& system) {
    AroundMethod::prepare(system);
    const double time = dt() * static_cast<double>(settings_.every);
    for (int d = 0; d < static_cast<int>(settings_.rates.size()); ++d) {
        const double strain = settings_.rates[static_cast<std::size_t>(d)] * time;
        system.set_scalar(of_row(Scalar::box_strain, d), std::exp(strain));
        system.set_scalar(of_row(Scalar::box_friction, d), std::exp(-strain));
    }
}

void Deformed::step(System& system) {
    if (settings_.is_due(system.step(), first_step())) deform(system);
    if (settings_.is_due(system.step() + 1, first_step())) system.expect_energies(true);
    method().step(system);
}

void Deformed::deform(System& system) const {
    system.measure_potential();
    system.measure_kinetic();
    system.advance(BeginDeformation{});
    for (int d = 0; d < static_cast<int>(settings_.rates.size()); ++d) {
        if (settings_.rates[static_cast<std::size_t>(d)] == 0.0) continue;
        system.scale_box(of_row(Scalar::box_strain, d), Axes{1} << d);
        system.scale_momenta(of_row(Scalar::box_friction, d), Axes{1} << d);
    }
    system.measure_potential();
    system.measure_kinetic();
    system.advance(EndDeformation{});
}

Claims Deformed::claims() const {
    Claims claims = method().claims();
    claims.symmetric = claims.symplectic = claims.conserves_spin = false;
    return claims;
}

} // namespace shadow
