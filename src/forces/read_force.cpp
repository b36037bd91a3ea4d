// SPDX-License-Identifier: BSD-3-Clause
#include "read_force.hpp"

#include "potential_visit.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace shadow {

namespace {

/// Reads one [[force]] table.
class Reader {
  public:
    Reader(const Parameters& table, const ForceSurroundings& around)
        : table_(table), around_(around), species_(around.species.size()) {}

    std::vector<PairForceDescription> read() {
        std::vector<std::string> names;
        for (int k = 0; k < Potentials::size; ++k)
            names.emplace_back(potential_traits(k).info->name);
        const std::string type = table_.choice("type", names);
        result_.potential =
            static_cast<int>(std::find(names.begin(), names.end(), type) - names.begin());
        traits_ = potential_traits(result_.potential);
        pairs_.resize(species_ * species_);
        read_pairs();
        if (info().charged)
            read_charges();
        else
            read_numbers();
        if (traits_.implied_cutoff)
            imply_cutoffs();
        else
            read_truncation();
        return terms(type);
    }

  private:
    [[nodiscard]] const PotentialInfo& info() const { return *traits_.info; }

    struct PairInput {
        std::optional<Parameters> table; ///< the entry of `pairs`
        std::vector<std::optional<double>> numbers;
    };

    [[nodiscard]] PairInput& input(std::size_t a, std::size_t b) {
        return pairs_[std::min(a, b) * species_ + std::max(a, b)];
    }
    [[nodiscard]] const Parameters& place(std::size_t a, std::size_t b) {
        const auto& entry = input(a, b).table;
        return entry ? *entry : table_;
    }

    void read_pairs() {
        if (info().charged) return;
        for (const Parameters& entry : table_.tables("pairs")) {
            const auto names = entry.texts("species");
            if (names.size() != 2)
                entry.fail("species", fmt::format("{} species (a pair has two); write species = "
                                                  "[\"A\", \"B\"]",
                                                  names.size()));
            PairInput& pair = input(find_species(entry, names[0]), find_species(entry, names[1]));
            if (pair.table)
                entry.fail("species", fmt::format("pair {}-{} given twice (which one counts is not "
                                                  "clear); keep one",
                                                  names[0], names[1]));
            pair.table = entry;
            ++pair_tables_;
        }
    }

    std::size_t find_species(const Parameters& entry, const std::string& name) const {
        std::vector<std::string> known;
        for (const Species& s : around_.species) known.push_back(s.name);
        const auto found = std::find(known.begin(), known.end(), name);
        if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
        const auto near = nearest(name, known);
        entry.fail("species", fmt::format("unknown species {} (the system has {}); {}",
                                          quoted(name, 60), quoted_list(known),
                                          near ? fmt::format("did you mean {}?", quoted(*near))
                                               : std::string("use one of these")));
    }

    /// A parameter under its name or its alias; lengths and the like above zero, energies not
    /// below.
    std::optional<double> number(const Parameters& from, const PotentialParameter& p) const {
        const bool plain = from.has(p.name), other = p.alias && from.has(p.alias);
        if (plain && other)
            from.fail(p.alias, fmt::format("both {} and {} (one follows from the other); give one",
                                           p.name, p.alias));
        if (!plain && !other) return {};
        const char* key = plain ? p.name : p.alias;
        const double value = from.number(key);
        const bool zero_allowed = std::string_view(p.unit) == "energy";
        if (!(value > 0.0 || (zero_allowed && value == 0.0)))
            from.fail(key, fmt::format("{} = {} is out of range (the {} potential needs {} {}); "
                                       "give such a number",
                                       key, value, info().name, key,
                                       zero_allowed ? "not below zero" : "above zero"));
        return plain ? value : value * p.factor;
    }

