// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/mesh/charge_mesh.hpp"

/// Transforms of a mesh on a GPU without a library (kernels/mesh/transform.hpp).
namespace shadow {

/// One stage along one direction, a thread for each butterfly. Numbers along it are `inner` apart;
/// `inner` lines are adjacent, and such blocks are `from_pitch` and `to_pitch` apart.
template <class T>
struct TransformStage {
    FourierAxis<T> axis;
    std::int32_t stage, stride;
    bool back; ///< with real and imaginary parts exchanged
    std::int64_t inner, from_pitch, to_pitch;
    const Mode<T>* from;
    Mode<T>* to;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const std::int32_t radix = axis.radix[stage];
        const std::int64_t parts = axis.count / radix;
        const auto part = static_cast<std::int32_t>(i / inner % parts);
        const std::int64_t block = i / inner / parts;
        const Mode<T>* const source = from + block * from_pitch + i % inner;
        Mode<T>* const target = to + block * to_pitch + i % inner;
        if (radix == 2) run<2>(source, target, part);
        if (radix == 3) run<3>(source, target, part);
        if (radix == 4) run<4>(source, target, part);
        if (radix == 5) run<5>(source, target, part);
    }

  private:
    struct Load {
        const Mode<T>* line;
        std::int64_t inner;
        bool back;
        SHADOW_INLINE ComplexNumber<T> operator()(std::int32_t n) const {
            const Mode<T> x = line[n * inner];
            return back ? ComplexNumber<T>{x.imaginary, x.real}
                        : ComplexNumber<T>{x.real, x.imaginary};
        }
    };
    struct Store {
        Mode<T>* line;
        std::int64_t inner;
        bool back;
        SHADOW_INLINE void operator()(std::int32_t n, ComplexNumber<T> x) const {
            line[n * inner] = back ? Mode<T>{x.imaginary, x.real} : Mode<T>{x.real, x.imaginary};
        }
    };
    template <int radix>
    SHADOW_INLINE void run(const Mode<T>* source, Mode<T>* target, std::int32_t part) const {
        fourier_stage<radix, T>(axis, stride, part / stride, part % stride,
                                Load{source, inner, back}, Store{target, inner, back});
    }
};

/// Pairs of adjacent real numbers, transformed as complex numbers, become the first half and one of
/// the modes of the line; or back. A thread for two modes, in place.
template <class T>
struct SplitLines {
    FourierAxis<T> axis; ///< of the real numbers
    bool back;
    Mode<T>* modes;

    SHADOW_FUNCTION void operator()(std::int64_t i) const {
        const std::int32_t half = axis.count / 2, parts = half / 2 + 1;
        const auto k = static_cast<std::int32_t>(i % parts);
        Mode<T>* const line = modes + i / parts * (half + 1);
        // The line of pairs has one number less: it is periodic.
        const Mode<T> x = line[k], y = line[k == 0 && !back ? 0 : half - k];
        const ComplexNumber<T> a{x.real, x.imaginary}, b{y.real, -y.imaginary};
        const ComplexNumber<T> turn{axis.twiddle[2 * k], -axis.twiddle[2 * k + 1]};
        const ComplexNumber<T> sum = a + b, difference = (a - b).turned();
        if (back) {
            // i times what is turned back, and -1 of it is (a - b) turned.
            store(line, k, half - k, sum, ComplexNumber<T>{} - difference * turn.conjugate());
        } else {
            const T middle(0.5);
            store(line, k, half - k, sum.times(middle), (difference * turn).times(middle));
        }
    }

  private:
    static SHADOW_INLINE void store(Mode<T>* line, std::int32_t k, std::int32_t other,
                                    ComplexNumber<T> even, ComplexNumber<T> odd) {
        const ComplexNumber<T> sum = even + odd, difference = (even - odd).conjugate();
        line[other] = {difference.real, difference.imaginary};
        line[k] = {sum.real, sum.imaginary};
    }
};

} // namespace shadow
