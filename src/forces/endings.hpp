// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shadow/forces/pair_table.hpp"

#include <functional>

namespace shadow {

/// How a potential ends, in numbers; see `Truncated`.
struct EndingNumbers {
    double cutoff;
    double shift = 0.0, slope = 0.0;
    SwitchingFunction<double> tail, core;

    /// The potential with its truncation, from the one without.
    [[nodiscard]] CurvePoint of(const CurvePoint& base, double r) const;
};

[[nodiscard]] EndingNumbers ending_numbers(const PairPotential& potential, const PairParameters& p);

/// A potential between two species, without its truncation.
[[nodiscard]] std::function<CurvePoint(double)> curve_of(const PairPotential& potential,
                                                         const PairParameters& p);

/// With its truncation; u'' is not computed. The fast part of a split has the beginning of the
/// curve; the slow part is zero there.
struct EndedCurve {
    EndingNumbers end;
    std::function<CurvePoint(double)> curve;
    double first;

    EndedCurve(const PairPotential& potential, const PairParameters& p)
        : end(ending_numbers(potential, p)), curve(curve_of(potential, p)),
          first(p.curve && potential.part != PairPotential::Part::slow ? p.curve->first : 0.0) {}
    CurvePoint operator()(double r) const { return end.of(curve(r), r); }
};

/// Least and largest energies from `inner` to the cut-off, 0 included: of a potential, and of the
/// smooth end that takes its place.
struct SmoothEnd {
    double least = 0.0, largest = 0.0, end_least = 0.0, end_largest = 0.0;

    /// By how much the end leaves the range of the potential, over the largest |u| of that.
    [[nodiscard]] double excess() const;
};
[[nodiscard]] SmoothEnd smooth_end(const PairPotential& potential, const PairParameters& p);

/// The number of species.
[[nodiscard]] std::size_t species_of(const PairPotential& potential);

/// Do all pairs have the same cut-offs?
[[nodiscard]] bool same_cutoffs(const PairPotential& p, const PairPotential& q);

} // namespace shadow
