// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/charge_mesh.hpp"

#include <vector>

namespace shadow {

/// Fills `influence` for `mesh`, whose counts, order, lengths, screening and unit are set; and what
/// a charge has in its own field.
template <int Dim, class T>
void fill_influence(ChargeMesh<Dim, T>& mesh, double coulomb, std::vector<T>& influence);

} // namespace shadow
