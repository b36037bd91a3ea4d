// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/backend.hpp"

#include "kernels/ops/bond_correlation.hpp"

namespace shadow::cpu {

/// What launching the op does, with sums of its own for each thread.
template <class Real>
void add_bond_products(const Backend& backend, const BondProducts<Real>& op);

} // namespace shadow::cpu
