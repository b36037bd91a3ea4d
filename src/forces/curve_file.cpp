// SPDX-License-Identifier: BSD-3-Clause
#include "curve_file.hpp"

#include "cubic_spline.hpp"

#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace shadow {
namespace {

struct CurveRows {
    std::vector<double> r, u, f; ///< f is empty if the file has none
};

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& why) {
    throw std::runtime_error(fmt::format("{}: {}", file.filename().string(), why));
}

/// The numbers of a line; none if it is empty.
std::vector<double> numbers_of(const std::filesystem::path& file, std::size_t line,
                               const std::string& text) {
    std::istringstream words(text.substr(0, text.find('#')));
    std::vector<double> numbers;
    for (std::string word; words >> word;) {
        std::size_t read = 0;
        double number = 0.0;
        try {
            number = std::stod(word, &read);
        } catch (const std::exception&) {
            read = 0;
        }
        if (read != word.size() || !std::isfinite(number))
            fail(file, fmt::format("\"{}\" in line {} (not a finite number); rows are r, u and "
                                   "perhaps f, comments begin with #",
                                   word.substr(0, 40), line));
        numbers.push_back(number);
    }
    return numbers;
}

CurveRows read_rows(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream)
        fail(file, "cannot be opened (is it there?); give its path from the input's folder");
    CurveRows rows;
    std::size_t line = 0, columns = 0;
    for (std::string text; std::getline(stream, text);) {
        const std::vector<double> row = numbers_of(file, ++line, text);
        if (row.empty()) continue;
        if (columns == 0) columns = row.size();
        if (row.size() != columns || columns < 2 || columns > 3)
            fail(file, fmt::format("{} numbers in line {} (rows are r, u and perhaps f, the same "
                                   "number in each); correct it",
                                   row.size(), line));
        if (!rows.r.empty() && !(row[0] > rows.r.back()))
            fail(file, fmt::format("r = {} in line {} after {} (distances must ascend); sort the "
                                   "rows",
                                   row[0], line, rows.r.back()));
        if (row[0] < 0.0)
            fail(file, fmt::format("r = {} in line {} (a distance is not below zero); remove it",
                                   row[0], line));
        rows.r.push_back(row[0]);
        rows.u.push_back(row[1]);
        if (columns == 3) rows.f.push_back(row[2]);
    }
    if (rows.r.size() < 8)
        fail(file, fmt::format("{} rows (too few for a curve); give at least 8", rows.r.size()));
    return rows;
}

/// Throws for gaps: steps may change from row to row, but slowly.
void refuse_gaps(const std::filesystem::path& file, const std::vector<double>& r) {
    for (std::size_t k = 2; k < r.size(); ++k) {
        const double before = r[k - 1] - r[k - 2], step = r[k] - r[k - 1];
        if (step <= 1.5 * before) continue;
        fail(file, fmt::format("a gap from r = {} to {} (the step before is {:.6g}); add the "
                               "missing rows",
                               r[k - 1], r[k], before));
    }
}

/// The largest difference from the forces of `other`, over |f| + F as for tables. The core, where
/// forces are 10^4 times F, is left out: tables are coarse there, and no pair comes so close.
struct Difference {
    double size = 0.0, r = 0.0;
};
template <class Force>
Difference difference(const CurveRows& rows, const CubicSpline& spline, const Force& other) {
    std::size_t end = rows.r.size(); // number of rows with a force
    while (end > 4 && rows.u[end - 2] == rows.u.back()) --end;
    double mean = 0.0, weight = 0.0;
    for (std::size_t k = end / 2; k < end; ++k, weight += 1.0)
        mean += std::abs(spline.at(rows.r[k]).d1);
    mean /= weight;
    Difference most;
    for (std::size_t k = 2; k + 2 < end; ++k) {
        const double slope = spline.at(rows.r[k]).d1, off = std::abs(slope + other(k));
        if (std::abs(slope) > 1e4 * mean) continue;
        const double size = off > 0.0 ? off / (std::abs(slope) + mean) : 0.0;
        if (size > most.size) most = {size, rows.r[k]};
    }
    return most;
}

/// A spline through every other row.
CubicSpline thinned(const CurveRows& rows) {
    std::vector<double> r, u;
    for (std::size_t k = 0; k < rows.r.size(); k += 2) {
        r.push_back(rows.r[k]);
        u.push_back(rows.u[k]);
    }
    if (rows.r.size() % 2 == 0) {
        r.push_back(rows.r.back());
        u.push_back(rows.u.back());
    }
    return {std::move(r), std::move(u)};
}

std::uint64_t check_sum(const CurveRows& rows) {
    std::uint64_t sum = 14695981039346656037U; // FNV-1a
    const auto add = [&sum](const std::vector<double>& numbers) {
        for (const double x : numbers)
            sum = (sum ^ __builtin_bit_cast(std::uint64_t, x)) * 1099511628211U;
    };
    add(rows.r);
    add(rows.u);
    return sum;
}

} // namespace

PairCurve read_curve_file(const std::filesystem::path& file) {
    constexpr double largest = 0.05;
    const CurveRows rows = read_rows(file);
    refuse_gaps(file, rows.r);
    const auto spline = std::make_shared<CubicSpline>(rows.r, rows.u);
    if (!rows.f.empty()) {
        const Difference given =
            difference(rows, *spline, [&](std::size_t k) { return rows.f[k]; });
        if (given.size > largest)
            fail(file, fmt::format("a force that is not -du/dr (it differs by {:.2g} of the force "
                                   "at r = {}); correct or remove column 3",
                                   given.size, given.r));
    }
    const CubicSpline half = thinned(rows);
    const Difference left_out =
        difference(rows, *spline, [&](std::size_t k) { return -half.at(rows.r[k]).d1; });
    if (left_out.size > largest)
        fail(file, fmt::format("too coarse or too noisy (every other row left out changes the "
                               "force by {:.2g} of it at r = {}); give more rows, or smooth them",
                               left_out.size, left_out.r));
    PairCurve curve;
    curve.source = fmt::format("{:016x}", check_sum(rows));
    curve.at = [spline](double r) { return spline->at(r); };
    curve.file = file.filename().string();
    curve.first = rows.r.front();
    curve.last = rows.r.back();
    curve.note = fmt::format("its rows define the force to {:.1g}", left_out.size);
    return curve;
}

} // namespace shadow
