// SPDX-License-Identifier: BSD-3-Clause
#include "read_force.hpp"

#include "curves.hpp"
#include "endings.hpp"
#include "pair_numbers.hpp"

#include "shadow/core/log.hpp"

#include "kernels/potentials/list.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>

namespace shadow {

namespace {

/// Reads one [[force]] table.
class PairForceReader {
  public:
    PairForceReader(const Parameters& table, const PotentialTraits& traits,
                    const ForceSurroundings& around)
        : table_(table), around_(around), species_(around.species.size()), traits_(traits) {
        result_.potential = traits.kernel;
        result_.charged = traits.info->strength == PairStrength::charges ||
                          traits.info->strength == PairStrength::planar;
        result_.name = traits.info->name;
    }

    std::vector<PairForceDescription> read() {
        given_.emplace(table_, around_, info());
        result_.pairs = given_->pairs();
        refuse_problems(result_.pairs);
        if (traits_.implied_cutoff)
            imply_cutoffs();
        else
            read_truncation();
        read_scaled();
        return terms(info().name);
    }

  private:
    [[nodiscard]] const PotentialInfo& info() const { return *traits_.info; }

    PairParameters& parameters(std::size_t a, std::size_t b) {
        return result_.pairs[a * species_ + b];
    }

    [[nodiscard]] const Parameters& place(std::size_t a, std::size_t b) const {
        const Parameters* entry = given_->entry(a, b);
        return entry ? *entry : table_;
    }
    /// The table with a key of a pair: its entry if that has it, else that of the force.
    [[nodiscard]] const Parameters& place_of(const char* key, std::size_t a, std::size_t b) const {
        const Parameters* entry = given_->entry(a, b);
        return entry && entry->has(key) ? *entry : table_;
    }

    /// The parameters of pairs three bonds apart, if `scale_14` lets them interact.
    void read_scaled() {
        if (!has_pairs_14(traits_) || table_.tables("pairs_14").empty()) return;
        if (table_.has("split"))
            table_.fail("pairs_14", "pairs_14 together with a split (both parts of a split "
                                    "potential have the same parameters); remove one");
        const auto scaled = GivenPairNumbers(table_, around_, info(), "pairs_14").pairs();
        refuse_problems(scaled);
        result_.pairs_14 = result_.pairs;
        for (std::size_t k = 0; k < scaled.size(); ++k)
            result_.pairs_14[k].numbers = scaled[k].numbers;
    }

    /// Throws if the numbers of a pair do not go together.
    void refuse_problems(const std::vector<PairParameters>& pairs) const {
        for (std::size_t k = 0; traits_.problem && k < pairs.size(); ++k)
            if (const char* problem = traits_.problem(pairs[k].numbers.data()))
                place(k / species_, k % species_)
                    .fail("", std::string(info().name) + " with " + problem);
    }

    /// Throws, as the sum over images has no end.
    [[noreturn]] void refuse_images() const {
        const char* instead = info().strength == PairStrength::charges
                                  ? "use coulomb-pme or coulomb-dsf, or open the box"
                              : info().strength == PairStrength::planar
                                  ? "use logarithmic-pme, or open the box"
                                  : "open the box";
        table_.fail("type", fmt::format("{} in a periodic box (its sum over images has no end); {}",
                                        info().name, instead));
    }

    void imply_cutoffs() {
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
        refuse_long_cutoff(from, key, cutoff, length);
    }

