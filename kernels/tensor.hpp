// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

namespace shadow {

/// The number of components of a symmetric tensor.
template <int Dim>
inline constexpr int tensor_size = Dim*(Dim + 1) / 2;

/// The component of directions a and b: the diagonal first, then xy; or xy, xz, yz.
template <int Dim>
[[nodiscard]] SHADOW_INLINE constexpr int tensor_index(int a, int b) {
    return a == b ? a : Dim + a + b - 1;
}

template <int Dim>
struct SymmetricTensor {
    double component[tensor_size<Dim>];

    [[nodiscard]] SHADOW_INLINE double trace() const {
        double sum = component[0];
        for (int d = 1; d < Dim; ++d) sum += component[d];
        return sum;
    }
    SHADOW_INLINE void add(const SymmetricTensor& other) {
        for (int k = 0; k < tensor_size<Dim>; ++k) component[k] += other.component[k];
    }
};

/// Sum of tensors as the base of reductions.
template <int Dim>
struct TensorSum {
    using Value = SymmetricTensor<Dim>;
    static SHADOW_FUNCTION Value identity() { return Value{}; }
    static SHADOW_FUNCTION Value combine(const Value& a, const Value& b) {
        Value sum = a;
        sum.add(b);
        return sum;
    }
};

} // namespace shadow
