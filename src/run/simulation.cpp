// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/simulation.hpp"

#include "reference.hpp"
#include "shared_files.hpp"
#include "simulation.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/io/atomic_file.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace shadow {
namespace {

/// Where the one of the input has an error, the CPU serves to read the rest.
Backend make_backend(const Parameters& root, const ComputePlan& compute, InputErrors& errors) {
    if (compute.device.empty()) return Backend::cpu(); // its table was not read
    try {
        return Backend::named(compute.device, compute.threads, compute.instruction_set);
    } catch (const InputError& error) {
        errors.attempt([&] { root.table("compute").fail("device", error.what()); });
    }
    return Backend::cpu();
}

/// Calls `use` with the simulation of an input.
template <class Use>
auto with_simulation(const Parameters& root, RunOptions options, const Use& use) {
    InputErrors errors;
    RunPlan plan = read_plan(root, options.input, errors);
    int dimension = 0;
    errors.attempt([&] { dimension = system_dimension(root); });
    Backend backend = make_backend(root, plan.compute, errors);
    if (dimension == 0) refuse_input(root, errors);
    if (!errors.any()) errors.attempt([&] { refuse_shared_files(root, plan.output, options); });
    // As "-": what is written to standard output goes where that is.
    if (is_open_as(options.summary, STDOUT_FILENO)) options.summary = "-";
    if (options.resume_or_start && !errors.any()) {
        options.resume = std::filesystem::exists(checkpoint_path(plan.output.prefix));
        if (!options.resume) log::info("there is no checkpoint yet: the run starts");
    }
    const auto build = [&]<int Dim>(std::integral_constant<int, Dim>) {
        Simulation<Dim> simulation(root, std::move(plan), options, backend, errors);
        return use(simulation);
    };
    if (dimension == 1) return build(std::integral_constant<int, 1>{});
    if (dimension == 2) return build(std::integral_constant<int, 2>{});
    return build(std::integral_constant<int, 3>{});
}

} // namespace

std::string check_input(const Parameters& root, const RunOptions& options) {
    return with_simulation(root, options, [&root](const auto& simulation) {
        std::string text = root.resolved() + "\n";
        for (const std::string& line : simulation.start_text()) text += "# " + line + "\n";
        return text + fmt::format("# memory: {}\n# tune: {}\n", simulation.memory_estimate(),
                                  simulation.tuning_text());
    });
}

int run_simulation(const RunOptions& options) {
    const Parameters root = read_toml(options.input, options.overrides);
    if (!options.check)
        return with_simulation(root, options,
                               [&root](auto& run) { return run.execute(root.resolved()); });
    const std::string text = check_input(root, options);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

} // namespace shadow
