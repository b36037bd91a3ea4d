// SPDX-License-Identifier: BSD-3-Clause
#include "curves.hpp"

#include "shadow/core/log.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

const char* key_of(CurveKind kind) {
    return kind == CurveKind::file ? "file" : kind == CurveKind::formula ? "u" : "type";
}

void refuse_undefined_end(const Parameters& table, const char* key,
                          const PairPotential& potential) {
    for (const PairParameters& p : potential.pairs)
        for (const double r : {p.cutoff, 0.95 * p.cutoff})
            if (const CurvePoint at = p.curve->at(r); !std::isfinite(at.u + at.d1))
                table.fail(key, fmt::format("u is no number at r = {:.6g} (it must be one up to "
                                            "the cutoff); correct its parameters, or end it before",
                                            r));
}

void refuse_fault(const Parameters& table, const char* key, const std::string& fault) {
    if (!fault.empty())
        table.fail(key, fmt::format("a potential that no table approximates ({}); make it smooth "
                                    "there, or end it before",
                                    fault));
}

void refuse_large_error(const Parameters& table, const char* key, const SplineTable& worst) {
    refuse_fault(table, key, worst.fault);
    if (worst.error > 1e-2)
        table.fail(key,
                   fmt::format("a potential that no table approximates (near r = {:.6g} the best "
                               "one is off by {:.2g} of the force: there is a pole, a jump, or too "
                               "fast an oscillation); correct it, or end it before",
                               worst.worst, worst.error));
}

/// Is it zero between all species? Between some that is intended.
bool is_nothing(const PairPotential& potential) {
    const auto is_zero = [](double x) { return x == 0.0 || std::isinf(x); };
    return potential.part == PairPotential::Part::whole &&
           std::all_of(potential.pairs.begin(), potential.pairs.end(), [&](const auto& p) {
               return std::all_of(p.spline->numbers.begin(), p.spline->numbers.end(), is_zero);
           });
}

/// What may make a table worse than requested, and what helps.
std::string why_worse(const PairPotential& potential, const SplineTable& worst) {
    if (worst.barrier && worst.worst < 1.05 * worst.first)
        return fmt::format("there it begins, at a barrier {:.3g} high, where the force vanishes "
                           "and its terms do not); be content with less",
                           *worst.barrier);
    return potential.truncation == Truncation::smooth_c1
               ? "there is a kink of smooth-c1, at inner or the cut-off, or one of its own); use "
                 "smooth-c2, or be content with less"
               : "there is a kink or a short wiggle); mend it there, or be content with less";
}

/// Logs how accurate the worst table is, and what applies below its beginning.
void log_table(const PairPotential& potential, CurveKind kind, const PairParameters& worst) {
    const double* below = worst.spline->numbers.data();
    const auto& barrier = worst.spline->barrier;
    log::info(fmt::format("{}: tabulated from r = {:.4g} on{}, where closer pairs {}; its force is "
                          "that of {} to {:.2g}{}",
                          potential.name, worst.spline->first,
                          barrier ? fmt::format(" (a barrier {:.3g} high)", *barrier) : "",
                          std::isinf(below[0])                 ? "end the run"
                          : below[0] == 0.0 && below[3] == 0.0 ? "have none of it"
                                                               : "have a constant u'/r",
                          kind == CurveKind::file ? "the rows" : "the formula", worst.spline->error,
                          worst.curve->note.empty() ? "" : "; " + worst.curve->note));
}

} // namespace

void tabulate_curves(const Parameters& table, const PotentialTraits& traits,
                     PairPotential& potential) {
    const char* key = key_of(traits.kind);
    refuse_undefined_end(table, key, potential);
    const double accuracy = table.positive("accuracy", 1e-6);
    if (accuracy > 1e-2)
        table.fail("accuracy",
                   fmt::format("accuracy = {} is out of range (a force must be right to "
                               "1e-2 at least); give a smaller one",
                               accuracy));
    potential.accuracy = accuracy;
    // If the whole curve has a fault, that of a part may be elsewhere.
    if (potential.part == PairPotential::Part::fast)
        for (const PairParameters& p : potential.pairs)
            refuse_fault(table, key, curve_fault({p.curve->at, p.curve->first, p.cutoff}));
    tabulate(potential);
    const PairParameters& worst = *std::max_element(
        potential.pairs.begin(), potential.pairs.end(),
        [](const auto& a, const auto& b) { return a.spline->error < b.spline->error; });
    refuse_large_error(table, key, *worst.spline);
    if (worst.spline->error > accuracy)
        log::warning(fmt::format("{}: a table whose force is good to {:.2g} at r = {:.6g} (the "
                                 "target is accuracy = {}; {}",
                                 table.where(key), worst.spline->error, worst.spline->worst,
                                 accuracy, why_worse(potential, *worst.spline)));
    if (is_nothing(potential))
        log::warning(fmt::format(
            "{}: a {} that is zero everywhere (it exerts no force); correct or remove it",
            table.where(key),
            traits.kind == CurveKind::file      ? "table"
            : traits.kind == CurveKind::formula ? "formula"
                                                : "potential"));
    log_table(potential, traits.kind, worst);
}

} // namespace shadow
