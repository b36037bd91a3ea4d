// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/ewald.hpp"

namespace shadow::test {

/// A neutral layer of charges, periodic along x and y only, without images along z: Ewald's sum in
/// two dimensions, converged to rounding (D. E. Parry 1975, Surf. Sci. 49, 433; D. M. Heyes, M.
/// Barber and J. H. R. Clarke 1977, J. Chem. Soc. Faraday Trans. II 73, 1485). Energies in units of
/// charge^2 / length.
EwaldSum<3> layer_sum(const Setup<3>& setup, double sharpness = 6.0);

} // namespace shadow::test
