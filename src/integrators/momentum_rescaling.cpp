// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/momentum_rescaling.hpp"

#include <algorithm>
#include <cmath>

namespace shadow {

MomentumRescaling::MomentumRescaling(const MethodSettings& settings, bool multiple)
    : settings_(settings), word_(verlet_or_respa(settings, multiple)) {
    if (settings.times.empty()) return;
    double slowest = 0.0;
    for (const OfSpecies& of : settings.times) slowest = std::max(slowest, of.value);
    settings_.time = slowest;
}

void MomentumRescaling::prepare(System& system) {
    system.mollify({});
}

void MomentumRescaling::step(System& system) {
    const double kT = settings_.kT.at(middle_of_step(system));
    apply_word(system, word_, settings_.dt);
    // Factors of momenta amplify the rounding error of their sum without bound: the logarithm of
    // their product walks at random, by (t / g time)^1/2, or grows as heat is removed.
    constexpr std::int64_t often = 1000;
    if (system.step() % often == 0) system.stop_centre();
    rescale(system, kT);
    system.end_step(settings_.dt);
}

double MomentumRescaling::time(const System& system) const {
    return settings_.time.at(middle_of_step(system));
}

std::int64_t MomentumRescaling::steady_from() const {
    return std::max(settings_.kT.steady_from(), settings_.time.steady_from());
}

void MomentumRescaling::rescale(System& system, double kT) {
    system.measure_kinetic();
    choose_factor(system, kT);
    system.scale_momenta(Scalar::momentum_factor);
}

/// Random numbers are drawn and used for one species after the other.
void StochasticRescaling::rescale(System& system, double kT) {
    if (!scales_species()) return MomentumRescaling::rescale(system, kT);
    const std::vector<double> freedom = system.freedom_by_species(),
                              times = in_order(settings_.times, system.species());
    system.measure_kinetic_by_species();
    for (std::size_t k = 0; k < times.size(); ++k) {
        const int species = static_cast<int>(k);
        const Rescaling own{of_row(Scalar::species_last, species),
                            of_row(Scalar::species_kinetic, species)};
        system.draw(static_cast<RandomStream>(
                        static_cast<std::uint32_t>(RandomStream::rescaling_of_species) + k),
                    freedom[k] - 1.0);
        system.advance(RescaleMomenta{kT, std::exp(-settings_.dt / times[k]), own});
    }
    system.scale_momenta_by_species(Scalar::species_last);
}

void StochasticRescaling::choose_factor(System& system, double kT) {
    system.draw(RandomStream::rescaling, system.degrees_of_freedom() - 1.0);
    system.advance(RescaleMomenta{kT, std::exp(-settings_.dt / time(system))});
}

Claims StochasticRescaling::claims() const {
    return {2,
            false,
            false,
            true,
            !scales_species(),
            "Bussi, Donadio and Parrinello 2007, J. Chem. Phys. 126, 014101"};
}

void WeakCoupling::choose_factor(System& system, double kT) {
    system.advance(
        CoupleWeakly{system.degrees_of_freedom() * kT, std::min(1.0, settings_.dt / time(system))});
}

Claims WeakCoupling::claims() const {
    return {1, false, false, false, true, "Berendsen et al. 1984, J. Chem. Phys. 81, 3684, eq. 11"};
}

} // namespace shadow
