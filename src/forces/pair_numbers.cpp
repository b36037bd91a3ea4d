// SPDX-License-Identifier: BSD-3-Clause
#include "pair_numbers.hpp"

#include "pair_strength.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// Keeps the entry of a pair; throws for a second one.
void keep(const Parameters& entry, std::optional<Parameters>& kept) {
    if (kept) {
        const auto names = entry.texts("species");
        entry.fail("species", fmt::format("pair {}-{} given twice (which one counts is not "
                                          "clear); keep one",
                                          names[0], names[1]));
    }
    kept = entry;
}

} // namespace

GivenPairNumbers::GivenPairNumbers(const Parameters& table, const ForceSurroundings& around,
                                   const PotentialInfo& info, const char* over)
    : table_(table), around_(around), info_(info), species_(around.species.size()),
      pairs_(species_ * species_) {
    if (info.strength_given()) {
        read_pairs();
        if (over) read_over(over);
        read_numbers();
    } else {
        read_strengths();
    }
}

std::vector<PairParameters> GivenPairNumbers::pairs() const {
    std::vector<PairParameters> all(species_ * species_);
    for (std::size_t k = 0; k < all.size(); ++k)
        for (const auto& value : input(k / species_, k % species_).numbers)
            all[k].numbers.push_back(value.value_or(0.0));
    return all;
}

GivenPairNumbers::Input& GivenPairNumbers::pair_of(const Parameters& entry) {
    const auto names = entry.texts("species");
    if (names.size() != 2)
        entry.fail("species", fmt::format("{} species (a pair has two); write species = "
                                          "[\"A\", \"B\"]",
                                          names.size()));
    return input(find_species(entry, names[0]), find_species(entry, names[1]));
}

void GivenPairNumbers::read_pairs() {
    for (const Parameters& entry : table_.tables("pairs")) {
        keep(entry, pair_of(entry).table);
        ++entries_;
    }
}

void GivenPairNumbers::read_over(const char* key) {
    for (const Parameters& entry : table_.tables(key)) {
        keep(entry, pair_of(entry).over);
        bool any = false;
        for (int k = 0; k < info_.parameter_count; ++k)
            any = any || number(entry, info_.parameters[k]).has_value();
        if (!any)
            entry.fail("species", fmt::format("an entry of {} without a number (it would change "
                                              "nothing); give {}, or remove it",
                                              key, info_.parameters[0].name));
    }
}

std::optional<double> GivenPairNumbers::own_number(const Input& pair,
                                                   const PotentialParameter& p) const {
    if (pair.over)
        if (const auto value = number(*pair.over, p)) return value;
    return pair.table ? number(*pair.table, p) : std::nullopt;
}

std::size_t GivenPairNumbers::find_species(const Parameters& entry, const std::string& name) const {
    std::vector<std::string> known;
    for (const Species& s : around_.species) known.push_back(s.name);
    const auto found = std::find(known.begin(), known.end(), name);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    const auto near = nearest(name, known);
    entry.fail("species", fmt::format("unknown species {} (the system has {}); {}",
                                      in_quotes(name, 60), quoted_list(known),
                                      near ? fmt::format("did you mean {}?", in_quotes(*near))
                                           : std::string("use one of these")));
}

/// A parameter under its name or its alias; lengths and similar ones are above zero, energies not
/// below.
std::optional<double> GivenPairNumbers::number(const Parameters& from,
                                               const PotentialParameter& p) const {
    const bool plain = from.has(p.name), other = p.alias && from.has(p.alias);
    if (plain && other)
        from.fail(p.alias, fmt::format("both {} and {} (one follows from the other); give one",
                                       p.name, p.alias));
    const bool zero_or_above = p.range == NumberRange::zero_or_above;
    if (!plain && !other)
        return zero_or_above ? std::optional(from.number(p.name, 0.0)) : std::nullopt;
    const char* key = plain ? p.name : p.alias;
    const bool continuum = p.range == NumberRange::permittivity;
    const double value = continuum ? from.number_or_infinity(key) : from.number(key);
    if (continuum && !(value >= 1.0))
        from.fail(key, fmt::format("{} = {} is out of range (no continuum is below a vacuum); give "
                                   "1 or more, or inf for a conductor",
                                   key, value));
    const bool zero_allowed = zero_or_above || std::string_view(p.unit) == "energy";
    if (p.range != NumberRange::any && !(value > 0.0 || (zero_allowed && value == 0.0)))
        from.fail(key, fmt::format("{} = {} is out of range (the {} potential needs {} {}); "
                                   "give such a number",
                                   key, value, info_.name, key,
                                   zero_allowed ? "not below zero" : "above zero"));
    return plain ? value : value * p.factor;
}

