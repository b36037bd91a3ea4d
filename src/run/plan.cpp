// SPDX-License-Identifier: BSD-3-Clause
#include "plan.hpp"

#include "shadow/core/text.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// `equilibration`: "auto" or a number of steps.
std::optional<std::int64_t> read_equilibration(const Parameters& table) {
    const char* const key = "equilibration";
    const std::string type = table.type(key);
    if (type.empty() || type == "text") {
        (void)table.choice(key, {"auto"}, std::string("auto"));
        return std::nullopt;
    }
    const std::int64_t steps = table.integer(key);
    if (steps < 0)
        table.fail(key, fmt::format("equilibration is {} (a number of steps to leave out of the "
                                    "averages); give 0 or more, or \"auto\"",
                                    steps));
    return steps;
}

/// The tables of `until`: one, or an array of them.
std::vector<Parameters> read_until(const Parameters& table) {
    const std::string type = table.type("until");
    if (type == "table") return {table.table("until")};
    const std::vector<Parameters> all = table.tables("until");
    if (all.empty())
        table.fail("until",
                   "until without a quantity (the quantity whose error ends the run); write until "
                   "= { quantity = \"pressure\", error = 1e-3, max_steps = 1_000_000 }");
    return all;
}

/// `steps`, or the `max_steps` of `until`.
std::int64_t read_steps(const Parameters& table, const std::vector<Parameters>& until) {
    const auto positive = [](const Parameters& from, const char* key, std::int64_t least) {
        const std::int64_t steps = from.integer(key);
        if (steps < least)
            from.fail(key, fmt::format(
                               "{} is {} (a number of steps{}); give {} or more", key, steps,
                               least == 0 ? " cannot be negative" : " that a run may take", least));
        return steps;
    };
    if (until.empty()) return positive(table, "steps", 0);
    if (table.has("steps"))
        table.fail("steps", "steps together with until (either decides when the run ends); remove "
                            "one, or make it the max_steps of until");
    std::optional<std::int64_t> most;
    for (const Parameters& target : until) {
        if (most && !target.has("max_steps")) continue;
        const std::int64_t steps = positive(target, "max_steps", 1);
        if (most && *most != steps)
            target.fail("max_steps",
                        fmt::format("max_steps is {} here and {} before (all quantities "
                                    "of until share one run); give the same, or leave "
                                    "it out",
                                    steps, *most));
        most = steps;
    }
    return *most;
}

/// The trajectory interval of a stage, by default that of `output`.
std::int64_t read_stage_trajectory(const Parameters& stage, std::int64_t otherwise) {
    if (!stage.has("trajectory")) return otherwise;
    const Parameters table = stage.table("trajectory");
    const std::int64_t every = table.integer("every");
    if (every < 0)
        table.fail("every", fmt::format("every is {} (a number of steps between two frames); give "
                                        "1 or more, or 0 for no frames in this stage",
                                        every));
    return every;
}

/// A large number of steps for a stage whose length has an error, so that other keys that depend on
/// steps can be read.
constexpr std::int64_t unknown_steps = 1'000'000'000;

StagePlan read_stage(const Parameters& table, const Parameters& steps_table, std::string name,
                     InputErrors& errors, bool driven = false) {
    StagePlan stage{.name = std::move(name),
                    .steps = unknown_steps,
                    .equilibration = {},
                    .integrator = table.table("integrator"),
                    .observe = table.tables("observe"),
                    .until = {}};
    if (table.has("barostat")) stage.barostat = table.table("barostat");
    if (table.has("shear")) stage.shear = table.table("shear");
    if (table.has("boost")) stage.boost = table.table("boost");
    errors.attempt([&] { stage.equilibration = read_equilibration(steps_table); });
    errors.attempt([&] {
        if (steps_table.has("until")) stage.until = read_until(steps_table);
        if (!driven || steps_table.has("steps")) stage.steps = read_steps(steps_table, stage.until);
    });
    errors.attempt([&] {
        if (const std::int64_t left_out = stage.equilibration.value_or(0);
            left_out > 0 && left_out >= stage.steps)
            steps_table.fail(
                "equilibration",
                fmt::format("equilibration is {} of {} steps (nothing is left to average); "
                            "give more steps, or leave out less",
                            left_out, stage.steps));
    });
    errors.attempt([&] { stage.wall_time = read_wall_time(steps_table); });
    // An unknown or missing method is reported by the registry.
    stage.minimize =
        stage.integrator.type("method") == "text" && stage.integrator.text("method") == "minimize";
    if (stage.minimize && !stage.until.empty())
        steps_table.fail("until",
                         "until in a minimisation (it ends at its force_tolerance, and has "
                         "no averages); give it steps");
    return stage;
}

