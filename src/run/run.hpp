// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "identity.hpp"
#include "plan.hpp"
#include "stage.hpp"
#include "start.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/timer.hpp"
#include "shadow/run/model.hpp"
#include "shadow/run/signals.hpp"
#include "shadow/run/tuning.hpp"
#include "shadow/run/wall_time.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace shadow {

/// A run of one system: its model, its particles, its stages, and how far it is. RunBuilder makes
/// it, Runner drives it.
template <int Dim>
struct Run {
    /// Without `guard` no signal is heard.
    Run(const Parameters& input, std::filesystem::path input_place, RunPlan run_plan,
        const RunOptions& run_options, Backend& where, SignalGuard* guard = nullptr)
        : root(input), folder(std::move(input_place)), plan(std::move(run_plan)),
          options(run_options), backend(where), signals(guard), wall_time(run_options.started) {}

    Parameters root;              ///< the input
    std::filesystem::path folder; ///< of files that it names
    std::string resolved_input;   ///< with all its defaults, as TOML
    RunPlan plan;
    RunOptions options;
    Backend& backend;
    Identity identity;
    Model<Dim> model;
    Start start;
    TuneFacts facts;
    std::vector<TunedSetting> settings; ///< of speed
    bool tuned = false;                 ///< they are chosen for good
    std::vector<Stage<Dim>> stages;
    std::size_t stage = 0; ///< the one at work; as many as there are: all are done
    Spacing spacing;       ///< of positions and momenta, with which stages go back to the same bits
    std::unique_ptr<ParticleSystem<Dim>> system;
    std::int64_t first_step = 0; ///< of this process
    SignalGuard* signals;
    WallTime wall_time;
    Timer timer;

    /// Particles from `from` on, with the settings as they are now.
    [[nodiscard]] std::unique_ptr<ParticleSystem<Dim>> particles(const Box<Dim>& box,
                                                                 const Snapshot<Dim>& from);
    /// By a barostat of the stage at work, or of a later one.
    [[nodiscard]] bool box_changes() const;
    /// The last stage with a barostat before this one; nothing if there is none.
    [[nodiscard]] std::optional<std::size_t> barostat_before(std::size_t index) const;
    /// What molecules ask of the steps of the stages from `first` on, line by line; warnings are
    /// given, and stages keep what their averages lack. A minimisation makes other molecules of
    /// them: what comes after it is looked at then.
    [[nodiscard]] std::vector<std::string>
    report_steps(const Box<Dim>& box, const Snapshot<Dim>& from, Stage<Dim>* first);

    /// `coarseness` of where particles are now (start_check.hpp); 0 where pairs have lists or are
    /// computed in double. Waits.
    [[nodiscard]] double coarseness_now() const;

    /// Is the stage undone, to the bit, by one with its velocities reversed?
    [[nodiscard]] bool goes_back(const Stage<Dim>& s) const {
        return spacing.position > 0.0 && irreversible(*s.integrator).empty();
    }

    /// All stages are complete.
    [[nodiscard]] bool finished() const;
    /// By a signal, or because the wall time is over.
    [[nodiscard]] bool stopped() const { return stop_signal() != 0 || wall_time.over(); }
    [[nodiscard]] int stop_signal() const { return signals ? signals->stop_signal() : 0; }
    /// Looks at the clock, too.
    [[nodiscard]] bool time_to_stop() { return wall_time.look() || stopped(); }
    /// The stage at work, where it has begun; else null.
    [[nodiscard]] Stage<Dim>* current() {
        return stage < stages.size() && stages[stage].begun ? &stages[stage] : nullptr;
    }
    /// The stage whose state the particles have, over or not; null before the first.
    [[nodiscard]] const Stage<Dim>* last_begun() const {
        const Stage<Dim>* last = nullptr;
        for (const Stage<Dim>& one : stages)
            if (one.begun) last = &one;
        return last;
    }
};

/// Where the one of the input has an error, the CPU serves to read the rest.
[[nodiscard]] Backend open_backend(const Parameters& root, const ComputePlan& compute,
                                   InputErrors& errors);

/// Calls `use` with a dimension from 1 to 3 as a std::integral_constant.
template <class Use>
auto with_dimension(int dimension, const Use& use) {
    if (dimension == 1) return use(std::integral_constant<int, 1>{});
    if (dimension == 2) return use(std::integral_constant<int, 2>{});
    return use(std::integral_constant<int, 3>{});
}

/// Lengths of a box, infinite where it is open.
template <int Dim>
[[nodiscard]] std::vector<double> lengths_of(const Box<Dim>& box) {
    std::vector<double> lengths;
    for (std::size_t d = 0; d < Dim; ++d)
        lengths.push_back(box.periodic()[d] ? box.lengths()[d]
                                            : std::numeric_limits<double>::infinity());
    return lengths;
}

/// The part of the wall time in which steps are made, without further division.
inline constexpr const char* steps_part = "steps";

/// How many times as long a box with a mass may become.
inline constexpr double largest_growth = 10.0;

/// To what part of its lengths a barostat may let a box shrink: memory of lists is planned for it,
/// and no particle may meet two images of another.
template <int Dim>
[[nodiscard]] double min_length(const Box<Dim>& start, double cutoff) {
    return std::max(0.7, 2.0 * cutoff / start.shortest_periodic_length());
}

} // namespace shadow
