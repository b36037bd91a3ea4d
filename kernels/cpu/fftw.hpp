// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/mesh/fourier_plan.hpp"

#include <memory>
#include <string>

/// FFTW where the input asks for it; transforms of our own (kernels/cpu/mesh_fourier.hpp) are
/// faster, or as fast. It is opened when it is first asked for, and nothing of it is needed to
/// build.
namespace shadow::cpu {

/// Why FFTW cannot be used here; "" if it can.
[[nodiscard]] std::string fftw_problem();

/// By plans that are the same in each run, a batch of lines by one thread: the bits do not depend
/// on the number of threads. Throws MachineError where FFTW cannot.
[[nodiscard]] std::unique_ptr<FourierPlan> make_fftw_plan(const Backend& backend,
                                                          const MeshShape& shape);

} // namespace shadow::cpu
