// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include <string>
#include <utility>
#include <vector>

namespace shadow {

/// Names and their numbers.
using Constants = std::vector<std::pair<std::string, double>>;

/// Letters, digits and _, not beginning with a digit.
[[nodiscard]] bool can_be_parameter(const std::string& name);

/// What is wrong with a formula, in the words of an error; "" if nothing.
[[nodiscard]] std::string formula_problem(const std::string& text, const Constants& constants);

/// Does a formula without problem use a name?
[[nodiscard]] bool formula_has(const std::string& text, const Constants& constants,
                               const std::string& name);

/// u(r) from a text such as "4*epsilon*((sigma/r)^12 - (sigma/r)^6)", by muParser; `r` is the
/// distance. The formula must have no problem.
[[nodiscard]] PairCurve formula_curve(const std::string& text, const Constants& constants);

} // namespace shadow
