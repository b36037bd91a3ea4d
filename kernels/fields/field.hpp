// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"
#include "kernels/views.hpp"

#include <cmath>

/// The interface of the external fields of this folder.
///
/// A field is a struct template in the dimension, *all of whose members are of type double*, so
/// that it is also an array of numbers. It has
///     FieldResult<Dim> operator()(const double (&x)[Dim]) const   x: the unwrapped position
///     double gradient(int d) const         component of the vector along which the energy varies;
///                                          of a separable field for each direction separately
///     static constexpr FieldInfo info                  its description and parameters
///     static Field from(const double* p, const BoxView<Dim>& box)
///                              p: the numbers of `info.parameters`, in that order, vectors as Dim
/// and optionally
///     double largest_curvature(double factor, int a, int b) const
///                              of `factor` times its energy: a component of a tensor that bounds
///                              the second derivatives along any direction from above
///     static const char* problem(const double* p, const BoxView<Dim>& box)
///                              null, or the problem: `<problem> (<why>); <what to do>`
namespace shadow {

template <int Dim>
struct FieldResult {
    double force[Dim], u;
};

struct FieldParameter {
    enum class Kind { number, vector };
    enum class Range { any, positive, not_negative };
    const char* name;
    const char* unit;
    const char* meaning;
    const char* example; ///< in three dimensions
    Kind kind = Kind::number;
    Range range = Range::any;
    bool required = true; ///< if not, the default is zero
};

struct FieldInfo {
    const char* name; ///< as written in the input
    const char* summary;
    const char* equation;
    const char* reference;
    int parameter_count;
    FieldParameter parameters[4];
    /// The field may depend on open directions only, as it would be discontinuous at the faces of a
    /// periodic box.
    bool in_open_directions = false;
    bool uniform = false; ///< the force is the same everywhere
    /// A sum over directions, or a function of the distance from a centre; else a function of the
    /// component along one vector.
    bool separable = false;
    bool linear = false; ///< each component of the force is a linear function of the same component
                         ///< of the position
    bool couples = false; ///< may act in proportion to the mass or charge of a particle
};

} // namespace shadow
