// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_table.hpp"

#include "append_row.hpp"
#include "potential_visit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace shadow {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// u, u' and u'' of b(r) = u(r) - shift - slope r at one distance.
struct Jet {
    double u = 0.0, d1 = 0.0, d2 = 0.0;
};

/// The second derivative by sixth-order differences of the force in extended precision: for r^-12
/// the remainder is (h/r)^6 times 1e6, 1e-15, and rounding 1e-19 r/h, all relative.
template <template <class> class P>
Jet jet(const PairParameters& p, double r, double end) {
    if (!std::isfinite(r)) return {};
    using Wide = long double;
    const auto potential = P<Wide>::from(p.numbers.data(), end);
    const auto slope = [&](Wide x) { return -potential(x * x).f_over_r * x; };
    const Wide x = r, h = x * Wide(3e-4);
    const Wide d2 =
        (45 * (slope(x + h) - slope(x - h)) - 9 * (slope(x + 2 * h) - slope(x - 2 * h)) +
         (slope(x + 3 * h) - slope(x - 3 * h))) /
        (60 * h);
    return {static_cast<double>(potential(x * x).u), static_cast<double>(slope(x)),
            static_cast<double>(d2)};
}

/// Hermite polynomial from the jet at `begin` to zero at `end`, matching `derivatives` (2 or 3,
/// the value included) at both; C^(derivatives - 1). Coefficients of x = (r - begin)/(end - begin).
SwitchingFunction<double> switching_function(const Jet& b, double begin, double end,
                                             int derivatives) {
    const double length = end - begin;
    const double f0 = b.u, f1 = length * b.d1, f2 = length * length * b.d2;
    if (derivatives == 2)
        return {begin, end, 1.0 / length, {f0, f1, -3 * f0 - 2 * f1, 2 * f0 + f1, 0.0, 0.0}};
    return {begin,
            end,
            1.0 / length,
            {f0, f1, 0.5 * f2, -10 * f0 - 6 * f1 - 1.5 * f2, 15 * f0 + 8 * f1 + 1.5 * f2,
             -6 * f0 - 3 * f1 - 0.5 * f2}};
}

const SwitchingFunction<double> unchanged{infinity, infinity, 0.0, {}};
const SwitchingFunction<double> nothing{0.0, 0.0, 0.0, {}};

/// One row of a potential with any truncation and part.
template <template <class> class P>
typename Truncated<P>::template Of<double> truncated_row(const PairPotential& potential,
                                                         const PairParameters& p) {
    typename Truncated<P>::template Of<double> row{
        p.cutoff * p.cutoff,
        P<double>::from(p.numbers.data(), potential.end(p)),
        0.0,
        0.0,
        unchanged,
        nothing};
    const auto jet_at = [&](double r) { return jet<P>(p, r, potential.end(p)); };
    const Jet at_cutoff = jet_at(p.cutoff);
    switch (potential.truncation) {
    case Truncation::none:
        break;
    case Truncation::shift:
        row.shift = at_cutoff.u;
        break;
    case Truncation::force_shift:
        row.slope = at_cutoff.d1;
        row.shift = std::isfinite(p.cutoff) ? at_cutoff.u - p.cutoff * at_cutoff.d1 : 0.0;
        break;
    case Truncation::smooth_c1:
    case Truncation::smooth_c2:
        row.tail = switching_function(jet_at(p.inner), p.inner, p.cutoff,
                                      potential.truncation == Truncation::smooth_c1 ? 2 : 3);
        break;
    }
    if (potential.part == PairPotential::Part::whole) return row;
    const auto [inner, outer] = potential.split;
    Jet base = jet_at(inner);
    base.u -= row.shift + row.slope * inner;
    base.d1 -= row.slope;
    const SwitchingFunction<double> core = switching_function(base, inner, outer, 3);
    if (potential.part == PairPotential::Part::slow) {
        row.core = core;
    } else {
        row.tail = core;
        row.cutoff2 = outer * outer;
    }
    return row;
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

/// Of a potential that is cut or shifted.
template <template <class> class P>
double shift_of(const PairPotential& potential, const PairParameters& p) {
    return potential.truncation == Truncation::shift ? jet<P>(p, p.cutoff, potential.end(p)).u
                                                     : 0.0;
}

template <template <class> class Electrostatic>
void append_sums(PairTable& table, const PairForceDescription& description) {
    for (std::size_t k = 0; k < description.potential.pairs.size(); ++k) {
        const PairParameters& p = description.potential.pairs[k];
        const PairParameters& q = description.electrostatic->pairs[k];
        append_row(
            table.rows,
            typename PlainSum<LennardJones, Electrostatic>::template Of<double>{
                p.cutoff * p.cutoff, LennardJones<double>::from(p.numbers.data(), p.cutoff),
                shift_of<LennardJones>(description.potential, p) +
                    shift_of<Electrostatic>(*description.electrostatic, q),
                Electrostatic<double>::from(q.numbers.data(), description.electrostatic->end(q))});
    }
}

PairTable without_rows(const PairPotential& potential) {
    PairTable table;
    table.ending = ending_of(potential);
    table.species_count =
        static_cast<int>(std::lround(std::sqrt(static_cast<double>(potential.pairs.size()))));
    for (const PairParameters& p : potential.pairs)
        table.cutoff = std::max(table.cutoff, potential.part == PairPotential::Part::fast
                                                  ? potential.split.outer
                                                  : p.cutoff);
    return table;
}

} // namespace

