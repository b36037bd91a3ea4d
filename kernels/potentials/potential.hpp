// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"
#include "kernels/math.hpp"

/// The interface of the potentials of this folder.
///
/// A potential is a struct template in its number type T (float, double, long double or a SIMD
/// pack), *all of whose members are of type T*, so that it is also an array of T. It has
///     PairResult<T> operator()(T r2) const             r2 > 0 is the squared distance
///     static constexpr PotentialInfo info              its description and parameters
///     static Potential from(const double* p, double cutoff)
///                                        p: the numbers of `info.parameters`, in that order
/// and optionally
///     static double implied_cutoff(const double* p)    where the potential ends by itself
///     static double tail_integral(const double* p, double cutoff, int dim)
///                                        integral of u(r) r^(dim-1) from the cut-off to infinity,
///                                        infinite if it does not exist
///     static const char* problem(const double* p)      why the numbers of a pair do not go
///                                        together, as in a message; null: they do
///     static constexpr bool is_costly                  see `is_costly_potential`
namespace shadow {

/// The force on i is `f_over_r * (x_i - x_j)`; f_over_r = -u'(r) / r.
template <class T>
struct PairResult {
    T f_over_r, u;
};

/// Does it need so many operations that a pair loop should drop pairs beyond the cut-off before
/// evaluating it? A potential declares this by a member `is_costly`.
template <class Potential>
constexpr bool is_costly_potential() {
    if constexpr (requires { Potential::is_costly; })
        return Potential::is_costly;
    else
        return false;
}

/// The allowed values of a parameter.
enum class NumberRange {
    usual,         ///< above zero, or zero too for an energy
    any,           ///< also zero and below
    permittivity,  ///< one or above, or infinite: a conductor
    zero_or_above, ///< zero if not given
    internal       ///< not a key of the input, where it is zero
};

/// The source of the first parameter of a potential.
enum class PairStrength {
    given,   ///< it is in the input
    charges, ///< k q_i q_j
    planar,  ///< strength q_i q_j: charges of two-dimensional electrostatics
    masses   ///< -g m_i m_j
};

struct PotentialParameter {
    const char* name;
    const char* unit; ///< "energy" and "length" take part in mixing rules, others must agree
    const char* meaning;
    const char* alias = nullptr; ///< another name, whose value is multiplied by `factor`
    double factor = 1.0;
    NumberRange range = NumberRange::usual;
    const char* example = nullptr; ///< null: 1.0 if it has a unit, else 12.0
};

struct PotentialInfo {
    const char* name; ///< as written in the input
    const char* summary;
    const char* equation;
    const char* reference;
    int parameter_count;
    PotentialParameter parameters[4];
    PairStrength strength = PairStrength::given;

    /// Is the first parameter a key of the input?
    [[nodiscard]] constexpr bool strength_given() const { return strength == PairStrength::given; }
};

/// Integral of r^(dim-1-n) from `cutoff` to infinity.
inline double inverse_power_tail(double n, double cutoff, int dim) {
    return n > dim ? std::pow(cutoff, dim - n) / (n - dim) : HUGE_VAL;
}

} // namespace shadow