    void read_truncation() {
        const bool bare = traits_.bare;
        if (bare && !around_.open) refuse_images();
        const bool general = bare || table_.has("cutoff") || !given_->has_entries();
        const double top = !general ? 0.0
                           : bare   ? table_.number_or_infinity("cutoff", HUGE_VAL)
                                    : table_.number_or_infinity("cutoff");
        if (bare && std::isfinite(top))
            table_.fail("cutoff",
                        fmt::format("a cutoff of {} (cutting it makes errors that grow "
                                    "with the system); {}cutoff = inf",
                                    info().name,
                                    result_.potential == potential_index<Coulomb> && result_.charged
                                        ? "use coulomb-dsf, or "
                                        : "use "));
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b) {
                const Parameters& from = place_of("cutoff", a, b);
                double& cutoff = parameters(a, b).cutoff;
                if (&from != &table_)
                    cutoff = from.number_or_infinity("cutoff");
                else if (general)
                    cutoff = top;
                else
                    table_.fail("", fmt::format("no cutoff for {}-{} (every pair needs one); give "
                                                "cutoff = ... or inf",
                                                around_.species[a].name, around_.species[b].name));
                check_cutoff(from, "cutoff", cutoff);
            }
        if (result_.charged && !bare && std::isinf(parameters(0, 0).cutoff))
            table_.fail("cutoff",
                        fmt::format("{} with an infinite cutoff (it is made to vanish at the "
                                    "cutoff); give a finite one, or use coulomb in an open box",
                                    info().name));
        if (result_.potential == potential_index<DampedShiftedForce>)
            warn_of_damping(table_, parameters(0, 0).numbers[1], parameters(0, 0).cutoff);
        if (result_.potential == potential_index<LennardJones>) warn_of_short_cutoffs();
        if (traits_.kind != CurveKind::compiled)
            read_curves(table_, traits_, *given_, around_, result_);
        if (info().strength_given()) read_ending();
        if (traits_.has_tail) read_tail();
        read_split();
    }

    /// Warns of cut-offs that leave only a part of the repulsion.
    void warn_of_short_cutoffs() const {
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = a; b < species_; ++b) {
                const PairParameters& p = result_.pairs[a * species_ + b];
                if (p.numbers[0] == 0.0 || !(p.cutoff < p.numbers[1])) continue;
                return log::warning(fmt::format(
                    "{}: cutoff = {} of {}-{} is below sigma = {} (particles get so close through "
                    "what is left of their repulsion); give a longer one, or use wca",
                    place_of("cutoff", a, b).where("cutoff"), p.cutoff, around_.species[a].name,
                    around_.species[b].name, p.numbers[1]));
            }
    }

