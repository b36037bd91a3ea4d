// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/simulation.hpp"

#include "simulation.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/log.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/setup.hpp"

#include <cstdio>
#include <fmt/format.h>

namespace shadow {
namespace {

Backend make_backend(const Parameters& root, const ComputePlan& compute) {
    const Parameters table = root.table("compute");
    try {
        return Backend::named(compute.device, compute.threads, compute.instruction_set);
    } catch (const InputError& error) {
        table.fail("device", error.what());
    }
}

/// Calls `use` with the simulation of an input.
template <class Use>
auto with_simulation(const Parameters& root, RunOptions options, const Use& use) {
    RunPlan plan = read_plan(root, options.input);
    if (options.resume_or_start) {
        options.resume = std::filesystem::exists(checkpoint_path(plan.output.prefix));
        if (!options.resume) log::info("there is no checkpoint yet: the run starts");
    }
    const int dimension = system_dimension(root);
    Backend backend = make_backend(root, plan.compute);
    const auto build = [&]<int Dim>(std::integral_constant<int, Dim>) {
        Simulation<Dim, double> simulation(root, std::move(plan), options, backend);
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
