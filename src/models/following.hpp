// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/runge_kutta.hpp"
#include "src/models/small_system.hpp"

#include <functional>
#include <string_view>
#include <vector>

/// Common functions of experiments that follow a motion.
namespace shadow::models {

[[nodiscard]] State start_of(const Problem& problem);
[[nodiscard]] double energy_of(const Problem& problem, const State& z);
/// Its equations of motion.
[[nodiscard]] Rate rate_of(const Problem& problem);

/// The same problem with another start.
[[nodiscard]] Problem started_at(Problem problem, std::vector<double> q, std::vector<double> p);

using Quantity = std::function<double(const State& z)>;
[[nodiscard]] Quantity energy_of(const Problem& problem);
/// The quantity that a method of the engine conserves up to the first or the second order of dt, by
/// `shadow_terms`.
[[nodiscard]] Quantity shadow_energy_of(const Problem& problem, std::string_view method, double dt,
                                        int order = 2);

/// The change of a quantity from its value at the start.
struct Change {
    double largest = 0.0; ///< largest magnitude
    double last = 0.0;
};
[[nodiscard]] Change change_of(const Quantity& quantity, const Map& step, int steps, State z);

/// One unit in the last of `digits` significant digits of a known number.
[[nodiscard]] double last_of(int digits, double known);

} // namespace shadow::models
