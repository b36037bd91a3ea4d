// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/observable.hpp"
#include "shadow/statistics/series.hpp"
#include "shadow/system/units.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace shadow {

/// One quantity as passed to a sink: `values` has steps.size() rows of quantity.width numbers,
/// which are `factor` times those of the engine.
struct RecordBatch {
    const Quantity& quantity;
    std::span<const std::int64_t> steps;
    std::span<const double> times;
    std::span<const double> values;
    double factor = 1.0;
    /// Logarithms of the weights of rows in means; empty: equal weights.
    std::span<const double> log_weights = {};
};

/// Measures the observables of one stage when they are due, collects their rows on the backend, and
/// passes them on in batches: to a sink (a file) and to statistics of every scalar quantity.
/// Between two batches nothing waits for the device. Its output is in the units of the input.
template <int Dim>
class Recorder {
  public:
    using Sink = std::function<void(const RecordBatch&)>;

    /// `capacity`: rows of one observable per batch; fewer if rows are long.
    explicit Recorder(const Backend& backend, std::size_t capacity = 256,
                      Units units = units_named("lj"));

    /// Adds an observable; an analysis is added after its sources. Throws InputError if another
    /// observable has a quantity or an array of the same name, or if no observable has a source of
    /// an analysis.
    void add(std::unique_ptr<Observable<Dim>> observable, std::int64_t every);
    /// Declares the lists of all observables; call it before the lists are first built.
    void declare_lists(Neighbours<Dim>& neighbours);
    void set_extended_energy(const ExtendedEnergy& extended);
    void set_sink(Sink sink) { sink_ = std::move(sink); }

    /// The first step of the stage: observables do not look back beyond it.
    void set_first_step(std::int64_t step) { first_step_ = step; }
    /// Arrays average measurements from this step on.
    void set_array_start(std::int64_t step) { array_start_ = step; }
    [[nodiscard]] std::int64_t array_start() const noexcept { return array_start_; }
    [[nodiscard]] bool has_arrays() const;
    /// Discards the averages of arrays and restarts them after this step.
    void restart_arrays(std::int64_t step);

    /// Is a measurement or a look due at this step?
    [[nodiscard]] bool due(std::int64_t step) const;
    /// Does this step need energies?
    [[nodiscard]] bool energy_due(std::int64_t step) const;
    /// Is the action of the step that ends there needed?
    [[nodiscard]] bool action_due(std::int64_t step) const;
    /// Enqueues what is due at the current step. Call it once per step.
    void sample(ParticleSystem<Dim>& system);
    /// Waits for the device and passes on all rows.
    void flush();

    /// The quantities of all observables.
    [[nodiscard]] std::vector<Quantity> quantities() const;
    /// The arrays of all observables, up to the last batch.
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const;
    /// Steps between two rows of a quantity; 0 if no observable has it.
    [[nodiscard]] std::int64_t interval(const std::string& quantity) const;
    /// Statistics of a scalar quantity, up to the last batch; null if there is none of this name.
    [[nodiscard]] const SeriesStatistics* statistics(const std::string& quantity) const;
    /// Per-particle quantities that the observables provide to the trajectory, and their values.
    [[nodiscard]] std::vector<Quantity> particle_quantities() const;
    [[nodiscard]] std::vector<std::vector<double>> measure_particles(ParticleSystem<Dim>& system);

    /// Flushes, then returns all statistics, for a checkpoint. After `restore` they continue
    /// bitwise.
    [[nodiscard]] std::map<std::string, std::vector<double>> state();
    /// Throws InputError if a quantity is missing from `state`.
    void restore(const std::map<std::string, std::vector<double>>& state);

  private:
    struct Row {
        std::vector<double> values;
        std::size_t known = 0;
    };
    struct Entry {
        std::unique_ptr<Observable<Dim>> observable;
        std::int64_t every;
        std::vector<Quantity> quantities;
        std::size_t width, capacity;
        Array<double> row, rows;         ///< the row being measured, and the waiting rows
        Array<std::int32_t> count;       ///< of waiting rows: see `KeepRow`
        std::vector<std::int64_t> steps; ///< of the waiting rows
        std::vector<double> times;
        /// Elapsed time and Scalar::step_weight of the same rows, if they have weights.
        Array<double> clock;
        bool boosted = false;             ///< the weights are logarithms
        std::vector<double> fresh;        ///< state of an observable with arrays when new
        bool arrays = false;              ///< it has arrays
        std::vector<std::string> sources; ///< of an analysis
        std::map<std::int64_t, Row> open; ///< by step: rows for which some sources are missing
    };

    void hand_on(Entry& entry);
    /// Passes numbers to the analyses that use them.
    void analyse(const RecordBatch& batch);
    void read_clock(ParticleSystem<Dim>& system, Entry& entry);
    /// Collects `times` of rows from the backend; returns the logarithms of their weights.
    [[nodiscard]] std::vector<double> collect_clock(Entry& entry);
    [[nodiscard]] bool due(const Entry& entry, std::int64_t step) const;
    [[nodiscard]] bool looks(const Entry& entry, std::int64_t step) const;

    const Backend& backend_;
    std::size_t capacity_;
    Units units_;
    std::vector<Entry> entries_;
    std::map<std::string, SeriesStatistics> statistics_;
    Sink sink_;
    std::int64_t array_start_ = 0, first_step_ = 0;
};

} // namespace shadow
