// SPDX-License-Identifier: BSD-3-Clause
#include "simulation.hpp"

#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

/// How a stage is built from its plan.
namespace shadow {

template <int Dim, class Real>
void Simulation<Dim, Real>::build_stage(StagePlan& plan, InputErrors& errors) {
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
    stage.recorder = std::make_unique<Recorder<Dim, Real>>(backend_, std::size_t{256}, units_);
    stages_.push_back(std::move(stage));
}

/// What forces that change in time do to a stage.
template <int Dim, class Real>
void Simulation<Dim, Real>::build_drive(StageType& stage) const {
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

/// Series whose joint moments tell derivatives: of quantities that are measured at the same steps.
template <int Dim, class Real>
void Simulation<Dim, Real>::build_fluctuations(StageType& stage) {
    if (!stage.integrator) return;
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
template <int Dim, class Real>
void Simulation<Dim, Real>::build_until(StageType& stage) {
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

template class Simulation<1, double>;
template class Simulation<2, double>;
template class Simulation<3, double>;

} // namespace shadow
