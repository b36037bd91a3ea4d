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
    /// Why the error of an average over `steps` steps is not reliable although it seems so: it
    /// spans few correlation times; or "".
    [[nodiscard]] std::string warning(std::int64_t steps) const;
};

/// The kinetic energy at the start of a stage, and that of the motion of all particles as a whole:
/// the removed part, and the remaining translation and rotation.
struct StageStart {
    double kinetic = 0.0, removed = 0.0, translation = 0.0, rotation = 0.0;

    /// The smallest fraction of the kinetic energy that is reported; less is not visible in
    /// averages.
    static constexpr double noteworthy = 1e-6;
};

/// A stage with its method and its observables.
template <int Dim>
struct Stage {
    explicit Stage(StagePlan stage_plan) : plan(std::move(stage_plan)) {}

    StagePlan plan;
    std::unique_ptr<Integrator> integrator;
    bool stands_in = false;          ///< the integrator replaces one with an error
    ConservedMomenta<Dim> conserved; ///< by its method and the forces
    double degrees_of_freedom = 0.0;
    double forces_steady_from = 0.0; ///< time of the run, as in ForcePlan
    StageStart start;
    StepReport step_report; ///< relation of vibrations to its step
    std::unique_ptr<Recorder<Dim>> recorder;
    std::unique_ptr<Thermo<Dim>> thermo; ///< for the watch
    FluctuationSeries fluctuations, configurational;
    /// For each row, the sum of squares of the total momentum along directions in which it is not
    /// conserved.
    BlockedSeries whole_motion;
    StopRule until;
    std::vector<std::string> hidden; ///< quantities that the input did not request

    std::int64_t first_step = 0, steps_done = 0;
    double first_time = 0.0, time = 0.0; ///< at its start; simulated in it
    double friction_energy = 0.0;        ///< removed by friction without noise
    std::vector<double> lengths;         ///< of the box at its start
    bool begun = false, done = false;
    bool observed = false;  ///< its initial state
    bool settled = false;   ///< detection has chosen the start of the arrays
    bool converged = false; ///< ended early: a minimisation, or target errors

    /// Scalars and vectors for the file and the summary.
    [[nodiscard]] std::vector<Quantity> quantities() const;
    /// By its method, under forces that do not depend on position.
    [[nodiscard]] bool conserves_momentum() const {
        return integrator->claims().conserves_momentum;
    }
    /// False for a minimisation.
    [[nodiscard]] bool takes_time() const { return integrator->takes_time(); }
    /// Are its steps adaptive?
    [[nodiscard]] bool adapts() const { return integrator->adapts(); }
    /// Is the observed state different from the one from which steps continue?
    [[nodiscard]] bool has_output_state() const { return begun && integrator->has_output_state(); }
    /// Are its steps equally spaced in time?
    [[nodiscard]] bool is_even() const { return integrator->is_even(); }
    /// Are measurements weighted in averages?
    [[nodiscard]] bool weighs_rows() const { return !is_even() || boosts(); }
    /// The time simulated in the stage when the time of the run is `now`.
    [[nodiscard]] double time_at(double now) const {
        return adapts() && is_even() ? static_cast<double>(steps_done) * integrator->dt()
                                     : now - first_time;
    }
    [[nodiscard]] bool boosts() const { return integrator->boosts(); }
    /// The source of the boost: the table `boost`, or the method.
    [[nodiscard]] std::string boost_name() const {
        return plan.boost ? "the boost" : plan.integrator.text("method");
    }
    /// The value of rows with a boost: the number of equally weighted rows they are worth (Kish
    /// 1965), as a fraction; and the number of independent ones that determine the square of an
    /// error, as far as the logarithm of weights is Gaussian (see docs/statistics.md).
    struct Weights {
        double part, support;
        /// With less support errors are too small (tests/tools/test_mdreweight.py).
        static constexpr double few_support = 30.0;
    };
    /// Empty if rows have no such weights, or all the same.
    [[nodiscard]] std::optional<Weights> boost_weights() const;
    /// By friction without noise.
    [[nodiscard]] bool is_damped() const { return integrator->claims().damped; }
    /// All steps are done, though the stage may not have been finished yet.
    [[nodiscard]] bool complete() const {
        return observed && (converged || steps_done >= plan.steps);
    }
    /// The step of the stage from which parameters of the method and forces are constant; steps
    /// before sample no ensemble.
    [[nodiscard]] std::int64_t steady_from() const;
    [[nodiscard]] bool steady(std::int64_t step) const { return step >= steady_from(); }
    /// Is the quantity a pressure that is off by more than a tenth of the contribution of bonds,
    /// because bonds are observed where they do not balance slow forces?
    [[nodiscard]] bool lacks_bonds(const std::string& quantity) const;
    /// Of the box at its start, if it is periodic.
    [[nodiscard]] double volume() const;
    /// "NVE, total momentum zero"
    [[nodiscard]] std::string ensemble() const;

