// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/truncation.hpp"

#include <cstdint>

namespace shadow {

/// One potential between two species, with the truncation of the force.
struct DerivativeTerm {
    std::int32_t interaction; ///< position in `GeneralInteractions`
    std::int32_t pair;        ///< its row
    Ending ending;
    double cutoff;
    double jump;          ///< the force at the cut-off, where it drops to 0 discontinuously
    double inverse_shell; ///< inverse width of the shell in which pairs at the cut-off are counted
    const double* table;  ///< of all pairs of species
};

/// Sums over pairs for second derivatives of the potential energy: of u'' + (Dim - 1) u'/r, for
/// both particles, and of r d(r u')/dr.
struct PairDerivatives {
    double laplacian, hypervirial;
};

template <int Dim>
struct SumPairDerivatives;

} // namespace shadow
