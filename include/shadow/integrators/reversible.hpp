// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/integrators/integrator.hpp"
#include "shadow/system/box.hpp"
#include "shadow/system/particles.hpp"

/// Motion that goes back to the same bits. Where positions and momenta are multiples of a power of
/// two and what is added to them is rounded to such, sums are exact, and a step of a symmetric
/// composition of drifts and kicks is undone by the one with momenta reversed (Levesque and Verlet
/// 1993, with integers). Forces must be functions of positions alone, to the last bit.
namespace shadow {

/// What positions and momenta are multiples of; 0: nothing.
struct Spacing {
    double position = 0.0, momentum = 0.0;
};

/// The least with which sums are exact for particles within 8 times the longest length of the box,
/// in open directions 1000 times where they start, and no faster than an eighth of it in a step.
template <int Dim>
[[nodiscard]] Spacing spacing_for(const Box<Dim>& box, const Snapshot<Dim>& start, double dt);

/// With lengths and origin that are multiples of the spacing, which changes them by rounding.
template <int Dim>
[[nodiscard]] Box<Dim> on_spacing(const Box<Dim>& box, const Spacing& spacing);

/// "", or why the method does not go back to the same bits: a phrase such as "it has noise".
[[nodiscard]] std::string irreversible(const Integrator& method);

/// Throws SimulationError if a sum of a particle was beyond those that are exact.
template <int Dim>
void check_range(const Snapshot<Dim>& now, const Spacing& spacing);

} // namespace shadow
