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

/// One quantity as it arrives: `values` has steps.size() rows of quantity.width numbers, which are
/// `factor` times those of the engine.
struct RecordBatch {
    const Quantity& quantity;
    std::span<const std::int64_t> steps;
    std::span<const double> times;
    std::span<const double> values;
    double factor = 1.0;
    /// Logarithms of weights of rows in means; none: all are alike.
    std::span<const double> log_weights = {};
};

/// Measures the observables of one stage when they are due, collects their rows on the backend, and
/// hands them on in batches: to a sink (a file) and to statistics of every scalar quantity. Between
/// two batches nothing waits for the device. What leaves it is in the units of the input.
template <int Dim>
class Recorder {
  public:
    using Sink = std::function<void(const RecordBatch&)>;

    /// `capacity`: rows of one observable before a batch; fewer where rows are long.
    explicit Recorder(const Backend& backend, std::size_t capacity = 256,
                      Units units = units_named("lj"));

    /// Throws InputError if another observable has a quantity or an array of the same name, or none
    /// has what an analysis is made of, which is added after these.
    void add(std::unique_ptr<Observable<Dim>> observable, std::int64_t every);
    /// Asks for the lists of all observables; before the lists are first built.
    void declare_lists(Neighbours<Dim>& neighbours);
    void set_extended_energy(const ExtendedEnergy& extended);
    void set_sink(Sink sink) { sink_ = std::move(sink); }

    /// That of the stage: what observables look back at does not lie before it.
    void set_first_step(std::int64_t step) { first_step_ = step; }
    /// Arrays average what is measured from this step on.
    void set_array_start(std::int64_t step) { array_start_ = step; }
    [[nodiscard]] std::int64_t array_start() const noexcept { return array_start_; }
    [[nodiscard]] bool has_arrays() const;
    /// Forgets what arrays have averaged, and begins anew behind this step.
    void restart_arrays(std::int64_t step);

    /// Is anything due at this step, if only a look?
    [[nodiscard]] bool due(std::int64_t step) const;
    /// Does it then need energies?
    [[nodiscard]] bool energy_due(std::int64_t step) const;
    /// Does it need the action of the step that ends there?
    [[nodiscard]] bool action_due(std::int64_t step) const;
    /// Enqueues what is due at the current step. Call it once for a step.
    void sample(ParticleSystem<Dim>& system);
    /// Waits for the device and hands on all rows.
    void flush();

    /// Of all observables.
    [[nodiscard]] std::vector<Quantity> quantities() const;
    /// The arrays of all observables, up to the last batch.
    [[nodiscard]] std::vector<ArrayEstimate> estimates() const;
    /// Steps between two rows of a quantity; 0 if nothing observes it.
    [[nodiscard]] std::int64_t interval(const std::string& quantity) const;
    /// Statistics of a scalar quantity, up to the last batch; null if it has none of this name.
    [[nodiscard]] const SeriesStatistics* statistics(const std::string& quantity) const;
    /// Per-particle quantities which the observables offer to the trajectory, and their values.
    [[nodiscard]] std::vector<Quantity> particle_quantities() const;
    [[nodiscard]] std::vector<std::vector<double>> measure_particles(ParticleSystem<Dim>& system);

    /// Flushes, then returns all statistics, for a checkpoint. After `restore` they go on with the
    /// same bits.
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
        Array<double> row, rows;         ///< the one that is measured, and those that are waiting
        Array<std::int32_t> count;       ///< of the latter: see `KeepRow`
        std::vector<std::int64_t> steps; ///< of the rows that are waiting
        std::vector<double> times;
        /// Elapsed time and Scalar::step_weight of the same rows, where they have weights.
        Array<double> clock;
        bool boosted = false;      ///< they are logarithms
        std::vector<double> fresh; ///< the state of an observable of arrays that has seen nothing
        bool arrays = false;       ///< it averages them
        std::vector<std::string> sources; ///< of an analysis
        std::map<std::int64_t, Row> open; ///< by step, rows of which not all sources have come
    };

    void hand_on(Entry& entry);
    /// Numbers to the analyses that are made of them.
    void analyse(const RecordBatch& batch);
    void read_clock(ParticleSystem<Dim>& system, Entry& entry);
    /// Brings `times` of rows from the backend; returns the logarithms of their weights.
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
