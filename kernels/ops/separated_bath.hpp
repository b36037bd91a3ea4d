// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/ops/step_control.hpp"

#include <cmath>

namespace shadow {

/// The separated form of Nosé's Hamiltonian, in a time lambda with dt = s dlambda and theta = ln s,
///
///     sum p^2 / (2 m) + pi_theta^2 / (2 Q) + s^2 [V(q) + g kT theta - E] = 0
///
/// (Leimkuhler and Reich 2004, section 11.4), whose two parts have exact flows. The canonical
/// momenta of particles are s times the physical ones; Scalar::pi is the momentum of s, pi_theta /
/// s.
struct SeparatedBath {
    double mass = 1.0, g_kT = 0.0;
};

/// The flow of the second part over t, except for the momenta of particles; and the factor of their
/// kick. V is at the present positions.
struct SeparatedNoseKick {
    static constexpr bool independent = true;
    double t;
    SeparatedBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s],
                     inside = (x[Scalar::potential] - x[Scalar::energy_0]) + bath.g_kT * log(s);
        x[Scalar::pi] -= t * s * (2.0 * inside + bath.g_kT);
        x[Scalar::kick_scale] = s * s;
    }
};

/// The flow of the first part over t, except for the positions of particles: s grows as an
/// exponential. Real time advances by the mean of s at both ends.
struct SeparatedNoseDrift {
    static constexpr bool independent = true;
    double t;
    SeparatedBath bath;

    SHADOW_INLINE void operator()(const Scalars& x) const {
        const double s = x[Scalar::s], momentum = x[Scalar::pi] * s,
                     growth = exp(t * momentum / bath.mass), next = s * growth;
        if (!(growth > 0.25 && growth < 4.0) || !is_length(next)) {
            x[Scalar::failed] = 1.0;
            return;
        }
        pass_time(x, 0.5 * t * (s + next));
        x[Scalar::s] = x[Scalar::step_factor] = x[Scalar::step_weight] = next;
        x[Scalar::pi] = momentum / next;
    }
};

} // namespace shadow
