// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/topology.hpp"

#include <string>
#include <vector>

namespace shadow {

/// A bonded force by its name, with its numbers as the input would have them.
struct FormRow {
    const char* form;
    std::vector<double> numbers;
};

/// The forces that coefficients of LAMMPS mean; several act together. Throws InputError.
[[nodiscard]] std::vector<FormRow> rows_of_forms(const TypeCoefficients& coefficients);

/// "PLACE: PROBLEM in the harmonic coefficients of bond type "1" (WHY); ADVICE"
[[noreturn]] void refuse_coefficients(const TypeCoefficients& coefficients,
                                      const std::string& problem, const std::string& why,
                                      const std::string& advice);

} // namespace shadow