    void read_numbers() {
        mixing_ = table_.choice("mixing", {"none", "lorentz-berthelot", "geometric"}, "none");
        for (int k = 0; k < info().parameter_count; ++k) {
            const PotentialParameter& p = info().parameters[k];
            const auto top = number(table_, p);
            for (PairInput& pair : pairs_)
                pair.numbers.push_back(pair.table ? number(*pair.table, p) : std::nullopt);
            const auto own = [&](std::size_t a) { return input(a, a).numbers.back(); };
            std::vector<double> like(species_);
            std::vector<char> common(species_); // takes the value for all
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

    [[nodiscard]] double mixed(const PotentialParameter& p, double x, double y, std::size_t a,
                               std::size_t b) const {
        const std::string_view unit = p.unit;
        if (x == y) return x;
        if (unit == "length" && mixing_ == "lorentz-berthelot") return 0.5 * (x + y);
        if (unit == "length" || unit == "energy") return std::sqrt(x * y);
        table_.fail("mixing",
                    fmt::format("no rule for {} of {}-{} ({} and {} differ, and rules mix "
                                "energies and lengths only); give the pair in pairs",
                                p.name, name(a), name(b), x, y));
    }

    [[nodiscard]] const std::string& name(std::size_t a) const { return around_.species[a].name; }

    [[noreturn]] void fail_missing(const PotentialParameter& p, std::size_t a, std::size_t b) {
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

    void read_charges() {
        const double k = around_.coulomb / table_.positive("dielectric", 1.0);
        if (std::all_of(around_.species.begin(), around_.species.end(),
                        [](const Species& s) { return s.charge == 0.0; }))
            table_.fail("type", fmt::format("{} without charges (every species has charge 0); set "
                                            "charge in [[species]] or remove this force",
                                            info().name));
        std::vector<double> rest;
        for (int p = 1; p < info().parameter_count; ++p) {
            const auto value = number(table_, info().parameters[p]);
            rest.push_back(value ? *value : table_.positive(info().parameters[p].name));
        }
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = a; b < species_; ++b) {
                auto& numbers = input(a, b).numbers;
                numbers.emplace_back(k * around_.species[a].charge * around_.species[b].charge);
                numbers.insert(numbers.end(), rest.begin(), rest.end());
            }
    }

    PairParameters& parameters(std::size_t a, std::size_t b) {
        return result_.pairs[a * species_ + b];
    }

    void fill_numbers() {
        result_.pairs.resize(species_ * species_);
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b)
                for (const auto& value : input(a, b).numbers)
                    parameters(a, b).numbers.push_back(value.value_or(0.0));
    }

    void imply_cutoffs() {
        fill_numbers();
        const char* key = info().parameters[1].name;
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b) {
                parameters(a, b).cutoff = traits_.implied_cutoff(parameters(a, b).numbers.data());
                check_cutoff(place(a, b), key, parameters(a, b).cutoff);
            }
    }

    void check_cutoff(const Parameters& from, std::string_view key, double cutoff) const {
        const double length = around_.shortest_periodic_length;
        if (!(cutoff > 0.0))
            from.fail(key, fmt::format("{} = {} is out of range (a distance is above zero); give "
                                       "such a number, or inf in an open box",
                                       key, cutoff));
        if (std::isinf(cutoff) && !around_.open)
            from.fail(key, "an infinite cutoff in a periodic box (the sum over images has no end); "
                           "give a finite cutoff or open the box");
        if (cutoff > 0.5 * length * (1.0 + 1e-12))
            from.fail(key, fmt::format("cutoff {} is longer than half the shortest periodic length "
                                       "{} (a particle would meet two images of another); use at "
                                       "most {} or a larger box",
                                       cutoff, length, 0.5 * length));
    }

    void read_truncation() {
        fill_numbers();
        const bool bare = result_.potential == potential_index<Coulomb>;
        if (bare && !around_.open)
            table_.fail("type", "bare charges in a periodic box (their sum over images has no "
                                "end); use coulomb-dsf or open the box");
        const bool general = bare || table_.has("cutoff") || pair_tables_ == 0;
        const double top = !general ? 0.0
                           : bare   ? table_.number_or_infinity("cutoff", HUGE_VAL)
                                    : table_.number_or_infinity("cutoff");
        if (bare && std::isfinite(top))
            table_.fail("cutoff", "a cutoff for bare charges (cutting them makes errors that grow "
                                  "with the system); use coulomb-dsf, or cutoff = inf");
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b) {
                const Parameters& from =
                    input(a, b).table && input(a, b).table->has("cutoff") ? place(a, b) : table_;
                double& cutoff = parameters(a, b).cutoff;
                if (&from != &table_)
                    cutoff = from.number_or_infinity("cutoff");
                else if (general)
                    cutoff = top;
                else
                    table_.fail("", fmt::format("no cutoff for {}-{} (every pair needs one); give "
                                                "cutoff = ... or inf",
                                                name(a), name(b)));
                check_cutoff(from, "cutoff", cutoff);
            }
        const bool screened = result_.potential == potential_index<DampedShiftedForce>;
        if (screened && std::isinf(parameters(0, 0).cutoff))
            table_.fail("cutoff",
                        "coulomb-dsf with an infinite cutoff (it is made to vanish at the "
                        "cutoff); give a finite one, or use coulomb in an open box");
        if (!info().charged) read_ending();
        if (traits_.tail_integral) read_tail();
        read_split();
    }

