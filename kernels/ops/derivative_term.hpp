// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/truncation.hpp"

#include <cstdint>

namespace shadow {

/// One potential between two species, as the force has it: how it ends included.
struct DerivativeTerm {
    std::int32_t interaction; ///< position in `GeneralInteractions`
    std::int32_t pair;        ///< its row
    Ending ending;
    double cutoff;
    double jump;          ///< the force at the cut-off, which drops to 0 there at once
    double inverse_shell; ///< over the width of the shell in which pairs at the cut-off are counted
    const double* table;  ///< of all pairs of species
};

/// Sums over pairs of what second derivatives of the potential energy are made of: of u'' + (Dim -
/// 1) u'/r, for both particles, and of r d(r u')/dr.
struct PairDerivatives {
    double laplacian, hypervirial;
};

template <int Dim>
struct SumPairDerivatives;

} // namespace shadow
