// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/views.hpp"

namespace shadow {

/// A coordinate with periodic images undone.
template <int Dim, class Real>
SHADOW_INLINE double unwrapped(const ParticlesView<Dim, Real>& particles, const BoxView<Dim>& box,
                               std::int64_t i, int d) {
    return static_cast<double>(particles.position.component[d][i]) +
           particles.image.component[d][i] * box.length[d];
}

} // namespace shadow
