// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "identity.hpp"
#include "plan.hpp"
#include "replay_log.hpp"
#include "start.hpp"

#include "shadow/core/input_errors.hpp"
#include "shadow/core/progress.hpp"
#include "shadow/core/timer.hpp"
#include "shadow/forces/registry.hpp"
#include "shadow/integrators/fire.hpp"
#include "shadow/integrators/particle_system.hpp"
#include "shadow/io/checkpoint.hpp"
#include "shadow/io/result_writer.hpp"
#include "shadow/io/summary.hpp"
#include "shadow/observables/recorder.hpp"
#include "shadow/observables/thermo.hpp"
#include "shadow/run/signals.hpp"
#include "shadow/run/wall_time.hpp"
#include "shadow/statistics/energy_watch.hpp"
#include "shadow/statistics/fluctuations.hpp"
#include "shadow/statistics/stopping.hpp"
#include "shadow/system/setup.hpp"
#include "shadow/system/units.hpp"

#include <algorithm>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <utility>

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
};

/// Why the mean of a quantity, of which equilibrium tells beforehand, is not of equilibrium,
/// human-readable; or "".
[[nodiscard]] std::string departure(const Quantity& quantity, const Estimate& estimate);

/// A stage with its method and what it measures.
template <int Dim>
struct Stage {
    explicit Stage(StagePlan stage_plan) : plan(std::move(stage_plan)) {}

    StagePlan plan;
    std::unique_ptr<Integrator> integrator; ///< null: minimisation
    std::unique_ptr<Fire<Dim>> minimiser;   ///< while a minimisation runs
    double force_tolerance = 0.0, largest_step = 0.0, longest_move = 0.0;
    ConservedMomenta<Dim> conserved; ///< by its method and the forces
    double degrees_of_freedom = 0.0;
    double forces_steady_from = 0.0; ///< time of the run, as of ForcePlan
    StageStart start;
    std::unique_ptr<Recorder<Dim>> recorder;
    std::unique_ptr<Thermo<Dim>> thermo; ///< of the watch
    FluctuationSeries fluctuations, configurational;
    StopRule until;
    std::vector<std::string> hidden; ///< quantities the input did not ask for

    /// Scalars and vectors for the file and the summary.
    [[nodiscard]] std::vector<Quantity> quantities() const {
        std::vector<Quantity> all = recorder->quantities();
        std::erase_if(all, [this](const Quantity& q) {
            return std::find(hidden.begin(), hidden.end(), q.name) != hidden.end();
        });
        return all;
    }
    /// By its method, under forces that do not depend on the place.
    [[nodiscard]] bool conserves_momentum() const {
        return !integrator || integrator->claims().conserves_momentum;
    }
    /// Nothing is left to do, though it may not be wound up yet.
    [[nodiscard]] bool complete() const {
        return observed && (converged || steps_done >= plan.steps);
    }
    /// Do the parameters of the method and the forces stay what they are from this step of the
    /// stage on? If not, what follows is no ensemble.
    [[nodiscard]] bool steady(std::int64_t step) const {
        if (!integrator) return true;
        const double now = first_time + static_cast<double>(step) * integrator->dt();
        return step >= integrator->steady_from() && now >= forces_steady_from;
    }
    [[nodiscard]] std::optional<std::int64_t> discarded(const std::string& quantity) const;
    [[nodiscard]] std::int64_t before_arrays(const std::string& quantity) const;
    [[nodiscard]] std::optional<Estimate> estimate(const std::string& quantity,
                                                   const SlowMotion& slow) const;
    /// Those of the observed quantities in which the slow motion of a system shows: energy comes
    /// and goes slowly, with a bath or between parts of the system, and takes all averages along,
    /// also where it is too small a part of their noise to be seen in them.
    [[nodiscard]] std::vector<std::string> slow_quantities() const;
    [[nodiscard]] SlowMotion slow_motion() const;
    /// Of what `until` waits for.
    [[nodiscard]] std::vector<Estimate> awaited() const;

    std::int64_t first_step = 0, steps_done = 0;
    double first_time = 0.0, time = 0.0; ///< at its start; simulated in it
    bool begun = false, done = false;
    bool observed = false;     ///< its start
    bool settled = false;      ///< detection has decided where the arrays begin
    double start_volume = 0.0; ///< beside a barostat: of the box at the start of the run
    bool converged = false;    ///< arrived before its last step: a minimisation, or errors
};

/// To what part of its lengths a barostat may let a box shrink: memory of lists is planned for it,
/// and no particle may meet two images of another.
template <int Dim>
[[nodiscard]] double least_length(const Box<Dim>& start, double cutoff) {
    return std::max(0.7, 2.0 * cutoff / start.shortest_periodic_length());
}

