// SPDX-License-Identifier: BSD-3-Clause
/// Variables that each step writes before it reads them: checkpoints do without.
#include "src/run/run_builder.hpp"
#include "src/run/stage_driver.hpp"
#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/log.hpp"
#include "shadow/io/toml.hpp"
#include "shadow/system/scalar_groups.hpp"
#include "shadow/system/setup.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace shadow;

namespace {

const std::string mixture_in_plane = R"(
seed = 3
[system]
dimension = 2
box = { density = 0.7 }
lattice = { type = "square", repeat = [12, 12] }
velocity = { temperature = 1.0 }
[[species]]
name = "A"
fraction = 0.5
[[species]]
name = "B"
mass = 2.0
fraction = 0.5
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "smooth-c2"
inner = 1.6
[[observe]]
type = "thermo"
every = 1
[integrator]
dt = 0.004
)";

const std::string slow_wave = R"(
[[force]]
type = "cosine-field"
amplitude = 0.5
periods = [1, 0]
level = "slow"
)";
const std::string followed_sum = R"(
[[step_sum]]
type = "gaussian-core"
epsilon = 1.0
sigma = 0.6
cutoff = 2.0
)";
const std::string boost = "[boost]\nthreshold = 0.0\nwidth = 100.0\n";

std::string barostat(const std::string& keys) {
    return "[barostat]\n" + keys + "\n";
}

/// A method at a temperature of 1, and what stands behind it.
std::string bath(const std::string& method, const std::string& keys, const std::string& more = "") {
    return "method = \"" + method + "\"\ntemperature = 1.0\n" + keys + "\n" + more;
}

/// All methods with variables of an ensemble, in all ways in which they use them.
std::vector<std::string> all_ways() {
    const std::string period = "period = 0.4", each = "period = { A = 0.4, B = 0.8 }",
                      density = period + "\nthreshold = -100.0\nwidth = 200.0\nleast_slope = 0.7\n"
                                         "side = \"both\"",
                      rescaling = barostat("pressure = 1.0\ntime = 0.2\ncompressibility = 0.1\n"
                                           "every = 2"),
                      moves = barostat("type = \"monte-carlo\"\npressure = 1.0\namplitude = 0.02\n"
                                       "every = 2\naxes = [\"x\", \"y\"]"),
                      offset = "offset = 2000.0\n";
    return {
        bath("nose-poincare", period),
        bath("nose-poincare", period + "\norder = 4"),
        bath("nose-poincare", period,
             barostat("type = \"nose-poincare-andersen\"\npressure = 1.0\nperiod = 2.0")),
        bath("nose-poincare", period, boost),
        bath("nose-poincare-respa", period + "\ninner = 2", slow_wave),
        bath("nose-vertex", period),
        bath("nose-balls", "mass = 500.0"),
        bath("nose-explicit", period + "\nchain = 2"),
        bath("nose-density", density),
        bath("nose-separated", period),
        bath("nose-hoover", period),
        bath("nose-hoover", each),
        bath("nose-hoover", period,
             barostat("type = \"mtk\"\npressure = 1.0\nperiod = 2.0\naxes = [\"x\", \"y\"]")),
        bath("nose-hoover", period, rescaling),
        bath("nose-hoover", period, moves),
        bath("nose-hoover", period,
             barostat("type = \"deform\"\nrates = [0.05, -0.05]\nevery = 2")),
        bath("nose-hoover-langevin", period + "\nfriction = 2.0"),
        bath("bussi", "time = 0.1"),
        bath("bussi", "time = { A = 0.1, B = 0.2 }"),
        bath("bussi", "time = 0.1", "[shear]\nrate = 0.3\n"),
        bath("berendsen", "time = 0.1"),
        bath("baoab", "friction = 1.0", boost),
        bath("baoab", "friction = 1.0", rescaling),
        "method = \"adaptive-verlet\"\nlongest = 0.01\n",
        "method = \"adaptive-verlet\"\nobjective = \"kinetic-energy\"\ninterval = 0.02\n",
        "method = \"adaptive-verlet\"\nobjective = \"potential-energy\"\n" + offset,
        "method = \"adaptive-verlet\"\nobjective = \"arclength\"\nvelocity_time = 0.1\n",
        "method = \"adaptive-verlet\"\nobjective = \"pair-sum\"\n" + followed_sum,
        "method = \"step-density\"\n",
        "method = \"step-density\"\nobjective = \"potential-energy\"\n" + offset,
        "method = \"step-density\"\nobjective = \"pair-sum\"\n" + followed_sum,
        "method = \"energy-scaled\"\n" + offset,
        "method = \"energy-scaled\"\nobjective = \"kinetic-energy\"\n",
        "method = \"poincare\"\n" + offset,
        "method = \"minimize\"\n",
    };
}

