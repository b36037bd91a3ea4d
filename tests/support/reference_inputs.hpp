// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/run/reference.hpp"

#include "shadow/run/catalogue.hpp"

#include <string>
#include <vector>

/// Inputs that together have every key.
namespace shadow::test::reference {

/// Inputs for the keys of tables.
[[nodiscard]] std::vector<std::string> inputs_for_tables();
/// An input with this entry: its required keys and one more key.
[[nodiscard]] std::string input_with(const Entry& entry, const ParameterInfo* more);

} // namespace shadow::test::reference
