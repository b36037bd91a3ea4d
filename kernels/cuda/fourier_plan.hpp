// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/mesh/fourier_plan.hpp"

#include <memory>
#include <string>

namespace shadow::cuda {

/// Uses cuFFT. Null, with the reason in `why`, if the library is missing or fails.
std::unique_ptr<FourierPlan> make_fourier_plan(const Backend& backend, const MeshShape& shape,
                                               std::string& why);

} // namespace shadow::cuda
