// SPDX-License-Identifier: BSD-3-Clause
#include "idle_kicks.hpp"
#include "mollification.hpp"
#include "reference.hpp"
#include "simulation.hpp"
#include "start_check.hpp"
#include "step_report.hpp"

#include "shadow/core/log.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/io/load.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/observables/registry.hpp"
#include "shadow/observables/thermo.hpp"
#include "shadow/system/setup.hpp"
#include "shadow/system/velocities.hpp"

#include "kernels/pair_force.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Steps between two looks at the conserved quantity where the input asks for none. Not a share of
/// the steps: a run that is lengthened must look at the same steps as one that was long at once.
constexpr std::int64_t watch_interval = 50;

/// Of an average: two samples have no error.
void refuse_too_few(const Parameters& table, const StagePlan& stage, std::int64_t every) {
    const std::int64_t left_out = stage.equilibration.value_or(0);
    if (left_out > 0 && left_out < stage.steps && stage.steps - left_out < 2 * every)
        table.fail("every", fmt::format("every = {} (equilibration leaves out {} of {} steps: at "
                                        "most two samples are averaged); give more steps, leave "
                                        "out less, or observe more often",
                                        every, left_out, stage.steps));
}

/// All frames of a trajectory have the same fields.
void refuse_other_fields(const Parameters& table, const std::vector<Quantity>& first,
                         const std::vector<Quantity>& here) {
    const auto same = [](const Quantity& a, const Quantity& b) {
        return a.name == b.name && a.width == b.width;
    };
    if (!std::equal(first.begin(), first.end(), here.begin(), here.end(), same))
        table.fail("name", fmt::format("stage \"{}\" observes other quantities per particle than "
                                       "the first stage (all frames of a trajectory have the same "
                                       "fields); give every stage the same observables with "
                                       "per_particle, or leave out `output.trajectory`",
                                       table.text("name")));
}

/// `system.file`, relative to the input.
template <int Dim>
std::optional<LoadedSystem<Dim>> read_file(const Parameters& root,
                                           const std::filesystem::path& input) {
    const Parameters system = root.table("system");
    if (!system.has("file")) return std::nullopt;
    LoadOptions options;
    options.frame = system.integer("frame", -1);
    options.units = system.choice("units", unit_systems(), "lj");
    options.coefficients = kinds_with_data_coefficients(root);
    if (system.has("file_units")) {
        std::vector<std::string> names;
        for (const FileUnits& units : file_units()) names.emplace_back(units.name);
        options.file_units = system.choice("file_units", names);
    }
    return load_system<Dim>(input_folder(input) / system.text("file"), options);
}

template <int Dim>
std::vector<Population> populations(const Snapshot<Dim>& start) {
    std::vector<Population> all;
    for (const Species& species : start.species_table) all.push_back({species.name, 0});
    for (const std::uint16_t species : start.species) ++all[species].particles;
    return all;
}

} // namespace

template <int Dim>
Simulation<Dim>::Simulation(const Parameters& root, RunPlan plan, const RunOptions& options,
                            Backend& backend, InputErrors& errors)
    : plan_(std::move(plan)), options_(options), backend_(backend), wall_time_(options.started) {
    build(root, errors);
    identity_ = identity_of(root, plan_);
    refuse_bad_start();
    if (options_.resume) return;
    for (const std::string& warning : start_warnings(start_, units_)) log::warning(warning);
}

