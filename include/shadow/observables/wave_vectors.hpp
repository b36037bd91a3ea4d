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

/// Cuts (0, `longest`] into `shells` equal parts and takes of each up to `most` wave vectors of the
/// periodic box, all of them where there are no more and a choice by chance (always the same one)
/// where there are; of k and -k one. Parts without any are left out.
template <int Dim>
[[nodiscard]] std::vector<Shell<Dim>> choose_wave_vectors(const Box<Dim>& box, double longest,
                                                          int shells, int most);

/// Up to `most` wave vectors whose length is within half the shortest one of `k`; none where there
/// are none.
template <int Dim>
[[nodiscard]] Shell<Dim> wave_vectors_near(const Box<Dim>& box, double k, int most);

} // namespace shadow