bool can_fuse(const PairForceDescription& a, const PairForceDescription& b) {
    const PairPotential &p = a.potential, &q = b.potential;
    const bool kinds = p.potential == potential_index<LennardJones> &&
                       (q.potential == potential_index<Coulomb> ||
                        q.potential == potential_index<DampedShiftedForce>);
    return kinds && !a.electrostatic && !b.electrostatic && ending_of(p) == Ending::shifted &&
           ending_of(q) == Ending::shifted && q.part == PairPotential::Part::whole &&
           a.level == b.level &&
           std::equal(p.pairs.begin(), p.pairs.end(), q.pairs.begin(), q.pairs.end(),
                      [](const auto& x, const auto& y) { return x.cutoff == y.cutoff; });
}

std::vector<PairForceDescription> parts_of(const PairForceDescription& description) {
    std::vector<PairForceDescription> parts{description};
    parts[0].electrostatic.reset();
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

PairTable make_truncated_table(const PairPotential& potential) {
    PairTable table = without_rows(potential);
    table.interaction = potential.potential;
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        for (const PairParameters& p : potential.pairs)
            append_row(table.rows, truncated_row<P>(potential, p));
    });
    return table;
}

PairTable make_pair_table(const PairForceDescription& description) {
    const PairPotential& potential = description.potential;
    PairTable table = without_rows(potential);
    if (description.electrostatic) {
        if (description.electrostatic->potential == potential_index<Coulomb>) {
            table.interaction = plain_lennard_jones_coulomb;
            append_sums<Coulomb>(table, description);
        } else {
            table.interaction = plain_lennard_jones_dsf;
            append_sums<DampedShiftedForce>(table, description);
        }
    } else if (table.ending == Ending::shifted &&
               potential.potential == potential_index<LennardJones>) {
        table.interaction = plain_lennard_jones;
        for (const PairParameters& p : potential.pairs)
            append_row(table.rows, Plain<LennardJones>::Of<double>{
                                       p.cutoff * p.cutoff,
                                       LennardJones<double>::from(p.numbers.data(), p.cutoff),
                                       shift_of<LennardJones>(potential, p)});
    } else {
        return make_truncated_table(potential);
    }
    return table;
}

std::vector<double> self_energies(const PairForceDescription& description) {
    const PairPotential& potential =
        description.electrostatic ? *description.electrostatic : description.potential;
    std::vector<double> energies;
    if (potential.part == PairPotential::Part::fast) return energies;
    const auto species = static_cast<std::size_t>(without_rows(potential).species_count);
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        if constexpr (has_self_energy<P>)
            for (std::size_t a = 0; a < species; ++a) {
                const PairParameters& p = potential.pairs[a * (species + 1)];
                energies.push_back(SelfEnergy<P>::of(p.numbers.data(), potential.end(p)) -
                                   0.5 * shift_of<P>(potential, p));
            }
    });
    return energies;
}

TailCorrection tail_correction(const PairPotential& potential, int dimension,
                               const std::vector<std::int64_t>& counts, double volume) {
    TailCorrection sum;
    if (!potential.tail) return sum;
    const double sphere = dimension == 3   ? 4.0 * std::numbers::pi
                          : dimension == 2 ? 2.0 * std::numbers::pi
                                           : 2.0;
    visit_potential(potential.potential, [&]<template <class> class P>(PotentialTag<P>) {
        if constexpr (has_tail<P>) {
            for (std::size_t a = 0; a < counts.size(); ++a)
                for (std::size_t b = 0; b < counts.size(); ++b) {
                    const PairParameters& p = potential.pairs[a * counts.size() + b];
                    if (!std::isfinite(p.cutoff)) continue;
                    const double pairs = 0.5 * static_cast<double>(counts[a]) *
                                         static_cast<double>(counts[b]) / volume * sphere;
                    const double integral =
                        P<double>::tail_integral(p.numbers.data(), p.cutoff, dimension);
                    // - integral of u' r^dim, by parts
                    const double virial =
                        jet<P>(p, p.cutoff, p.cutoff).u * std::pow(p.cutoff, dimension) +
                        dimension * integral;
                    sum.energy += pairs * integral;
                    sum.virial += pairs * virial;
                }
        }
    });
    return sum;
}

} // namespace shadow
