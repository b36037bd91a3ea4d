// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/topology.hpp"

#include <string>
#include <vector>

namespace shadow {

/// The name of a bonded force, with its numbers as in the input.
struct FormRow {
    const char* form;
    std::vector<double> numbers;
};

/// The forces that are equivalent to coefficients of LAMMPS; several act together. Throws
/// InputError.
[[nodiscard]] std::vector<FormRow> rows_of_forms(const TypeCoefficients& coefficients);

/// "PLACE: PROBLEM in the harmonic coefficients of bond type "1" (WHY); ADVICE"
[[noreturn]] void refuse_coefficients(const TypeCoefficients& coefficients,
                                      const std::string& problem, const std::string& why,
                                      const std::string& advice);

} // namespace shadow
