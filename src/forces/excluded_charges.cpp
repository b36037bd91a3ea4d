// SPDX-License-Identifier: BSD-3-Clause
#include "excluded_charges.hpp"

#include "append_row.hpp"
#include "endings.hpp"
#include "segments.hpp"

#include "kernels/bonded/list.hpp"
#include "kernels/potentials/coulomb.hpp"
#include "kernels/potentials/list.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace shadow {
namespace {

bool is_damped(const PairPotential& potential) {
    return potential.potential == potential_index<DampedShiftedForce>;
}
bool is_logarithmic(const PairPotential& potential) {
    return potential.potential == potential_index<Logarithmic>;
}

bool is_reaction_field(const PairPotential& potential) {
    return potential.potential == potential_index<Coulomb> &&
           potential.pairs.front().numbers[2] > 0.0;
}

/// The charges in a field of a pass; null if it has none. A fast part by distance leaves them to
/// the slow part.
const PairPotential* charges_of(const PairForceDescription& force) {
    const PairPotential& potential = force.charges();
    const bool theirs = are_charges_in_a_field(potential);
    return theirs && potential.part != PairPotential::Part::fast ? &potential : nullptr;
}

/// The potential of a pair in the field of all others minus its bare one, before truncation: both
/// are infinite at r = 0, so that the difference is one formula.
CurvePoint in_the_field(const PairPotential& potential, const PairParameters& p, double r) {
    const double strength = p.numbers[0];
    if (is_reaction_field(potential)) {
        const auto field = Coulomb<double>::from(p.numbers.data(), p.cutoff);
        return {0.5 * field.curvature * r * r - field.shift, field.curvature * r, 0.0};
    }
    const double x = std::pow(p.numbers[1] * r, 2);
    return {strength * (std::log(r) - 0.5 * std::expint(-x)), -strength * std::expm1(-x) / r, 0.0};
}

/// The bare potential of a pair.
CurvePoint bare(const PairPotential& potential, const PairParameters& p, double r) {
    const double strength = p.numbers[0];
    if (is_logarithmic(potential)) return {-strength * std::log(r), -strength / r, 0.0};
    return {strength / r, -strength / (r * r), 0.0};
}

/// A table of the difference, with the truncation of the force.
SplineTable table_of(PairPotential potential, const PairParameters& p) {
    potential.part = PairPotential::Part::whole;
    const EndedCurve ended(potential, p);
    const auto difference = [&](double r) {
        if (!(r < ended.end.tail.begin)) {
            const CurvePoint whole = ended(r), alone = bare(potential, p, r);
            return CurvePoint{whole.u - alone.u, whole.d1 - alone.d1, 0.0};
        }
        const CurvePoint point = in_the_field(potential, p, r);
        return CurvePoint{point.u - ended.end.shift - ended.end.slope * r,
                          point.d1 - ended.end.slope, 0.0};
    };
    return make_spline_table(difference, 0.0, p.cutoff, 1e-9);
}

/// Rows of parameters by pairs of species.
class ExcludedRows {
  public:
    ExcludedRows(const PairPotential& potential, BondedDescription& terms)
        : potential_(potential), terms_(terms), row_(potential.pairs.size(), -1) {
        terms.row_count = 0;
    }
    std::int32_t of(std::size_t pair) {
        if (row_[pair] < 0) {
            row_[pair] = terms_.row_count++;
            const PairParameters& p = potential_.pairs[pair];
            is_damped(potential_) ? append_damped(p) : append_table(p);
        }
        return row_[pair];
    }

  private:
    void append_damped(const PairParameters& p) {
        const double given[] = {p.numbers[0], p.numbers[1], potential_.end(p)};
        auto form = ExcludedDampedCharges::from(given);
        form.cutoff2 = p.cutoff * p.cutoff;
        form.beyond = potential_.periodic ? p.numbers[0] : 0.0;
        if (potential_.truncation == Truncation::shift)
            form.pair.shift = p.numbers[0] * std::erfc(p.numbers[1] * p.cutoff) / p.cutoff;
        append_row(terms_.rows, form);
    }
    void append_table(const PairParameters& p) {
        const double alone = potential_.periodic ? -p.numbers[0] : 0.0;
        const bool plane = is_logarithmic(potential_);
        tables_.push_back(std::make_unique<SplineTable>(table_of(potential_, p)));
        append_row(terms_.rows, TabulatedPair{1.0, plane ? 0.0 : alone, plane ? alone : 0.0,
                                              segments_.add(*tables_.back())});
        terms_.segments = segments_.numbers();
    }

    const PairPotential& potential_;
    BondedDescription& terms_;
    std::vector<std::int32_t> row_;
    std::vector<std::unique_ptr<SplineTable>> tables_;
    Segments segments_;
};

} // namespace

bool are_charges_in_a_field(const PairPotential& potential) {
    return is_damped(potential) || is_reaction_field(potential) ||
           (is_logarithmic(potential) && potential.pairs.front().numbers[1] > 0.0);
}

std::optional<BondedDescription>
excluded_charges(const PairForceDescription& force, const std::vector<std::uint16_t>& species,
                 std::size_t species_count,
                 const std::vector<std::array<std::uint32_t, 2>>& excluded) {
    const PairPotential* charges = charges_of(force);
    if (!charges) return std::nullopt;
    BondedDescription terms;
    terms.info = !is_damped(*charges) ? &TabulatedPair::finite_info
                 : charges->vanishes  ? &ExcludedDampedCharges::info
                                      : &ExcludedDampedCharges::periodic_info;
    terms.name = is_damped(*charges)           ? terms.info->name
                 : is_reaction_field(*charges) ? "reaction-field_excluded"
                                               : "logarithmic_excluded";
    terms.level = force.level;
    terms.form = is_damped(*charges) ? excluded_charges_form : tabulated_pair_form;
    ExcludedRows rows(*charges, terms);
    for (const auto& [a, b] : excluded) {
        const std::size_t pair = species[a] * species_count + species[b];
        if (charges->pairs[pair].numbers[0] == 0.0) continue;
        terms.members.insert(terms.members.end(), {a, b});
        terms.row.push_back(rows.of(pair));
    }
    if (terms.row.empty()) return std::nullopt;
    return terms;
}

} // namespace shadow