    void read_ending() {
        const std::vector<std::string> names = {"none", "shift", "force-shift", "smooth-c1",
                                                "smooth-c2"};
        const auto chosen = table_.choice("truncation", names, "none");
        result_.truncation =
            static_cast<Truncation>(std::find(names.begin(), names.end(), chosen) - names.begin());
        if (!is_smooth()) return refuse_inner(chosen);
        const double top = table_.has("inner") ? table_.positive("inner") : 0.0;
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = 0; b < species_; ++b) {
                PairParameters& p = parameters(a, b);
                const Parameters& from = place_of("inner", a, b);
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
                refuse_before_rows(from, p, p.inner, "smoothed");
            }
        warn_of_steep_ends(chosen);
    }

    [[nodiscard]] bool is_smooth() const {
        return result_.truncation == Truncation::smooth_c1 ||
               result_.truncation == Truncation::smooth_c2;
    }

    void refuse_inner(const std::string& truncation) const {
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = a; b < species_; ++b)
                if (const Parameters& from = place_of("inner", a, b); from.has("inner"))
                    from.fail("inner", fmt::format("inner with truncation = \"{}\" (only smooth-c1 "
                                                   "and smooth-c2 begin there); remove it, or "
                                                   "choose one of them",
                                                   truncation));
    }

    /// Warns of an end that begins where u is so steep, as in the core, that it overshoots.
    void warn_of_steep_ends(const std::string& truncation) const {
        for (std::size_t a = 0; a < species_; ++a)
            for (std::size_t b = a; b < species_; ++b) {
                const PairParameters& p = result_.pairs[a * species_ + b];
                const SmoothEnd end = smooth_end(result_, p);
                if (!(end.excess() > 0.5)) continue;
                return log::warning(fmt::format(
                    "{}: inner = {} of {}-{} makes {} another potential (from there to the cutoff "
                    "u is between {:.3g} and {:.3g}, its smooth end between {:.3g} and {:.3g}); "
                    "begin where u is less steep, such as at {}",
                    place_of("inner", a, b).where("inner"), p.inner, around_.species[a].name,
                    around_.species[b].name, truncation, end.least, end.largest, end.end_least,
                    end.end_largest, 0.8 * p.cutoff));
            }
    }

    /// Throws where u is needed at `inner` and has no rows there.
    static void refuse_before_rows(const Parameters& from, const PairParameters& p, double inner,
                                   const char* done) {
        if (p.curve && inner < p.curve->first)
            from.fail("inner", fmt::format("inner = {} is closer than the table begins, at r = {} "
                                           "(the potential is {} from u and u' there); give a "
                                           "larger one, or rows at smaller r",
                                           inner, p.curve->first, done));
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
            if (!std::isfinite(tail_integral(result_, p, around_.dimension)))
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
        const bool smooth = is_smooth();
        for (const PairParameters& p : result_.pairs) {
            const double end = smooth ? p.inner : p.cutoff;
            if (result_.split.outer > end)
                split.fail(
                    "outer",
                    fmt::format("outer = {} is beyond {} = {} (the fast part must end before "
                                "the potential does); give a smaller one",
                                result_.split.outer, smooth ? "inner" : "the cutoff", end));
            refuse_before_rows(split, p, result_.split.inner, "split");
        }
        fast_level_ = read_level(split, around_.levels, around_.levels.front());
    }

    std::vector<PairForceDescription> terms(const std::string& type) {
        const ForceLevel level = read_level(table_, around_.levels, around_.levels.back());
        const bool is_curve = traits_.kind != CurveKind::compiled;
        if (!fast_level_) {
            if (is_curve) tabulate_curves(table_, traits_, result_);
            return {{{type, level}, result_}};
        }
        if (*fast_level_ >= level)
            table_.fail("split",
                        fmt::format("the fast part of a split potential is of level {}, "
                                    "the slow one of {} (the fast part kicks more often); "
                                    "exchange or change them",
                                    around_.levels[static_cast<std::size_t>(*fast_level_) - 1],
                                    around_.levels[static_cast<std::size_t>(level) - 1]));
        PairPotential fast = result_;
        fast.part = PairPotential::Part::fast;
        fast.tail = false;
        result_.part = PairPotential::Part::slow;
        if (is_curve)
            for (PairPotential* part : {&fast, &result_}) tabulate_curves(table_, traits_, *part);
        return {{{type + " (fast part)", *fast_level_}, fast},
                {{type + " (slow part)", level}, result_}};
    }

    const Parameters& table_;
    const ForceSurroundings& around_;
    std::size_t species_;
    PotentialTraits traits_;
    PairPotential result_;
    std::optional<GivenPairNumbers> given_;
    std::optional<ForceLevel> fast_level_; ///< of a split potential
};

} // namespace

bool has_pairs_14(const PotentialTraits& traits) {
    return traits.kind == CurveKind::compiled && traits.info->strength_given() &&
           !traits.implied_cutoff && traits.info->parameter_count > 0;
}

void refuse_long_cutoff(const Parameters& from, std::string_view key, double cutoff,
                        double length) {
    if (cutoff > 0.5 * length * (1.0 + 1e-12))
        from.fail(key, fmt::format("cutoff {} is longer than half the shortest periodic length {} "
                                   "(a particle would meet two images of another); use at most {} "
                                   "or a larger box",
                                   cutoff, length, 0.5 * length));
}

void warn_of_damping(const Parameters& table, double alpha, double cutoff) {
    if (!(alpha * cutoff > 6.0)) return;
    log::warning(fmt::format("{}: alpha = {} with a cutoff of {} (at half of it {:.0e} of 1/r is "
                             "left, so charges hardly act; usual is 2 to 4 over the cutoff); give "
                             "a smaller one",
                             table.where("alpha"), alpha, cutoff, std::erfc(0.5 * alpha * cutoff)));
}

std::vector<PairForceDescription> read_force(const Parameters& table, const PotentialTraits& traits,
                                             const ForceSurroundings& surroundings) {
    return PairForceReader(table, traits, surroundings).read();
}

} // namespace shadow
