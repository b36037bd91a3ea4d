// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/io/hdf5.hpp"
#include "shadow/system/scalar_groups.hpp"

/// The variables of an ensemble as checkpoints have them: `scalars`, group after group, and of each
/// group `scalar_names` and `scalar_lengths`. Groups are known by their names, in any order; what
/// each step writes before it reads is not among them.
namespace shadow {

/// `scalars`: by Scalar.
void write_scalars(hdf5::Group& group, const std::vector<double>& scalars,
                   std::span<const ScalarGroup> groups = scalar_groups());
/// By Scalar; those that are not there are 0. Also of checkpoints from before groups had names,
/// which hold them by position. Throws InputError where the groups are not these.
[[nodiscard]] std::vector<double>
read_scalars(const hdf5::Group& group, std::span<const ScalarGroup> groups = scalar_groups());

} // namespace shadow
