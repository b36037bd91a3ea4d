// SPDX-License-Identifier: BSD-3-Clause
#include "run_builder.hpp"

#include "describe_start.hpp"
#include "fast_forces.hpp"
#include "idle_kicks.hpp"
#include "reference.hpp"
#include "stage_builder.hpp"
#include "start_check.hpp"
#include "step_report.hpp"
#include "tuner.hpp"

#include "shadow/core/log.hpp"
#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/sheared.hpp"
#include "shadow/io/load.hpp"
#include "shadow/observables/shells.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

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

/// Mean number of particles within a radius of a particle, in a fluid of the density of the box; 0
/// if the box is open.
template <int Dim>
double partners_within(double radius, const ParticleSystem<Dim>& system) {
    if (!system.box().is_periodic()) return 0.0;
    return static_cast<double>(system.size()) / system.box().volume() * ball_volume<Dim>(radius);
}

/// `system.file`, relative to the input.
template <int Dim>
std::optional<LoadedSystem<Dim>> read_file(const Parameters& root,
                                           const std::filesystem::path& folder) {
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
    return load_system<Dim>(folder / system.text("file"), options);
}

} // namespace

template <int Dim>
std::optional<Setup<Dim>> RunBuilder<Dim>::read_system() {
    std::optional<Setup<Dim>> setup;
    errors_.attempt([&] {
        setup = make_system<Dim>(run_.root, run_.plan.seed, read_file<Dim>(run_.root, run_.folder));
    });
    if (setup)
        run_.model = model_of(
            *setup, {.pair_is_double = run_.plan.compute.precision == Precision::double_precision,
                     .seed = run_.plan.seed,
                     .levels = run_.plan.levels,
                     .folder = run_.folder});
    return setup;
}

template <int Dim>
void RunBuilder<Dim>::build(bool check_start) {
    std::optional<Setup<Dim>> made = read_system();
    for (StagePlan& plan : run_.plan.stages) run_.stages.emplace_back(std::move(plan));
    run_.plan.stages.clear();
    for (Stage<Dim>& stage : run_.stages) StageBuilder<Dim>(run_, stage, errors_).read_method();
    if (!made) return refuse_input(run_.root, errors_);
    Setup<Dim>& setup = *made;
    slide_images(setup.box);
    for (const std::string& note : setup.notes) log::info(note);
    for (const std::string& warning : setup.warnings) log::warning(warning);
    if (run_.plan.compute.reversible) errors_.attempt([&] { make_reversible(setup); });
    // Without levels neither forces nor methods can be read.
    const bool forces_are_known = !run_.plan.levels.empty() && errors_.attempt([&] {
        add_forces(run_.model, run_.root, run_.backend, setup);
        if (run_.plan.compute.reversible && !run_.model.forces.constant())
            run_.root.table("compute").fail(
                "reversible", "reversible = true together with a force that changes in time (which "
                              "does not run backwards); remove its modulation");
    });
    errors_.attempt(
        [&] { draw_velocities(run_.root, setup, run_.model.conserved, run_.plan.seed); });
    build_stages(setup, forces_are_known);
    errors_.attempt([&] { refuse_idle_sum(); });
    refuse_input(run_.root, errors_);

    run_.resolved_input = run_.root.resolved();
    run_.identity = identity_of(run_.root, run_.plan);
    describe_start(run_, setup);
    choose_settings(run_, setup);
    run_.system = run_.particles(setup.box, setup.start);
    look_at_methods();
    if (run_.options.resume || !check_start) return;
    refuse_bad_start();
    for (const std::string& warning : start_warnings(run_.start, run_.model.units))
        log::warning(warning);
}

/// No stage would use it.
template <int Dim>
void RunBuilder<Dim>::refuse_idle_sum() const {
    const auto& stages = run_.stages;
    if (run_.model.forces.step_sums.empty()) return;
    if (std::any_of(stages.begin(), stages.end(),
                    [](const Stage<Dim>& stage) { return stage.integrator->follows_pair_sum(); }))
        return;
    run_.root.fail("step_sum", "a step_sum that no steps follow (it is no force); give a method "
                               "objective = \"pair-sum\", or write [[force]]");
}

/// Sets the sliding images of the first stage with shear, unless the box has some already.
template <int Dim>
void RunBuilder<Dim>::slide_images(Box<Dim>& box) const {
    if (Dim == 1 || box.sliding().any()) return;
    for (const Stage<Dim>& stage : run_.stages) {
        if (!stage.plan.shear) continue;
        SlidingImages images = ShearSettings{}.images();
        try {
            images = read_shear(*stage.plan.shear, Dim).images();
        } catch (const InputError&) { // reported by the stage
        }
        return box.set_sliding(images);
    }
}

