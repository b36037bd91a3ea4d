// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"

#include <span>
#include <vector>

namespace shadow {

/// Half the trace of the matrix that advances (q, p) of a harmonic oscillator of mass 1 by a step
/// of `dt`: the step is stable where it is between -1 and 1 (Leimkuhler and Reich 2004, section
/// 10.1). `curvature`: of the potential of each level; baths are left out.
[[nodiscard]] double half_trace(const Word& word, std::span<const double> curvature, double dt,
                                const std::string& mollifier = "long-average");

/// The fraction of a constant force, of all levels but the stiffest, that the oscillator's own
/// force balances on average at full steps: 1 where all forces kick together, (w T / 2)
/// cot(w T / 2) under impulses every T. Averages of its own force, and of pressures, lack the rest.
[[nodiscard]] double balance_at_whole_steps(const Word& word, std::span<const double> curvature,
                                            double dt,
                                            const std::string& mollifier = "long-average");

struct StepRange {
    double from, to;
};

/// The steps up to `longest` for which the oscillator is unstable. Ranges narrower than 1/1000 of a
/// period, or beyond two periods 1/2000 of `longest`, may be missed.
[[nodiscard]] std::vector<StepRange> unstable_steps(const Word& word,
                                                    std::span<const double> curvature,
                                                    double longest,
                                                    const std::string& mollifier = "long-average");

} // namespace shadow