template <int Dim>
void Simulation<Dim>::build(const Parameters& root, InputErrors& errors) {
    const bool frames = plan_.has_trajectory();
    std::vector<StagePlan> plans = std::move(plan_.stages);
    plan_.stages.clear();
    std::optional<Setup<Dim>> made;
    errors.attempt([&] {
        made = make_system<Dim>(root, plan_.seed, read_file<Dim>(root, options_.input));
        units_ = made->units;
        velocities_ = made->velocities;
    });
    for (StagePlan& plan : plans) build_stage(plan, errors);
    if (!made) return refuse_input(root, errors);
    const Setup<Dim>& setup = *made;
    for (const std::string& note : setup.notes) log::info(note);
    for (const std::string& warning : setup.warnings) log::warning(warning);
    const bool pair_is_double = plan_.compute.precision == Precision::double_precision;
    const ForceContext<Dim> context{
        backend_,       setup.box,    setup.start,     setup.units,
        pair_is_double, plan_.levels, &setup.topology, input_folder(options_.input).string()};
    // Without levels neither forces nor methods can be read.
    const bool forces_are_known =
        !plan_.levels.empty() && errors.attempt([&] { forces_ = read_forces(root, context); });
    topology_ = setup.topology;
    conserved_ = conserved_momenta(setup.box, invariance_of<Dim>(forces_.fields));
    errors.attempt([&] { draw_velocities(root, *made, conserved_, plan_.seed); });
    for (StageType& stage : stages_) {
        errors.attempt([&] { refuse_velocity(root, stage, setup); });
        if (forces_are_known)
            errors.attempt(
                [&] { refuse_unlike_molecules(stage.plan, stage.integrator.get(), forces_); });
        if (forces_are_known) errors.attempt([&] { build_barostat(stage, setup); });
        build_observables(stage, setup, forces_are_known, errors);
        if (errors.any()) continue; // what follows needs whole stages
        errors.attempt([&] { refuse_log(root, stage); });
        errors.attempt([&] { build_drive(stage); });
        build_fluctuations(stage);
        errors.attempt([&] { build_until(stage); });
        if (&stage != &stages_.front() && frames)
            errors.attempt([&] {
                refuse_other_fields(root.tables("stage")[plan_.stages.size()],
                                    stages_.front().recorder->particle_quantities(),
                                    stage.recorder->particle_quantities());
            });
        plan_.stages.push_back(stage.plan);
    }
    refuse_input(root, errors);
    for (const StageType& stage : stages_)
        if (const std::string warning = idle_kicks(stage.plan, stage.integrator.get(), forces_);
            !warning.empty())
            log::warning(warning);
    for (const std::string& note : report_steps(setup.box, setup.start, stages_.data()))
        start_.steps.push_back(note);
    describe_start(setup);
    estimate_files();
    choose_settings(setup);
    settle(setup.box, setup.start);
    for (const StageType& stage : stages_)
        if (stage.integrator)
            if (const std::string warning =
                    fast_bath(stage.plan, *stage.integrator, stage.degrees_of_freedom);
                !warning.empty())
                log::warning(warning);
}

/// What molecules ask of the steps of the stages from `first` on, line by line; warnings are given.
/// A minimisation makes other molecules of them: what comes after it is looked at then.
template <int Dim>
std::vector<std::string> Simulation<Dim>::report_steps(const Box<Dim>& box,
                                                       const Snapshot<Dim>& start,
                                                       const StageType* first) const {
    std::vector<std::string> notes;
    if (!first->integrator) return notes;
    const auto vibrations =
        fast_vibrations<Dim>(forces_.bonded, topology_, forces_.levels.size(), box, start);
    for (const StageType* stage = first; stage != stages_.data() + stages_.size(); ++stage) {
        if (!stage->integrator) break;
        const StepReport report =
            report_step(stage->plan, stage->integrator.get(), forces_, vibrations, topology_);
        for (const std::string& warning : {report.warning, report.balance})
            if (!warning.empty()) log::warning(warning);
        const bool is_new = std::find(notes.begin(), notes.end(), report.note) == notes.end();
        if (is_new && !report.note.empty()) notes.push_back(report.note);
    }
    return notes;
}

