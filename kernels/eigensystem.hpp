// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/tensor.hpp"

#include <cmath>

namespace shadow {

/// Eigenvalues and eigenvectors of a symmetric tensor, by Jacobi's rotations (Golub and Van Loan
/// 2013, section 8.5).
template <int Dim>
struct Eigensystem {
    double value[Dim];
    double vector[Dim][Dim]; ///< by column

    SHADOW_INLINE explicit Eigensystem(const SymmetricTensor<Dim>& tensor) {
        double a[Dim][Dim];
        for (int i = 0; i < Dim; ++i)
            for (int j = 0; j < Dim; ++j) {
                a[i][j] = tensor.component[tensor_index<Dim>(i, j)];
                vector[i][j] = i == j ? 1.0 : 0.0;
            }
        // Each sweep squares the off-diagonal elements: after six only rounding is left.
        constexpr int sweeps = Dim > 2 ? 6 : 1;
        for (int sweep = 0; sweep < sweeps; ++sweep)
            for (int i = 0; i + 1 < Dim; ++i)
                for (int j = i + 1; j < Dim; ++j) rotate(a, i, j);
        for (int i = 0; i < Dim; ++i) value[i] = a[i][i];
    }

  private:
    SHADOW_INLINE void rotate(double (&a)[Dim][Dim], int i, int j) {
        if (std::abs(a[i][j]) <= 1e-17 * (std::abs(a[i][i]) + std::abs(a[j][j]))) return;
        const double half = 0.5 * (a[j][j] - a[i][i]) / a[i][j];
        const double t = (half < 0.0 ? -1.0 : 1.0) / (std::abs(half) + sqrt(1.0 + half * half));
        const double c = 1.0 / sqrt(1.0 + t * t), s = t * c;
        for (int k = 0; k < Dim; ++k) turn(a[k][i], a[k][j], c, s);
        for (int k = 0; k < Dim; ++k) turn(a[i][k], a[j][k], c, s);
        for (int k = 0; k < Dim; ++k) turn(vector[k][i], vector[k][j], c, s);
    }
    static SHADOW_INLINE void turn(double& x, double& y, double c, double s) {
        const double before = x;
        x = c * before - s * y;
        y = s * before + c * y;
    }
};

} // namespace shadow
