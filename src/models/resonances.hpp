// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/experiment.hpp"
#include "src/models/slow_fast.hpp"
#include "src/models/windows.hpp"

#include <functional>
#include <string>
#include <vector>

/// Common functions of experiments on resonances of large steps.
namespace shadow::models {

/// Growth per step of a linear method, as a function of the step.
using Growth = std::function<double(double)>;

/// Large steps with kicks, and with mollified kicks: B½ A1 B½ and M½ A1 M½.
[[nodiscard]] const Word& kicked();
[[nodiscard]] const Word& mollified();

/// Growth per step of a word, as a function of `ratio` with dt = ratio / frequency.
[[nodiscard]] Growth growth_of(const SplitModel& model, const Word& word, double frequency);

/// A known window: its ends and the largest growth, as printed to `digit`.
struct KnownWindow {
    double from, to, most;
    double digit = 1e-3, digit_of_most = 1e-4;
};

void compare_window(Results& results, const std::string& name, const KnownWindow& known,
                    const Window& found);

/// Compares all windows from `first` to `last` with the known ones, one by one and in number.
void compare_windows(Results& results, const std::string& name, const Growth& growth,
                     const std::vector<KnownWindow>& known, double first, double last, double by);

/// Growth as a function of the step, a column for each of `growth`.
[[nodiscard]] Curves growth_curves(const std::string& name, const std::vector<std::string>& columns,
                                   const std::vector<Growth>& growth);

/// Eigenvalues of the 4 x 4 matrix of a step, as functions of the step.
[[nodiscard]] Curves eigenvalue_curves(const std::string& name,
                                       const std::function<Map(double)>& step);

/// Largest errors of energy and action, relative to their values at the start, up to `time`.
struct LargestErrors {
    double energy = 0.0, action = 0.0;
};
[[nodiscard]] LargestErrors largest_errors(const SlowFastModel& model, const Map& step, double dt,
                                           double time, State z);

/// The errors of the nonlinear pair with the steps 1.00, 1.01 ... 10.00 eps.
struct ErrorScan {
    std::vector<double> step;
    std::vector<LargestErrors> largest;

    [[nodiscard]] const LargestErrors& at(double wanted) const;
    /// The step with the largest error of energy from `first` to `last`.
    [[nodiscard]] double peak(double first, double last) const;
};
[[nodiscard]] ErrorScan scan_errors(const NonlinearPair& model, double eps, double time,
                                    const std::function<Map(double dt)>& step);

/// The start of the experiments with the nonlinear pair: q = x = 0, p = 1, p_x = 2 sqrt(eps), so
/// that H = 2.5 and J = 2 eps.
[[nodiscard]] State nonlinear_start(double eps);

} // namespace shadow::models
