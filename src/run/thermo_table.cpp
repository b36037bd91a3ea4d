// SPDX-License-Identifier: BSD-3-Clause
#include "thermo_table.hpp"

#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Approximate maximum number of lines of a stage.
constexpr std::int64_t max_lines = 200;

/// A column of the table.
struct Column {
    const char* quantity;
    const char* heading;
    bool extensive; ///< divided by the number of particles if requested
    int width, digits;
};

constexpr Column all_columns[] = {
    {"temperature", "T", false, 12, 6},   {"potential_energy", "U", true, 16, 9},
    {"kinetic_energy", "K", true, 16, 9}, {"total_energy", "E", true, 16, 9},
    {"pressure", "P", false, 13, 6},      {"conserved_energy", "conserved", true, 16, 9},
};

const Column& column(const std::string& quantity) {
    return *std::find_if(std::begin(all_columns), std::end(all_columns),
                         [&](const Column& c) { return c.quantity == quantity; });
}

} // namespace

std::int64_t ThermoTable::thinned(std::int64_t steps, std::int64_t interval) {
    for (std::int64_t decade = interval;; decade *= 10)
        for (const std::int64_t leap : {1, 2, 5})
            if (steps / (decade * leap) <= max_lines) return decade * leap;
}

void ThermoTable::begin(std::int64_t steps, std::int64_t interval,
                        const std::vector<Quantity>& quantities, bool conserves,
                        std::optional<double> reference) {
    every_ = plan_.every > 0 ? plan_.every : thinned(steps, interval);
    reference_ = reference;
    columns_.clear();
    rows_.clear();
    last_.reset();
    headed_ = false;
    for (const Column& c : all_columns)
        for (const Quantity& q : quantities)
            if (q.name == c.quantity && (conserves || q.name != "conserved_energy"))
                columns_.push_back(q.name);
}

/// Rows arrive quantity by quantity; a line is written when its last one has arrived.
void ThermoTable::take(const RecordBatch& batch) {
    const std::string& name = batch.quantity.name;
    if (batch.steps.empty() || std::find(columns_.begin(), columns_.end(), name) == columns_.end())
        return;
    if (name == "conserved_energy" && !reference_) reference_ = batch.values.front();
    for (std::size_t k = 0; k < batch.steps.size(); ++k) {
        const std::int64_t step = batch.steps[k];
        if (!due(step) && k + 1 < batch.steps.size()) continue;
        Row& row = rows_[step];
        row.time = batch.times[k];
        row.value[name] = batch.values[k];
        if (row.value.size() < columns_.size()) continue;
        last_.reset();
        if (due(step))
            put(step, row);
        else
            last_ = {step, row};
        rows_.erase(step);
    }
}

void ThermoTable::finish() {
    if (last_) put(last_->first, last_->second);
    last_.reset();
}

void ThermoTable::put_header() {
    log::info(fmt::format("time in {}; temperature in {}; energies in {}{}; pressure in {}",
                          units_.express("time"), units_.express("temperature"),
                          units_.express("energy"), plan_.per_particle ? " per particle" : "",
                          units_.express(pressure_dimension(dimension_))));
    std::string line = fmt::format("{:>10} {:>12}", "step", "time");
    for (const std::string& name : columns_)
        line += fmt::format(" {:>{}}", column(name).heading, column(name).width);
    if (reference_) line += fmt::format(" {:>10}", "drift");
    log::info(line);
    headed_ = true;
}

void ThermoTable::put(std::int64_t step, const Row& row) {
    if (!headed_) put_header();
    const double scale = plan_.per_particle ? 1.0 / static_cast<double>(particles_) : 1.0;
    std::string line = fmt::format("{:>10} {:>12.7g}", step, row.time);
    for (const std::string& name : columns_) {
        const Column& c = column(name);
        line += fmt::format(" {:>{}.{}g}", row.value.at(name) * (c.extensive ? scale : 1.0),
                            c.width, c.digits);
    }
    if (reference_)
        line += fmt::format(" {:>10.2e}", (row.value.at("conserved_energy") - *reference_) * scale);
    log::info(line);
}

} // namespace shadow
