// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include <span>
#include <string_view>
#include <vector>

/// Numbers of bonded forces, as the input or a data file gives them.
namespace shadow {

/// The position in `BondedForms` of the one that is called so; -1: none is.
[[nodiscard]] int bonded_form(std::string_view name);

/// nullptr, or what would be right of a number that is not: "it is above zero".
[[nodiscard]] const char* wanted_instead(const BondedParameter& parameter, double x);

/// Appends the row of the kernels of the form at this position; angles are in degrees here.
void append_parameters(std::vector<double>& rows, int form, std::span<const double> numbers);

} // namespace shadow
