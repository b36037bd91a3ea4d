// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernels/bonded/bonded.hpp"
#include "kernels/potentials/tabulated.hpp"

namespace shadow {

/// A curve between two particles up to a cut-off, times a factor. Beyond it, for periodic charges,
/// that of bare charges,
///     u(r) = inverse / r - logarithm ln r,
/// which remains of excluded pairs in the field of all others. Segments of curves are in
/// `BondedTerms::segments`.
struct TabulatedPair {
    double factor, inverse, logarithm;
    Tabulated::Of<double> pair;

    SHADOW_INLINE double slope(double r2, const double* segments) const {
        const double beyond = -(inverse / sqrt(r2) + logarithm) / r2;
        return r2 < pair.cutoff2 ? -factor * pair(r2, Ending::shifted, segments).f_over_r : beyond;
    }
    SHADOW_INLINE double energy(double r2, const double* segments) const {
        const double beyond = inverse / sqrt(r2) - 0.5 * logarithm * log(r2);
        return r2 < pair.cutoff2 ? factor * pair(r2, Ending::shifted, segments).u : beyond;
    }

    static constexpr BondedInfo info{
        .name = "tabulated pair",
        .kind = BondedKind::bond,
        .summary = "follows from a pair force and `scale_14`, or from charges and `exclude`",
        .equation = "u(r) = factor times that of the pair force, or the remainder",
        .reference = "",
        .parameter_count = 0,
        .parameters = {},
        .infinite = "closer than its table begins",
        .internal = true};
    /// For charges: the remainder of an excluded pair has a limit at r = 0.
    static constexpr BondedInfo finite_info{.name = info.name,
                                            .kind = BondedKind::bond,
                                            .summary = "follows from charges and `exclude`",
                                            .equation =
                                                "u(r) = the remainder of that of the pair force",
                                            .reference = "",
                                            .parameter_count = 0,
                                            .parameters = {},
                                            .internal = true};
};

/// A form, with the segments of its table if it has one.
template <class Form>
SHADOW_INLINE Form with_segments(const Form& form, const double*) {
    return form;
}

struct TabulatedPairWithSegments {
    TabulatedPair form;
    const double* segments;

    SHADOW_INLINE double slope(double r2) const { return form.slope(r2, segments); }
    SHADOW_INLINE double energy(double r2) const { return form.energy(r2, segments); }
};
SHADOW_INLINE TabulatedPairWithSegments with_segments(const TabulatedPair& form,
                                                      const double* segments) {
    return {form, segments};
}

} // namespace shadow
