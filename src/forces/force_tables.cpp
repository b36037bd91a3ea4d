// SPDX-License-Identifier: BSD-3-Clause
#include "force_tables.hpp"

#include "shadow/core/log.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace shadow {
namespace {

bool same(const PairPotential& a, const PairPotential& b) {
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

bool same(const FieldDescription& a, const FieldDescription& b) {
    return a.field == b.field && a.numbers == b.numbers && a.weight == b.weight &&
           a.modulation == b.modulation;
}

bool same(const BondedDescription& a, const BondedDescription& b) {
    return a.form == b.form && a.types == b.types && a.rows == b.rows;
}

/// Is it the same force?
bool same(const ForceTable& a, const ForceTable& b) {
    if (a.field || b.field) return a.field && b.field && same(*a.field, *b.field);
    if (a.bonded || b.bonded) return a.bonded && b.bonded && same(*a.bonded, *b.bonded);
    return same(a.terms.front().potential, b.terms.front().potential);
}

/// A kind of terms has all of its forces from the file of the start, or none.
void refuse_beside_file(const ForceTable& force, const ForceTable& other) {
    if (!force.bonded || !other.bonded || !(force.of_file() || other.of_file())) return;
    if (force.bonded->info->kind != other.bonded->info->kind) return;
    const std::string kind = name(force.bonded->info->kind);
    force.table.fail("type", fmt::format("{} beside {} (both are of {}s, whose forces would add "
                                         "up); leave {}s out of `of` of {}, or remove one",
                                         force.type, other.type, kind, kind, data_coefficients));
}

/// Dihedrals may be a Fourier series; two springs on a bond are a mistake.
void refuse_shared_terms(const ForceTable& force, const ForceTable& other) {
    if (!force.bonded || !other.bonded || force.bonded->form != other.bonded->form) return;
    if (force.bonded->info->kind == BondedKind::dihedral) return;
    for (const std::string& type : force.bonded->types)
        if (std::count(other.bonded->types.begin(), other.bonded->types.end(), type) > 0)
            force.table.fail(force.table.has("of") ? "of" : "type",
                             fmt::format("a second {} on {}s of type \"{}\" (forces add up); say "
                                         "by `of` which it is for, or remove one",
                                         force.type, name(force.bonded->info->kind), type));
}

} // namespace

template <int Dim>
void tell_fall(const ForceTable& force, const Box<Dim>& box) {
    const std::vector<double> strength = force.field->gradient<Dim>();
    const bool falls = force.field->modulation.is_constant();
    for (std::size_t d = 0; d < Dim; ++d)
        if (force.field->info->uniform && box.periodic()[d] &&
            strength[d] * force.field->total_weight != 0.0)
            log::warning(fmt::format(
                "{}: {} along {}, which is periodic ({}); {}", force.table.where("type"),
                force.type, "xyz"[d],
                falls ? "all particles fall for ever: temperature, pressure and diffusion count "
                        "the fall as heat, however long the run"
                      : "it drives all particles together: temperature, pressure and diffusion "
                        "count their motion as heat, also where it stays behind",
                falls ? "put walls across an open direction where it is to be gravity"
                      : "look at directional-temperature, or let the field act on species "
                        "whose weights sum to zero"));
}

void refuse_twice(const ForceTable& force, const std::vector<ForceTable>& before) {
    const auto charged = [](const ForceTable& f) {
        return !f.terms.empty() && f.terms.front().potential.charged;
    };
    for (std::size_t k = 0; k < before.size(); ++k) {
        if (charged(force) && charged(before[k]))
            force.table.fail("type", fmt::format("{} beside {} (all charges act in each of them, "
                                                 "so they would count twice); keep one",
                                                 force.type, before[k].type));
        refuse_beside_file(force, before[k]);
        refuse_shared_terms(force, before[k]);
        if (!same(force, before[k])) continue;
        log::warning(fmt::format("{}: force {} ({}) is the same as force {} (forces add up, so it "
                                 "acts twice); remove one where that is not meant",
                                 force.table.where(), before.size() + 1, force.type, k + 1));
        return;
    }
}

void refuse_idle_pairs(const ForceTable& force, const Topology* topology) {
    if (force.terms.empty() || force.terms.front().potential.pairs_14.empty()) return;
    if (!topology || topology->scaled.empty())
        force.table.fail("pairs_14", "pairs_14 where no pairs are scaled (they are of atoms three "
                                     "bonds apart, which scale_14 lets interact); give scale_14, "
                                     "or remove pairs_14");
}

void refuse_missing(const Parameters& root, const Topology& topology,
                    const std::vector<BondedDescription>& forces) {
    for (const BondedGroup& group : topology.groups) {
        const auto acts = [&](const auto& force) { return force.acts_on(group); };
        if (std::none_of(forces.begin(), forces.end(), acts))
            root.fail("force", fmt::format("{0}s of type \"{1}\" without a force (nothing would "
                                           "hold them); add a [[force]] for {0}s, or remove them "
                                           "from the molecule",
                                           name(group.kind), group.type));
    }
}

void refuse_beside_excluded(const ForceTable& force) {
    if (force.type == "gravity")
        force.table.fail("type", "gravity beside excluded pairs (masses attract each other, bonded "
                                 "or not); set exclude = 0 in the molecules");
}

template void tell_fall(const ForceTable&, const Box<1>&);
template void tell_fall(const ForceTable&, const Box<2>&);
template void tell_fall(const ForceTable&, const Box<3>&);

} // namespace shadow
