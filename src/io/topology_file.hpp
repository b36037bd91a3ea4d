// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/hdf5.hpp"
#include "shadow/system/topology.hpp"

/// What is bonded, as result files and checkpoints have it: a group `topology` with `bonds`,
/// `angles` ... ([terms][members], ids from 0), `bonds_type` ... ([terms], into the names
/// `bonds_types`), `excluded` ([pairs][2]), and of these `scaled` ([pairs][2]) with their
/// `scaled_factors` ([pairs][2]: of pair forces, of charges); where a data file gave them also
/// `bonds_coefficients` ..., one type after the other, as many of each of
/// `bonds_coefficients_types` as `bonds_coefficients_counts` says, in the
/// `bonds_coefficients_styles` of LAMMPS. There is none where nothing is bonded.
namespace shadow {

void write_topology(hdf5::Group& parent, const Topology& topology);
[[nodiscard]] Topology read_topology(const hdf5::Group& parent);

} // namespace shadow
