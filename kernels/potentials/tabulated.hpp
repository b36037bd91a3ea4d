// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/truncation.hpp"

#include <cstdint>
#include <type_traits>

namespace shadow {

/// A cubic in x = s - s_0 on one interval of s = r^2: the energy and f = -u'(r)/r = -2 du/ds are
///
///     f = f_0 + x (f_1 + x f_2),   u = u_0 - x/2 (f_0 + x (f_1/2 + x f_2/3))
template <class T>
struct SplineSegment {
    T f0, f1, f2, u0;
    T x;

    SHADOW_INLINE PairResult<T> operator()() const {
        return {f0 + x * (f1 + x * f2),
                u0 - T(0.5) * x * (f0 + x * (T(0.5) * f1 + x * (T(1.0 / 3.0) * f2)))};
    }
};

/// Numbers of a segment in a table.
inline constexpr int segment_numbers = 4;

/// The format of a number: mantissa bits after an exponent.
template <class T>
struct NumberBits;
template <>
struct NumberBits<float> {
    using Integer = std::int32_t;
    using Unsigned = std::uint32_t;
    static constexpr int mantissa = 23;
    static constexpr Integer bias = 127;
};
template <>
struct NumberBits<double> {
    using Integer = std::int64_t;
    using Unsigned = std::uint64_t;
    static constexpr int mantissa = 52;
    static constexpr Integer bias = 1023;
};

/// Finds the segment of a table that contains a number. Knots divide each power of two into
/// 2^fineness equal intervals. The knot below s is s without the last bits of its mantissa; the
/// exponent with the first mantissa bits, read as an integer, is its number (Wolff and Rudd 1999,
/// Comput. Phys. Commun. 120, 20).
template <class T>
struct SegmentPlace {
    T first;    ///< index of the segment that would begin at 1
    T fineness; ///< an integer
};

/// The segment that contains `within`; its x is measured to s.
template <ScalarNumber T>
SHADOW_INLINE SplineSegment<T> find_segment(T s, T within, const SegmentPlace<T>& place,
                                            const T* table) {
    using Bits = NumberBits<T>;
    using Integer = typename Bits::Integer;
    const auto fineness = static_cast<int>(place.fineness);
    const int dropped = Bits::mantissa - fineness;
    const Integer knot = __builtin_bit_cast(Integer, within) >> dropped;
    const Integer segment = knot - (Bits::bias << fineness) + static_cast<Integer>(place.first);
    const T x = s - __builtin_bit_cast(T, knot << dropped);
    const T* c = table + segment_numbers * segment;
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, float>) {
        const float4 all = *reinterpret_cast<const float4*>(c);
        return {all.x, all.y, all.z, all.w, x};
    } else {
        const double2 low = reinterpret_cast<const double2*>(c)[0];
        const double2 high = reinterpret_cast<const double2*>(c)[1];
        return {low.x, low.y, high.x, high.y, x};
    }
#else
    return {c[0], c[1], c[2], c[3], x};
#endif
}

/// A pair potential given as a curve (src/forces/pair_curve.hpp), with any ending. The segments
/// follow the rows of the pairs of species; one more segment before `begin` is for closer pairs.
struct Tabulated {
    static constexpr bool always_shifted = true;
    template <class>
    static constexpr bool is_costly(Ending) {
        return true;
    }
    /// How many of the numbers of `Of`, from the first, differ between the rows of a table.
    static constexpr int fields_that_differ = 2;

    template <class T>
    struct Of {
        T cutoff2;
        SegmentPlace<T> place;
        T begin;

        /// r2, limited to the range of the table.
        SHADOW_INLINE T within(T r2) const {
            const T above = select(begin < r2, r2, begin);
            return select(above < cutoff2, above, cutoff2);
        }
        template <class Number>
        SHADOW_INLINE PairResult<T> operator()(T r2, Ending, const Number* table) const {
            return find_segment(r2, within(r2), place, table)();
        }
    };
};

/// Evaluates one pair; `table` has the rows of the interaction.
template <class Interaction, class T, class Number>
SHADOW_INLINE PairResult<T> evaluate(const Interaction& interaction, T r2, Ending ending,
                                     const Number* table) {
    if constexpr (requires { interaction(r2, ending, table); })
        return interaction(r2, ending, table);
    else
        return interaction(r2, ending);
}

} // namespace shadow
