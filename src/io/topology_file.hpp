// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/hdf5.hpp"
#include "shadow/system/topology.hpp"

/// The topology in result files and checkpoints: a group `topology` with `bonds`, `angles` ...
/// ([terms][members], ids from 0), `bonds_type` ... ([terms], indices into the names
/// `bonds_types`), `excluded` ([pairs][2]), and the subset `scaled` ([pairs][2]) with
/// `scaled_factors` ([pairs][2]: of pair forces, of charges); if a data file gave coefficients also
/// `bonds_coefficients` ..., type by type, with `bonds_coefficients_counts` numbers for each of
/// `bonds_coefficients_types`, in the `bonds_coefficients_styles` of LAMMPS. The group is absent if
/// nothing is bonded.
namespace shadow {

void write_topology(hdf5::Group& parent, const Topology& topology);
[[nodiscard]] Topology read_topology(const hdf5::Group& parent);

} // namespace shadow
