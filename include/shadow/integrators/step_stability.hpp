// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/composition.hpp"

#include <span>
#include <vector>

namespace shadow {

/// Half of the trace of the matrix that takes (q, p) of a harmonic oscillator over a step of `dt`:
/// the oscillator, of mass 1, is stable where it is between -1 and 1 (Leimkuhler and Reich 2004,
/// section 10.1). `curvature`: of the potential of each level; baths are left out.
[[nodiscard]] double half_trace(const Word& word, std::span<const double> curvature, double dt,
                                const std::string& mollifier = "long-average");

/// What part of a constant force of the levels which have less of its curvature the oscillator
/// balances on average at whole steps: 1 where all forces kick together, (w T / 2) cot(w T / 2)
/// under impulses each T. Averages of its own force, and of pressures, lack the rest.
[[nodiscard]] double balance_at_whole_steps(const Word& word, std::span<const double> curvature,
                                            double dt,
                                            const std::string& mollifier = "long-average");

struct StepRange {
    double from, to;
};

/// The steps up to `longest` for which the oscillator is not stable. Ranges narrower than 1/1000 of
/// a period, beyond two periods 1/2000 of `longest`, may be missed.
[[nodiscard]] std::vector<StepRange> unstable_steps(const Word& word,
                                                    std::span<const double> curvature,
                                                    double longest,
                                                    const std::string& mollifier = "long-average");

} // namespace shadow