    void read_ending() {
        const std::vector<std::string> names = {"none", "shift", "force-shift", "smooth-c1",
                                                "smooth-c2"};
        const auto chosen = table_.choice("truncation", names, "none");
        result_.truncation =
            static_cast<Truncation>(std::find(names.begin(), names.end(), chosen) - names.begin());
        if (result_.truncation != Truncation::smooth_c1 &&
            result_.truncation != Truncation::smooth_c2)
            return;
        const double top = table_.has("inner") ? table_.positive("inner") : 0.0;
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b) {
                const auto& entry = input(a, b).table;
                PairParameters& p = parameters(a, b);
                const Parameters& from = entry && entry->has("inner") ? *entry : table_;
                p.inner = &from == &table_ && top > 0.0 ? top : from.positive("inner");
                if (std::isinf(p.cutoff))
                    table_.fail("truncation", fmt::format("{} with an infinite cutoff (there is no "
                                                          "end to smooth); give a finite cutoff, "
                                                          "or truncation = \"none\"",
                                                          chosen));
                if (p.inner >= p.cutoff)
                    from.fail("inner", fmt::format("inner = {} is not below the cutoff {} (the "
                                                   "potential is smoothed between them); give a "
                                                   "smaller one, such as {}",
                                                   p.inner, p.cutoff, 0.8 * p.cutoff));
            }
    }

    void read_tail() {
        result_.tail = table_.boolean("tail", false);
        if (!result_.tail) return;
        if (result_.truncation != Truncation::none)
            table_.fail("tail",
                        "tail corrections of a changed potential (they restore what a plain "
                        "cut leaves out); use truncation = \"none\"");
        if (!around_.periodic)
            table_.fail("tail", "tail corrections in an open box (there is no density beyond the "
                                "cutoff); remove tail");
        for (const PairParameters& p : result_.pairs)
            if (!std::isfinite(
                    traits_.tail_integral(p.numbers.data(), p.cutoff, around_.dimension)))
                table_.fail("tail", "the tail of this potential is infinite (it falls off too "
                                    "slowly in this dimension); remove tail");
    }

    void read_split() {
        if (!table_.has("split")) return;
        const Parameters split = table_.table("split");
        result_.split = {split.positive("inner"), split.positive("outer")};
        if (result_.split.inner >= result_.split.outer)
            split.fail("inner",
                       fmt::format("inner = {} is not below outer = {} (the fast part ends "
                                   "between them); exchange them",
                                   result_.split.inner, result_.split.outer));
        const bool smooth = result_.truncation == Truncation::smooth_c1 ||
                            result_.truncation == Truncation::smooth_c2;
        for (const PairParameters& p : result_.pairs) {
            const double end = smooth ? p.inner : p.cutoff;
            if (result_.split.outer > end)
                split.fail(
                    "outer",
                    fmt::format("outer = {} is beyond {} = {} (the fast part must end before "
                                "the potential does); give a smaller one",
                                result_.split.outer, smooth ? "inner" : "the cutoff", end));
        }
        if (table_.has("class"))
            table_.fail("class",
                        "both class and split (a split potential belongs to both classes); "
                        "remove one");
        is_split_ = true;
    }

    std::vector<PairForceDescription> terms(const std::string& type) {
        if (!is_split_) {
            const bool fast = table_.choice("class", {"fast", "slow"}, "slow") == "fast";
            return {{type, fast ? ForceClass::fast : ForceClass::slow, result_, {}}};
        }
        PairPotential fast = result_;
        fast.part = PairPotential::Part::fast;
        fast.tail = false;
        result_.part = PairPotential::Part::slow;
        return {{type + " (fast part)", ForceClass::fast, fast, {}},
                {type + " (slow part)", ForceClass::slow, result_, {}}};
    }

    const Parameters& table_;
    const ForceSurroundings& around_;
    std::size_t species_;
    PotentialTraits traits_;
    PairPotential result_;
    std::vector<PairInput> pairs_; ///< (a * species + b), a <= b
    std::string mixing_;
    int pair_tables_ = 0;
    bool is_split_ = false;
};

} // namespace

PotentialTraits potential_traits(int index) {
    PotentialTraits traits;
    visit_potential(index, [&]<template <class> class P>(PotentialTag<P>) {
        traits.info = &P<double>::info;
        if constexpr (has_implied_cutoff<P>) traits.implied_cutoff = &P<double>::implied_cutoff;
        if constexpr (has_tail<P>) traits.tail_integral = &P<double>::tail_integral;
    });
    return traits;
}

std::vector<PairForceDescription> read_force(const Parameters& table,
                                             const ForceSurroundings& surroundings) {
    return Reader(table, surroundings).read();
}

} // namespace shadow
