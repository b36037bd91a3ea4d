// SPDX-License-Identifier: BSD-3-Clause
#include "stage_builder.hpp"

#include "fast_forces.hpp"

#include "shadow/integrators/registry.hpp"
#include "shadow/system/velocities.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace shadow {
namespace {

/// Steps between two measurements of the conserved quantity if the input requests none. It does not
/// depend on the number of steps: a run that is extended must measure at the same steps as one that
/// was long from the start.
constexpr std::int64_t watch_interval = 50;

/// An average needs at least two samples for an error.
void refuse_too_few(const Parameters& table, const StagePlan& stage, std::int64_t every) {
    const std::int64_t left_out = stage.equilibration.value_or(0);
    if (left_out > 0 && left_out < stage.steps && stage.steps - left_out < 2 * every)
        table.fail("every", fmt::format("every = {} (equilibration leaves out {} of {} steps: at "
                                        "most two samples are averaged); give more steps, leave "
                                        "out less, or observe more often",
                                        every, left_out, stage.steps));
}

} // namespace

template <int Dim>
void StageBuilder<Dim>::read_method() {
    if (!run_.plan.levels.empty())
        errors_.attempt([&] {
            stage_.integrator = make_integrator(
                stage_.plan.integrator,
                {run_.model.units.boltzmann, static_cast<int>(run_.plan.levels.size())});
        });
    // For a method with an error any other serves to read the rest of the input.
    MethodSettings any;
    any.dt = 1.0;
    stage_.stands_in = !stage_.integrator;
    if (stage_.stands_in) stage_.integrator = find_integrator("verlet")->make(any);
    stage_.recorder =
        std::make_unique<Recorder<Dim>>(run_.backend, std::size_t{256}, run_.model.units);
}

template <int Dim>
void StageBuilder<Dim>::build(const Setup<Dim>& setup, bool forces_are_known) {
    errors_.attempt([&] { refuse_velocity(setup); });
    if (forces_are_known) {
        errors_.attempt([&] {
            refuse_unlike_molecules(stage_.plan, *stage_.integrator, run_.model.forces);
            refuse_unlike_masses(stage_.plan, *stage_.integrator, run_.model.forces, setup.start);
            refuse_nonlinear_forces(stage_.plan, *stage_.integrator, run_.model.forces);
            refuse_missing_sum(stage_.plan, *stage_.integrator, run_.model.forces);
            refuse_changing_forces(stage_.plan, *stage_.integrator, run_.model.forces);
        });
        errors_.attempt([&] { add_barostat(setup); });
        errors_.attempt([&] { add_shear(setup); });
        errors_.attempt([&] { add_boost(); });
        errors_.attempt([&] { refuse_magnetic(); });
    }
    if (stage_.conserves_momentum()) stage_.conserved = run_.model.conserved;
    if (!stage_.integrator->claims().conserves_spin) stage_.conserved.angular.fill(false);
    stage_.degrees_of_freedom =
        degrees_of_freedom(static_cast<std::int64_t>(setup.start.size()), stage_.conserved);
    errors_.attempt([&] { refuse_rest(); });
    errors_.attempt([&] { refuse_radius(setup); });
    errors_.attempt([&] { refuse_species(setup); });
    errors_.attempt([&] { refuse_spin(); });
    add_observables(setup, forces_are_known);
    if (errors_.any()) return; // the rest needs complete stages
    warn_in_time();
    errors_.attempt([&] { refuse_log(); });
    errors_.attempt([&] { add_drive(); });
    add_fluctuations();
    errors_.attempt([&] { add_until(); });
}

template <int Dim>
std::size_t StageBuilder<Dim>::index() const {
    return static_cast<std::size_t>(&stage_ - run_.stages.data());
}

/// Throws for a temperature of a stage without degrees of freedom.
template <int Dim>
void StageBuilder<Dim>::refuse_velocity(const Setup<Dim>& setup) const {
    const auto count = static_cast<std::int64_t>(setup.start.size());
    if (!(stage_.plan.temperature > 0.0) || degrees_of_freedom(count, run_.model.conserved) > 0)
        return;
    run_.root.tables("stage")[index()].fail(
        "velocity", fmt::format("a temperature for {} particle{} (the total momentum is "
                                "removed and no motion is left); remove it",
                                count, count == 1 ? "" : "s"));
}

/// Throws for a thermostat without degrees of freedom.
template <int Dim>
void StageBuilder<Dim>::refuse_rest() const {
    if (!stage_.integrator->bath_kT() || stage_.degrees_of_freedom > 0.0) return;
    stage_.plan.integrator.fail(
        "method",
        fmt::format(
            "{} without a degree of freedom (it conserves the motion of the centre of mass, which "
            "is not heat, and there is no other motion); use baoab, or more particles",
            stage_.plan.integrator.text("method")));
}

