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

double Modulation::mean(double from, double to) const {
    if (from == to) return at(from);
    if (period_ > 0.0) return at(from + 0.5 * (to - from)) * kept_by_means(to - from);
    const auto [first, last] = std::minmax(from, to);
    double sum = 0.0, begin = first;
    const auto add = [&](double end) {
        sum += (end - begin) * 0.5 * (at(begin) + at(end));
        begin = end;
    };
    for (const Point& p : points_)
        if (p.time > first && p.time < last) add(p.time);
    add(last);
    return sum / (last - first);
}

double Modulation::change(double from, double to) const {
    if (!(period_ > 0.0)) return at(to) - at(from);
    const double frequency = 2.0 * std::numbers::pi / period_;
    return -2.0 * std::sin(frequency * (from + 0.5 * (to - from)) + phase_) *
           std::sin(0.5 * frequency * (to - from));
}

double Modulation::kept_by_means(double time) const {
    if (!(period_ > 0.0)) return 1.0;
    const double half = std::numbers::pi * time / period_;
    return half == 0.0 ? 1.0 : std::sin(half) / half;
}

bool Modulation::is_constant() const {
    return period_ == 0.0 && points_.size() < 2;
}

double Modulation::steady_from() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (period_ > 0.0) return infinity;
    return is_constant() ? -infinity : points_.back().time;
}

std::pair<double, double> Modulation::range() const {
    if (period_ > 0.0) return {-1.0, 1.0};
    if (points_.empty()) return {1.0, 1.0};
    const auto [least, most] =
        std::minmax_element(points_.begin(), points_.end(),
                            [](const Point& a, const Point& b) { return a.factor < b.factor; });
    return {least->factor, most->factor};
}

const ParameterInfo& modulation_key() {
    static const ParameterInfo key{"modulation",
                                   KeyType::table,
                                   "",
                                   "none",
                                   "a factor that depends on time; see force.modulation",
                                   "{ period = 2.0 }"};
    return key;
}

const Descriptor& modulation_table() {
    static const Descriptor table{
        "force.modulation",
        "A time-dependent factor of an external field: a wave, cos(2 pi t / period + phase), or "
        "points, linear in between and constant before the first and after the last",
        "",
        "",
        {{"period", KeyType::number, "time", "none", "of the wave", "2.0"},
         {"phase", KeyType::number, "", "0.0", "of the wave, in radians; -1.5708 for a sine",
          "-1.5708"},
         {"points", KeyType::rows, "", "none", "instead of a wave: times and factors",
          "[[0.0, 0.0], [50.0, 1.0]]"}}};
    return table;
}

namespace {

Modulation read_points(const Parameters& table) {
    const char* const key = "points";
    std::vector<Modulation::Point> points;
    for (const std::vector<double>& row : table.rows(key)) {
        if (row.size() != 2)
            table.fail(key, fmt::format("a point has {} number{} (it is a time and a factor); "
                                        "write for example [[0.0, 0.0], [50.0, 1.0]]",
                                        row.size(), row.size() == 1 ? "" : "s"));
        if (!points.empty() && !(row[0] > points.back().time))
            table.fail(
                key,
                fmt::format("time {} comes after time {} (times must increase); sort the points",
                            row[0], points.back().time));
        points.push_back({row[0], row[1]});
    }
    if (points.empty())
        table.fail(key, "modulation without points (they say how a field changes in time); write "
                        "for example [[0.0, 0.0], [50.0, 1.0]]");
    return Modulation(std::move(points));
}

} // namespace

Modulation read_modulation(const Parameters& field) {
    if (!field.has("modulation")) return {};
    const Parameters table = field.table("modulation");
    if (!table.has("points")) return {table.positive("period"), table.number("phase", 0.0)};
    for (const char* wave : {"period", "phase"})
        if (table.has(wave))
            table.fail(wave,
                       fmt::format(
                           "{} together with points (a modulation is a wave or points); remove one",
                           wave));
    return read_points(table);
}

} // namespace shadow