/// With stages, `[run]` may contain only the wall time.
double read_common_wall_time(const Parameters& root) {
    const auto refuse = [](const Parameters& table, std::string_view key) {
        table.fail(
            std::string(key),
            fmt::format(
                "\"{}\" together with [[stage]] (each stage has its own); move it into the stages",
                key));
    };
    for (const std::string_view key : stage_tables)
        if (root.has(std::string(key))) refuse(root, key);
    const Parameters run = root.table("run");
    for (const char* key : {"steps", "until", "equilibration"})
        if (run.has(key)) refuse(run, key);
    return read_wall_time(run);
}

/// Reads `velocity` of a stage.
void read_velocity(const Parameters& table, StagePlan& stage) {
    if (!table.has("velocity")) return;
    if (stage.minimize)
        table.fail("velocity", "velocity in a minimisation (it starts and ends at rest); give it "
                               "to the stage after it");
    const Parameters velocity = table.table("velocity");
    stage.reverses = velocity.boolean("reverse", false);
    if (velocity.has("temperature") == stage.reverses)
        table.fail("velocity", "velocity with neither a temperature nor reverse, or with both (it "
                               "gives the velocities at the start of the stage); write velocity = "
                               "{ temperature = 1.0 } or { reverse = true }");
    if (!stage.reverses) stage.temperature = read_temperature(velocity);
}

/// The program determines the number of steps.
std::vector<StagePlan> read_driven_stage(const Parameters& root, InputErrors& errors) {
    if (root.has("stage"))
        root.fail("stage", "[[stage]] of a simulation that a program drives (it has one method); "
                           "make a simulation of each");
    const Parameters run = root.table("run");
    if (run.has("until"))
        run.fail("until", "until of a simulation that a program drives (it decides when to end); "
                          "use the errors of its summary");
    return {read_stage(root, run, "", errors, true)};
}

std::vector<StagePlan> read_stages(const Parameters& root, const OutputPlan& output,
                                   InputErrors& errors) {
    const std::vector<Parameters> tables = root.tables("stage");
    if (tables.empty()) {
        std::vector<StagePlan> one{read_stage(root, root.table("run"), "", errors)};
        one[0].trajectory_every = output.trajectory_every;
        return one;
    }
    const double wall_time = read_common_wall_time(root);
    std::vector<StagePlan> stages;
    const auto read = [&](const Parameters& table) {
        std::string name;
        errors.attempt([&] { name = table.text("name"); });
        stages.push_back(read_stage(table, table, name, errors));
        stages.back().wall_time = std::min(stages.back().wall_time, wall_time);
        read_velocity(table, stages.back());
        stages.back().trajectory_every = read_stage_trajectory(table, output.trajectory_every);
        for (std::size_t k = 0; k + 1 < stages.size(); ++k)
            if (!name.empty() && stages[k].name == name)
                table.fail("name", fmt::format("a second stage \"{}\" (names distinguish stages in "
                                               "the results); give it another name",
                                               name));
    };
    for (const Parameters& table : tables) errors.attempt([&] { read(table); });
    return stages;
}

