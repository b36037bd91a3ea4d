// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/scalars.hpp"

namespace shadow {

/// The symmetric step C½ B½ A1 B½ C½ of the variables of a Nosé bath: thermostats C, s times the
/// potential energy B, and the rest A. The part before the kick of the particles.
template <class Bath>
struct ExplicitNoseFirst {
    static constexpr bool independent = true;
    double dt;
    Bath bath;
    bool begins = true; ///< whether this is the first part of a step

    SHADOW_INLINE void operator()(const Scalars& x) const {
        if (begins) x[Scalar::action] = 0.0;
        (void)bath.thermostats(x, 0.5 * dt, true);
        bath.kick(x, 0.5 * dt);
    }
};

/// Its middle, with the factors of the drift and of the kick after it.
template <class Bath>
struct ExplicitNoseDrift {
    double dt;
    Bath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        bath.drift(x, dt);
        x[Scalar::drift_scale] = 1.0 / x[Scalar::s];
        x[Scalar::kick_scale] = x[Scalar::s];
    }
};

/// Its end, with V at the new positions.
template <class Bath>
struct ExplicitNoseSecond {
    static constexpr bool independent = true;
    double dt;
    Bath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        bath.kick(x, 0.5 * dt);
        (void)bath.thermostats(x, 0.5 * dt, false);
    }
};

} // namespace shadow
