// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"

namespace shadow {

/// u = k (r - r0)^2 / 2
struct HarmonicBond {
    double k, r0;

    template <class T>
    SHADOW_INLINE T slope(T r2) const {
        return r0 > 0.0 ? k - k * r0 / sqrt(r2) : T(k);
    }
    SHADOW_INLINE double energy(double r2) const {
        const double away = sqrt(r2) - r0;
        return 0.5 * k * away * away;
    }
    /// r^2 at rest.
    SHADOW_INLINE double rest() const { return r0 * r0; }
    /// Is the force a linear function of positions?
    [[nodiscard]] bool is_linear() const { return r0 == 0.0; }

    static constexpr BondedInfo info{
        .name = "harmonic-bond",
        .kind = BondedKind::bond,
        .summary = "a spring between two particles",
        .equation = "u(r) = k (r - r0)^2 / 2",
        .reference = "Leimkuhler and Reich 2004, Simulating Hamiltonian Dynamics, Table 11.1",
        .parameter_count = 2,
        .parameters = {
            {"k", "energy/length^2", "stiffness, without the factor 1/2", "1059.162",
             BondedParameter::Range::not_negative},
            {"r0", "length", "rest length", "1.012", BondedParameter::Range::not_negative}}};
    static HarmonicBond from(const double* p) { return {p[0], p[1]}; }
};

/// u = -k R0^2 ln(1 - r^2/R0^2) / 2
struct FeneBond {
    double scale, r_max2; ///< k R0^2, R0^2

    template <class T>
    SHADOW_INLINE T left(T r2) const {
        return r2 < r_max2 ? r_max2 - r2 : T(0.0 / 0.0);
    }
    template <class T>
    SHADOW_INLINE T slope(T r2) const {
        return scale / left(r2);
    }
    SHADOW_INLINE double energy(double r2) const { return -0.5 * scale * log(left(r2) / r_max2); }

    static constexpr BondedInfo info{
        .name = "fene-bond",
        .kind = BondedKind::bond,
        .summary = "a finitely extensible spring, which beads of a chain "
                   "need in addition to their repulsion (not part of it)",
        .equation = "u(r) = -k r_max^2 ln(1 - (r/r_max)^2) / 2",
        .reference = "Kremer and Grest 1990, J. Chem. Phys. 92, 5057",
        .parameter_count = 2,
        .parameters = {{"k", "energy/length^2", "stiffness", "30.0",
                        BondedParameter::Range::positive},
                       {"r_max", "length", "length that no bond reaches", "1.5",
                        BondedParameter::Range::positive}},
        .infinite = "from r_max on"};
    static FeneBond from(const double* p) { return {p[0] * p[1] * p[1], p[1] * p[1]}; }
};

/// u = D (1 - exp(-a (r - r0)))^2
struct MorseBond {
    double depth, a, r0;

    template <class T>
    SHADOW_INLINE T slope(T r2) const {
        const T r = sqrt(r2), e = exp(-a * (r - r0));
        return 2.0 * depth * a * e * (1.0 - e) / r;
    }
    SHADOW_INLINE double energy(double r2) const {
        const double left = 1.0 - exp(-a * (sqrt(r2) - r0));
        return depth * left * left;
    }
    SHADOW_INLINE double rest() const { return r0 * r0; }

    static constexpr BondedInfo info{
        .name = "morse-bond",
        .kind = BondedKind::bond,
        .summary = "a bond that can break; its energy is 0 at the rest length",
        .equation = "u(r) = depth (1 - exp(-a (r - r0)))^2",
        .reference = "Morse 1929, Phys. Rev. 34, 57",
        .parameter_count = 3,
        .parameters = {
            {"depth", "energy", "depth of the well", "100.0", BondedParameter::Range::not_negative},
            {"a", "1/length", "inverse width", "2.0", BondedParameter::Range::positive},
            {"r0", "length", "rest length", "1.0", BondedParameter::Range::not_negative}}};
    static MorseBond from(const double* p) { return {p[0], p[1], p[2]}; }
};

} // namespace shadow
