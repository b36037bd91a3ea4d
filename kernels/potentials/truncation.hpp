// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/potentials/potential.hpp"

#include <cstddef>

namespace shadow {

/// The parts of `Truncated` that an evaluation needs, each with all before it: a shift of the
/// energy, a slope (force-shift), a switching function, and the removal of a core.
enum class Ending { shifted, sloped, switched, split };

/// r; 0 if r2 is 0, where there is no inverse.
template <class T>
SHADOW_INLINE T distance_of(T r2, T inverse_r) {
    return select(T(0) < r2, r2 * inverse_r, T(0));
}

/// Ends a potential smoothly: unchanged below `begin`, a Hermite polynomial P(x) of x = (r - begin)
/// / (end - begin) in between, 0 beyond `end`. Matching m derivatives (value included) at both ends
/// makes it C^(m-1) (Leimkuhler and Reich 2004, chapter 11, exercise 1). begin = infinity changes
/// nothing; end = 0 gives 0 everywhere.
template <class T>
struct SwitchingFunction {
    T begin, end, inverse_length;
    T c[6];

    SHADOW_INLINE PairResult<T> operator()(const PairResult<T>& base, T r, T inverse_r) const {
        const T x = (r - begin) * inverse_length;
        const T p = c[0] + x * (c[1] + x * (c[2] + x * (c[3] + x * (c[4] + x * c[5]))));
        const T slope =
            c[1] + x * (T(2) * c[2] + x * (T(3) * c[3] + x * (T(4) * c[4] + x * (T(5) * c[5]))));
        const auto before = r < begin;
        const auto within = r < end;
        return {select(before, base.f_over_r,
                       select(within, -slope * inverse_length * inverse_r, T(0))),
                select(before, base.u, select(within, p, T(0)))};
    }
};

/// A potential and how it ends. With b(r) = u(r) - shift - slope r this is tail(b) - core(b):
/// `shift` and `slope` make shifted and force-shifted potentials, `tail` smooth ones, and `core`
/// removes the fast part of a potential that is split by distance. `ending` gives the parts that
/// are present; the others are not computed.
template <template <class> class Potential>
struct Truncated {
    static constexpr bool always_shifted = false;
    template <class T>
    static constexpr bool is_costly(Ending ending) {
        return ending >= Ending::switched || is_costly_potential<Potential<T>>();
    }

    /// How many of the numbers of `Of`, from the first, an evaluation with this ending reads.
    static constexpr int fields_read(Ending ending) {
        using All = Of<double>;
        constexpr std::size_t ends[] = {offsetof(All, slope), offsetof(All, tail),
                                        offsetof(All, core), sizeof(All)};
        return static_cast<int>(ends[static_cast<int>(ending)] / sizeof(double));
    }

    template <class T>
    struct Of {
        T cutoff2; ///< the cut-off that the caller applies; may be infinite
        Potential<T> potential;
        T shift, slope;
        SwitchingFunction<T> tail, core;

        SHADOW_INLINE PairResult<T> operator()(T r2, Ending ending) const {
            PairResult<T> base = potential(r2);
            base.u = base.u - shift;
            if (ending == Ending::shifted) return base;
            const T inverse_r = inverse_sqrt(r2);
            const T r = distance_of(r2, inverse_r);
            base.f_over_r = base.f_over_r + slope * inverse_r;
            base.u = base.u - slope * r;
            if (ending == Ending::sloped) return base;
            const PairResult<T> whole = tail(base, r, inverse_r);
            if (ending == Ending::switched) return whole;
            const PairResult<T> less = core(base, r, inverse_r);
            return {whole.f_over_r - less.f_over_r, whole.u - less.u};
        }
    };
};

/// The common case in a loop of its own: a potential that is cut, or cut and shifted.
template <template <class> class Potential>
struct Plain {
    static constexpr bool always_shifted = true;
    template <class T>
    static constexpr bool is_costly(Ending) {
        return is_costly_potential<Potential<T>>();
    }

    template <class T>
    struct Of {
        T cutoff2;
        Potential<T> potential;
        T shift;

        SHADOW_INLINE PairResult<T> operator()(T r2, Ending) const {
            PairResult<T> result = potential(r2);
            result.u = result.u - shift;
            return result;
        }
    };
};

/// Dispersion and charges in one pass over the pairs. Charges have a shift, damped ones a slope
/// too; these numbers include the shift and the slope of the dispersion.
template <template <class> class Dispersion, template <class> class Electrostatic>
struct PlainSum {
    static constexpr bool always_shifted = true;
    template <class T>
    static constexpr bool is_costly(Ending) {
        return is_costly_potential<Electrostatic<T>>();
    }

    template <class T>
    struct Of {
        T cutoff2;
        Dispersion<T> dispersion;
        Electrostatic<T> electrostatic;

        SHADOW_INLINE PairResult<T> operator()(T r2, Ending) const {
            const PairResult<T> a = dispersion(r2);
            const PairResult<T> b = electrostatic(r2);
            return {a.f_over_r + b.f_over_r, a.u + b.u};
        }
    };
};

/// The same with a switching function for the dispersion.
template <template <class> class Dispersion, template <class> class Electrostatic>
struct SwitchedSum {
    static constexpr bool always_shifted = true;
    template <class T>
    static constexpr bool is_costly(Ending) {
        return true;
    }

    template <class T>
    struct Of {
        T cutoff2;
        Dispersion<T> dispersion;
        SwitchingFunction<T> tail; ///< of the dispersion
        Electrostatic<T> electrostatic;

        SHADOW_INLINE PairResult<T> operator()(T r2, Ending) const {
            const T inverse_r = inverse_sqrt(r2);
            const PairResult<T> a = tail(dispersion(r2), distance_of(r2, inverse_r), inverse_r);
            const PairResult<T> b = electrostatic(r2);
            return {a.f_over_r + b.f_over_r, a.u + b.u};
        }
    };
};

/// The count of numbers in one row of an interaction's table.
template <class Interaction>
inline constexpr int field_count =
    static_cast<int>(sizeof(typename Interaction::template Of<double>) / sizeof(double));

/// How many of them, from the first, an evaluation with this ending reads for each pair of species.
template <class Interaction>
constexpr int fields_read(Ending ending) {
    if constexpr (requires { Interaction::fields_that_differ; })
        return Interaction::fields_that_differ;
    else if constexpr (Interaction::always_shifted)
        return field_count<Interaction>;
    else
        return Interaction::fields_read(ending);
}

} // namespace shadow
