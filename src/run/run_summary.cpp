// SPDX-License-Identifier: BSD-3-Clause
#include "run_summary.hpp"

#include "src/core/standard_output.hpp"
#include "stage_summary.hpp"

#include "shadow/core/log.hpp"
#include "shadow/core/text.hpp"
#include "shadow/core/version.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/checkpoint.hpp"
#include "shadow/io/result_writer.hpp"
#include "shadow/run/report_page.hpp"

#include <fmt/format.h>

namespace shadow {

template <int Dim>
Summary summarise(Run<Dim>& run) {
    const Timer::Scope scope(run.timer, run.timer.part("analysis"));
    Summary summary;
    summary.title = run.plan.title;
    summary.particles = run.system->size();
    summary.species = run.start.species;
    summary.dimension = Dim;
    const Box<Dim>& box = run.system->box();
    summary.box_periodic.assign(box.periodic().begin(), box.periodic().end());
    summary.box_lengths = lengths_of(box);
    summary.box_tilts = tilts_of(box);
    summary.degrees_of_freedom = run.system->degrees_of_freedom();
    summary.charges = run.start.charges;
    for (const Stage<Dim>& stage : run.stages)
        if (stage.begun) summary.stages.push_back(StageSummariser<Dim>(run, stage).summarise());
    PerformanceSummary& performance = summary.performance;
    performance.wall_seconds = run.timer.seconds();
    const auto steps = static_cast<double>(run.system->step() - run.first_step);
    const auto n = static_cast<double>(run.system->size());
    performance.steps_per_second = steps / performance.wall_seconds;
    performance.particle_steps_per_second = performance.steps_per_second * n;
    performance.ns_per_particle_step =
        steps > 0.0 ? 1e9 * performance.wall_seconds / (steps * n) : 0.0;
    performance.rebuilds = run.system->neighbours().rebuilds();
    performance.shares = spread(run.timer.shares(), steps_part, {"forces", "lists", "integration"});
    performance.tune = run.settings;
    summary.device = run.backend.description();
    summary.precision = name(run.plan.compute.precision);
    summary.version = version();
    summary.input_digest = digest(run.resolved_input);
    summary.seed = static_cast<std::int64_t>(run.plan.seed);
    summary.files = {result_path(run.plan.output.prefix).string(),
                     checkpoint_path(run.plan.output.prefix).string(),
                     log_path(run.plan.output.prefix).string()};
    return summary;
}

template <int Dim>
void report(Run<Dim>& run) {
    const Summary summary = summarise(run);
    const std::string json = summary_json(summary);
    const bool json_only = run.options.summary == "-";
    if (!run.options.summary.empty() && !json_only) write_file(run.options.summary, json);
    log::record(summary_table(summary));
    if (json_only || !run.options.quiet) print(json_only ? json : summary_table(summary));
    if (!run.plan.output.report || !run.finished()) return;
    const std::string problem = make_report(run.plan.output.prefix, json);
    if (problem.empty())
        log::info(fmt::format("the report is {}", report_path(run.plan.output.prefix).string()));
    else
        log::warning(fmt::format("no report page ({}); the results are whole: make it later with "
                                 "mdrun report {}",
                                 problem, result_path(run.plan.output.prefix).string()));
}

void require_summary(const RunOptions& options) {
    if (!options.summary.empty() && options.summary != "-")
        require_writable_folder(options.summary, "another file to --summary");
}

template Summary summarise(Run<1>&);
template void report(Run<1>&);
template Summary summarise(Run<2>&);
template void report(Run<2>&);
template Summary summarise(Run<3>&);
template void report(Run<3>&);

} // namespace shadow