/// A temperature of a stage where nothing is left that could move.
template <int Dim>
void Simulation<Dim>::refuse_velocity(const Parameters& root, const StageType& stage,
                                      const Setup<Dim>& setup) const {
    const auto count = static_cast<std::int64_t>(setup.start.size());
    if (!(stage.plan.temperature > 0.0) || degrees_of_freedom(count, conserved_) > 0) return;
    root.tables("stage")[static_cast<std::size_t>(&stage - stages_.data())].fail(
        "velocity", fmt::format("a temperature for {} particle{} (the total momentum is "
                                "removed and no motion is left); remove it",
                                count, count == 1 ? "" : "s"));
}

/// Factors of all momenta multiply what rounding leaves of the angular momentum, which no step
/// takes away.
template <int Dim>
void Simulation<Dim>::refuse_spin(const StageType& stage) const {
    const auto& turns = stage.conserved.angular;
    if (!stage.integrator || !stage.integrator->claims().stochastic ||
        std::none_of(turns.begin(), turns.end(), [](bool conserved) { return conserved; }))
        return;
    const std::string method = stage.plan.integrator.text("method");
    stage.plan.integrator.fail(
        "method", fmt::format("{} where angular momentum is conserved (what rounding leaves of it "
                              "would grow until all spin); use nose-hoover, or baoab",
                              method));
}

template <int Dim>
void Simulation<Dim>::build_observables(StageType& stage, const Setup<Dim>& setup,
                                        bool forces_are_known, InputErrors& errors) {
    if (stage.conserves_momentum()) stage.conserved = conserved_;
    stage.degrees_of_freedom =
        degrees_of_freedom(static_cast<std::int64_t>(setup.start.size()), stage.conserved);
    errors.attempt([&] { refuse_spin(stage); });
    ObservableContext<Dim> observables{setup.box, setup.units.boltzmann, populations(setup.start)};
    observables.steps = stage.plan.steps;
    // Of an integrator with an error any step serves to read what observes it.
    observables.dt = stage.integrator ? stage.integrator->dt() : stage.plan.minimize ? 0.0 : 1.0;
    for (std::size_t d = 0; d < Dim; ++d)
        if (stage.conserved.linear[d])
            observables.conserved_mass.along[d] = setup.start.total_mass();
    observables.forces = forces_;
    observables.forces_are_known = forces_are_known;
    observables.topology = &setup.topology;
    observables.start = &setup.start;
    const bool beside_barostat = stage.plan.barostat.has_value();
    if (stage.integrator) observables.barostat = stage.integrator->pressure();
    observables.has_bath = stage.integrator && stage.integrator->has_bath_variables();
    bool has_thermo = false;
    const auto add = [&](const Parameters& table) {
        const std::int64_t every = read_every(table, default_observation_interval);
        has_thermo = has_thermo || table.text("type") == "thermo";
        refuse_too_few(table, stage.plan, every);
        observables.every = every;
        auto observable = make_observable<Dim>(table, observables);
        if (beside_barostat && !observable->follows_box())
            table.fail("type", fmt::format("{} beside a barostat (it is not known to be right in a "
                                           "box that changes: bins, wave vectors or places in time "
                                           "may be those of the box at the start); observe it in a "
                                           "run at constant volume that begins with the final "
                                           "configuration",
                                           table.text("type")));
        if (stage.integrator && stage.integrator->claims().stochastic &&
            !stage.conserves_momentum() && observable->in_time())
            log::warning(fmt::format(
                "{}{} with {} (friction and noise change how particles move; transport "
                "coefficients are not those of the fluid alone); for these sample it in a "
                "stage at constant energy, for example with method = \"verlet\"",
                stage.plan.name.empty() ? "" : "stage " + stage.plan.name + ": ",
                table.text("type"), stage.plan.integrator.text("method")));
        if (!forces_.fields.empty() && observable->in_time())
            log::warning(fmt::format(
                "{}{} beside {} (it is an average over all directions and places, which a field "
                "makes different); look at one direction by itself in the trajectory",
                stage.plan.name.empty() ? "" : "stage " + stage.plan.name + ": ",
                table.text("type"), forces_.fields.front().info->name));
        try {
            stage.recorder->add(std::move(observable), every);
        } catch (const InputError& error) {
            table.fail("type", error.what());
        }
    };
    for (const Parameters& table : stage.plan.observe) errors.attempt([&] { add(table); });
    const auto make_thermo = [&] {
        return std::make_unique<Thermo<Dim>>(setup.box, units_.boltzmann,
                                             observables.conserved_mass, std::vector<std::string>{},
                                             false, observables.barostat);
    };
    stage.thermo = make_thermo();
    // Every run proves itself: without thermo the conserved quantity is watched all the same.
    if (!has_thermo) {
        for (const Quantity& q : stage.thermo->quantities()) stage.hidden.push_back(q.name);
        stage.recorder->add(make_thermo(), watch_interval);
    }
}

