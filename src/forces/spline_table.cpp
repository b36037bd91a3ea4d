// SPDX-License-Identifier: BSD-3-Clause
#include "cubic_spline.hpp"
#include "leaps.hpp"

#include "shadow/forces/pair_curve.hpp"

#include "kernels/potentials/tabulated.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <numbers>
#include <optional>

namespace shadow {
namespace {

using Curve = std::function<CurvePoint(double)>;

constexpr int coarsest = 6, finest = 12;

/// Knots are numbered in their order, by the leading bits of r^2.
std::int64_t knot_below(double s, int fineness) {
    return std::bit_cast<std::int64_t>(s) >> (NumberBits<double>::mantissa - fineness);
}
double knot_place(std::int64_t knot, int fineness) {
    return std::bit_cast<double>(knot << (NumberBits<double>::mantissa - fineness));
}

/// Where a table begins, and whether the curve continues smoothly from there to r = 0.
struct Begin {
    double r;
    bool smooth;
    std::string fault = {};             ///< why no table follows the curve
    std::optional<double> barrier = {}; ///< its height, if that is a barrier
};

/// A distance below `from` where a curve has come to its limit at r = 0, as a narrow Gaussian does.
/// Nothing if that limit is infinite.
std::optional<double> find_level(const Curve& curve, double from, double largest) {
    double last = std::abs(curve(from).u - curve(2.0 * from).u);
    for (double r = 0.5 * from; r > from / 1024.0; r *= 0.5) {
        const double u = curve(r).u, change = std::abs(u - curve(2.0 * r).u);
        largest = std::max(largest, std::abs(u));
        if (change < 0.01 * largest && change < 0.6 * last) return r;
        last = change;
    }
    return std::nullopt;
}

/// Goes from the cut-off inwards, as far as single precision can hold the cubics, or to a
/// thousandth of the cut-off. A curve that falls without limit inside a barrier (exp-6) begins at
/// the barrier, if this is higher than a tenth of the largest |u| beyond half the cut-off, and the
/// curve inside 10^6 times as deep and steeper than 1/r^3. Others that attract at short distances,
/// to which charges may have added a small hump, do not begin there, since another force may keep
/// particles apart. A curve that is zero from some distance to r = 0 (a part of a split) begins
/// there.
Begin find_begin(const CurveRange& of) {
    const auto& [curve, first, cutoff, beyond_barriers] = of;
    const double lowest = std::max(first, cutoff / 1024.0), step = std::exp2(-1.0 / 64.0);
    double r = cutoff, zero = cutoff, barrier = cutoff, height = -HUGE_VAL, largest = 0.0;
    double outer = 0.0; // largest |u| of the outer half
    bool limited = false;
    std::string fault;
    for (double next = cutoff; next >= lowest; next *= step) {
        const CurvePoint point = curve(next);
        limited = is_beyond_cubics(point.u, next) || !std::isfinite(point.u + point.d1);
        if (limited) {
            fault = leap_of(curve, r, next);
            break;
        }
        if (point.u != 0.0 || point.d1 != 0.0) zero = next * step;
        r = next;
        largest = std::max(largest, std::abs(point.u));
        if (next > 0.5 * cutoff) outer = largest;
        if (point.u > height) {
            height = point.u;
            barrier = next;
        }
    }
    if (r < zero && !limited && first == 0.0) return {zero, true, hidden_part(curve, zero, lowest)};
    // A curve that is negative but level near r = 0 does not fall without limit; a shifted one is
    // zero at its cut-off except for rounding.
    const CurvePoint inmost = curve(r);
    const bool level = std::abs(inmost.u - curve(2.0 * r).u) < 0.01 * largest;
    const bool falls = inmost.u < -1e6 * height && -r * inmost.d1 / inmost.u > 3.0;
    if (!level && height > 0.1 * outer && falls && !beyond_barriers)
        return {barrier, false, "", height};
    if (first > 0.0 || limited) return {std::max(r, first), false, fault};
    if (level) return {r, true};
    const std::optional<double> closer = find_level(curve, r, largest);
    return {closer.value_or(r), closer.has_value()};
}

/// A segment below the first: with an infinite force, or with that of the first knot.
std::vector<double> segment_below(const SplineSegment<double>& first, double width, bool smooth) {
    if (!smooth) return {HUGE_VAL, 0.0, 0.0, HUGE_VAL};
    return {first.f0, 0.0, 0.0, first.u0 + 0.5 * width * first.f0};
}

/// A table with at least one segment below the first, as if it began at `innermost`.
SplineTable table_of(const Curve& curve, const Begin& begin, double cutoff, int fineness,
                     double innermost) {
    SplineTable table;
    table.cutoff = cutoff;
    table.fineness = fineness;
    table.first = begin.r;
    table.fault = begin.fault;
    table.barrier = begin.barrier;
    const std::int64_t first = knot_below(begin.r * begin.r, fineness);
    const std::int64_t below = knot_below(innermost * innermost, fineness) - 1;
    // One more than needed, because the cut-off is rounded in single precision.
    const std::int64_t last = knot_below(cutoff * cutoff, fineness) + 2;
    std::vector<double> s, u;
    for (std::int64_t k = first; k <= last; ++k) {
        s.push_back(knot_place(k, fineness));
        u.push_back(curve(std::sqrt(s.back())).u);
        if (!std::isfinite(u.back()) && table.fault.empty()) {
            table.worst = std::sqrt(s.back());
            table.fault = fmt::format("u is not finite at r = {:.6g}", table.worst);
        }
    }
    const auto slope = [&](double at) { return 0.5 * curve(std::sqrt(at)).d1 / std::sqrt(at); };
    const double first_slope = slope(s.front());
    const std::vector<double> m = second_derivatives(s, u, first_slope, slope(s.back()));
    table.begin = knot_place(below, fineness);
    for (std::size_t k = 0; k + 1 < s.size(); ++k) {
        const double h = s[k + 1] - s[k];
        const double inner_slope =
            k == 0 ? first_slope : (u[k + 1] - u[k]) / h - h * (2.0 * m[k] + m[k + 1]) / 6.0;
        const SplineSegment<double> segment{-2.0 * inner_slope, -2.0 * m[k], -(m[k + 1] - m[k]) / h,
                                            u[k], 0.0};
        for (std::int64_t knot = below; k == 0 && knot < first; ++knot) {
            const double width = s[0] - knot_place(knot, fineness);
            for (const double number : segment_below(segment, width, begin.smooth))
                table.numbers.push_back(number);
        }
        table.numbers.insert(table.numbers.end(), {segment.f0, segment.f1, segment.f2, segment.u0});
    }
    return table;
}

void measure_error(SplineTable& table, const Curve& curve) {
    if (!table.fault.empty()) {
        table.error = HUGE_VAL;
        return;
    }
    constexpr int places = 64;
    // Where the derivative of a cubic spline is farthest from that of a smooth curve.
    constexpr double farthest = 0.5 - 0.5 / std::numbers::sqrt3;
    double end = table.cutoff, mean = 0.0; // of the range with a force
    double farthest_off = 0.0;             // where errors are infinite
    while (end > table.first && curve(end).d1 == 0.0) end *= 0.98;
    for (int k = 0; k < places; ++k)
        mean += std::abs(curve(end * (0.5 + (k + 0.5) / (2 * places))).d1) / places;
    const std::int64_t below = knot_below(table.begin, table.fineness);
    const std::size_t segments = table.numbers.size() / segment_numbers;
    const std::int64_t first = knot_below(table.first * table.first, table.fineness);
    for (auto k = static_cast<std::size_t>(first - below); k < segments; ++k) {
        const auto knot = below + static_cast<std::int64_t>(k);
        const double s = knot_place(knot, table.fineness);
        const double width = knot_place(knot + 1, table.fineness) - s;
        const double* c = table.numbers.data() + segment_numbers * k;
        for (const double part : {farthest, 1.0 - farthest}) {
            const SplineSegment<double> segment{c[0], c[1], c[2], c[3], part * width};
            const double r = std::sqrt(s + segment.x);
            if (r > table.cutoff) continue;
            const double slope = curve(r).d1;
            const double off = std::abs(segment().f_over_r * r + slope);
            const double size = std::abs(slope) + mean;
            const double error = off == 0.0 ? 0.0 : off / size;
            if (std::isfinite(error) && error <= table.error) continue;
            if (!std::isfinite(error) && off <= farthest_off) continue;
            if (!std::isfinite(error)) farthest_off = off;
            table.error = std::isfinite(error) ? error : HUGE_VAL;
            table.worst = r;
        }
    }
}

SplineTable measured_table(const CurveRange& of, const Begin& begin, int fineness,
                           double innermost) {
    SplineTable table = table_of(of.curve, begin, of.cutoff, fineness, innermost);
    measure_error(table, of.curve);
    return table;
}

/// A table as fine as needed.
SplineTable fine_table(const CurveRange& of, const Begin& begin, double innermost,
                       double accuracy) {
    SplineTable best;
    for (int fineness = coarsest; fineness <= finest; ++fineness) {
        SplineTable table = measured_table(of, begin, fineness, innermost);
        // Each step improves a smooth curve by a factor of 8, one with a kink by 2.
        const bool stuck = fineness > 9 && table.error > best.error / 3.0;
        best = std::move(table);
        if (best.error <= accuracy || stuck || !begin.fault.empty()) break;
    }
    return best;
}

} // namespace

std::vector<SplineTable> make_spline_tables(const std::vector<CurveRange>& ranges,
                                            double accuracy) {
    std::vector<Begin> begins;
    double innermost = HUGE_VAL;
    for (const CurveRange& of : ranges) {
        begins.push_back(find_begin(of));
        innermost = std::min(innermost, begins.back().r);
    }
    std::vector<SplineTable> tables;
    int fineness = coarsest;
    for (std::size_t k = 0; k < ranges.size(); ++k) {
        tables.push_back(fine_table(ranges[k], begins[k], innermost, accuracy));
        fineness = std::max(fineness, tables[k].fineness);
    }
    for (std::size_t k = 0; k < ranges.size(); ++k)
        if (tables[k].fineness < fineness)
            tables[k] = measured_table(ranges[k], begins[k], fineness, innermost);
    return tables;
}

std::string curve_fault(const CurveRange& of) {
    return find_begin(of).fault;
}

SplineTable make_spline_table(const Curve& curve, double first, double cutoff, double accuracy) {
    return make_spline_tables({{curve, first, cutoff}}, accuracy).front();
}

} // namespace shadow