/// Throws for a bath of pairs that could interact through several images.
template <int Dim>
void StageBuilder<Dim>::refuse_radius(const Setup<Dim>& setup) const {
    const double radius = stage_.integrator->pair_radius();
    const double shortest = setup.box.shortest_periodic_length();
    if (!(2.0 * radius > shortest)) return;
    stage_.plan.integrator.fail(
        "radius",
        fmt::format("radius {} is more than half the shortest box length, {} (two particles would "
                    "be within it through several images); use a smaller radius, or a larger box",
                    radius, shortest));
}

/// Methods that rescale all momenta amplify the rounding error of the angular momentum, which no
/// step removes.
template <int Dim>
void StageBuilder<Dim>::refuse_spin() const {
    const auto& turns = stage_.conserved.angular;
    if (!stage_.integrator->rescales() ||
        std::none_of(turns.begin(), turns.end(), [](bool conserved) { return conserved; }))
        return;
    const std::string method = stage_.plan.integrator.text("method");
    stage_.plan.integrator.fail(
        "method", fmt::format("{} where angular momentum is conserved (its rounding errors would "
                              "grow until the whole system rotates); use nose-hoover, or baoab",
                              method));
}

/// Lines of the log are rows of thermo, so they must coincide with them.
template <int Dim>
void StageBuilder<Dim>::refuse_log() const {
    const std::int64_t every = run_.plan.output.log.every;
    const std::int64_t rows = stage_.recorder->interval("kinetic_energy");
    if (every % rows == 0) return;
    run_.root.table("output").table("log").fail(
        "every",
        fmt::format("every is {} (lines of the log are rows of thermo, which are {} steps "
                    "apart{}); give a multiple of {}",
                    every, rows, stage_.plan.name.empty() ? "" : " in stage " + stage_.plan.name,
                    rows));
}

/// The context of the observables of this stage.
template <int Dim>
ObservableContext<Dim> StageBuilder<Dim>::context(const Setup<Dim>& setup,
                                                  bool forces_are_known) const {
    ObservableContext<Dim> context = run_.model.observables(setup);
    context.forces_are_known = forces_are_known;
    context.steps = stage_.plan.steps;
    context.dt = stage_.integrator->dt();
    for (std::size_t d = 0; d < Dim; ++d)
        if (stage_.conserved.linear[d]) context.conserved_mass.along[d] = setup.start.total_mass();
    if (!stage_.stands_in) context.integrator = stage_.integrator.get();
    context.barostat = stage_.integrator->pressure();
    context.shape_changes = stage_.integrator->changes_shape();
    context.has_bath = stage_.integrator->has_bath_variables();
    return context;
}

template <int Dim>
void StageBuilder<Dim>::add_observables(const Setup<Dim>& setup, bool forces_are_known) {
    ObservableContext<Dim> about = context(setup, forces_are_known);
    bool has_thermo = false;
    std::vector<Parameters> analyses; // of quantities that others measure
    about.measured_is_known = forces_are_known && !stage_.stands_in;
    for (const Parameters& table : stage_.plan.observe) {
        const bool fine = errors_.attempt([&] {
            if (is_analysis(table)) return analyses.push_back(table);
            about.every = read_every(table, default_observation_interval);
            has_thermo = has_thermo || table.text("type") == "thermo";
            refuse_too_few(table, stage_.plan, about.every);
            add_observable(table, about);
        });
        about.measured_is_known = about.measured_is_known && fine;
    }
    for (const Quantity& q : stage_.recorder->quantities())
        about.measured.push_back({q, stage_.recorder->interval(q.name)});
    for (const Parameters& table : analyses) errors_.attempt([&] { add_observable(table, about); });
    const auto make_thermo = [&] {
        const bool boosted = stage_.boosts();
        return std::make_unique<Thermo<Dim>>(setup.box, about.boltzmann, about.conserved_mass,
                                             std::vector<std::string>{}, false, about.barostat,
                                             false, 0.0, boosted);
    };
    stage_.thermo = make_thermo();
    // The conserved quantity is always monitored, even without thermo.
    if (!has_thermo) {
        for (const Quantity& q : stage_.thermo->quantities()) stage_.hidden.push_back(q.name);
        stage_.recorder->add(make_thermo(), watch_interval);
    }
}

template <int Dim>
void StageBuilder<Dim>::add_observable(const Parameters& table,
                                       const ObservableContext<Dim>& about) {
    auto observable = make_observable<Dim>(table, about);
    if (stage_.plan.barostat && !observable->follows_box())
        table.fail(
            "type",
            fmt::format("{} with a barostat (it is not known to be right in a box that changes: "
                        "bins, wave vectors or displacements may refer to the box at the start); "
                        "observe it in a stage after this one, at constant volume",
                        table.text("type")));
    if (stage_.plan.shear && !observable->follows_shear())
        table.fail(
            "type",
            fmt::format("{} with shear (it is not known to be right where images of the box slide "
                        "and particles flow); observe it in a stage before, or without shear",
                        table.text("type")));
    if (!stage_.plan.shear && about.box.is_tilted() && !observable->follows_tilt())
        table.fail("type", fmt::format("{} in a tilted box (its bins, wave vectors or pairs are "
                                       "those of a rectangular one); take a rectangular cell of "
                                       "the same system, or analyse the frames elsewhere",
                                       table.text("type")));
    if (observable->needs_velocities() && !stage_.integrator->moves_with_momenta())
        table.fail(
            "type",
            fmt::format("{} of {} (its particles have no velocities: momenta are drawn again at "
                        "each step); observe msd, or take a Langevin method, such as baoab",
                        table.text("type"), stage_.plan.integrator.text("method")));
    if (stage_.weighs_rows()) refuse_weighted(table, *observable);
    if (observable->in_time()) {
        std::vector<std::string>& types = observable->sources().empty() ? in_time_ : rows_in_time_;
        if (std::find(types.begin(), types.end(), table.text("type")) == types.end())
            types.push_back(table.text("type"));
    }
    if (!observable->sources().empty() && !about.measured_is_known) return;
    try {
        stage_.recorder->add(std::move(observable), about.every);
    } catch (const InputError& error) {
        table.fail("type", error.what());
    }
}

