// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/energy_watch.hpp"

#include "shadow/statistics/state.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {

void EnergyWatch::begin(const EnergyLook& start, double bath_kinetic, bool driven,
                        double degrees_of_freedom) {
    degrees_of_freedom_ = degrees_of_freedom;
    begun_ = true;
    driven_ = driven;
    bath_kinetic_ = bath_kinetic;
    start_ = last_ = start;
    bad_.reset();
}

double EnergyWatch::work(const EnergyLook& since, const EnergyLook& look) const {
    return driven_ ? std::abs(look.given() - since.given()) : 0.0;
}

double EnergyWatch::max_kinetic(const EnergyLook& look) const {
    const double given = std::max(0.0, start_.potential - look.potential) + work(start_, look);
    return 100.0 * (start_.kinetic + bath_kinetic_ + given) + std::abs(start_.potential);
}

bool EnergyWatch::plausible(double kinetic) const {
    return kinetic <= max_kinetic(last_);
}

bool EnergyWatch::good(const EnergyLook& look) const {
    if (!std::isfinite(look.kinetic + look.potential + look.conserved)) return false;
    if (look.kinetic > max_kinetic(look)) return false;
    const double given = std::max(0.0, last_.potential - look.potential) + work(last_, look);
    const double energy = last_.kinetic + bath_kinetic_ + std::abs(last_.potential) + given;
    const double times = std::max(1.0, static_cast<double>(look.step - last_.step) / 1000.0);
    const double part = 0.5 + 4.0 / std::sqrt(std::max(1.0, degrees_of_freedom_));
    return std::abs(look.conserved - last_.conserved) <= part * energy * times;
}

void EnergyWatch::look(const EnergyLook& look) {
    if (!begun_ || bad_ || look.step <= last_.step) return;
    if (good(look))
        last_ = look;
    else
        bad_ = look;
}

std::string EnergyWatch::explosion(const std::string& more, const std::string& does) const {
    return fmt::format("the energy {} between steps {} and {} (conserved from {:.4g} to {:.4g}, "
                       "kinetic from {:.4g} to {:.4g}, potential from {:.4g} to {:.4g}{})",
                       does, last_.step, bad_->step, last_.conserved, bad_->conserved,
                       last_.kinetic, bad_->kinetic, last_.potential, bad_->potential, more);
}

std::vector<double> EnergyWatch::state() const {
    std::vector<double> numbers{bath_kinetic_, driven_ ? 1.0 : 0.0};
    for (const EnergyLook& look : {start_, last_})
        append(numbers, std::vector{static_cast<double>(look.step), look.kinetic, look.potential,
                                    look.conserved});
    return numbers;
}

void EnergyWatch::restore(std::span<const double> state, double degrees_of_freedom) {
    degrees_of_freedom_ = degrees_of_freedom;
    StateReader reader(state, "a watch over the energy");
    bath_kinetic_ = reader.number();
    driven_ = reader.number() != 0.0;
    for (EnergyLook* look : {&start_, &last_}) {
        look->step = static_cast<std::int64_t>(reader.number());
        look->kinetic = reader.number();
        look->potential = reader.number();
        look->conserved = reader.number();
    }
    reader.finish();
    begun_ = true;
    bad_.reset();
}

} // namespace shadow