/// The part of the wall time in which steps are made, without further division.
inline constexpr const char* steps_part = "steps";

/// Memory of the particles.
template <int Dim>
[[nodiscard]] std::size_t bytes_of(const Snapshot<Dim>& frame) {
    return frame.size() *
           (Dim * (2 * sizeof(double) + sizeof(std::int32_t)) + sizeof(std::uint16_t));
}

template <int Dim>
class Trial;

/// One run of one system: builds it from the input, drives the stages, and writes results.
template <int Dim>
class Simulation {
  public:
    /// Builds everything that can be wrong with an input; writes nothing. Throws InputError with
    /// all that was found and the `errors` so far.
    Simulation(const Parameters& root, RunPlan plan, const RunOptions& options, Backend& backend,
               InputErrors& errors);

    /// What the start is, in lines.
    [[nodiscard]] std::vector<std::string> start_text() const;
    /// For `--check`: the memory it takes, in words.
    [[nodiscard]] std::string memory_estimate() const;
    /// What is chosen before the run, and what will be tried at its start, in words.
    [[nodiscard]] std::string tuning_text() const;
    /// Runs all stages; returns the exit status.
    int execute(const std::string& resolved_input);

  private:
    using StageType = Stage<Dim>;

    void build(const Parameters& root, InputErrors& errors);
    void build_observables(StageType& stage, const Setup<Dim>& setup, bool forces_are_known,
                           InputErrors& errors);
    void choose_settings(const Setup<Dim>& setup);
    [[nodiscard]] std::unique_ptr<ParticleSystem<Dim>> make_particles(const Box<Dim>& box,
                                                                      const Snapshot<Dim>& start);
    void settle(const Box<Dim>& box, const Snapshot<Dim>& start);
    void refuse_velocity(const Parameters& root, const StageType& stage,
                         const Setup<Dim>& setup) const;
    void build_stage(StagePlan& plan, InputErrors& errors);
    void build_drive(StageType& stage) const;
    void refuse_spin(const StageType& stage) const;
    void build_barostat(StageType& stage, const Setup<Dim>& setup) const;
    /// By a barostat of some stage.
    [[nodiscard]] bool box_changes() const;
    void build_fluctuations(StageType& stage);
    void build_until(StageType& stage);
    void refuse_bad_start();
    [[nodiscard]] std::vector<std::string>
    report_steps(const Box<Dim>& box, const Snapshot<Dim>& start, const StageType* first) const;
    void describe_start(const Setup<Dim>& setup);
    void estimate_files();

    [[nodiscard]] RunInformation information() const;
    void open_results();
    void declare_series(const StageType& stage);
    void connect(StageType& stage);
    void write_stages();
    void resume();
    void store_stage(std::size_t k, Checkpoint<Dim>& checkpoint);
    bool restore_stage(std::size_t k, const Checkpoint<Dim>& checkpoint);
    void refuse_changed_past(const Checkpoint<Dim>& checkpoint) const;
    void refuse_other_results(const Checkpoint<Dim>& checkpoint) const;
    void store_tuning(Checkpoint<Dim>& checkpoint) const;
    void restore_until(StageType& stage, const std::string& prefix,
                       const Checkpoint<Dim>& checkpoint);
    void restore_arrays(StageType& stage, const std::vector<std::int64_t>& begun);
    bool restore_tuning(const Checkpoint<Dim>& checkpoint);

    [[nodiscard]] std::size_t candidates() const;
    void tune(const StageType& stage);
    void try_candidates(TunedSetting& setting, Trial<Dim>& trial);
    [[nodiscard]] std::map<std::string, std::vector<std::int64_t>> progress() const;
    [[nodiscard]] bool finished() const;
    [[nodiscard]] bool results_are_finished() const;
    void save(bool last = false);
    [[nodiscard]] std::vector<StageFacts> stage_facts() const;
    [[nodiscard]] std::vector<Quantity> field_quantities() const;
    [[nodiscard]] std::vector<std::vector<double>> measure_fields(const Snapshot<Dim>& frame,
                                                                  double scale);
    [[nodiscard]] std::vector<double> sum_of_levels(const Quantity& quantity);
    [[nodiscard]] std::vector<double> measure_stress(const Snapshot<Dim>& frame, double scale);
    void describe_frames();
    void write_frame();
    void write_final();
    void write_arrays();

