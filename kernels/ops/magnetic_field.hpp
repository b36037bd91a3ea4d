// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>

namespace shadow {

/// A uniform magnetic field B in which charges gyrate in the absence of other forces: p' = (q/m) p
/// x B. That motion is exact (Leimkuhler and Reich 2004, section 4.4.1, after Scovel), also in 2D,
/// where B is perpendicular to the plane.
struct MagneticField {
    double field[3] = {};
    const double* ratio = nullptr; ///< of charge to mass, by species; null: there is no field

    [[nodiscard]] SHADOW_INLINE bool any() const { return ratio != nullptr; }

    /// The motion of a species over a time t: with b = q B/m and u = p x b
    ///
    ///     p <- p + first u + second u x b,  q <- q + (t p + second u + third u x b) / m.
    struct Turn {
        double b[3];
        double time, first, second, third;
    };
    [[nodiscard]] SHADOW_INLINE Turn turn(int species, double t) const {
        Turn of{};
        double square = 0.0;
        for (int d = 0; d < 3; ++d) {
            of.b[d] = ratio[species] * field[d];
            square += of.b[d] * of.b[d];
        }
        of.time = t;
        const double angle2 = square * t * t;
        if (angle2 < 1e-2) { // the next term of Taylor's series is 1e-17
            const double a = angle2;
            of.first = t * (1.0 - a / 6.0 * (1.0 - a / 20.0 * (1.0 - a / 42.0 * (1.0 - a / 72.0))));
            of.second = 0.5 * t * t *
                        (1.0 - a / 12.0 * (1.0 - a / 30.0 * (1.0 - a / 56.0 * (1.0 - a / 90.0))));
            of.third = t * t * t / 6.0 *
                       (1.0 - a / 20.0 * (1.0 - a / 42.0 * (1.0 - a / 72.0 * (1.0 - a / 110.0))));
            return of;
        }
        const double rate = sqrt(square), half = sin(0.5 * rate * t);
        of.first = sin(rate * t) / rate;
        of.second = 2.0 * half * half / square;
        of.third = (t - of.first) / square;
        return of;
    }
    /// For one particle.
    template <int Dim>
    static SHADOW_INLINE void move(const Turn& of, double inverse_mass, double (&x)[Dim],
                                   double (&p)[Dim]) {
        double momentum[3] = {}, u[3], v[3];
        for (int d = 0; d < Dim; ++d) momentum[d] = p[d];
        cross(momentum, of.b, u);
        cross(u, of.b, v);
        for (int d = 0; d < Dim; ++d) {
            x[d] += inverse_mass * (of.time * p[d] + of.second * u[d] + of.third * v[d]);
            p[d] += of.first * u[d] + of.second * v[d];
        }
    }

  private:
    static SHADOW_INLINE void cross(const double (&a)[3], const double (&b)[3], double (&c)[3]) {
        for (int d = 0; d < 3; ++d) {
            const int e = (d + 1) % 3, f = (d + 2) % 3;
            c[d] = a[e] * b[f] - a[f] * b[e];
        }
    }
};

} // namespace shadow
