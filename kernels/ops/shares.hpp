// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/sums.hpp"
#include "kernels/tensor.hpp"
#include "kernels/views.hpp"

/// Energy and virial by particle and by term of a force, which the pair kernels do not separate.
namespace shadow {

/// The share of a particle: half of each of its pairs (Thompson, Plimpton and Mattson 2009, J.
/// Chem. Phys. 131, 154107, eq. 9).
template <int Dim>
struct Share {
    SymmetricTensor<Dim> virial; ///< sum of r f
    double energy;               ///< including the self energy
};

template <int Dim>
struct SumShares : DoubleSum {
    const Share<Dim>* share;

    SHADOW_FUNCTION double operator()(std::int64_t i) const { return share[i].energy; }
};

} // namespace shadow
