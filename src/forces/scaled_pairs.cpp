// SPDX-License-Identifier: BSD-3-Clause
#include "scaled_pairs.hpp"

#include "append_row.hpp"
#include "excluded_charges.hpp"
#include "read_force.hpp"
#include "segments.hpp"

#include "kernels/bonded/list.hpp"
#include "kernels/potentials/list.hpp"

#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace shadow {
namespace {

/// Bare charges with the strengths of those in a field, and with their cut-offs.
PairPotential bare(const PairPotential& charges) {
    PairPotential potential;
    potential.potential = charges.potential == potential_index<Logarithmic>
                              ? potential_index<Logarithmic>
                              : potential_index<Coulomb>;
    potential.charged = true;
    for (const PairParameters& p : charges.pairs)
        potential.pairs.push_back(
            {{p.numbers[0], 0.0, 0.0}, charges.periodic ? HUGE_VAL : p.cutoff, 0.0});
    return potential;
}

/// The scaled potential of a part; nothing for the fast part of charges in a field, which leaves it
/// to the slow part.
std::optional<PairForceDescription> scaled_part(PairForceDescription part) {
    part.name += "_14";
    if (!part.potential.pairs_14.empty()) part.potential.pairs = part.potential.pairs_14;
    if (!are_charges_in_a_field(part.potential)) return part;
    if (part.potential.part == PairPotential::Part::fast) return {};
    part.potential = bare(part.potential);
    part.name =
        part.potential.potential == potential_index<Coulomb> ? "coulomb_14" : "logarithmic_14";
    return part;
}

/// Rows of parameters, one for each pair of species and factor.
class ScaledRows {
  public:
    ScaledRows(const PairPotential& potential, BondedDescription& terms)
        : potential_(potential), table_(make_general_table(potential)),
          width_(table_.rows.size() / potential.pairs.size()), terms_(terms) {
        terms.row_count = 0;
    }
    std::int32_t of(std::size_t pair, double factor) {
        const auto [at, is_new] = known_.try_emplace({pair, factor}, terms_.row_count);
        if (is_new) {
            ++terms_.row_count;
            potential_.potential == tabulated ? append_table(pair, factor)
                                              : append_kernel(pair, factor);
        }
        return at->second;
    }

  private:
    void append_kernel(std::size_t pair, double factor) {
        terms_.rows.insert(terms_.rows.end(), {factor, static_cast<double>(table_.ending)});
        const auto from = table_.rows.begin() + static_cast<std::ptrdiff_t>(pair * width_);
        terms_.rows.insert(terms_.rows.end(), from, from + static_cast<std::ptrdiff_t>(width_));
    }
    void append_table(std::size_t pair, double factor) {
        append_row(terms_.rows,
                   TabulatedPair{factor, 0.0, 0.0, segments_.add(*potential_.pairs[pair].spline)});
        terms_.segments = segments_.numbers();
    }

    const PairPotential& potential_;
    Segments segments_;
    PairTable table_;
    std::size_t width_;
    BondedDescription& terms_;
    std::map<std::pair<std::size_t, double>, std::int32_t> known_;
};

} // namespace

std::vector<BondedDescription> scaled_pairs(const PairForceDescription& force,
                                            const std::vector<std::uint16_t>& species,
                                            std::size_t species_count,
                                            const std::vector<ScaledPair>& scaled) {
    std::vector<BondedDescription> all;
    for (const PairForceDescription& own : parts_of(force)) {
        const auto part = scaled_part(own);
        if (!part) continue;
        const PairPotential& potential = part->potential;
        const bool charged = potential.charged;
        BondedDescription terms;
        terms.name = part->name;
        terms.level = part->level;
        terms.form = potential.potential == tabulated ? tabulated_pair_form
                                                      : first_scaled_form + potential.potential;
        terms.info =
            potential.potential == tabulated ? &TabulatedPair::info : &scaled_potential_info;
        ScaledRows rows(potential, terms);
        for (const ScaledPair& pair : scaled) {
            const auto [a, b] = pair.members;
            const std::size_t kinds = species[a] * species_count + species[b];
            const double factor = charged ? pair.coulomb : pair.lj;
            if (factor == 0.0 || (charged && potential.pairs[kinds].numbers[0] == 0.0)) continue;
            terms.members.insert(terms.members.end(), {a, b});
            terms.row.push_back(rows.of(kinds, factor));
        }
        if (!terms.row.empty()) all.push_back(std::move(terms));
    }
    return all;
}

} // namespace shadow
