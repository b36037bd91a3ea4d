// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"
#include "kernels/bonded/trigonometry.hpp"

namespace shadow {

/// Where a dihedral angle is undefined.
inline constexpr const char* in_line = "where three of its atoms are in line";

/// u = k (1 + cos(n phi - phase))
struct PeriodicDihedral {
    double k, n, phase;

    template <class T>
    SHADOW_INLINE T slope(T phi) const {
        return -k * n * sine(n * phi - phase);
    }
    SHADOW_INLINE double energy(double phi) const { return k * (1.0 + cosine(n * phi - phase)); }

    static constexpr BondedInfo info{
        .name = "periodic-dihedral",
        .kind = BondedKind::dihedral,
        .summary = "barriers to the rotation about a bond; several of them are a Fourier series",
        .equation = "u(phi) = k (1 + cos(n phi - phase))",
        .reference = "Leimkuhler and Reich 2004, Simulating Hamiltonian Dynamics, Table 11.1",
        .parameter_count = 3,
        .parameters = {{"k", "energy", "half of the barrier", "1.4"},
                       {"n", "", "number of minima in a full rotation", "3",
                        BondedParameter::Range::whole},
                       {"phase", "degree", "n times the angle of a barrier", "0.0"}},
        .infinite = in_line};
    static PeriodicDihedral from(const double* p) { return {p[0], p[1], p[2]}; }
};

/// u = sum of c_n cos(psi)^n, psi = phi - pi
struct RyckaertBellemans {
    double c[6];

    template <class T>
    SHADOW_INLINE T slope(T phi) const {
        const T x = -cosine(phi);
        T derivative = T(0.0);
        for (int n = 5; n > 0; --n) derivative = derivative * x + n * c[n];
        return derivative * sine(phi);
    }
    SHADOW_INLINE double energy(double phi) const {
        const double x = -cosine(phi);
        double sum = 0.0;
        for (int n = 5; n >= 0; --n) sum = sum * x + c[n];
        return sum;
    }

    static constexpr BondedInfo info{
        .name = "ryckaert-bellemans",
        .kind = BondedKind::dihedral,
        .summary = "rotation about the bonds of an alkane; trans is psi = 0",
        .equation = "u(phi) = sum over n from 0 to 5 of c_n cos(psi)^n, psi = phi - 180 degrees",
        .reference = "Ryckaert and Bellemans 1975, Chem. Phys. Lett. 30, 123",
        .parameter_count = 6,
        .parameters = {{"c0", "energy", "coefficient of cos(psi)^0", "9.28"},
                       {"c1", "energy", "coefficient of cos(psi)^1", "12.16"},
                       {"c2", "energy", "coefficient of cos(psi)^2", "-13.12"},
                       {"c3", "energy", "coefficient of cos(psi)^3", "-3.06"},
                       {"c4", "energy", "coefficient of cos(psi)^4", "26.24"},
                       {"c5", "energy", "coefficient of cos(psi)^5", "-31.5"}},
        .infinite = in_line};
    static RyckaertBellemans from(const double* p) {
        return {{p[0], p[1], p[2], p[3], p[4], p[5]}};
    }
};

/// u = k (phi - phi0)^2 / 2, by the shorter way around
struct HarmonicImproper {
    double k, phi0;

    template <class T>
    SHADOW_INLINE T away(T phi) const {
        constexpr double turn = 2.0 * detail::pi;
        return phi - phi0 - turn * nearbyint((phi - phi0) / turn);
    }
    template <class T>
    SHADOW_INLINE T slope(T phi) const {
        return k * away(phi);
    }
    SHADOW_INLINE double energy(double phi) const { return 0.5 * k * away(phi) * away(phi); }

    static constexpr BondedInfo info{
        .name = "harmonic-improper",
        .kind = BondedKind::improper,
        .summary = "keeps four particles in a plane, or to one side of it",
        .equation = "u(phi) = k (phi - phi0)^2 / 2, by the shorter way around",
        .reference = "Brooks et al. 1983, J. Comput. Chem. 4, 187",
        .parameter_count = 2,
        .parameters = {{"k", "energy/radian^2", "stiffness, without the factor 1/2", "21.0",
                        BondedParameter::Range::not_negative},
                       {"phi0", "degree", "rest angle", "0.0"}},
        .infinite = in_line};
    static HarmonicImproper from(const double* p) { return {p[0], p[1]}; }
};

} // namespace shadow