/// Particles from `start` on, with the settings as they are now.
template <int Dim>
std::unique_ptr<ParticleSystem<Dim>> Simulation<Dim>::make_particles(const Box<Dim>& box,
                                                                     const Snapshot<Dim>& start) {
    backend_.set_threads(static_cast<int>(value_of(tuning_, "threads", backend_.threads())));
    const bool pair_is_double = plan_.compute.precision == Precision::double_precision;
    const ForceContext<Dim> context{backend_, box, start, units_, pair_is_double};
    const double skin = value_of(tuning_, "skin", forces_.default_skin());
    Neighbours<Dim> neighbours(backend_, box, pair_cluster_size(backend_, Dim),
                               list_skin(backend_, skin, forces_.longest_cutoff()), skin);
    if (box_changes()) neighbours.may_shrink(least_length(box, forces_.longest_cutoff()));
    auto terms = make_forces<Dim>(forces_, context, neighbours);
    std::unique_ptr<AveragedMolecules<Dim>> molecules;
    if (std::any_of(stages_.begin(), stages_.end(),
                    [](const StageType& stage) { return mollifies(stage.integrator.get()); }))
        molecules = std::make_unique<AveragedMolecules<Dim>>(
            backend_, forces_.bonded_of(averaged_level), start, neighbours);
    for (const StageType& stage : stages_)
        if (molecules)
            refuse_overdetermined(stage.plan, stage.integrator.get(), molecules->overdetermined());
    for (StageType& stage : stages_) stage.recorder->declare_lists(neighbours);
    return std::make_unique<ParticleSystem<Dim>>(backend_, box, start, plan_.seed,
                                                 std::move(neighbours), std::move(terms),
                                                 std::move(molecules));
}

/// The particles of the run itself.
template <int Dim>
void Simulation<Dim>::settle(const Box<Dim>& box, const Snapshot<Dim>& start) {
    system_ = make_particles(box, start);
    parts_timed_ = false;
}

template <int Dim>
void Simulation<Dim>::refuse_bad_start() {
    if (stages_.empty() || options_.resume) return;
    system_->prepare_observation(true);
    const auto largest = system_->largest_force();
    start_.largest_force = largest.force;
    if (!forces_.empty())
        start_.potential_energy =
            system_->potential_energy() / static_cast<double>(system_->size());
    system_->release();
    const StageType& first = stages_.front();
    const std::string problem =
        start_problem(system_->snapshot(), system_->box(), {largest.id, largest.force},
                      first.integrator ? first.integrator->dt() : 0.0,
                      first.integrator ? longest_drift(first.integrator->word()) : 1.0);
    if (!problem.empty()) throw InputError(problem);
}

template <int Dim>
std::string Simulation<Dim>::memory_estimate() const {
    const double bytes = static_cast<double>(system_->bytes());
    return fmt::format("{:.1f} MiB on {} ({:.0f} bytes per particle)", bytes / 1048576.0,
                       backend_.description(), bytes / static_cast<double>(system_->size()));
}

template class Simulation<1>;
template class Simulation<2>;
template class Simulation<3>;

} // namespace shadow
