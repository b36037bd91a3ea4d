// SPDX-License-Identifier: BSD-3-Clause
#include "endings.hpp"

#include "kernels/potentials/list.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace shadow {
namespace {

std::vector<std::shared_ptr<const SplineTable>> shared_tables(const std::vector<CurveRange>& ranges,
                                                              double accuracy) {
    std::vector<std::shared_ptr<const SplineTable>> shared;
    for (SplineTable& table : make_spline_tables(ranges, accuracy))
        shared.push_back(std::make_shared<SplineTable>(std::move(table)));
    return shared;
}

/// A part has a table wherever the sum may have one: also inside a barrier of the part.
void follow_sum(PairPotential& part) {
    if (std::any_of(part.pairs.begin(), part.pairs.end(),
                    [](const PairParameters& p) { return p.spline && p.spline->barrier; }))
        tabulate(part, true);
}

} // namespace

void tabulate(PairPotential& potential, bool beyond_barriers) {
    std::map<std::tuple<const PairCurve*, double, double>, std::size_t> made;
    std::vector<CurveRange> ranges;
    std::vector<std::size_t> table;
    for (const PairParameters& p : potential.pairs) {
        const auto [at, is_new] = made.try_emplace({p.curve.get(), p.cutoff, p.inner}, made.size());
        table.push_back(at->second);
        if (!is_new) continue;
        const EndedCurve curve(potential, p);
        ranges.push_back({curve, curve.first, curve.end.cutoff, beyond_barriers});
    }
    const auto splines = shared_tables(ranges, potential.accuracy);
    for (std::size_t k = 0; k < table.size(); ++k) potential.pairs[k].spline = splines[table[k]];
}

PairForceDescription fused(const PairForceDescription& a, const PairForceDescription& b) {
    PairForceDescription both = a;
    both.electrostatic = b.potential;
    both.name += " + " + b.name;
    if (!can_share_table(a, b)) return both;
    const std::size_t species = species_of(a.potential);
    follow_sum(both.potential);
    follow_sum(*both.electrostatic);
    both.sums.resize(a.potential.pairs.size());
    const double accuracy = a.potential.accuracy > 0.0 && b.potential.accuracy > 0.0
                                ? std::min(a.potential.accuracy, b.potential.accuracy)
                                : std::max(a.potential.accuracy, b.potential.accuracy);
    std::vector<CurveRange> ranges;
    for (std::size_t i = 0; i < species; ++i)
        for (std::size_t j = i; j < species; ++j) {
            const EndedCurve one(a.potential, a.potential.pairs[i * species + j]);
            const EndedCurve two(b.potential, b.potential.pairs[i * species + j]);
            const auto sum = [one, two](double r) {
                const CurvePoint x = one(r), y = two(r);
                return CurvePoint{x.u + y.u, x.d1 + y.d1, 0.0};
            };
            ranges.push_back({sum, std::max(one.first, two.first), one.end.cutoff});
        }
    const auto splines = shared_tables(ranges, accuracy);
    auto spline = splines.begin();
    for (std::size_t i = 0; i < species; ++i)
        for (std::size_t j = i; j < species; ++j)
            both.sums[i * species + j] = both.sums[j * species + i] = *spline++;
    return both;
}

bool can_share_table(const PairForceDescription& a, const PairForceDescription& b) {
    const PairPotential &p = a.potential, &q = b.potential;
    // Self-energies of charges are those of the second potential.
    return (p.potential == tabulated || q.potential == tabulated) && !p.charged &&
           !a.electrostatic && !b.electrostatic && p.part == PairPotential::Part::whole &&
           q.part == PairPotential::Part::whole && a.level == b.level && same_cutoffs(p, q);
}

} // namespace shadow
