// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/mesh/fourier_plan.hpp"

#include <memory>
#include <string>

/// FFTW, if the input requests it; our own transforms (kernels/cpu/mesh_fourier.hpp) are as fast or
/// faster. The library is loaded at its first use and not needed to build.
namespace shadow::cpu {

/// Why FFTW cannot be used here; "" if it can.
[[nodiscard]] std::string fftw_problem();

/// Plans are the same in each run, and one thread transforms a batch of lines, so the bits do not
/// depend on the number of threads. Throws MachineError if FFTW cannot make the plan.
[[nodiscard]] std::unique_ptr<FourierPlan> make_fftw_plan(const Backend& backend,
                                                          const MeshShape& shape);

} // namespace shadow::cpu
