// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_table.hpp"

#include "append_row.hpp"
#include "endings.hpp"
#include "potential_visit.hpp"
#include "segments.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shadow {

namespace {

/// One row of a potential with any truncation and part.
template <template <class> class P>
typename Truncated<P>::template Of<double> truncated_row(const PairPotential& potential,
                                                         const PairParameters& p) {
    const EndingNumbers end = ending_numbers(potential, p);
    return {end.cutoff * end.cutoff,
            P<double>::from(p.numbers.data(), potential.end(p)),
            end.shift,
            end.slope,
            end.tail,
            end.core};
}

/// Appends rows of curves, followed by their segments.
void append_tables(PairTable& table,
                   const std::vector<std::shared_ptr<const SplineTable>>& splines) {
    static_assert(field_count<Tabulated> == segment_numbers); // so that segments are aligned
    Segments segments(splines.size());
    for (const auto& spline : splines) append_row(table.rows, segments.add(*spline));
    table.rows.insert(table.rows.end(), segments.numbers().begin(), segments.numbers().end());
}

Ending ending_of(const PairPotential& potential) {
    if (potential.part == PairPotential::Part::slow) return Ending::split;
    if (potential.part == PairPotential::Part::fast) return Ending::switched;
    switch (potential.truncation) {
    case Truncation::none:
    case Truncation::shift:
        return Ending::shifted;
    case Truncation::force_shift:
        return Ending::sloped;
    case Truncation::smooth_c1:
    case Truncation::smooth_c2:
        return Ending::switched;
    }
    return Ending::split;
}

/// The shift of a potential that is truncated with or without one.
double shift_of(const PairPotential& potential, const PairParameters& p) {
    return potential.truncation == Truncation::shift ? curve_of(potential, p)(p.cutoff).u : 0.0;
}

/// Does it end with a linear function of r, which can include a force-shift?
template <template <class> class P>
constexpr bool has_slope = requires(P<double> potential) {
    potential.slope;
};

template <template <class> class Electrostatic, bool is_switched>
void append_sums(PairTable& table, const PairForceDescription& description) {
    using Dispersion = LennardJones<double>;
    for (std::size_t k = 0; k < description.potential.pairs.size(); ++k) {
        const PairParameters& p = description.potential.pairs[k];
        const PairParameters& q = description.electrostatic->pairs[k];
        const EndingNumbers end = ending_numbers(description.potential, p);
        const double cutoff2 = p.cutoff * p.cutoff;
        const auto dispersion = Dispersion::from(p.numbers.data(), p.cutoff);
        auto charges =
            Electrostatic<double>::from(q.numbers.data(), description.electrostatic->end(q));
        charges.shift += end.shift + shift_of(*description.electrostatic, q);
        if constexpr (has_slope<Electrostatic>) charges.slope += end.slope;
        if constexpr (is_switched)
            append_row(table.rows,
                       typename SwitchedSum<LennardJones, Electrostatic>::template Of<double>{
                           cutoff2, dispersion, end.tail, charges});
        else
            append_row(table.rows,
                       typename PlainSum<LennardJones, Electrostatic>::template Of<double>{
                           cutoff2, dispersion, charges});
    }
}

/// The distance beyond which a part of a potential is zero.
double end_of(const PairPotential& potential, const PairParameters& p) {
    return potential.part == PairPotential::Part::fast ? potential.split.outer : p.cutoff;
}

PairTable without_rows(const PairPotential& potential) {
    PairTable table;
    table.ending = ending_of(potential);
    table.species_count = static_cast<int>(species_of(potential));
    for (const PairParameters& p : potential.pairs)
        table.cutoff = std::max(table.cutoff, end_of(potential, p));
    return table;
}

bool have_same_curves(const PairPotential& a, const PairPotential& b) {
    const auto same_pair = [](const PairParameters& x, const PairParameters& y) {
        const bool curve =
            (!x.curve && !y.curve) || (x.curve && y.curve && x.curve->source == y.curve->source);
        return curve && x.numbers == y.numbers && x.cutoff == y.cutoff && x.inner == y.inner;
    };
    return a.potential == b.potential && a.truncation == b.truncation && a.part == b.part &&
           a.split.inner == b.split.inner && a.split.outer == b.split.outer && a.tail == b.tail &&
           std::equal(a.pairs.begin(), a.pairs.end(), b.pairs.begin(), b.pairs.end(), same_pair) &&
           std::equal(a.pairs_14.begin(), a.pairs_14.end(), b.pairs_14.begin(), b.pairs_14.end(),
                      same_pair);
}

bool ends_with_jump(const PairPotential& potential, bool tails) {
    constexpr double nothing = 1e-9;
    if (potential.truncation != Truncation::none || (potential.tail && !tails)) return false;
    return std::any_of(potential.pairs.begin(), potential.pairs.end(),
                       [&](const PairParameters& p) {
                           return std::isfinite(p.cutoff) &&
                                  std::abs(curve_of(potential, p)(p.cutoff).u) > nothing;
                       });
}

} // namespace

std::vector<std::string> PairForceDescription::names() const {
    std::vector<std::string> all;
    for (const PairForceDescription& part : parts_of(*this)) all.push_back(part.name);
    return all;
}

ForceList PairForceDescription::list() const {
    ForceList list{ForceList::Of::pairs};
    for (const PairParameters& p : potential.pairs) list.cutoffs.push_back(end_of(potential, p));
    return list;
}

