// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/macros.hpp"
#include "kernels/variables/baths.hpp"
#include "kernels/variables/box.hpp"
#include "kernels/variables/steps.hpp"
#include "kernels/variables/system.hpp"

#include <concepts>
#include <type_traits>

namespace shadow {

/// Parts of an ensemble, one after another. A part is a template over its first slot: its variables
/// have names, and rows of variables extend up to the next name; from `of_stage` on they are 0 at
/// the start of each stage, from `of_step` on each step writes them before it reads them.
template <int first, template <int> class... Part>
struct PartsFrom {
    static constexpr int count = first;
};
template <int first, template <int> class Part, template <int> class... More>
struct PartsFrom<first, Part, More...> : Part<first>, PartsFrom<Part<first>::end, More...> {};

/// The only list of all parts, in any order.
using EnsembleParts =
    PartsFrom<0, SystemVariables, NoseVariables, ChainVariables, SpeciesChainVariables,
              BoxVariables, StepVariables, BoostVariables, DescentVariables>;

/// The slot of a number which feeds back into the dynamics: `Scalar::s`. These numbers are in
/// backend memory, like the particles.
struct Scalar : EnsembleParts {
    int slot;

    Scalar() = default;
    SHADOW_INLINE explicit constexpr Scalar(int which) : slot(which) {}
    template <class Variable>
    requires(std::is_enum_v<Variable>&& std::convertible_to<Variable, int>) SHADOW_INLINE
        constexpr Scalar(Variable which)
        : slot(which) {}
    SHADOW_INLINE constexpr operator int() const { return slot; }
};

/// The k-th of a row of scalars that begins with `first`.
SHADOW_INLINE constexpr Scalar of_row(Scalar first, int k) {
    return Scalar(first.slot + k);
}

/// Scalar::kinetic of physical momenta.
SHADOW_INLINE constexpr double physical_kinetic(double kinetic, double s) {
    return kinetic / (s * s);
}

/// level > 1
SHADOW_INLINE constexpr Scalar level_energy_0(int level) {
    return of_row(Scalar::level_energy_0, level - 2);
}

/// Scalars in the form that functors use.
struct Scalars {
    double* value;
    SHADOW_INLINE double& operator[](Scalar which) const { return value[which.slot]; }
    /// The part of energy_0 that does not belong to slow levels.
    [[nodiscard]] SHADOW_INLINE double fast_energy_0() const {
        double left = (*this)[Scalar::energy_0];
        for (int level = 2; level <= max_levels; ++level) left -= (*this)[level_energy_0(level)];
        return left;
    }
};

} // namespace shadow
