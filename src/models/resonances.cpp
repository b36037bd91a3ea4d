// SPDX-License-Identifier: BSD-3-Clause
#include "src/models/resonances.hpp"

#include "src/models/linear_map.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace shadow::models {

const Word& kicked() {
    static const Word word = parse_word("B½ A1 B½");
    return word;
}

const Word& mollified() {
    static const Word word = parse_word("M½ A1 M½");
    return word;
}

Growth growth_of(const SplitModel& model, const Word& word, double frequency) {
    return [&model, word, frequency](double ratio) {
        return growth(matrix_of(step_of(model, word, ratio / frequency), model.size()));
    };
}

void compare_window(Results& results, const std::string& name, const KnownWindow& known,
                    const Window& found) {
    // Ends at multiples of pi are known exactly.
    const auto digit = [&](double end) {
        return std::abs(std::remainder(end, std::numbers::pi)) < 1e-12 ? 1e-8 : known.digit;
    };
    results.compare(name + ": from", known.from, found.from, digit(known.from));
    results.compare(name + ": to", known.to, found.to, digit(known.to));
    results.compare(name + ": growth", known.most, found.most, known.digit_of_most);
}

void compare_windows(Results& results, const std::string& name, const Growth& growth,
                     const std::vector<KnownWindow>& known, double first, double last, double by) {
    const auto found = unstable_windows(growth, first, last, by);
    results.compare(name + ": windows", static_cast<double>(known.size()),
                    static_cast<double>(found.size()), 0.0);
    for (std::size_t k = 0; k < std::min(known.size(), found.size()); ++k)
        compare_window(results, fmt::format("{}, {}.", name, k + 1), known[k], found[k]);
}

Curves growth_curves(const std::string& name, const std::vector<std::string>& columns,
                     const std::vector<Growth>& growth) {
    Curves curves{name, {"step"}, {}};
    curves.columns.insert(curves.columns.end(), columns.begin(), columns.end());
    for (const double step : grid(0.01, 10.0, 0.01)) curves.rows.push_back({step});
    in_parallel(curves.rows.size(), [&](std::size_t k) {
        for (const Growth& g : growth) curves.rows[k].push_back(g(curves.rows[k][0]));
    });
    return curves;
}

Curves eigenvalue_curves(const std::string& name, const std::function<Map(double)>& step) {
    Curves curves{name, {"step"}, {}};
    for (int k = 1; k <= 4; ++k)
        for (const char* part : {"re", "im"})
            curves.columns.push_back(fmt::format("{}_{}", part, k));
    for (const double ratio : grid(0.01, 10.0, 0.01)) {
        std::vector<double> row = {ratio};
        for (const auto lambda : eigenvalues(matrix_of(step(ratio), 4)))
            row.insert(row.end(), {lambda.real(), lambda.imag()});
        curves.rows.push_back(row);
    }
    return curves;
}

LargestErrors largest_errors(const SlowFastModel& model, const Map& step, double dt, double time,
                             State z) {
    const double energy = model.energy(z), action = model.action(z);
    LargestErrors largest;
    for (auto left = static_cast<long long>(time / dt); left > 0; --left) {
        step(z);
        largest.energy = std::max(largest.energy, std::abs(model.energy(z) - energy) / energy);
        largest.action = std::max(largest.action, std::abs(model.action(z) - action) / action);
    }
    return largest;
}

const LargestErrors& ErrorScan::at(double wanted) const {
    const auto near = std::min_element(step.begin(), step.end(), [wanted](double a, double b) {
        return std::abs(a - wanted) < std::abs(b - wanted);
    });
    return largest[static_cast<std::size_t>(near - step.begin())];
}

double ErrorScan::peak(double first, double last) const {
    double found = first;
    for (const double s : step)
        if (s >= first && s <= last && at(s).energy > at(found).energy) found = s;
    return found;
}

ErrorScan scan_errors(const NonlinearPair& model, double eps, double time,
                      const std::function<Map(double)>& step) {
    ErrorScan scan{grid(1.0, 10.0, 0.01), {}};
    scan.largest.resize(scan.step.size());
    in_parallel(scan.step.size(), [&](std::size_t k) {
        const double dt = scan.step[k] * eps;
        scan.largest[k] = largest_errors(model, step(dt), dt, time, nonlinear_start(eps));
    });
    return scan;
}

State nonlinear_start(double eps) {
    return {0.0, 0.0, 1.0, 2.0 * std::sqrt(eps)};
}

} // namespace shadow::models
