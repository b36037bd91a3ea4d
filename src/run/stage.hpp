// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "plan.hpp"
#include "step_report.hpp"

#include "shadow/integrators/integrator.hpp"
#include "shadow/io/checkpoint.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/thermo.hpp"
#include "shadow/statistics/fluctuations.hpp"
#include "shadow/statistics/stopping.hpp"
#include "shadow/system/net_motion.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace shadow {

/// Correlation times of the quantities that change slowly.
struct SlowMotion {
    std::vector<std::pair<std::string, double>> correlation_steps; ///< by quantity

    /// The memory of averages in steps: twice the longest correlation time.
    [[nodiscard]] double memory() const;
    /// Why the error of an average over so many steps, though it looks reliable, is not: it spans
    /// few correlation times; or "".
    [[nodiscard]] std::string warning(std::int64_t steps) const;
};

/// The kinetic energy at the start of a stage, and that of the motion of all particles as a whole:
/// what was removed, and what was left.
struct StageStart {
    double kinetic = 0.0, removed = 0.0, translation = 0.0, rotation = 0.0;

    /// Of a part of the kinetic energy: what no average shows.
    static constexpr double worth_a_word = 1e-6;
};

/// A stage with its method and what it measures.
template <int Dim>
struct Stage {
    explicit Stage(StagePlan stage_plan) : plan(std::move(stage_plan)) {}

    StagePlan plan;
    std::unique_ptr<Integrator> integrator;
    bool stands_in = false;          ///< the integrator does, for one with an error
    ConservedMomenta<Dim> conserved; ///< by its method and the forces
    double degrees_of_freedom = 0.0;
    double forces_steady_from = 0.0; ///< time of the run, as of ForcePlan
    StageStart start;
    StepReport step_report; ///< what vibrations mean for its step
    std::unique_ptr<Recorder<Dim>> recorder;
    std::unique_ptr<Thermo<Dim>> thermo; ///< of the watch
    FluctuationSeries fluctuations, configurational;
    /// Of rows, the sum of squares of the total momentum along directions in which nothing
    /// conserves it.
    BlockedSeries whole_motion;
    StopRule until;
    std::vector<std::string> hidden; ///< quantities the input did not ask for

    std::int64_t first_step = 0, steps_done = 0;
    double first_time = 0.0, time = 0.0; ///< at its start; simulated in it
    double friction_energy = 0.0;        ///< that friction without noise has taken
    std::vector<double> lengths;         ///< of the box at its start
    bool begun = false, done = false;
    bool observed = false;  ///< its start
    bool settled = false;   ///< detection has decided where the arrays begin
    bool converged = false; ///< arrived before its last step: a minimisation, or errors