    void self_test(StageType& stage);
    void self_test_again(StageType& stage);
    void run_stage(StageType& stage);
    void begin(StageType& stage);
    [[nodiscard]] StageStart enter(const StageType& stage, ParticleSystem<Dim>& system) const;
    struct Draw {
        double temperature;
        std::uint64_t occasion;
    };
    [[nodiscard]] std::optional<Draw> draw(const StageType& stage) const;
    [[nodiscard]] bool only_minimised_before(const StageType& stage) const;
    void report_start(const StageType& stage) const;
    void tell_hidden_momenta(const std::string& method) const;
    [[nodiscard]] std::string ensemble(const StageType& stage) const;
    bool advance(StageType& stage);
    void time_parts(const StageType& stage);
    void observe(StageType& stage);
    bool good_enough(StageType& stage);
    void report_volume_steps(const StageType& stage) const;
    void check_box();
    void settle_arrays(StageType& stage);
    void refuse_changed_stages() const;
    void take(const RecordBatch& batch);
    void open_log() const;
    void begin_table(const StageType& stage);
    void show_table(StageType& stage);
    void refuse_log(const Parameters& root, const StageType& stage) const;
    [[nodiscard]] EnergyLook measure_energies(StageType& stage);
    void begin_watch(StageType& stage);
    void look_now(StageType& stage);
    [[nodiscard]] SimulationError explosion();
    [[nodiscard]] SimulationError cause_of(const SimulationError& error);
    void housekeeping(StageType& stage, Progress& progress);
    [[noreturn]] void fail_with_checkpoint(const Error& error);
    [[nodiscard]] bool stopped() const { return signals_.stop_signal() != 0 || wall_time_.over(); }
    /// Looks at the clock, too.
    [[nodiscard]] bool time_to_stop() { return wall_time_.look() || stopped(); }
    [[nodiscard]] int say_why_stopped() const;

    [[nodiscard]] Summary summarise();
    [[nodiscard]] StageSummary summarise(const StageType& stage) const;
    [[nodiscard]] AverageSummary average(const StageType& stage, const Quantity& quantity,
                                         const Estimate& estimate, const SlowMotion& slow) const;
    [[nodiscard]] EnsembleFacts ensemble_facts(const StageType& stage) const;
    [[nodiscard]] std::vector<FluctuationSummary> fluctuations(const StageType& stage,
                                                               const FluctuationSeries& series,
                                                               const SlowMotion& slow) const;
    [[nodiscard]] UntilSummary until(const StageType& stage) const;
    void require_summary() const;
    [[nodiscard]] std::vector<CoefficientSummary> coefficients(const StageType& stage) const;
    [[nodiscard]] Conservation conservation(const StageType& stage, const SlowMotion& slow) const;
    [[nodiscard]] Finding judge_pressure(const StageType& stage, const SlowMotion& slow) const;
    [[nodiscard]] Verdict verdict(const StageType& stage, const StageSummary& summary,
                                  const SlowMotion& slow) const;
    void judge(const StageType& stage, StageSummary& summary, const SlowMotion& slow) const;
    void report();

    RunPlan plan_;
    RunOptions options_;
    Backend& backend_;
    ReplayLog replay_log_{backend_};
    Units units_;
    StartVelocities velocities_;
    ForcePlan forces_;
    ConservedMomenta<Dim> conserved_; ///< by the forces
    Topology topology_;
    Start start_;
    TuneFacts facts_;
    std::vector<TunedSetting> tuning_;
    bool tuned_ = false; ///< for good
    std::string resolved_input_;
    Identity identity_;
    std::string start_digest_; ///< of the state with which the run began
    std::unique_ptr<ParticleSystem<Dim>> system_;
    std::vector<StageType> stages_;
    std::size_t stage_ = 0;
    std::atomic<std::int64_t> good_step_{-1}; ///< of the checkpoint that is on the disk
    std::optional<ResultWriter> results_;
    std::map<std::string, int> series_;
    SignalGuard signals_;
    WallTime wall_time_;
    Timer timer_;
    bool parts_timed_ = false; ///< of the step at hand
    double saved_at_ = 0.0, tested_at_ = 0.0;
    std::int64_t saved_step_ = -1; ///< of the last that was handed to the writer
    std::map<std::string, std::vector<std::int64_t>> saved_progress_;
    std::int64_t first_step_ = 0; ///< of this process
    ProgressState shown_;
    std::optional<ThermoTable> table_;
    std::optional<double> resumed_reference_; ///< of the table, from the checkpoint
    double tabled_at_ = 0.0;                  ///< when rows were last collected for the table
    EnergyWatch watch_;
    std::vector<double> kinetic_, potential_; ///< of the batch that arrives
    FireState fire_state_{};                  ///< of a minimisation that is resumed
};

} // namespace shadow