/// Rows have weights with a boost, and if steps have different lengths, which also makes them
/// unevenly spaced in time.
template <int Dim>
void StageBuilder<Dim>::refuse_weighted(const Parameters& table,
                                        const Observable<Dim>& observable) const {
    const bool in_time = observable.in_time();
    if (!in_time && observable.estimates().empty()) return;
    const std::string type = table.text("type");
    if (stage_.boosts())
        table.fail("type", fmt::format("{} with {} ({}); observe it in a stage without", type,
                                       stage_.boost_name(),
                                       in_time ? "particles move as under other forces"
                                               : "its rows have weights, and arrays are averaged "
                                                 "without"));
    table.fail("type",
               fmt::format("{} of {} ({}); observe it in a stage with steps of one length, for "
                           "example with method = \"verlet\"",
                           type, stage_.plan.integrator.text("method"),
                           in_time ? "its rows are not evenly spaced in time"
                                   : "its rows stand for times of different lengths, and arrays "
                                     "are averaged without weights"));
}

/// Consequences of forces that change in time.
template <int Dim>
void StageBuilder<Dim>::add_drive() {
    stage_.forces_steady_from = run_.model.forces.steady_from();
    if (run_.model.forces.constant()) return;
    if (stage_.integrator->has_bath_variables())
        stage_.plan.integrator.fail(
            "method", fmt::format("{} with a field with modulation (its Hamiltonian must not "
                                  "change in time); use a Langevin method, such as baoab",
                                  stage_.plan.integrator.text("method")));
    if (!stage_.plan.until.empty() && std::isinf(stage_.forces_steady_from))
        stage_.plan.until.front().fail("quantity",
                                       "until with a field that always changes (errors are known "
                                       "only for steady averages); give steps");
}

/// Series whose joint moments give derivatives: of quantities that are measured at the same steps.
template <int Dim>
void StageBuilder<Dim>::add_fluctuations() {
    if (!stage_.takes_time() || stage_.integrator->pressure()) return; // constant volume only
    std::vector<std::string> with_energy, all;
    const std::int64_t interval = stage_.recorder->interval("kinetic_energy");
    for (const Quantity& q : stage_.quantities()) {
        if (stage_.recorder->interval(q.name) == interval) with_energy.push_back(q.name);
        all.push_back(q.name);
    }
    stage_.fluctuations = FluctuationSeries(with_energy);
    stage_.configurational = FluctuationSeries(all, FluctuationSeries::Kind::configurational);
}

/// The targets that end the stage: quantities that it observes.
template <int Dim>
void StageBuilder<Dim>::add_until() {
    if (stage_.plan.until.empty()) return;
    std::vector<std::string> scalars;
    for (const Quantity& q : stage_.quantities())
        if (q.width == 1) scalars.push_back(q.name);
    std::vector<ErrorTarget> targets;
    std::int64_t interval = 1;
    for (const Parameters& table : stage_.plan.until) {
        if (scalars.empty())
            table.fail("quantity",
                       "until without observables (nothing is averaged); add [[observe]] "
                       "with type = \"thermo\"");
        const std::string name = table.choice("quantity", scalars);
        if (name == "conserved_energy" || name == "shadow_energy")
            table.fail(
                "quantity",
                fmt::format("until of {} (it is conserved: its mean is that of the start, and its "
                            "errors are no noise that averages out); use another quantity",
                            name));
        for (const ErrorTarget& other : targets)
            if (other.quantity == name)
                table.fail("quantity",
                           fmt::format("{} twice (one error is enough); remove one", name));
        targets.push_back({name, table.positive("error")});
        interval = std::max(interval, stage_.recorder->interval(name));
    }
    // The errors of slow quantities must also be reliable, whatever their size.
    for (const std::string& name : stage_.slow_quantities()) {
        const auto same = [&name](const ErrorTarget& t) { return t.quantity == name; };
        if (name.starts_with("length_")) continue; // some are constant
        if (std::none_of(targets.begin(), targets.end(), same))
            targets.push_back({name, std::numeric_limits<double>::infinity()});
    }
    stage_.until = StopRule(std::move(targets), interval);
}

template class StageBuilder<1>;
template class StageBuilder<2>;
template class StageBuilder<3>;

} // namespace shadow
