// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/modulation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace shadow {

double Modulation::at(double time) const {
    if (period_ > 0.0) return std::cos(2.0 * std::numbers::pi * time / period_ + phase_);
    if (points_.empty()) return 1.0;
    const auto next = std::find_if(points_.begin(), points_.end(),
                                   [time](const Point& p) { return p.time > time; });
    if (next == points_.begin()) return next->factor;
    if (next == points_.end()) return points_.back().factor;
    const Point& last = *(next - 1);
    return last.factor +
           (next->factor - last.factor) * (time - last.time) / (next->time - last.time);
}

double Modulation::rate(double time) const {
    if (period_ > 0.0) {
        const double frequency = 2.0 * std::numbers::pi / period_;
        return -frequency * std::sin(frequency * time + phase_);
    }
    double sum = 0.0; // of both sides
    for (std::size_t k = 1; k < points_.size(); ++k) {
        const Point &a = points_[k - 1], &b = points_[k];
        const double slope = (b.factor - a.factor) / (b.time - a.time);
        if (a.time < time && time <= b.time) sum += slope;
        if (a.time <= time && time < b.time) sum += slope;
    }
    return 0.5 * sum;
}

bool Modulation::is_constant() const {
    return period_ == 0.0 && points_.size() < 2;
}

double Modulation::steady_from() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (period_ > 0.0) return infinity;
    return is_constant() ? -infinity : points_.back().time;
}

const ParameterInfo& modulation_key() {
    static const ParameterInfo key{
        "modulation",
        KeyType::table | KeyType::rows,
        "",
        "none",
        "a factor in time: a wave, see force.modulation; or rows of time and factor, linear in "
        "between",
        "[[0.0, 0.0], [50.0, 1.0]]"};
    return key;
}

const Descriptor& modulation_table() {
    static const Descriptor table{
        "force.modulation",
        "A wave in time by which an external field is multiplied: cos(2 pi t / period + phase)",
        "",
        "",
        {{"period", KeyType::number, "time", "", "of the wave", "2.0"},
         {"phase", KeyType::number, "", "0.0", "in radians; -1.5708 for a sine", "-1.5708"}}};
    return table;
}

Modulation read_modulation(const Parameters& field) {
    const char* const key = "modulation";
    if (!field.has(key)) return {};
    if (field.type(key) == "table") {
        const Parameters wave = field.table(key);
        return {wave.positive("period"), wave.number("phase", 0.0)};
    }
    std::vector<Modulation::Point> points;
    for (const std::vector<double>& row : field.rows(key)) {
        if (row.size() != 2)
            field.fail(key, fmt::format("a row of modulation has {} number{} (it is a time and a "
                                        "factor); write for example [[0.0, 0.0], [50.0, 1.0]]",
                                        row.size(), row.size() == 1 ? "" : "s"));
        if (!points.empty() && !(row[0] > points.back().time))
            field.fail(key, fmt::format("modulation at time {} stands behind time {} (times must "
                                        "grow); sort the rows",
                                        row[0], points.back().time));
        points.push_back({row[0], row[1]});
    }
    if (points.empty())
        field.fail(key, "modulation without rows (it says how a field changes in time); write for "
                        "example [[0.0, 0.0], [50.0, 1.0]]");
    return Modulation(std::move(points));
}

} // namespace shadow
