// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_curve.hpp"

#include <filesystem>

namespace shadow {

/// u(r) from a text file: rows of r, u and perhaps f = -u'(r), in the units of the input; what
/// follows a # is a comment. Between rows u is a cubic spline, and the force its derivative. Throws
/// std::runtime_error, in words of an error, for files that cannot be read, rows that do not
/// ascend, gaps, forces that are not the derivative of the energies, and energies too coarse or too
/// noisy for a force.
[[nodiscard]] PairCurve read_curve_file(const std::filesystem::path& file);

} // namespace shadow
