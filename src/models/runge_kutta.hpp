// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/models/split_model.hpp"

#include <functional>

namespace shadow::models {

/// f <- dz/dt
using Rate = std::function<void(const State& z, State& f)>;

/// A step h of the classical Runge-Kutta method, of order four: for solutions that no flow of a
/// splitting takes part in.
void runge_kutta_step(const Rate& rate, double h, State& z);

} // namespace shadow::models
