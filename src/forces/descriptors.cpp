// SPDX-License-Identifier: BSD-3-Clause
#include "curves.hpp"
#include "force_input.hpp"
#include "pair_strength.hpp"

#include "shadow/forces/registry.hpp"

#include "kernels/potentials/list.hpp"

#include <fmt/format.h>

/// What `mdrun --describe` and the reference of the input show of forces.
namespace shadow {
namespace {

using enum KeyType;

const ParameterInfo pairs{"pairs",
                          tables,
                          "",
                          "none",
                          "parameters that differ for pairs of species; see force.pairs",
                          "[{ species = [\"A\", \"A\"], cutoff = 2.0 }]"},
    pairs_14{"pairs_14",
             tables,
             "",
             "none",
             "parameters that differ for pairs of species three bonds apart, in addition to "
             "scale_14; see force.pairs_14",
             "[{ species = [\"A\", \"A\"], epsilon = 0.1 }]"},
    mixing{"mixing",
           text,
           "",
           "\"none\"",
           "parameters of unlike pairs from those of like ones: lengths by their arithmetic mean "
           "(lorentz-berthelot) or geometric mean, energies by their geometric mean",
           "\"lorentz-berthelot\"",
           {"none", "lorentz-berthelot", "geometric"}},
    level{"level",
          text,
          "",
          "the last of `levels`",
          "level of the force in a multiple-time-step method",
          "\"fast\""},
    cutoff{"cutoff",
           number,
           "length",
           "",
           "pairs beyond it do not interact; may be inf in an open box",
           "2.5"},
    truncation{
        "truncation",
        text,
        "",
        "\"none\"",
        "how the potential u ends at its cut-off R. none: unchanged; shift: u(r) - u(R); "
        "force-shift: u(r) - u(R) - u'(R) (r - R). smooth-c1 and smooth-c2 leave u unchanged below "
        "`inner` = a; with d = R - a and x = (r - a) / d, smooth-c1 continues with the cubic "
        "Hermite polynomial u(a) (1 - 3 x^2 + 2 x^3) + u'(a) d (x - 2 x^2 + x^3), which has u and "
        "u' of the potential at a and 0 at R, and smooth-c2 with the quintic one, u(a) (1 - 10 x^3 "
        "+ 15 x^4 - 6 x^5) + u'(a) d (x - 6 x^3 + 8 x^4 - 3 x^5) + u''(a) d^2 (x^2 - 3 x^3 + 3 x^4 "
        "- x^5) / 2, which has u'' too; neither is u times a switching function",
        "\"shift\"",
        {"none", "shift", "force-shift", "smooth-c1", "smooth-c2"}},
    inner{"inner",
          number,
          "length",
          "required by smooth truncations",
          "where smooth truncations begin",
          "2.0"},
    tail{"tail", boolean, "", "false", "mean-field correction beyond the cut-off", "true"},
    split{"split",
          table,
          "",
          "none",
          "into a fast and a slow part by distance; see force.split",
          "{ inner = 1.5, outer = 2.0 }"};

Descriptor describe(const PotentialTraits& traits) {
    const PotentialInfo& info = *traits.info;
    Descriptor d{info.name, info.summary, info.equation, info.reference, {}};
    if (traits.kind != CurveKind::compiled) d.parameters = curve_keys(traits.kind);
    if (traits.self_energy) d.equation += fmt::format("; {}", traits.self_energy);
    auto& keys = d.parameters;
    for (int k = info.strength_given() ? 0 : 1; k < info.parameter_count; ++k) {
        const PotentialParameter& p = info.parameters[k];
        if (p.range == NumberRange::internal) continue;
        keys.push_back({p.name, number, p.unit, p.range == NumberRange::zero_or_above ? "0.0" : "",
                        p.meaning,
                        p.example ? p.example
                        : *p.unit ? "1.0"
                                  : "12.0"});
        if (p.alias)
            keys.push_back({p.alias, number, p.unit, "none",
                            fmt::format("instead of {}: {} times as large", p.name, 1.0 / p.factor),
                            "1.0"});
    }
    keys.push_back(info.strength_given() ? pairs : strength_key(info.strength));
    if (has_pairs_14(traits)) keys.push_back(pairs_14);
    if (info.strength_given() && info.parameter_count > 0) keys.push_back(mixing);
    if (traits.implied_cutoff) return d;
    keys.push_back(cutoff);
    if (traits.bare) keys.back() = {"cutoff", number, "length", "inf", "only inf, in an open box"};
    if (info.strength_given()) keys.insert(keys.end(), {truncation, inner});
    if (traits.has_tail) keys.push_back(tail);
    keys.push_back(split);
    return d;
}

} // namespace

const ParameterInfo& level_key() {
    return level;
}

std::vector<Descriptor> potential_descriptors() {
    std::vector<Descriptor> all;
    for (int k = 0; k < Potentials::size; ++k) all.push_back(describe(potential_traits(k)));
    return all;
}

std::vector<Descriptor> curve_descriptors() {
    std::vector<Descriptor> all;
    for (const PotentialTraits& curve : curve_traits()) all.push_back(describe(curve));
    return all;
}

const std::vector<Descriptor>& force_tables() {
    static const std::vector<Descriptor> all = {
        {"force",
         "Forces on particles; any number of them, which add up. Each type has keys of its own "
         "besides those that several types share",
         "",
         "",
         {{"type", text, "", "", "one of mdrun --list force", "\"lennard-jones\""},
          cutoff,
          truncation,
          inner,
          tail,
          pairs,
          pairs_14,
          mixing,
          level,
          split}},
        {"force.pairs",
         "Parameters that differ for pairs of species: an array of tables in a force. Besides "
         "these keys it accepts the parameters of the potential, for this pair only",
         "",
         "",
         {{"species", texts, "", "", "both species of the pair", "[\"A\", \"B\"]"},
          {"cutoff", number, "length", "that of the force", "of this pair", "2.5"},
          {"inner", number, "length", "that of the force", "of this pair", "2.0"}}},
        {"force.pairs_14",
         "Parameters that differ for pairs of species where `scale_14` lets them interact: an "
         "array of tables in a force. It accepts the parameters of the potential; those not given "
         "are as for other pairs, and mixing rules use it before `pairs`",
         "",
         "",
         {{"species", texts, "", "", "both species of the pair", "[\"A\", \"A\"]"}}},
        modulation_table(),
        {"force.split",
         "A short-ranged fast and a smooth slow part of one potential, for methods such as respa",
         "",
         "",
         {{"inner", number, "length", "", "where the fast part begins to be switched off", "1.5"},
          {"outer", number, "length", "", "where the fast part is zero", "2.0"},
          {"level", text, "", "the first of `levels`",
           "of the fast part; that of the slow part is `level` of the force", "\"fast\""}}},
        {"step_sum",
         "Sums over pairs that are not forces but control the step, by the objective pair-sum of a "
         "method: of any type of pair force, with its keys except level, split, tail and pairs_14. "
         "For contacts of stiffness K, for example, u = \"K/(1 + exp((r - d)/w))\", whose square "
         "root is a frequency",
         "X = sum over pairs of u(r)",
         "Modin 2009, thesis, Paper II, section 3",
         {{"type", text, "", "", "one of the pair potentials of mdrun --list force", "\"formula\""},
          cutoff,
          truncation,
          inner,
          pairs,
          mixing}}};
    return all;
}

} // namespace shadow
