// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/mtk.hpp"

#include <algorithm>
#include <numbers>

namespace shadow {

MartynaTobiasKlein::MartynaTobiasKlein(const NoseHoover& method, const BarostatSettings& settings,
                                       int dimension)
    : method_(method), settings_(settings), dimension_(dimension) {}

NoseHooverChain MartynaTobiasKlein::box_chain(double step) const {
    const double time = settings_.period / (2.0 * std::numbers::pi),
                 mass = *bath_kT() * time * time,
                 groups = static_cast<double>(settings_.groups.size());
    return {method_.length(),          groups * mass, mass,
            *method_.bath_kT_at(step), groups,        Scalar::box_chain_position,
            Scalar::box_chain_velocity};
}

BoxMotion MartynaTobiasKlein::box(const System& system, double step) const {
    const double time = settings_.period / (2.0 * std::numbers::pi),
                 g = system.degrees_of_freedom();
    BoxMotion box{(g + dimension_) / dimension_ * *bath_kT() * time * time,
                  settings_.pressure.at(step),
                  g,
                  settings_.min_volume,
                  settings_.max_volume,
                  dimension_,
                  static_cast<int>(settings_.groups.size())};
    std::copy(settings_.groups.begin(), settings_.groups.end(), box.axes);
    return box;
}

void MartynaTobiasKlein::prepare(System& system) {
    for (int k = 0; k < max_groups; ++k) system.set_scalar(of_row(Scalar::box_velocity, k), 0.0);
    for (int k = 0; k < max_chain; ++k) {
        system.set_scalar(of_row(Scalar::box_chain_position, k), 0.0);
        system.set_scalar(of_row(Scalar::box_chain_velocity, k), 0.0);
    }
    method_.prepare(system);
    system.measure_virial();
    system.measure_kinetic_along();
}

void MartynaTobiasKlein::change(System& system, double step) const {
    const double kT = *method_.bath_kT_at(step), hotter = kT - *method_.bath_kT_at(step - 1.0),
                 more = settings_.pressure.at(step) - settings_.pressure.at(step - 1.0);
    if (hotter != 0.0) {
        system.advance(NoseHooverTemperature{hotter, method_.chain(system, kT)});
        system.advance(NoseHooverTemperature{hotter, box_chain(step)});
    }
    if (more != 0.0) system.advance(ChangePressure{more});
}

void MartynaTobiasKlein::slow_momenta(System& system) const {
    Axes still = all_axes;
    int k = 0;
    for (const Axes axes : settings_.groups) {
        system.scale_momenta(of_row(Scalar::box_friction, k++), axes);
        still &= ~axes;
    }
    if (!settings_.holds_all(dimension_))
        system.scale_momenta(of_row(Scalar::box_friction, k), still);
}

/// Half a drift, the change of the box and half a drift: r -> (r + v dt/2) e + v dt/2.
void MartynaTobiasKlein::step(System& system) {
    const double half = 0.5 * dt(), now = middle_of_step(system);
    const NoseHooverChain chain = method_.chain(system, *method_.bath_kT_at(now)),
                          of_box = box_chain(now);
    const BoxMotion motion = box(system, now);
    change(system, now);
    system.advance(MoveBoxFirst{half, chain, of_box, motion});
    system.scale_momenta(Scalar::chain_first);
    slow_momenta(system);
    system.kick(half);
    slow_momenta(system);
    system.drift(half);
    for (std::size_t k = 0; k < settings_.groups.size(); ++k)
        system.scale_box(of_row(Scalar::box_strain, static_cast<int>(k)), settings_.groups[k]);
    system.drift(half);
    system.expect_virial();
    system.arrive();
    slow_momenta(system);
    system.kick(half);
    slow_momenta(system);
    system.measure_virial();
    system.measure_kinetic_along();
    system.advance(MoveBoxSecond{half, chain, of_box, motion});
    system.scale_momenta(Scalar::chain_last);
    system.end_step(dt());
}

Claims MartynaTobiasKlein::claims() const {
    return {2,
            true,
            false,
            false,
            true,
            "Martyna, Tobias and Klein 1994, J. Chem. Phys. 101, 4177; Martyna, Tuckerman, Tobias "
            "and Klein 1996, Mol. Phys. 87, 1117"};
}

ExtendedEnergy MartynaTobiasKlein::extended_energy(const System& system) const {
    const double last = middle_of_step(system) - 1.0;
    return {.chain = method_.chain(system, *method_.bath_kT_at(last)),
            .box_chain = box_chain(last),
            .box = box(system, last)};
}

} // namespace shadow
