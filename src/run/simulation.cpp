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

template <int Dim, class Real>
int run(const Parameters& root, RunPlan plan, const RunOptions& options, Backend& backend) {
    Simulation<Dim, Real> run(root, std::move(plan), options, backend);
    const std::string resolved = root.resolved();
    if (!options.check) return run.execute(resolved);
    const std::string text = fmt::format("{}\n# memory: {}\n# tune: {}\n", resolved,
                                         run.memory_estimate(), run.tuning_text());
    std::fwrite(text.data(), 1, text.size(), stdout);
    return 0;
}

} // namespace

int run_simulation(const RunOptions& given) {
    RunOptions options = given;
    const Parameters root = read_toml(options.input, options.overrides);
    RunPlan plan = read_plan(root, options.input);
    if (options.resume_or_start) {
        options.resume = std::filesystem::exists(checkpoint_path(plan.output.prefix));
        if (!options.resume) log::info("there is no checkpoint yet: the run starts");
    }
    const int dimension = system_dimension(root);
    Backend backend = make_backend(root, plan.compute);
    if (dimension == 1) return run<1, double>(root, std::move(plan), options, backend);
    if (dimension == 2) return run<2, double>(root, std::move(plan), options, backend);
    return run<3, double>(root, std::move(plan), options, backend);
}

} // namespace shadow
