// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/shadow_energy.hpp"

#include "keys.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/shadow_energy.hpp"

#include <fmt/format.h>

namespace shadow {
namespace {

/// Displacement along the velocities at which forces are differenced, before and after a step, in
/// steps: short, so that the error of the difference is far below the next order of the step, and
/// long enough that rounding does not matter in mixed precision.
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

/// The power of the step up to which a path gives the energy; nothing if the input gives no order.
template <int Dim>
std::optional<int> read_order(const ObservableInput<Dim>& in) {
    if (!in.has("order")) return std::nullopt;
    constexpr int most = 2 * (max_path_points - 1);
    const std::int64_t order = in.integer("order");
    if (order % 2 != 0 || order < 4 || order > most)
        in.fail("order",
                fmt::format("shadow-energy of order {} (it is right up to an even power of "
                            "dt, and the total energy itself to the second); give 4, 6 "
                            "... {}",
                            order, most));
    return static_cast<int>(order);
}

/// The energy from the path of a method that is known to have a shadow energy.
template <int Dim>
Made<Dim> make_path_energy(const ObservableInput<Dim>& in, int order) {
    const Integrator& method = *in.context.integrator;
    for (const Flow& flow : method.word())
        if (flow.kind != FlowKind::drift && flow.kind != FlowKind::kick)
            in.fail("order", "the order of a method with gradient kicks (the energy to which these "
                             "belong is not measured along the steps); remove it");
    if (order <= method.claims().order)
        in.fail("order", fmt::format("order {} of a method of order {} (the total energy is "
                                     "conserved as well); give a higher one",
                                     order, method.claims().order));
    if (method.action_variables() > 0 && method.steady_from() > 0)
        in.fail("order", "the order of a method whose temperature changes (so does its "
                         "Hamiltonian); observe it in a later stage, at one temperature");
    return std::make_unique<PathEnergy<Dim>>(order, method.dt(), in.context.every,
                                             method.word().front().is_kick(),
                                             method.action_variables());
}

template <int Dim>
Made<Dim> make_shadow_energy(const ObservableInput<Dim>& in) {
    const auto refuse = [&](const std::string& problem, const char* instead) {
        in.fail("type", fmt::format("shadow-energy {}; {}", problem, instead));
    };
    const ObservableContext<Dim>& context = in.context;
    if (context.dt == 0.0)
        refuse("of a minimisation (no time passes)", "observe it in a stage with a method");
    if (context.forces_are_known && !context.forces.constant())
        refuse("with a field with modulation (which changes the energy)", "observe thermo");
    if (context.magnetic)
        refuse("in a magnetic field (its formulas do not know of turning charges)",
               "observe thermo");
    const std::optional<int> order = read_order(in);
    if (!context.integrator) // a method with an error
        return std::make_unique<ShadowEnergy<Dim>>(ShadowTerms{}, 1.0);
    const auto terms = context.integrator->shadow_terms();
    if (!order && context.integrator->action_variables() > 0)
        refuse("of a method with variables of a bath from forces at one step (it is known from "
               "some steps in turn)",
               "give order, for example 8");
    if (order && context.integrator->action_variables() > 0) return make_path_energy(in, *order);
    if (!terms)
        refuse("of a method with a bath, a barostat, a processor, steps that follow the motion, "
               "kicks at averages or exact motion (none is known of it, but for nose-poincare and "
               "nose-explicit)",
               "observe it in a stage with verlet or respa");
    if (order) return make_path_energy(in, *order);
    if (terms->vanish(context.dt))
        refuse("of a method of an order above two (total energy is conserved to its order as well)",
               "observe thermo, or give a higher order");
    return std::make_unique<ShadowEnergy<Dim>>(*terms, context.dt);
}

} // namespace

ObservableEntry shadow_energy_entry() {
    return {
        {"shadow-energy",
         "The modified energy, near the total one, which the steps of a method conserve to a "
         "higher order: if it drifts, the step is too long, forces are not the gradient of the "
         "energy, or the precision is too low",
         "H + h^2/12 sum v.V'' v - h^2/24 sum |F|^2/m of verlet with steps h; of other splittings "
         "and of several levels by the Baker-Campbell-Hausdorff formula; with order, from "
         "positions, momenta and the action of some consecutive steps",
         "Leimkuhler and Reich 2004, section 5.4; Skeel and Hardy 2001; Engle, Skeel and Drees "
         "2005",
         {every_key(),
          {"order", KeyType::integer, "", "from forces at one step",
           "power of dt up to which it is accurate, even, from 4 to 24: from the trajectory of the "
           "last order/2 steps, without derivatives of forces",
           "8"}}},
        SHADOW_EACH_DIMENSION(make_shadow_energy)};
}

} // namespace shadow
