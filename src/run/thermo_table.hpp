// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/observables/recorder.hpp"
#include "shadow/system/units.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace shadow {

/// `[output] log`: the format of the table of a stage.
struct LogPlan {
    std::int64_t every = 0; ///< steps between two lines; 0: at most about 200 lines
    bool per_particle = false;
};

/// The rows of `thermo` as lines of the log during a stage: step, time, T, U, K, E, P, the
/// conserved quantity, and its deviation from its first value in the stage.
class ThermoTable {
  public:
    ThermoTable(LogPlan plan, Units units, int dimension, std::int64_t particles)
        : plan_(plan), units_(std::move(units)), dimension_(dimension), particles_(particles) {}

    /// Starts or continues a stage: at most `steps` steps, a row of `quantities` every `interval`
    /// steps. `reference`: the first value of the conserved quantity, if that is known.
    void begin(std::int64_t steps, std::int64_t interval, const std::vector<Quantity>& quantities,
               bool conserves, std::optional<double> reference);
    /// Is there a line at this step?
    [[nodiscard]] bool due(std::int64_t step) const { return step % every_ == 0; }
    void take(const RecordBatch& batch);
    /// Ends the stage; writes its last row, if that has no line yet.
    void finish();

    [[nodiscard]] std::optional<double> reference() const { return reference_; }

    /// Steps between two lines: `interval` times 1, 2, 5, 10, 20 ...
    [[nodiscard]] static std::int64_t thinned(std::int64_t steps, std::int64_t interval);

  private:
    struct Row {
        double time = 0.0;
        std::map<std::string, double> value; ///< by quantity
    };

    void put_header();
    void put(std::int64_t step, const Row& row);

    LogPlan plan_;
    Units units_;
    int dimension_;
    std::int64_t particles_;
    std::int64_t every_ = 1;
    std::vector<std::string> columns_; ///< quantities of the stage, in order
    std::optional<double> reference_;
    std::map<std::int64_t, Row> rows_;                 ///< rows with missing quantities
    std::optional<std::pair<std::int64_t, Row>> last_; ///< without a line
    bool headed_ = false;
};

} // namespace shadow
