// SPDX-License-Identifier: BSD-3-Clause
#include "resume_check.hpp"

#include "shadow/io/h5md.hpp"

#include "kernels/ops/scalars.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace shadow {
namespace {

/// How the species of the particles differ, or "".
template <int Dim>
std::string changed_species(const Snapshot<Dim>& then, const Snapshot<Dim>& now) {
    for (std::size_t k = 0; k < std::min(then.species_table.size(), now.species_table.size());
         ++k) {
        const Species &old = then.species_table[k], &kind = now.species_table[k];
        if (old.charge != kind.charge)
            return fmt::format("species {} has the charge {:.10g}, and had {:.10g}", kind.name,
                               kind.charge, old.charge);
        if (old.mass != kind.mass)
            return fmt::format("species {} has {:.10g} times the mass it had", kind.name,
                               kind.mass / old.mass);
    }
    return then.species == now.species ? "" : "particles are of other species";
}

template <int Dim>
void refuse_changed_past(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint) {
    const std::filesystem::path path = checkpoint_path(run.plan.output.prefix);
    const auto refuse = [&](const std::string& why) {
        throw InputError(fmt::format("{}: this is the checkpoint of another run ({}); undo that, "
                                     "or start again with another `output.prefix`",
                                     path.string(), why));
    };
    const std::string why = changed_past(Identity::of_text(checkpoint.input), run.identity,
                                         stages_begun(checkpoint.integers));
    if (!why.empty()) refuse(why);
    const std::size_t particles = checkpoint.state.snapshot.size();
    if (particles != static_cast<std::size_t>(run.system->size()))
        refuse(fmt::format("it has {} particles, the input {}", particles, run.system->size()));
    const Box<Dim>& box = run.system->box();
    const bool changes = run.barostat_before(run.stages.size()) ||
                         std::any_of(run.stages.begin(), run.stages.end(),
                                     [](const Stage<Dim>& s) { return s.plan.shear.has_value(); });
    if (checkpoint.box &&
        ((!changes && (checkpoint.box->lengths() != box.lengths() ||
                       checkpoint.box->sliding().slide != box.sliding().slide)) ||
         checkpoint.box->periodic() != box.periodic() || checkpoint.box->origin() != box.origin()))
        refuse("it has another box, as the file of the start may have now");
    if (const std::string change =
            changed_species(checkpoint.state.snapshot, run.system->snapshot());
        !change.empty())
        refuse(change);
    if (const std::string change = changed_terms(checkpoint.topology, run.model.topology);
        !change.empty())
        refuse(change);
    if (const std::string change = changed_coefficients(checkpoint.topology, run.model.topology);
        !change.empty())
        refuse(change);
    if (checkpoint.topology.excluded != run.model.topology.excluded)
        refuse("pairs of other particles are excluded");
    if (checkpoint.topology.scaled != run.model.topology.scaled)
        refuse("pairs of other particles are scaled, or by other factors");
}

/// Information that older versions did not store is not checked.
template <int Dim>
void refuse_other_results(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint) {
    const auto results = origin_of_results(run.plan.output.prefix);
    if (!results) return;
    const auto refuse = [&](const std::string& what, const std::string& why) {
        throw InputError(fmt::format("{}: these results are {} than {} ({}); restore those that "
                                     "belong to it, or start again with another `output.prefix`",
                                     result_path(run.plan.output.prefix).string(), what,
                                     checkpoint_path(run.plan.output.prefix).string(), why));
    };
    if (!results->past.empty()) {
        // Results are written first, and may contain stages that the checkpoint does not know yet.
        const Identity of_results = Identity::of_text(results->past);
        const Identity of_checkpoint = Identity::of_text(checkpoint.input);
        const std::size_t begun = stages_begun(checkpoint.integers);
        const std::string why = changed_past(of_results, of_checkpoint, begun);
        if (!why.empty() && !changed_past(of_checkpoint, of_results, begun).empty())
            refuse("of another run", why);
    }
    if (!results->precision.empty() && results->precision != checkpoint.precision)
        refuse("of another run", fmt::format("they are in {} precision, the checkpoint in {}",
                                             results->precision, checkpoint.precision));
    const auto start = checkpoint.texts.find("start");
    if (!results->start.empty() && start != checkpoint.texts.end() &&
        results->start != start->second.at(0))
        refuse("of another run", "it began elsewhere");
    const std::int64_t step = checkpoint.state.snapshot.step;
    if (results->checkpoint_step.value_or(step) < step)
        refuse("older", fmt::format("they are of step {}, the checkpoint is of step {}",
                                    *results->checkpoint_step, step));
}

/// Older versions stored the numbers of a box with a mass elsewhere, and none by direction.
template <int Dim>
void refuse_older_box(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint) {
    const std::size_t begun = stages_begun(checkpoint.integers);
    if (begun == 0 || begun > run.stages.size()) return;
    const auto& barostat = run.stages[begun - 1].plan.barostat;
    const std::vector<double>& scalars = checkpoint.state.ensemble.scalars;
    if (!barostat || barostat->text("type", "cell-rescaling") != "mtk" ||
        scalars.at(Scalar::kinetic_along) != 0.0 || scalars.at(Scalar::virial_along) != 0.0)
        return;
    throw InputError(fmt::format(
        "{}: this checkpoint of mtk is of an older version (it keeps other numbers of the box); go "
        "on with version {}, or start from it with `file` in [system]",
        checkpoint_path(run.plan.output.prefix).string(), checkpoint.version));
}

} // namespace

template <int Dim>
void refuse_other_past(const Run<Dim>& run, const Checkpoint<Dim>& checkpoint) {
    refuse_changed_past(run, checkpoint);
    refuse_other_results(run, checkpoint);
    refuse_older_box(run, checkpoint);
}

template <int Dim>
void refuse_changed_stages(const Run<Dim>& run) {
    for (std::size_t k = 0; k < run.stage; ++k) {
        const Stage<Dim>& stage = run.stages[k];
        if (stage.converged || stage.steps_done == stage.plan.steps) continue;
        const std::string has =
            stage.plan.until.empty()
                ? fmt::format("has {} steps but ended after {}", stage.plan.steps, stage.steps_done)
                : fmt::format("has smaller errors in until than those with which it ended after {} "
                              "steps",
                              stage.steps_done);
        throw InputError(fmt::format("stage \"{}\" {} (a stage cannot change once the next has "
                                     "begun); restore its {}, or start again",
                                     stage.plan.name, has,
                                     stage.plan.until.empty()
                                         ? fmt::format("{} steps", stage.steps_done)
                                         : std::string("errors")));
    }
}

template void refuse_other_past(const Run<1>&, const Checkpoint<1>&);
template void refuse_changed_stages(const Run<1>&);
template void refuse_other_past(const Run<2>&, const Checkpoint<2>&);
template void refuse_changed_stages(const Run<2>&);
template void refuse_other_past(const Run<3>&, const Checkpoint<3>&);
template void refuse_changed_stages(const Run<3>&);

} // namespace shadow