void GivenPairNumbers::read_numbers() {
    if (info_.parameter_count == 0) return;
    mixing_ = table_.choice("mixing", {"none", "lorentz-berthelot", "geometric"}, "none");
    for (int k = 0; k < info_.parameter_count; ++k) {
        const PotentialParameter& p = info_.parameters[k];
        const auto top = number(table_, p);
        for (Input& pair : pairs_) pair.numbers.push_back(own_number(pair, p));
        const auto own = [&](std::size_t a) { return input(a, a).numbers.back(); };
        std::vector<double> like(species_);
        std::vector<char> common(species_); // uses the value for all
        for (std::size_t a = 0; a < species_; ++a) {
            if (!own(a) && !top) fail_missing(p, a, a);
            like[a] = own(a).value_or(top.value_or(0.0));
            common[a] = !own(a);
        }
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = a; b < species_; ++b) {
                std::optional<double>& value = input(a, b).numbers.back();
                if (value) continue;
                if (a == b)
                    value = like[a];
                else if (mixing_ != "none")
                    value = mixed(p, like[a], like[b], a, b);
                else if (top && common[a] && common[b])
                    value = *top;
                else
                    fail_missing(p, a, b);
            }
    }
}

double GivenPairNumbers::mixed(const PotentialParameter& p, double x, double y, std::size_t a,
                               std::size_t b) const {
    const std::string_view unit = p.unit;
    if (x == y) return x;
    if (unit == "length" && mixing_ == "lorentz-berthelot") return 0.5 * (x + y);
    if (unit == "length" || unit == "energy") return std::sqrt(x * y);
    table_.fail("mixing", fmt::format("no rule for {} of {}-{} ({} and {} differ, and rules mix "
                                      "energies and lengths only); give the pair in pairs",
                                      p.name, name(a), name(b), x, y));
}

void GivenPairNumbers::fail_missing(const PotentialParameter& p, std::size_t a,
                                    std::size_t b) const {
    const std::string names = fmt::format("{}-{}", name(a), name(b));
    const std::string what = p.alias ? fmt::format("{} (or {})", p.name, p.alias) : p.name;
    if (species_ == 1) (void)table_.number(p.name); // throws: required
    if (a == b)
        table_.fail("", fmt::format("no {} for {} (every pair of species needs its own); give "
                                    "{} = ... here or for the pair in pairs",
                                    what, names, p.name));
    table_.fail("", fmt::format("no {} for {} (a missing cross term); add the pair to pairs or "
                                "set mixing = \"lorentz-berthelot\" or \"geometric\"",
                                what, names));
}

/// The first parameter is the product of the charges or masses of two species, times a factor.
void GivenPairNumbers::read_strengths() {
    const double factor = read_strength(table_, info_.strength, around_.coulomb);
    const bool massive = info_.strength == PairStrength::masses;
    if (!massive && std::all_of(around_.species.begin(), around_.species.end(),
                                [](const Species& s) { return s.charge == 0.0; }))
        table_.fail("type", fmt::format("{} without charges (every species has charge 0); set "
                                        "charge in [[species]] or remove this force",
                                        info_.name));
    const auto of = [&](std::size_t a) {
        return massive ? around_.species[a].mass / around_.inertia : around_.species[a].charge;
    };
    std::vector<double> rest;
    for (int p = 1; p < info_.parameter_count; ++p) {
        if (info_.parameters[p].range == NumberRange::internal) {
            rest.push_back(0.0);
            continue;
        }
        const auto value = number(table_, info_.parameters[p]);
        rest.push_back(value ? *value : table_.positive(info_.parameters[p].name));
    }
    for (std::size_t a = 0; a < species_; ++a)
        for (std::size_t b = a; b < species_; ++b) {
            auto& numbers = input(a, b).numbers;
            numbers.emplace_back(factor * of(a) * of(b));
            numbers.insert(numbers.end(), rest.begin(), rest.end());
        }
}

} // namespace shadow
