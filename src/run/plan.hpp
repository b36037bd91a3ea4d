// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "thermo_table.hpp"

#include "shadow/core/backend.hpp"
#include "shadow/core/descriptor.hpp"
#include "shadow/core/input_errors.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/run/schedule.hpp"
#include "shadow/run/simulation.hpp"
#include "shadow/run/tuning.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shadow {

/// The arithmetic of pair forces; the state is in double.
enum class Precision { double_precision, mixed };

/// The tables of a stage, which a run without stages has at the top level.
inline constexpr std::array<std::string_view, 5> stage_tables{"integrator", "barostat", "shear",
                                                              "boost", "observe"};

/// One stage: a run without `[[stage]]` tables is one stage without a name.
struct StagePlan {
    std::string name;
    /// "stage NAME: ", before a message about it; "" in a run without stages.
    [[nodiscard]] std::string prefix() const { return name.empty() ? "" : "stage " + name + ": "; }
    std::int64_t steps = 0; ///< at most, if `until` ends it
    bool minimize = false;
    /// Seconds after the start of the process at which the process ends if this stage is running.
    double wall_time = std::numeric_limits<double>::infinity();
    /// Temperature of velocities drawn at its start.
    std::optional<double> temperature = {};
    bool reverses = false;             ///< reverses all velocities at its start
    std::int64_t trajectory_every = 0; ///< 0: no frames
    /// Steps at the start that averages exclude; detected if not given.
    std::optional<std::int64_t> equilibration;
    Parameters integrator;
    std::optional<Parameters> barostat = {};
    std::optional<Parameters> shear = {}, boost = {};
    std::vector<Parameters> observe;
    std::vector<Parameters> until; ///< `quantity` is read when the observables are known
};

/// `[output]`
struct OutputPlan {
    std::filesystem::path prefix;      ///< absolute, or relative to the working directory
    std::int64_t trajectory_every = 0; ///< default for stages; 0: no frames
    std::vector<std::string> fields;   ///< of all frames
    Interval checkpoint;
    bool overwrite = false;
    bool report = false; ///< make the page PREFIX.html at the end
    LogPlan log;
};

/// `[compute] self_test`: whether a GPU's results are checked, see SelfTest.
struct SelfTestPlan {
    bool on = true;             ///< at the start of each stage
    double every_seconds = 0.0; ///< also at this interval; 0: not
};

/// `[compute]`
struct ComputePlan {
    std::string device;
    Precision precision = Precision::mixed;
    int threads = 0;
    std::optional<InstructionSet> instruction_set;
    std::optional<double> skin;
    TuneMode tune = TuneMode::quick;
    SelfTestPlan self_test;
    bool reversible = false; ///< see Spacing
};

/// The parts of the input that do not depend on dimension or precision.
struct RunPlan {
    std::string title;
    std::uint64_t seed = 1;
    std::vector<std::string> levels = {"fast", "slow"}; ///< of forces; empty: they have an error
    OutputPlan output;
    ComputePlan compute;
    std::vector<StagePlan> stages;

    [[nodiscard]] bool has_trajectory() const {
        return std::any_of(stages.begin(), stages.end(),
                           [](const StagePlan& stage) { return stage.trajectory_every > 0; });
    }
};

[[nodiscard]] const char* name(Precision precision) noexcept;

/// The top level and the tables of runs, results and the machine, for `mdrun --describe`.
[[nodiscard]] const std::vector<Descriptor>& run_tables();

/// Reads everything except the system and the forces; problems go to `errors`. Integrators and
/// observables are read later, by their registries, from the tables in the stages. A run that is
/// `driven` by a program has one stage, and may omit its steps.
[[nodiscard]] RunPlan read_plan(const Parameters& root, const std::filesystem::path& input,
                                InputErrors& errors, bool driven = false);

} // namespace shadow
