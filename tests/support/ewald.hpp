// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/world.hpp"

namespace shadow::test {

template <int Dim>
struct EwaldSum {
    double energy = 0.0;
    Vectors<Dim> force;
};

/// Periodic charges by Ewald's sum, converged to rounding: pairs in the nearest image and its
/// neighbours, and wave vectors one by one. Energies are in units of charge^2 / length and include
/// that of a net charge with a uniform background.
template <int Dim>
EwaldSum<Dim> ewald_sum(const Setup<Dim>& setup);

} // namespace shadow::test
