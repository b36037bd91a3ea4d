// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/registry.hpp"

#include <vector>

/// Entries of the registry for Nosé baths with a mass.
namespace shadow {

/// The method with one level of forces. Its keys are shared by other methods.
[[nodiscard]] Descriptor nose_poincare(const ParameterInfo& dt, const ParameterInfo& temperature,
                                       const ParameterInfo& order);

/// The methods with further forms of the bath, in the order of the list.
[[nodiscard]] std::vector<IntegratorEntry>
nose_entries(const ParameterInfo& dt, const ParameterInfo& temperature, const ParameterInfo& order);

} // namespace shadow
