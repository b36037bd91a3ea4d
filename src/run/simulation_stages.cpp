// SPDX-License-Identifier: BSD-3-Clause
#include "mollification.hpp"
#include "simulation.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/isobaric.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

/// How a stage is built from its plan.
namespace shadow {

template <int Dim>
void Simulation<Dim>::build_stage(StagePlan& plan, InputErrors& errors) {
    StageType stage(std::move(plan));
    if (stage.plan.minimize) {
        const Parameters& table = stage.plan.integrator;
        errors.attempt([&] { stage.force_tolerance = table.positive("force_tolerance", 1e-6); });
        errors.attempt([&] { stage.largest_step = table.positive("dt", 0.01) * 10.0; });
        errors.attempt([&] { stage.longest_move = table.positive("longest_move", 0.1); });
    } else if (!plan_.levels.empty()) {
        errors.attempt([&] {
            stage.integrator = make_integrator(
                stage.plan.integrator, {units_.boltzmann, static_cast<int>(plan_.levels.size())});
        });
    }
    stage.recorder = std::make_unique<Recorder<Dim>>(backend_, std::size_t{256}, units_);
    stages_.push_back(std::move(stage));
}

/// What forces that change in time do to a stage.
template <int Dim>
void Simulation<Dim>::build_drive(StageType& stage) const {
    stage.forces_steady_from = forces_.steady_from();
    if (forces_.constant()) return;
    if (stage.integrator && stage.integrator->has_bath_variables())
        stage.plan.integrator.fail(
            "method", fmt::format("{} beside a field with modulation (its Hamiltonian must not "
                                  "change in time); use a Langevin method, such as baoab",
                                  stage.plan.integrator.text("method")));
    if (!stage.plan.until.empty() && std::isinf(stage.forces_steady_from))
        stage.plan.until.front().fail(
            "quantity", "until beside a field that always changes (errors are known of what is "
                        "steady); give steps");
}

/// The barostat of a stage, around its method.
template <int Dim>
void Simulation<Dim>::build_barostat(StageType& stage, const Setup<Dim>& setup) const {
    if (!stage.plan.barostat) return;
    const Parameters& table = *stage.plan.barostat;
    BarostatSettings settings = read_barostat(table, Dim == 3 ? units_.pressures : 1.0);
    const std::string method = stage.plan.integrator.text("method");
    const auto refuse = [&](const std::string& what, const std::string& why) {
        table.fail("pressure", fmt::format("a barostat beside {} ({}", what, why));
    };
    if (!setup.box.is_periodic())
        refuse("an open box", "it has no volume); make the box periodic in all directions");
    if (&stage != &stages_.back())
        refuse("stages after it", "they are prepared for the box at the start); put it into the "
                                  "last one, and begin the next run with its final configuration");
    if (stage.plan.minimize)
        refuse("minimize", "pressure needs motion); put it into a stage with a thermostat");
    if (forces_.fourier && !forces_.fourier->neutral)
        refuse("a background of charge",
               "its pressure is that of no matter); make the charges neutral");
    if (const std::string jumping = forces_.jumping(); !jumping.empty())
        refuse(jumping + " that is cut off",
               "its energy jumps at the cut-off, where its force knows nothing of it, and what is "
               "sampled has no one pressure); write truncation = \"shift\", or tail = true");
    if (!forces_.fields.empty())
        refuse(forces_.fields.front().info->name,
               "a field does not follow the box); remove one of them");
    if (!stage.integrator) return;
    const auto kT = stage.integrator->bath_kT();
    if (!kT || !(*kT > 0.0))
        refuse(
            method + (kT ? " at zero temperature" : ""),
            "its noise has the temperature that a thermostat keeps); use one, for example baoab or "
            "nose-hoover, at a temperature above zero");
    if (stage.integrator->has_bath_variables() || mollifies(stage.integrator.get()))
        refuse(method, "the energy of that method does not follow the box); use for example "
                       "baoab, baoab-respa or nose-hoover");
    if (stage.integrator->steady_from() > 0)
        refuse(method, "its temperature or friction changes); let it be constant");
    if (settings.every >= stage.plan.steps && stage.plan.steps > 0)
        table.fail("every", fmt::format("every is {} of {} steps (the volume would never change); "
                                        "give fewer",
                                        settings.every, stage.plan.steps));
    stage.start_volume = setup.box.volume();
    const double least = least_length(setup.box, forces_.longest_cutoff());
    settings.least_volume = stage.start_volume * std::pow(least, Dim);
    constexpr double narrow = 0.9;
    if (least > narrow)
        log::warning(
            fmt::format("the run ends where the barostat makes the box shorter than {:.3g} "
                        "of what it is (the longest cut-off, {:.6g}, is half of that); "
                        "take more particles, or a shorter cut-off, also of charges",
                        least, forces_.longest_cutoff()));
    stage.integrator = std::make_unique<Isobaric>(std::move(stage.integrator), settings, Dim,
                                                  static_cast<std::int64_t>(setup.start.size()));
}

template <int Dim>
bool Simulation<Dim>::box_changes() const {
    return std::any_of(stages_.begin(), stages_.end(),
                       [](const StageType& stage) { return stage.plan.barostat.has_value(); });
}

/// Series whose joint moments tell derivatives: of quantities that are measured at the same steps.
template <int Dim>
void Simulation<Dim>::build_fluctuations(StageType& stage) {
    if (!stage.integrator || stage.integrator->pressure()) return; // of constant volume
    std::vector<std::string> with_energy, all;
    const std::int64_t interval = stage.recorder->interval("kinetic_energy");
    for (const Quantity& q : stage.quantities()) {
        if (stage.recorder->interval(q.name) == interval) with_energy.push_back(q.name);
        all.push_back(q.name);
    }
    stage.fluctuations = FluctuationSeries(with_energy);
    stage.configurational = FluctuationSeries(all, FluctuationSeries::Kind::configurational);
}

/// What ends the stage: quantities that it observes.
template <int Dim>
void Simulation<Dim>::build_until(StageType& stage) {
    if (stage.plan.until.empty()) return;
    std::vector<std::string> scalars;
    for (const Quantity& q : stage.quantities())
        if (q.width == 1) scalars.push_back(q.name);
    std::vector<ErrorTarget> targets;
    std::int64_t interval = 1;
    for (const Parameters& table : stage.plan.until) {
        if (scalars.empty())
            table.fail("quantity",
                       "until without observables (nothing is averaged); add [[observe]] "
                       "with type = \"thermo\"");
        const std::string name = table.choice("quantity", scalars);
        for (const ErrorTarget& other : targets)
            if (other.quantity == name)
                table.fail("quantity",
                           fmt::format("{} twice (one error is enough); remove one", name));
        targets.push_back({name, table.positive("error")});
        interval = std::max(interval, stage.recorder->interval(name));
    }
    // Their errors are to be reliable too, whatever they are.
    for (const std::string& name : stage.slow_quantities()) {
        const auto same = [&name](const ErrorTarget& t) { return t.quantity == name; };
        if (std::none_of(targets.begin(), targets.end(), same))
            targets.push_back({name, std::numeric_limits<double>::infinity()});
    }
    stage.until = StopRule(std::move(targets), interval);
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