    /// Number of samples that averages exclude at least, unless the input gives it: those before
    /// the energy of a boost settles, and those while parameters change.
    [[nodiscard]] std::int64_t min_discarded(const std::string& quantity) const;
    /// The estimate without the start, as given in the input or detected.
    [[nodiscard]] Estimate settled_estimate(const std::string& quantity, double memory = 0.0) const;
    /// Number of samples of a quantity before the arrays begin.
    [[nodiscard]] std::int64_t before_arrays(const std::string& quantity) const;
    /// The estimate from the series of a scalar quantity, without its start; empty if there is
    /// none.
    [[nodiscard]] std::optional<Estimate> estimate(const std::string& quantity,
                                                   const SlowMotion& slow) const;
    /// The observed quantities that show the slow motion of a system: energy is exchanged slowly,
    /// with a bath or between parts of the system, and affects all averages, even where it is too
    /// small a part of their noise to be detected in them.
    [[nodiscard]] std::vector<std::string> slow_quantities() const;
    [[nodiscard]] SlowMotion slow_motion() const;
    /// Estimates of the targets of `until`.
    [[nodiscard]] std::vector<Estimate> awaited() const;
    /// Adds rows of its observables to the joint moments.
    void take(const RecordBatch& batch);
    /// With `equilibration = "auto"` the averaged arrays restart after the step `now` of the run
    /// where parameters of the method have changed for the last time, and once the slow quantities
    /// are found to be in equilibrium for the later half of the steps since then. Checked rarely,
    /// as it waits for the device.
    void settle_arrays(std::int64_t now);

    /// Writes what `restore` reads to a checkpoint.
    void store(std::size_t index, Checkpoint<Dim>& checkpoint);
    /// Restores the stage of a run that continues at step `now`. False: the checkpoint does not
    /// have the stage, which has been added since.
    [[nodiscard]] bool restore(std::size_t index, const Checkpoint<Dim>& checkpoint,
                               std::int64_t now);

  private:
    void restore_until(const std::string& prefix, const Checkpoint<Dim>& checkpoint);
    void restore_arrays(const std::vector<std::int64_t>& begun, std::int64_t now);
};

/// The progress of each stage, as in checkpoints.
using StageProgress = std::map<std::string, std::vector<std::int64_t>>;
template <int Dim>
[[nodiscard]] StageProgress progress_of(const std::vector<Stage<Dim>>& stages);
/// Lengths of the box at the start of a stage that has begun; empty for a checkpoint of a version
/// that did not store them.
template <int Dim>
[[nodiscard]] std::vector<double> lengths_at_start(const Checkpoint<Dim>& checkpoint,
                                                   std::size_t stage);
/// The number of stages that have begun.
[[nodiscard]] std::size_t stages_begun(const StageProgress& progress);

} // namespace shadow
