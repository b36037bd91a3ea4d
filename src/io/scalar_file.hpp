// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/hdf5.hpp"
#include "shadow/system/scalar_groups.hpp"

/// The variables of an ensemble in checkpoints: `scalars`, group after group, and for each group
/// `scalar_names` and `scalar_lengths`. Groups are identified by name, in any order; variables that
/// each step writes before it reads them are not stored.
namespace shadow {

/// `scalars`: indexed by Scalar.
void write_scalars(hdf5::Group& group, const std::vector<double>& scalars,
                   std::span<const ScalarGroup> groups = scalar_groups());
/// Indexed by Scalar; absent variables are 0. Also reads checkpoints from before groups had names,
/// which store them by position. Throws InputError if the groups do not match.
[[nodiscard]] std::vector<double>
read_scalars(const hdf5::Group& group, std::span<const ScalarGroup> groups = scalar_groups());

} // namespace shadow
