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

/// A run of one system: its model, its particles, its stages, and its progress. RunBuilder builds
/// it, Runner drives it.
template <int Dim>
struct Run {
    /// Without `guard` signals are not handled.
    Run(const Parameters& input, std::filesystem::path input_place, RunPlan run_plan,
        const RunOptions& run_options, Backend& where, SignalGuard* guard = nullptr)
        : root(input), folder(std::move(input_place)), plan(std::move(run_plan)),
          options(run_options), backend(where), signals(guard), wall_time(run_options.started) {}

    Parameters root;              ///< the input
    std::filesystem::path folder; ///< for files that it names
    std::string resolved_input;   ///< with all its defaults, as TOML
    RunPlan plan;
    RunOptions options;
    Backend& backend;
    Identity identity;
    Model<Dim> model;
    Start start;
    TuneFacts facts;
    std::vector<TunedSetting> settings; ///< of the tuning
    bool tuned = false;                 ///< they are final
    std::vector<Stage<Dim>> stages;
    std::size_t stage = 0; ///< the current one; equal to the number of stages: all are done
    Spacing spacing;       ///< of positions and momenta, for reversible stages
    std::unique_ptr<ParticleSystem<Dim>> system;
    std::int64_t first_step = 0; ///< of this process
    SignalGuard* signals;
    WallTime wall_time;
    Timer timer;

    /// Particles in the state `from`, with the current settings.
    [[nodiscard]] std::unique_ptr<ParticleSystem<Dim>> particles(const Box<Dim>& box,
                                                                 const Snapshot<Dim>& from);
    /// By a barostat of the current stage, or of a later one.
    [[nodiscard]] bool box_changes() const;
    /// The last stage with a barostat before this one; empty if there is none.
    [[nodiscard]] std::optional<std::size_t> barostat_before(std::size_t index) const;
    /// How vibrations of molecules limit the steps of the stages from `first` on, line by line;
    /// issues warnings, and stores in stages what their averages lack. A minimisation changes the
    /// molecules: later stages are examined after it.
    [[nodiscard]] std::vector<std::string>
    report_steps(const Box<Dim>& box, const Snapshot<Dim>& from, Stage<Dim>* first);

    /// `coarseness` of the current positions (start_check.hpp); 0 if pairs have lists or are
    /// computed in double. Waits for the device.
    [[nodiscard]] double coarseness_now() const;

    /// Is the stage undone bitwise by one with reversed velocities?
    [[nodiscard]] bool goes_back(const Stage<Dim>& s) const {
        return spacing.position > 0.0 && irreversible(*s.integrator).empty();
    }

    /// Are all stages complete?
    [[nodiscard]] bool finished() const;
    /// Has it been stopped by a signal, or because the wall time is over?
    [[nodiscard]] bool stopped() const { return stop_signal() != 0 || wall_time.over(); }
    [[nodiscard]] int stop_signal() const { return signals ? signals->stop_signal() : 0; }
    /// The same after reading the clock.
    [[nodiscard]] bool time_to_stop() { return wall_time.look() || stopped(); }
    /// The current stage, if it has begun; else null.
    [[nodiscard]] Stage<Dim>* current() {
        return stage < stages.size() && stages[stage].begun ? &stages[stage] : nullptr;
    }
    /// The stage whose state the particles have, complete or not; null before the first.
    [[nodiscard]] const Stage<Dim>* last_begun() const {
        const Stage<Dim>* last = nullptr;
        for (const Stage<Dim>& one : stages)
            if (one.begun) last = &one;
        return last;
    }
};

/// The backend of the input; the CPU if the input has an error there, to read the rest.
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

/// The part of the wall time for steps, without further division.
inline constexpr const char* steps_part = "steps";

/// Largest factor by which a box with a mass may grow.
inline constexpr double largest_growth = 10.0;

/// Smallest factor to which a barostat may shrink the lengths of a box: memory of lists is planned
/// for it, and no particle may interact with two images of another.
template <int Dim>
[[nodiscard]] double min_length(const Box<Dim>& start, double cutoff) {
    return std::max(0.7, 2.0 * cutoff / start.shortest_periodic_length());
}

} // namespace shadow
