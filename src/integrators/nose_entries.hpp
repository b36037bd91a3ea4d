// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/registry.hpp"

#include <vector>

/// What an input says of Nosé baths with a mass.
namespace shadow {

/// Of forces of one level. The keys are those of other methods, too.
[[nodiscard]] Descriptor nose_poincare(const ParameterInfo& dt, const ParameterInfo& temperature,
                                       const ParameterInfo& order);

/// Those with baths of their own, in the order of the list.
[[nodiscard]] std::vector<IntegratorEntry>
nose_entries(const ParameterInfo& dt, const ParameterInfo& temperature, const ParameterInfo& order);

} // namespace shadow