    /// Scalars and vectors for the file and the summary.
    [[nodiscard]] std::vector<Quantity> quantities() const;
    /// By its method, under forces that do not depend on the place.
    [[nodiscard]] bool conserves_momentum() const {
        return integrator->claims().conserves_momentum;
    }
    /// Else it is a minimisation.
    [[nodiscard]] bool takes_time() const { return integrator->takes_time(); }
    /// Do its steps follow the motion?
    [[nodiscard]] bool adapts() const { return integrator->adapts(); }
    /// Is what is observed another state than the one from which steps go on?
    [[nodiscard]] bool has_output_state() const { return begun && integrator->has_output_state(); }
    /// Does the same time lie between any two of its steps?
    [[nodiscard]] bool is_even() const { return integrator->is_even(); }
    /// Do averages weight what is measured?
    [[nodiscard]] bool weighs_rows() const { return !is_even() || boosts(); }
    /// What has passed, of a run whose time is this now.
    [[nodiscard]] double time_at(double now) const {
        return adapts() && is_even() ? static_cast<double>(steps_done) * integrator->dt()
                                     : now - first_time;
    }
    [[nodiscard]] bool boosts() const { return integrator->boosts(); }
    /// What then makes energies flatter: a table beside the method, or the method.
    [[nodiscard]] std::string boost_name() const {
        return plan.boost ? "the boost" : plan.integrator.text("method");
    }
    /// Of rows beside a boost: how many of the same weight they are worth (Kish 1965), as a part of
    /// them; and how many independent ones make up the square of an error, as far as the logarithm
    /// of weights is Gaussian (see docs/statistics.md).
    struct Weights {
        double part, support;
        /// Below it errors are too small (tests/tools/test_mdreweight.py).
        static constexpr double few_support = 30.0;
    };
    /// Nothing where rows are not weighted so, or all alike.
    [[nodiscard]] std::optional<Weights> boost_weights() const;
    /// By friction without noise.
    [[nodiscard]] bool is_damped() const { return integrator->claims().damped; }
    /// Nothing is left to do, though it may not be wound up yet.
    [[nodiscard]] bool complete() const {
        return observed && (converged || steps_done >= plan.steps);
    }
    /// Do the parameters of the method and the forces stay what they are from this step of the
    /// stage on? If not, what follows is no ensemble.
    [[nodiscard]] bool steady(std::int64_t step) const;
    /// A pressure off by more than a tenth of what bonds have in it, since they are looked at where
    /// they do not balance slow forces.
    [[nodiscard]] bool lacks_bonds(const std::string& quantity) const;
    /// Of the box at its start, where it is periodic.
    [[nodiscard]] double volume() const;
    /// "NVE, total momentum zero"
    [[nodiscard]] std::string ensemble() const;

    /// Samples of a quantity that averages leave out, where the input says so, or a boost, or
    /// parameters that change at the start.
    [[nodiscard]] std::optional<std::int64_t> discarded(const std::string& quantity) const;
    /// Samples of a quantity before the arrays begin.
    [[nodiscard]] std::int64_t before_arrays(const std::string& quantity) const;
    /// What the series of a scalar quantity says, without its start; nothing if there is none.
    [[nodiscard]] std::optional<Estimate> estimate(const std::string& quantity,
                                                   const SlowMotion& slow) const;
    /// Those of the observed quantities in which the slow motion of a system shows: energy comes
    /// and goes slowly, with a bath or between parts of the system, and takes all averages along,
    /// also where it is too small a part of their noise to be seen in them.
    [[nodiscard]] std::vector<std::string> slow_quantities() const;
    [[nodiscard]] SlowMotion slow_motion() const;
    /// Of what `until` waits for.
    [[nodiscard]] std::vector<Estimate> awaited() const;
    /// Rows of its observables arrive: for what their joint moments tell.
    void take(const RecordBatch& batch);
    /// With `equilibration = "auto"` the averaged arrays begin anew behind the step `now` of the
    /// run where parameters of the method have changed for the last time, and once the slow
    /// quantities are found to be in equilibrium for the later half of what there is since. Looks
    /// rarely, as it waits for the device.
    void settle_arrays(std::int64_t now);

    /// What `restore` reads, for a checkpoint.
    void store(std::size_t index, Checkpoint<Dim>& checkpoint);
    /// Of a run that goes on at the step `now`. False: the checkpoint does not know it, the stage
    /// has been added since.
    [[nodiscard]] bool restore(std::size_t index, const Checkpoint<Dim>& checkpoint,
                               std::int64_t now);

  private:
    void restore_until(const std::string& prefix, const Checkpoint<Dim>& checkpoint);
    void restore_arrays(const std::vector<std::int64_t>& begun, std::int64_t now);
};

/// How far each stage is, as checkpoints keep it.
using StageProgress = std::map<std::string, std::vector<std::int64_t>>;
template <int Dim>
[[nodiscard]] StageProgress progress_of(const std::vector<Stage<Dim>>& stages);
/// Lengths of the box at the start of a stage that has begun; none in a checkpoint of a version
/// that did not ask.
template <int Dim>
[[nodiscard]] std::vector<double> lengths_at_start(const Checkpoint<Dim>& checkpoint,
                                                   std::size_t stage);
/// In which so many stages have begun.
[[nodiscard]] std::size_t stages_begun(const StageProgress& progress);

} // namespace shadow
