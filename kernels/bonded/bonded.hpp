// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"

#include <cmath>

/// The interface of the bonded potentials of this folder.
///
/// A bonded potential is a struct, *all of whose members are of type double*, so that it is also an
/// array of numbers. It is a function of the variable x of its kind (BondedKind) and has
///     T slope(T x) const                   du/dx; of a bond u'(r) / r instead;
///                                          a template: T is double, or Dual (kernels/dual.hpp)
///                                          where forces are differentiated
///     double energy(double x) const
///     static constexpr BondedInfo info     its description and parameters
///     static Form from(const double* p)    p: the numbers of `info.parameters`, in that order,
///                                          angles in radians
/// and for a bond optionally
///     bool is_linear() const               is its force linear in positions?
/// Where it is infinite it returns NaN, so that the run stops. The derivative of an angle's energy
/// with respect to cos(theta) is u'(theta) / -sin(theta): for collinear particles it is the limit
/// if u' is zero there, else NaN.
namespace shadow {

/// The particles and the variable: r^2 of a bond; cos(theta) of an angle, at its second particle;
/// phi in (-pi, pi] of a dihedral, 0 if the first and the last particle are on the same side (IUPAC
/// 1974). An improper is a dihedral between particles that are not bonded in a chain.
enum class BondedKind { bond, angle, dihedral, improper };

[[nodiscard]] SHADOW_INLINE constexpr int members_of(BondedKind kind) {
    return kind == BondedKind::bond ? 2 : kind == BondedKind::angle ? 3 : 4;
}

struct BondedParameter {
    enum class Range { any, positive, not_negative, whole, angle };
    const char* name;
    const char* unit; ///< "degree": in degrees in the input, in radians in the kernels
    const char* meaning;
    const char* example;
    Range range = Range::any;
};

struct BondedInfo {
    const char* name; ///< as written in the input
    BondedKind kind;
    const char* summary;
    const char* equation;
    const char* reference;
    int parameter_count;
    BondedParameter parameters[6];
    const char* infinite = ""; ///< where the potential is infinite, in words
    bool internal = false;     ///< follows from other forces; at the end of the list
    bool of_ends = false; ///< of an angle whose variable is r^2 between its ends, not cos(theta)
};

} // namespace shadow
