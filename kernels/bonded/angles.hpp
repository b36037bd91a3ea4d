// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonds.hpp"
#include "kernels/bonded/trigonometry.hpp"

namespace shadow {

/// u = k (theta - theta0)^2 / 2
struct HarmonicAngle {
    double k, theta0;

    template <class T>
    SHADOW_INLINE T slope(T cosine) const {
        // Both are computed from the same cosine, so their quotient is accurate where both tend to
        // zero.
        const T height = sqrt((1.0 - cosine) * (1.0 + cosine)), slope = k * away(cosine);
        const double at_rest = theta0 > 1.0 ? k : -k;
        return height > 1e-8             ? -slope / height
               : fabs(slope) <= 1e-7 * k ? T(at_rest)
                                         : T(0.0 / 0.0);
    }
    SHADOW_INLINE double energy(double cosine) const {
        return 0.5 * k * away(cosine) * away(cosine);
    }
    /// The cosine at rest.
    SHADOW_INLINE double rest() const { return cosine(theta0); }
    template <class T>
    SHADOW_INLINE T away(T cosine) const {
        return arc_cosine(cosine) - theta0;
    }

    static constexpr BondedInfo info{
        .name = "harmonic-angle",
        .kind = BondedKind::angle,
        .summary = "a harmonic force on the angle between two bonds",
        .equation = "u(theta) = k (theta - theta0)^2 / 2",
        .reference = "Leimkuhler and Reich 2004, Simulating Hamiltonian Dynamics, Table 11.1",
        .parameter_count = 2,
        .parameters = {{"k", "energy/radian^2", "stiffness, without the factor 1/2", "75.90",
                        BondedParameter::Range::not_negative},
                       {"theta0", "degree", "rest angle", "113.24", BondedParameter::Range::angle}},
        .infinite = "where its particles are in line and theta0 is another angle"};
    static HarmonicAngle from(const double* p) { return {p[0], p[1]}; }
};

/// u = k (1 + cos(theta))
struct CosineAngle {
    double k;

    template <class T>
    SHADOW_INLINE T slope(T) const {
        return T(k);
    }
    SHADOW_INLINE double energy(double cosine) const { return k * (1.0 + cosine); }

    static constexpr BondedInfo info{
        .name = "cosine-angle",
        .kind = BondedKind::angle,
        .summary = "bending stiffness of a chain; zero where it is straight",
        .equation = "u(theta) = k (1 + cos(theta))",
        .reference = "Faller, Kolb and Müller-Plathe 1999, Phys. Chem. Chem. Phys. 1, 2071",
        .parameter_count = 1,
        .parameters = {{"k", "energy", "stiffness", "1.5"}}};
    static CosineAngle from(const double* p) { return {p[0]}; }
};

/// u = k (r13 - r0)^2 / 2
struct UreyBradley {
    HarmonicBond ends;

    template <class T>
    SHADOW_INLINE T slope(T r2) const {
        return ends.slope(r2);
    }
    SHADOW_INLINE double energy(double r2) const { return ends.energy(r2); }

    static constexpr BondedInfo info{
        .name = "urey-bradley",
        .kind = BondedKind::angle,
        .summary = "a spring between the outer atoms of an angle, by itself or together with a "
                   "force on the angle",
        .equation = "u(r) = k (r - r0)^2 / 2, r between the first and the third atom",
        .reference = "Urey and Bradley 1931, Phys. Rev. 38, 1969",
        .parameter_count = 2,
        .parameters = {{"k", "energy/length^2", "stiffness, without the factor 1/2", "20.0",
                        BondedParameter::Range::not_negative},
                       {"r0", "length", "rest length", "1.6",
                        BondedParameter::Range::not_negative}},
        .of_ends = true};
    static UreyBradley from(const double* p) { return {HarmonicBond::from(p)}; }
};

} // namespace shadow
