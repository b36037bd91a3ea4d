// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/system/box.hpp"

#include "kernels/ops/density_modes.hpp"

#include <vector>

namespace shadow {

/// Wave vectors of about the same length.
template <int Dim>
struct Shell {
    double k = 0.0; ///< their mean length
    std::vector<WaveVector<Dim>> vectors;
};

/// Divides (0, `longest`] into `shells` equal parts and chooses for each up to `most` wave vectors
/// of the periodic box: all of them if there are no more, otherwise a random selection (always the
/// same one); one of k and -k. Parts without wave vectors are omitted.
template <int Dim>
[[nodiscard]] std::vector<Shell<Dim>> choose_wave_vectors(const Box<Dim>& box, double longest,
                                                          int shells, int most);

/// Up to `most` wave vectors whose length differs from `k` by at most pi over the longest length of
/// the box, half the shortest one of a rectangular box; empty if there are none.
template <int Dim>
[[nodiscard]] Shell<Dim> wave_vectors_near(const Box<Dim>& box, double k, int most);

} // namespace shadow
