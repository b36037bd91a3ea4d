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
/// neighbours, and wave vectors one by one. Energies in units of charge^2 / length. What a net
/// charge has with a uniform background is in it.
template <int Dim>
EwaldSum<Dim> ewald_sum(const Setup<Dim>& setup);

} // namespace shadow::test
