// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/simulation.hpp"

#include "describe_start.hpp"
#include "reference.hpp"
#include "run_builder.hpp"
#include "runner.hpp"
#include "shared_files.hpp"
#include "src/core/standard_output.hpp"
#include "tuner.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include <fmt/format.h>
#include <unistd.h>

namespace shadow {
namespace {

/// Builds the run of an input and calls `use` with it.
template <class Use>
auto with_run(const Parameters& root, RunOptions options, const Use& use) {
    InputErrors errors;
    RunPlan plan = read_plan(root, options.input, errors);
    int dimension = 0;
    errors.attempt([&] { dimension = system_dimension(root); });
    Backend backend = open_backend(root, plan.compute, errors);
    if (dimension == 0) refuse_input(root, errors);
    if (!errors.any()) errors.attempt([&] { refuse_shared_files(root, plan.output, options); });
    // The same as "-": the summary goes to standard output instead of replacing that file.
    if (is_open_as(options.summary, STDOUT_FILENO)) options.summary = "-";
    if (options.resume_or_start && !errors.any()) {
        options.resume = std::filesystem::exists(checkpoint_path(plan.output.prefix));
        if (!options.resume) log::info("there is no checkpoint yet: the run starts");
    }
    SignalGuard signals;
    return with_dimension(dimension, [&]<int Dim>(std::integral_constant<int, Dim>) {
        Run<Dim> run(root, input_folder(options.input), std::move(plan), options, backend,
                     &signals);
        RunBuilder<Dim>(run, errors).build();
        return use(run);
    });
}

} // namespace

std::string check_input(const Parameters& root, const RunOptions& options) {
    return with_run(root, options, [](const auto& run) {
        std::string text = run.resolved_input + "\n";
        for (const std::string& line : start_lines(run.start, run.model.units))
            text += "# " + line + "\n";
        return text + fmt::format("# memory: {}\n# tune: {}\n", memory_text(run), tuning_text(run));
    });
}

int run_simulation(const RunOptions& options) {
    const Parameters root = read_toml(options.input, options.overrides);
    if (!options.check)
        return with_run(root, options, [](auto& run) { return Runner(run).execute(); });
    print(check_input(root, options));
    return 0;
}

} // namespace shadow