/// What must not depend on such variables.
struct Outcome {
    std::vector<std::array<double, 2>> position, momentum;
    std::vector<double> lengths, rows, variables;
    bool operator==(const Outcome&) const = default;
};

template <class Use>
void for_variables(bool of_step, const Use& use) {
    for (const ScalarGroup& group : scalar_groups())
        if ((group.begins == ScalarGroup::Begins::with_each_step) == of_step)
            for (int k = 0; k < group.length; ++k) use(of_row(group.first, k));
}

/// 14 steps with a restart in the middle; `garbage` takes the place of what steps have left.
Outcome outcome(const std::string& way, const TestBackend& where, std::optional<double> garbage) {
    const std::string device = where.cuda ? "cuda" : "cpu";
    const Parameters input = read_toml_text(mixture_in_plane + way +
                                                "\n[compute]\nprecision = \"double\"\nthreads = 1\n"
                                                "device = \"" +
                                                device + "\"\n",
                                            "test.toml");
    InputErrors errors;
    RunPlan plan = read_plan(input, ".", errors, true);
    REQUIRE(system_dimension(input) == 2);
    Backend backend = open_backend(input, plan.compute, errors);
    Run<2> run(input, ".", std::move(plan), {}, backend);
    RunBuilder<2>(run, errors).build(true);
    ParticleSystem<2>& system = *run.system;
    Stage<2>& stage = run.stages.front();
    system.set_degrees_of_freedom(stage.degrees_of_freedom, stage.conserved);
    begin_stage(run, stage);
    Outcome found;
    connect_stage<2>(stage, [&](const RecordBatch& batch) {
        found.rows.insert(found.rows.end(), batch.times.begin(), batch.times.end());
        found.rows.insert(found.rows.end(), batch.values.begin(), batch.values.end());
    });
    for (int k = 0; k < 14; ++k) {
        system.set_scalar(Scalar::one, 1.0); // flushes
        if (garbage) for_variables(true, [&](Scalar one) { system.set_scalar(one, *garbage); });
        if (k == 7) {
            SystemState<2> state = system.state();
            if (garbage)
                for_variables(true, [&](Scalar one) { state.ensemble.scalars[one] = *garbage; });
            system.restore(state);
        }
        sample(run, stage);
        stage.converged = advance(run, stage);
        ++stage.steps_done;
    }
    stage.recorder->flush();
    system.check_status();
    const SystemState<2> state = system.state();
    found.position = state.snapshot.position;
    found.momentum = state.snapshot.momentum;
    found.lengths = state.ensemble.lengths;
    for_variables(false,
                  [&](Scalar one) { found.variables.push_back(state.ensemble.scalars[one]); });
    return found;
}

} // namespace

TEST_CASE("what each step writes before it reads it may be anything between steps, or lost") {
    const auto where = GENERATE(from_range(few_test_backends()));
    CAPTURE(where.name);
    log::set_level(log::Level::error);
    for (const std::string& way : all_ways()) {
        INFO(way);
        const Outcome usual = outcome(way, where, {});
        CHECK(!usual.rows.empty());
        for (const double garbage : {std::numeric_limits<double>::quiet_NaN(), 0.0, 1e9}) {
            INFO(garbage);
            CHECK((outcome(way, where, garbage) == usual));
        }
    }
    log::set_level(log::Level::info);
}
