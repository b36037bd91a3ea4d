// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

/// Motion that is reversible to the last bit. Where positions and momenta are multiples of a power
/// of two and increments are rounded to such multiples, sums are exact, and a step of a symmetric
/// composition of drifts and kicks is undone by a step with reversed momenta (Levesque and Verlet
/// 1993, with integers). Forces must be functions of positions alone, to the last bit.
namespace shadow {

/// The units of which positions and momenta are multiples; 0: none.
struct Spacing {
    double position = 0.0, momentum = 0.0;
};

/// The smallest spacing with which sums are exact for particles within 8 times the longest length
/// of the box, in open directions 1000 times their initial coordinates, that move at most an eighth
/// of that length in a step.
template <int Dim>
[[nodiscard]] Spacing spacing_for(const Box<Dim>& box, const Snapshot<Dim>& start, double dt);

/// The box with lengths and origin rounded to multiples of the spacing.
template <int Dim>
[[nodiscard]] Box<Dim> on_spacing(const Box<Dim>& box, const Spacing& spacing);

/// "", or why the method is not reversible to the last bit: a phrase such as "it has noise".
[[nodiscard]] std::string irreversible(const Integrator& method);

/// Throws SimulationError if a particle has left the range in which sums are exact.
template <int Dim>
void check_range(const Snapshot<Dim>& now, const Spacing& spacing);

} // namespace shadow