template <int Dim>
void RunBuilder<Dim>::make_reversible(Setup<Dim>& setup) {
    const Parameters compute = run_.root.table("compute");
    double dt = 0.0;
    if (setup.box.is_tilted())
        compute.fail("reversible", "reversible = true in a tilted box (the tilt is no multiple of "
                                   "the spacing of positions); remove it");
    std::string problem = "it is a minimisation";
    for (const Stage<Dim>& stage : run_.stages) {
        if (stage.plan.barostat)
            compute.fail("reversible",
                         "reversible = true together with a barostat (positions are multiples of a "
                         "spacing that divides the box); remove one of them");
        if (!stage.takes_time()) continue;
        const std::string found = irreversible(*stage.integrator);
        if (found.empty())
            dt = std::max(dt, stage.integrator->dt());
        else
            problem = found;
    }
    if (!(dt > 0.0))
        compute.fail("reversible", fmt::format("reversible = true for a run without a method that "
                                               "goes back to the same bits ({}); give a stage "
                                               "verlet, or a symmetric composition",
                                               problem));
    run_.spacing = spacing_for(setup.box, setup.start, dt);
    setup.box = on_spacing(setup.box, run_.spacing);
}

template <int Dim>
void RunBuilder<Dim>::rebuild(std::size_t first, const Box<Dim>& box, const Snapshot<Dim>& now) {
    Model<Dim>& model = run_.model;
    Setup<Dim> setup{.box = box, .start = now, .units = model.units};
    setup.topology = model.topology;
    run_.system.reset(); // frees its memory
    add_forces(model, run_.root, run_.backend, setup);
    run_.stage = first;
    for (std::size_t k = first; k < run_.stages.size(); ++k) {
        run_.stages[k] = Stage<Dim>(run_.plan.stages[k]);
        StageBuilder<Dim> builder(run_, run_.stages[k], errors_);
        builder.read_method();
        builder.build(setup, true);
    }
    errors_.raise();
    run_.system = run_.particles(box, now);
}

template <int Dim>
void RunBuilder<Dim>::build_stages(const Setup<Dim>& setup, bool forces_are_known) {
    std::vector<Stage<Dim>>& stages = run_.stages;
    const bool frames = std::any_of(stages.begin(), stages.end(), [](const Stage<Dim>& stage) {
        return stage.plan.trajectory_every > 0;
    });
    for (std::size_t k = 0; k < stages.size(); ++k) {
        StageBuilder<Dim>(run_, stages[k], errors_).build(setup, forces_are_known);
        if (errors_.any()) continue;
        if (k > 0 && frames)
            errors_.attempt([&] {
                refuse_other_fields(run_.root.tables("stage")[k],
                                    stages.front().recorder->particle_quantities(),
                                    stages[k].recorder->particle_quantities());
            });
        run_.plan.stages.push_back(stages[k].plan);
    }
}

/// Checks of methods that need the particles.
template <int Dim>
void RunBuilder<Dim>::look_at_methods() const {
    for (const Stage<Dim>& stage : run_.stages) {
        const Integrator& method = *stage.integrator;
        refuse_overdetermined(stage.plan, method, run_.system->overdetermined());
        for (const std::string& warning :
             {idle_kicks(stage.plan, method, run_.model.forces),
              fast_bath(stage.plan, method, stage.degrees_of_freedom),
              fast_waves(stage.plan, method, run_.model.forces),
              crowded_pairs(stage.plan, method,
                            partners_within(method.pair_radius(), *run_.system))})
            if (!warning.empty()) log::warning(warning);
    }
}

template <int Dim>
void RunBuilder<Dim>::refuse_bad_start() {
    if (run_.stages.empty()) return;
    ParticleSystem<Dim>& system = *run_.system;
    system.prepare_observation(true);
    const Integrator& method = *run_.stages.front().integrator;
    run_.start.largest_force = system.largest_force().force;
    // Forces that are integrated exactly or implicitly may be arbitrarily large.
    const auto has = [&](FlowKind kind) { return has_flow(method.word(), kind); };
    const bool unlimited = has(FlowKind::exact_motion) || has(FlowKind::implicit_kick);
    const auto largest = system.largest_force(unlimited ? 2 : 1);
    if (!run_.model.forces.empty())
        run_.start.potential_energy =
            system.potential_energy() / static_cast<double>(system.size());
    const std::string infinite = std::isfinite(largest.force) ? "" : system.infinite_forces();
    system.release();
    // Without pair forces no partner limits the displacement.
    const bool meet = run_.model.forces.has_list(ForceList::Of::pairs);
    const double dt = meet ? method.own_step() : 0.0;
    const double drift = dt > 0.0 ? longest_drift(method.word()) * method.flow_time() / dt : 1.0;
    const std::string problem =
        start_problem(system.snapshot(), system.box(), {largest.id, largest.force, infinite}, dt,
                      drift, method.moves_with_momenta() ? 1.0 : 2.0);
    if (problem.empty()) return;
    // Forces from rounded positions do not show whether the step is too large.
    const double coarse = run_.start.coarseness;
    throw InputError(coarse > coarse_enough_to_fail ? far_apart(coarse) : problem);
}

template class RunBuilder<1>;
template class RunBuilder<2>;
template class RunBuilder<3>;

} // namespace shadow
