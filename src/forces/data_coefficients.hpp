// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/core/descriptor.hpp"
#include "shadow/core/parameters.hpp"
#include "shadow/forces/bonded.hpp"

#include <vector>

/// Bonded forces from the sections Bond Coeffs, Angle Coeffs ... of a LAMMPS data file.
namespace shadow {

inline constexpr const char* data_coefficients = "data-coefficients";

/// But for its level.
[[nodiscard]] Descriptor data_coefficients_descriptor();

/// What the coefficients of `topology` are in forms of the list, but for the level: one description
/// for each form. Throws InputError, located in the input or in the file, for numbers that no form
/// has, types without coefficients, and as `refuse_bad_start`.
template <int Dim>
[[nodiscard]] std::vector<BondedDescription>
read_data_coefficients(const Parameters& table, const Topology& topology, const Box<Dim>& box,
                       const Snapshot<Dim>& start);

} // namespace shadow
