// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/shadow_energy.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/shadow_energy.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

/// How far ahead of a step, and behind it, forces are looked at, in steps: short, so that the
/// difference is off by far less than the next order of the step, and long enough that in mixed
/// precision rounding does not matter.
constexpr double look = 0.25;

} // namespace

template <int Dim>
void ShadowEnergy<Dim>::enqueue(ParticleSystem<Dim>& system, double* row) {
    const Backend& backend = system.backend();
    if (sums_.size() == 0) {
        sums_ = Array<ThermoSums<Dim>>(backend, 1);
        products_ = Array<double>(backend, 3);
    }
    MeasureThermo<Dim> energies{};
    energies.particles = system.particles();
    energies.energy = system.energies();
    reduce(backend, energies, system.size(), sums_.data());

    SumForceProducts<Dim> here{}, around{};
    here.particles = around.particles = system.particles();
    here.force = system.force();
    const double time = look * dt_;
    int l = 0;
    for (const ForceLevel level : system.levels()) {
        const auto at = static_cast<std::size_t>(level - 1);
        here.along[l] = terms_.along[at];
        around.along[l] = -0.5 * terms_.curvature[at] / time; // V'' v = -dF/dt
        int k = 0;
        for (const ForceLevel other : system.levels()) {
            if (k > l) break;
            const double both = terms_.product[static_cast<std::size_t>(other - 1)][at];
            here.product[k++][l] = (other == level ? 1.0 : 2.0) * both;
        }
        ++l;
    }
    reduce(backend, here, system.size(), products_.data());
    for (const double sign : {1.0, -1.0}) {
        around.force = system.force_along(sign * time);
        for (int level = 0; level < l; ++level) around.along[level] *= sign;
        reduce(backend, around, system.size(), products_.data() + (sign > 0.0 ? 1 : 2));
    }
    system.evaluate_again();
    launch(backend,
           FinishShadowEnergy<Dim>{sums_.data(), products_.data(), system.tail_energy(),
                                   energies.particles.box, row},
           1);
}

SHADOW_INSTANTIATE_EACH_DIMENSION(ShadowEnergy)

namespace {

template <int Dim>
Made<Dim> make_shadow_energy(const ObservableInput<Dim>& in) {
    const auto refuse = [&](const std::string& problem, const char* instead) {
        in.fail("type", fmt::format("shadow-energy {}; {}", problem, instead));
    };
    const ObservableContext<Dim>& context = in.context;
    if (context.dt == 0.0)
        refuse("of a minimisation (no time passes)", "observe it in a stage with a method");
    if (context.forces_are_known && !context.forces.constant())
        refuse("beside a field with modulation (energy comes and goes)", "observe thermo");
    if (!context.integrator) // of one with an error
        return std::make_unique<ShadowEnergy<Dim>>(ShadowTerms{}, 1.0);
    const auto terms = context.integrator->shadow_terms();
    if (!terms)
        refuse("of a method with a bath, a barostat, kicks at averages or exact motion (none is "
               "known of it)",
               "observe it in a stage with verlet or respa");
    if (terms->vanish(context.dt))
        refuse("of a method of an order above two (total energy is conserved to its order as well)",
               "observe thermo");
    return std::make_unique<ShadowEnergy<Dim>>(*terms, context.dt);
}

} // namespace

ObservableEntry shadow_energy_entry() {
    return {
        {"shadow-energy",
         "The energy near the total one which the steps of a method conserve to a higher order: "
         "where it drifts, the step is too long, forces are not those of the energy, or "
         "arithmetic is too coarse",
         "H + h^2/12 sum v.V'' v - h^2/24 sum |F|^2/m of verlet with steps h; of other "
         "splittings and of several levels by the Baker-Campbell-Hausdorff formula",
         "Leimkuhler and Reich 2004, section 5.4",
         {every_key()}},
        SHADOW_EACH_DIMENSION(make_shadow_energy)};
}

} // namespace shadow