bool PairForceDescription::jumps(bool tails) const {
    return ends_with_jump(potential, tails) ||
           (electrostatic && ends_with_jump(*electrostatic, tails));
}

bool PairForceDescription::is_same(const PairForceDescription& other) const {
    return have_same_curves(potential, other.potential);
}

bool can_fuse(const PairForceDescription& a, const PairForceDescription& b) {
    using enum PairPotential::Part;
    const PairPotential &p = a.potential, &q = b.potential;
    const bool kinds =
        p.potential == potential_index<LennardJones> &&
        (q.potential == potential_index<DampedShiftedForce> ||
         (q.potential == potential_index<Coulomb> && ending_of(p) == Ending::shifted));
    return kinds && !a.electrostatic && !b.electrostatic && p.part == whole && q.part == whole &&
           ending_of(q) == Ending::shifted && a.level == b.level && same_cutoffs(p, q);
}

std::vector<PairForceDescription> parts_of(const PairForceDescription& description) {
    std::vector<PairForceDescription> parts{description};
    parts[0].electrostatic.reset();
    parts[0].sums.clear();
    if (description.electrostatic) {
        parts.push_back(parts[0]);
        parts[1].potential = *description.electrostatic;
    }
    for (PairForceDescription& part : parts) {
        visit_potential(part.potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
            part.name = P<double>::info.name;
        });
        if (!part.potential.name.empty()) part.name = part.potential.name;
        if (part.potential.part == PairPotential::Part::fast) part.name += "_fast";
        if (part.potential.part == PairPotential::Part::slow) part.name += "_slow";
    }
    return parts;
}

PairTable make_general_table(const PairPotential& potential) {
    PairTable table = without_rows(potential);
    table.interaction = potential.potential;
    if (potential.potential == tabulated) {
        std::vector<std::shared_ptr<const SplineTable>> splines;
        for (const PairParameters& p : potential.pairs) splines.push_back(p.spline);
        append_tables(table, splines);
    }
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        for (const PairParameters& p : potential.pairs)
            append_row(table.rows, truncated_row<P>(potential, p));
    });
    return table;
}

PairTable make_pair_table(const PairForceDescription& description) {
    const PairPotential& potential = description.potential;
    PairTable table = without_rows(potential);
    if (!description.sums.empty()) {
        table.interaction = tabulated;
        append_tables(table, description.sums);
    } else if (description.electrostatic) {
        if (description.electrostatic->potential == potential_index<Coulomb>) {
            table.interaction = plain_lennard_jones_coulomb;
            append_sums<Coulomb, false>(table, description);
        } else if (table.ending == Ending::switched) {
            table.interaction = switched_lennard_jones_dsf;
            append_sums<DampedShiftedForce, true>(table, description);
        } else {
            table.interaction = plain_lennard_jones_dsf;
            append_sums<DampedShiftedForce, false>(table, description);
        }
    } else if (table.ending == Ending::shifted &&
               potential.potential == potential_index<LennardJones>) {
        table.interaction = plain_lennard_jones;
        for (const PairParameters& p : potential.pairs)
            append_row(table.rows, Plain<LennardJones>::Of<double>{
                                       p.cutoff * p.cutoff,
                                       LennardJones<double>::from(p.numbers.data(), p.cutoff),
                                       shift_of(potential, p)});
    } else {
        return make_general_table(potential);
    }
    return table;
}

std::vector<double> self_energies(const PairForceDescription& description) {
    const PairPotential& potential = description.charges();
    std::vector<double> energies;
    if (potential.part == PairPotential::Part::fast) return energies;
    const auto species = static_cast<std::size_t>(without_rows(potential).species_count);
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        if constexpr (has_self_energy<P>)
            for (std::size_t a = 0; a < species; ++a) {
                const PairParameters& p = potential.pairs[a * (species + 1)];
                energies.push_back(SelfEnergy<P>::of(p.numbers.data(), potential.end(p)) -
                                   0.5 * shift_of(potential, p));
            }
    });
    return energies;
}

double tail_integral(const PairPotential& potential, const PairParameters& p, int dimension) {
    if (p.curve) return tail_integral(*p.curve, p.cutoff, dimension);
    double integral = HUGE_VAL;
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        if constexpr (has_tail<P>)
            integral = P<double>::tail_integral(p.numbers.data(), p.cutoff, dimension);
    });
    return integral;
}

TailCorrection tail_correction(const PairPotential& potential, int dimension,
                               const std::vector<std::int64_t>& counts, double volume) {
    TailCorrection sum;
    if (!potential.tail) return sum;
    const double sphere = dimension == 3   ? 4.0 * std::numbers::pi
                          : dimension == 2 ? 2.0 * std::numbers::pi
                                           : 2.0;
    for (std::size_t a = 0; a < counts.size(); ++a)
        for (std::size_t b = 0; b < counts.size(); ++b) {
            const PairParameters& p = potential.pairs[a * counts.size() + b];
            if (!std::isfinite(p.cutoff)) continue;
            const double pairs = 0.5 * static_cast<double>(counts[a]) *
                                 static_cast<double>(counts[b]) / volume * sphere;
            const double integral = tail_integral(potential, p, dimension);
            // - integral of u' r^dim, by parts
            const double virial =
                curve_of(potential, p)(p.cutoff).u * std::pow(p.cutoff, dimension) +
                dimension * integral;
            sum.energy += pairs * integral;
            sum.virial += pairs * virial;
        }
    return sum;
}

} // namespace shadow