OutputPlan read_output(const Parameters& root, const std::filesystem::path& input, bool driven) {
    const Parameters table = root.table("output");
    OutputPlan output;
    if (!driven && is_stream(input) && !table.has("prefix"))
        table.fail("prefix", fmt::format("the results have no name (an input from {} has none to "
                                         "give them); give `output.prefix`, for example --set "
                                         "output.prefix=run",
                                         input.string()));
    const std::string prefix = table.text("prefix", driven ? "none" : input.stem().string());
    if (prefix.empty() || prefix.back() == '/')
        table.fail("prefix", fmt::format("prefix \"{}\" (results need a file name); give one such "
                                         "as \"melt\"",
                                         prefix));
    output.prefix = input_folder(input) / prefix;
    const std::vector<std::string> usual = {"position", "velocity", "image"};
    output.fields = usual;
    if (table.has("trajectory")) {
        const Parameters trajectory = table.table("trajectory");
        output.trajectory_every = read_every(trajectory, 1000);
        const std::vector<std::string> known = {"position", "velocity",         "image",
                                                "force",    "potential_energy", "stress"};
        output.fields = trajectory.texts("fields", usual);
        for (auto at = output.fields.begin(); at != output.fields.end(); ++at) {
            const std::string& field = *at;
            if (std::find(output.fields.begin(), at, field) != at)
                trajectory.fail("fields", fmt::format("field \"{}\" twice (a frame has it once); "
                                                      "remove one",
                                                      field));
            if (std::find(known.begin(), known.end(), field) == known.end())
                trajectory.fail("fields",
                                fmt::format("field \"{}\" (a trajectory can have "
                                            "position, velocity, image, force, "
                                            "potential_energy and stress; bond-order "
                                            "adds psi with per_particle = true); name one "
                                            "of these",
                                            field));
        }
    }
    output.checkpoint = read_interval(table.table("checkpoint"), "5 min");
    output.overwrite = table.boolean("overwrite", false);
    output.report = table.boolean("report", false);
    const Parameters log = table.table("log");
    if (log.has("every")) output.log.every = read_every(log, 1);
    output.log.per_particle = log.boolean("per_particle", false);
    return output;
}

SelfTestPlan read_self_test(const Parameters& table) {
    const char* const key = "self_test";
    const std::string text = table.text(key, "start"), every = "every ";
    if (text == "start") return {};
    if (text == "off") return {.on = false};
    const auto seconds =
        text.starts_with(every) ? seconds_of(text.substr(every.size())) : std::nullopt;
    if (!seconds)
        table.fail(key, fmt::format("self_test is {} (it says when a GPU's results are checked); "
                                    "write \"start\", \"off\", or a time such as \"every 1 h\"",
                                    in_quotes(text, 60)));
    return {.every_seconds = *seconds};
}

ComputePlan read_compute(const Parameters& root) {
    const Parameters table = root.table("compute");
    ComputePlan compute;
    compute.device = table.text("device", "auto");
    const std::string precision =
        table.choice("precision", {"double", "mixed"}, std::string("mixed"));
    compute.precision = precision == "double" ? Precision::double_precision : Precision::mixed;
    const std::int64_t threads = table.integer("threads", 0);
    if (threads < 0 || threads > 4096)
        table.fail("threads", fmt::format("{} threads (not a possible number); give 0 for all "
                                          "cores, or a positive number",
                                          threads));
    compute.threads = static_cast<int>(threads);
    const std::string isa =
        table.choice("instruction_set", {"auto", "sse", "avx2", "avx512"}, std::string("auto"));
    if (isa == "sse") compute.instruction_set = InstructionSet::sse;
    if (isa == "avx2") compute.instruction_set = InstructionSet::avx2;
    if (isa == "avx512") compute.instruction_set = InstructionSet::avx512;
    if (table.has("skin")) compute.skin = table.positive("skin");
    const std::string tune = table.choice("tune", {"off", "quick", "full"}, std::string("quick"));
    compute.tune = tune == "off"    ? TuneMode::off
                   : tune == "full" ? TuneMode::full
                                    : TuneMode::quick;
    compute.self_test = read_self_test(table);
    compute.reversible = table.boolean("reversible", false);
    if (compute.reversible && compute.skin)
        table.fail("skin", "skin together with reversible = true (lists are rebuilt at each step, "
                           "so that forces depend on positions alone); remove one of them");
    return compute;
}

} // namespace

const char* name(Precision precision) noexcept {
    return precision == Precision::double_precision ? "double" : "mixed";
}

RunPlan read_plan(const Parameters& root, const std::filesystem::path& input, InputErrors& errors,
                  bool driven) {
    RunPlan plan;
    errors.attempt([&] { plan.title = root.text("title", ""); });
    if (!errors.attempt([&] { plan.levels = read_levels(root); })) plan.levels.clear();
    errors.attempt([&] {
        const std::int64_t seed = root.integer("seed", 1);
        if (seed < 0)
            root.fail("seed", fmt::format("seed {} (seeds count from 0); give a number that is not "
                                          "negative",
                                          seed));
        plan.seed = static_cast<std::uint64_t>(seed);
    });
    errors.attempt([&] { plan.output = read_output(root, input, driven); });
    errors.attempt([&] { plan.compute = read_compute(root); });
    errors.attempt([&] {
        plan.stages =
            driven ? read_driven_stage(root, errors) : read_stages(root, plan.output, errors);
    });
    return plan;
}

} // namespace shadow
