// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/bonded.hpp"

#include <span>
#include <string_view>
#include <vector>

/// Numbers of bonded forces, as the input or a data file gives them.
namespace shadow {

/// The position in `BondedForms` of the form with this name; -1 if there is none.
[[nodiscard]] int bonded_form(std::string_view name);

/// nullptr for a valid number, else what a valid one is: "it is above zero".
[[nodiscard]] const char* unmet_requirement(const BondedParameter& parameter, double x);

/// Appends the kernels' row of the form at this position; angles of `numbers` are in degrees.
void append_parameters(std::vector<double>& rows, int form, std::span<const double> numbers);

} // namespace shadow
