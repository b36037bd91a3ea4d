// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>
#include <cstdint>

namespace shadow {

/// Sums over bonds of solid harmonics of degree 4 and 6, r^-l (x + iy)^m Q_lm(z/r) for m = 0 .. l,
/// where Q_lm is the Legendre function P_lm without its power of the sine. The rotational invariant
/// of a mean over bonds is |q_l|^2 = sum_m w_lm |q_lm|^2 with w_lm = (2 - delta_m0) (l-m)!/(l+m)!,
/// which is 4 pi/(2l+1) sum over all m of |Y_lm|^2.
struct BondHarmonics {
    static constexpr int terms = 12; ///< l = 4: 5, l = 6: 7
    double real[terms], imaginary[terms];

    SHADOW_INLINE void add(const double (&dx)[3], double r2) {
        const double inverse = 1.0 / sqrt(r2);
        const double x = dx[0] * inverse, y = dx[1] * inverse, z = dx[2] * inverse, z2 = z * z;
        const double legendre[terms] = {
            (3.0 + z2 * (-30.0 + z2 * 35.0)) / 8.0,
            2.5 * z * (7.0 * z2 - 3.0),
            7.5 * (7.0 * z2 - 1.0),
            105.0 * z,
            105.0,
            (-5.0 + z2 * (105.0 + z2 * (-315.0 + z2 * 231.0))) / 16.0,
            2.625 * z * (5.0 + z2 * (-30.0 + z2 * 33.0)),
            13.125 * (1.0 + z2 * (-18.0 + z2 * 33.0)),
            157.5 * z * (11.0 * z2 - 3.0),
            472.5 * (11.0 * z2 - 1.0),
            10395.0 * z,
            10395.0,
        };
        double c = 1.0, s = 0.0; // (x + iy)^m
        for (int m = 0; m <= 6; ++m) {
            if (m <= 4) {
                real[m] += legendre[m] * c;
                imaginary[m] += legendre[m] * s;
            }
            real[5 + m] += legendre[5 + m] * c;
            imaginary[5 + m] += legendre[5 + m] * s;
            const double next = c * x - s * y;
            s = c * y + s * x;
            c = next;
        }
    }
    SHADOW_INLINE void add(const BondHarmonics& other) {
        for (int k = 0; k < terms; ++k) {
            real[k] += other.real[k];
            imaginary[k] += other.imaginary[k];
        }
    }
    /// q_4 and q_6 of the sum divided by `bonds`; 0 without bonds.
    SHADOW_INLINE void invariants(double bonds, double& q4, double& q6) const {
        constexpr double weight[terms] = {1.0,
                                          2.0 / 20.0,
                                          2.0 / 360.0,
                                          2.0 / 5040.0,
                                          2.0 / 40320.0,
                                          1.0,
                                          2.0 / 42.0,
                                          2.0 / 1680.0,
                                          2.0 / 60480.0,
                                          2.0 / 1814400.0,
                                          2.0 / 39916800.0,
                                          2.0 / 479001600.0};
        double sum[2] = {0.0, 0.0};
        for (int k = 0; k < terms; ++k)
            sum[k < 5 ? 0 : 1] += weight[k] * (real[k] * real[k] + imaginary[k] * imaginary[k]);
        const double share = bonds > 0.0 ? 1.0 / bonds : 0.0;
        q4 = sqrt(sum[0]) * share;
        q6 = sqrt(sum[1]) * share;
    }
};

/// Local bond order of each particle in 3D, an op of `Sweep`, whose radius it uses.
struct Steinhardt {
    struct Sum {
        BondHarmonics harmonics;
        int neighbours;
    };

    double *q4, *q6, *neighbours; ///< by memory index
    BondHarmonics* harmonics;     ///< may be null

    SHADOW_INLINE Sum begin() const { return Sum{}; }
    SHADOW_INLINE void pair(Sum& sum, const double (&dx)[3], double r2, std::int64_t,
                            std::int64_t) const {
        if (!(r2 > 0.0)) return;
        sum.harmonics.add(dx, r2);
        ++sum.neighbours;
    }
    SHADOW_INLINE void end(std::int64_t i, const Sum& sum) const {
        const double n = sum.neighbours;
        sum.harmonics.invariants(n, q4[i], q6[i]);
        neighbours[i] = n;
        if (harmonics) harmonics[i] = sum.harmonics;
    }
};

/// Sum over particles.
struct SumHarmonics {
    using Value = BondHarmonics;
    const BondHarmonics* harmonics;

    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        sum.add(b);
        return sum;
    }
    SHADOW_FUNCTION Value operator()(std::int64_t i) const { return harmonics[i]; }
};

/// One thread: sums over particles become means; and the order of all bonds.
struct FinishSteinhardt {
    const BondHarmonics* all; ///< may be null
    double particles;
    double* row; ///< sums of q4, q6 and neighbours; after them Q4 and Q6

    SHADOW_FUNCTION void operator()(std::int64_t) const {
        const double bonds = row[2];
        for (int k = 0; k < 3; ++k) row[k] /= particles;
        if (all) all->invariants(bonds, row[3], row[4]);
    }
};

} // namespace shadow
