// SPDX-License-Identifier: BSD-3-Clause
#include "endings.hpp"

#include "kernels/potentials/list.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace shadow {

void tabulate(PairPotential& potential) {
    std::map<std::tuple<const PairCurve*, double, double>, std::shared_ptr<const SplineTable>> made;
    for (PairParameters& p : potential.pairs) {
        std::shared_ptr<const SplineTable>& spline = made[{p.curve.get(), p.cutoff, p.inner}];
        if (!spline) {
            const EndedCurve curve(potential, p);
            spline = std::make_shared<SplineTable>(
                make_spline_table(curve, curve.first, curve.end.cutoff, potential.accuracy));
        }
        p.spline = spline;
    }
}

PairForceDescription fused(const PairForceDescription& a, const PairForceDescription& b) {
    PairForceDescription both = a;
    both.electrostatic = b.potential;
    both.name += " + " + b.name;
    if (!can_share_table(a, b)) return both;
    const std::size_t species = species_of(a.potential);
    both.sums.resize(a.potential.pairs.size());
    const double accuracy = a.potential.accuracy > 0.0 && b.potential.accuracy > 0.0
                                ? std::min(a.potential.accuracy, b.potential.accuracy)
                                : std::max(a.potential.accuracy, b.potential.accuracy);
    for (std::size_t i = 0; i < species; ++i)
        for (std::size_t j = i; j < species; ++j) {
            const EndedCurve one(a.potential, a.potential.pairs[i * species + j]);
            const EndedCurve two(b.potential, b.potential.pairs[i * species + j]);
            const auto sum = [&](double r) {
                const CurvePoint x = one(r), y = two(r);
                return CurvePoint{x.u + y.u, x.d1 + y.d1, 0.0};
            };
            both.sums[i * species + j] = both.sums[j * species + i] = std::make_shared<SplineTable>(
                make_spline_table(sum, std::max(one.first, two.first), one.end.cutoff, accuracy));
        }
    return both;
}

bool can_share_table(const PairForceDescription& a, const PairForceDescription& b) {
    const PairPotential &p = a.potential, &q = b.potential;
    // What charges have by themselves is looked for in the second.
    return (p.potential == tabulated || q.potential == tabulated) && !p.charged &&
           !a.electrostatic && !b.electrostatic && p.part == PairPotential::Part::whole &&
           q.part == PairPotential::Part::whole && a.level == b.level && same_cutoffs(p, q);
}

} // namespace shadow
