// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/integrators/composition.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <stdexcept>
#include <utility>

namespace shadow {
namespace {

bool kicks(const Word& word, ForceLevel level) {
    return std::any_of(word.begin(), word.end(),
                       [&](const Flow& f) { return f.is_kick() && f.level == level; });
}

/// Is a level kicked by more than one kind of kick: plain (with or without gradients), mollified or
/// implicit?
bool kicks_twice(const Word& word, ForceLevel level) {
    std::set<FlowKind> kinds;
    for (const Flow& f : word)
        if (f.is_kick() && f.level == level)
            kinds.insert(f.kind == FlowKind::gradient_kick ? FlowKind::kick : f.kind);
    return kinds.size() > 1;
}

void refuse_useless(const Word& word, int levels) {
    const bool all = kicks(word, all_levels), exact = has_flow(word, FlowKind::exact_motion);
    bool some = exact, each = true, twice = kicks_twice(word, all_levels);
    for (ForceLevel level = 1; level <= levels; ++level) {
        some = some || kicks(word, level);
        each = each && (kicks(word, level) || (exact && level == 1));
        twice = twice || kicks_twice(word, level);
    }
    if (!(has_flow(word, FlowKind::drift) || exact) || !(all || each)) {
        throw InputError(fmt::format(
            "the word lacks a part of the motion (it needs the drift A and the forces B, or {}); "
            "add the missing flow",
            levels == 2 ? "both F and S" : fmt::format("B[1] to B[{}]", levels)));
    }
    if ((all && some) || twice) {
        throw InputError(
            "the word counts forces twice (B, G, J, K and R kick with all forces, F, I, S, B[1] "
            "and M with some of them, I with those of F, M with those of S); use one "
            "letter for each");
    }
    std::set<BathKind> baths;
    for (const Flow& f : word)
        if (f.kind == FlowKind::bath) baths.insert(f.bath);
    if (has_pair_bath(word) && baths.size() > 1)
        throw InputError("the word has Q or L together with another bath (there is one rate, which "
                         "has a different meaning for each); use one of them");
    const bool damps = has_flow(word, FlowKind::damping),
               kicks_damped = has_flow(word, FlowKind::damped_kick);
    if ((damps && kicks_damped) || (is_damped(word) && has_flow(word, FlowKind::bath))) {
        throw InputError("the word counts friction twice (it is in the baths O, P, C, Q and L, in "
                         "D, X and Y, and in the kicks K and R); use one of these");
    }
    if (exact && (has_flow(word, FlowKind::drift) || kicks(word, 1))) {
        throw InputError(
            "the word counts parts of the motion twice (H is the drift A and the kicks "
            "F together); use either H, or the others");
    }
    const bool backwards = std::any_of(word.begin(), word.end(), [](const Flow& f) {
        return f.kind == FlowKind::bath && f.fraction < 0.0;
    });
    if (backwards) {
        throw InputError("the word runs a bath backwards (friction with noise has no inverse); use "
                         "fractions above zero for O, P, C, Q and L");
    }
}

} // namespace

std::string word_by_levels(const std::string& word, const std::vector<int>& inner) {
    const std::size_t open = word.find('('), close = word.find(")^n");
    if (close == std::string::npos) return word;
    // Flows before and after the slow kicks occur once in a step of all levels.
    const std::size_t first = word.find_first_of("SM");
    const char slow = word[first];
    const std::string kick = std::string(1, slow) + "½";
    const std::size_t last = word.find(kick, close) + kick.size();
    if (word.find_first_not_of(' ', first + kick.size()) != open ||
        word.find_first_not_of(' ', close + 3) != last - kick.size())
        throw std::logic_error("between the slow kicks of " + word + " stands more than (...)^n");
    std::string whole = word.substr(open + 1, close - open - 1);
    for (std::size_t k = 0; k < inner.size(); ++k)
        whole = fmt::format("{0}[{1}]½ ({2})^{3} {0}[{1}]½", slow == 'S' ? 'B' : slow, k + 2, whole,
                            inner[k]);
    return word.substr(0, first) + whole + word.substr(last);
}

std::string slow_kicks_of_all(const std::string& word, int levels) {
    std::string kicks, all;
    for (int level = 2; level <= levels; ++level)
        kicks += fmt::format("{}B[{}]½", level > 2 ? " " : "", level);
    const std::string slow = "S½";
    std::size_t from = 0;
    for (std::size_t at; (at = word.find(slow, from)) != std::string::npos; from = at + slow.size())
        all += word.substr(from, at - from) + kicks;
    return all + word.substr(from);
}

namespace {

std::string verlet_of_order(int order) {
    const std::string name = order == 2   ? "verlet"
                             : order == 4 ? "mclachlan-4"
                             : order == 6 ? "kahan-li-6"
                             : order == 8 ? "mclachlan-8"
                                          : "";
    for (const SplittingMethod& row : splitting_methods())
        if (row.name == name) return row.word;
    throw std::logic_error("no composition is of order " + std::to_string(order));
}

} // namespace

std::vector<double> parts_of_step(int order) {
    std::vector<double> parts;
    for (const Flow& flow : parse_word(verlet_of_order(order), 1))
        if (flow.kind == FlowKind::drift) parts.push_back(flow.fraction);
    return parts;
}

Word verlet_or_respa(const MethodSettings& settings, bool multiple) {
    return parse_word(multiple ? word_by_levels("S½ (F½ A1 F½)^n S½", settings.inner)
                               : verlet_of_order(settings.order),
                      1, settings.levels);
}

std::vector<Mollifier> mollifiers_of(const Word& word, const std::string& name, double dt) {
    const double drift = longest_drift(word);
    // By level - 1: the sum of kicks since the last motion, and the largest such sum.
    std::vector<double> since, between;
    // Twice, because kicks at the end of a step continue at the beginning of the next.
    for (std::size_t k = 0; k < 2 * word.size(); ++k) {
        const Flow& flow = word[k % word.size()];
        if (flow.moves()) std::fill(since.begin(), since.end(), 0.0);
        if (flow.kind != FlowKind::mollified_kick) continue;
        const auto level = static_cast<std::size_t>(flow.level);
        if (between.size() < level) {
            since.resize(level);
            between.resize(level);
        }
        since[level - 1] += flow.fraction;
        between[level - 1] = std::max(between[level - 1], std::abs(since[level - 1]));
    }
    std::vector<Mollifier> all(between.size());
    for (std::size_t k = 0; k < between.size(); ++k)
        if (between[k] > 0.0) {
            const int steps = std::max(1, static_cast<int>(std::lround(between[k] / drift)));
            all[k] = make_mollifier(name, between[k] * dt / steps, steps);
        }
    return all;
}

bool has_flow(const Word& word, FlowKind kind) {
    return std::any_of(word.begin(), word.end(), [&](const Flow& f) { return f.kind == kind; });
}

bool has_pair_bath(const Word& word) {
    return std::any_of(word.begin(), word.end(), [](const Flow& f) { return is_of_pairs(f.bath); });
}

bool is_damped(const Word& word) {
    return std::any_of(word.begin(), word.end(), [](const Flow& f) { return f.damps(); });
}

Claims claims_of_word(const Word& word, std::string citation, int levels) {
    refuse_useless(word, levels);
    const bool stochastic = has_flow(word, FlowKind::bath), damped = is_damped(word);
    const bool mixed = std::any_of(word.begin(), word.end(), [](const Flow& f) {
        return f.kind == FlowKind::implicit_kick && f.level == all_levels;
    });
    const Claims claims = {order_of(word),
                           is_symmetric(word),
                           !stochastic && !mixed && !damped,
                           stochastic,
                           (!stochastic || has_pair_bath(word)) && !damped,
                           std::move(citation),
                           !mixed,
                           damped};
    if (claims.order < 1) {
        throw InputError("the word is not consistent (the fractions of each letter must add up to "
                         "1); correct a fraction or write * for the remainder");
    }
    return claims;
}

Composition::Composition(Word word, Claims claims, const MethodSettings& settings)
    : word_(std::move(word)), claims_(std::move(claims)), settings_(settings),
      mollifiers_(mollifiers_of(word_, settings.mollifier, settings.dt)) {}

namespace {

/// p <- c p + (1 - c) F / rate, with c the factor by which friction scales p: F / rate is a fixed
/// point. Done as friction, a kick and friction, so that the energy lost to friction is right to
/// second order.
struct DampedKick {
    double kept, time; ///< c, and the length of the kick between two halves of the friction
};

DampedKick kick_between(BathKind kind, double t, double rate) {
    const double x = rate * t, kept = BathFlow{kind, t, rate, 0.0}.kept(),
                 lost = kind == BathKind::heun ? x * (1.0 - 0.5 * x) : -std::expm1(-x);
    return {kept, rate == 0.0 ? t : lost / (rate * std::sqrt(kept))};
}

void damped_kick(System& system, BathKind kind, double t, double rate) {
    if (rate == 0.0) return system.kick(t);
    const DampedKick parts = kick_between(kind, t, rate);
    const BathFlow half{BathKind::langevin, 0.5 * t, -std::log(parts.kept) / t, 0.0};
    system.bath(half);
    system.kick(parts.time);
    system.bath(half);
}

/// All kicks have the same length, since one force acts on all species: instead momenta before and
/// after the kick are scaled by the ratio of the times, which is 1 to second order.
void damped_kick(System& system, BathKind kind, double t, std::span<const double> rates) {
    std::vector<double> before, behind;
    for (const double rate : rates) {
        const DampedKick parts = kick_between(kind, t, rate);
        const double half = -0.5 * std::log(parts.kept), longer = std::log(parts.time / t);
        before.push_back((half + longer) / t);
        behind.push_back((half - longer) / t);
    }
    system.bath({BathKind::langevin, t, 0.0, 0.0, 0.0, before});
    system.kick(t);
    system.bath({BathKind::langevin, t, 0.0, 0.0, 0.0, behind});
}

} // namespace

void apply_word(System& system, const Word& word, double dt, const BathRates& rates, double kT,
                double radius) {
    std::size_t last_drift = word.size();
    for (std::size_t k = 0; k < word.size(); ++k)
        if (word[k].moves()) last_drift = k;
    int baths = 0;
    for (std::size_t k = 0; k < word.size(); ++k) {
        const Flow& flow = word[k];
        const double t = flow.fraction * dt;
        switch (flow.kind) {
        case FlowKind::drift:
            system.drift(t);
            break;
        case FlowKind::exact_motion:
            system.move_exactly(t);
            break;
        case FlowKind::kick:
            system.kick(t, flow.level);
            break;
        case FlowKind::gradient_kick:
            system.gradient_kick(t, flow.gradient * dt * dt);
            break;
        case FlowKind::mollified_kick:
            system.mollified_kick(t, flow.level);
            break;
        case FlowKind::implicit_kick:
            system.implicit_kick(t, flow.level, flow.theta);
            break;
        case FlowKind::bath:
            system.bath({flow.bath, t, rates.all, kT, radius, rates.by_species}, baths++);
            break;
        case FlowKind::damping:
            system.bath({flow.bath, t, rates.all, 0.0, 0.0, rates.by_species});
            break;
        case FlowKind::damped_kick:
            if (rates.by_species.empty())
                damped_kick(system, flow.bath, t, rates.all);
            else
                damped_kick(system, flow.bath, t, rates.by_species);
            break;
        }
        if (k == last_drift) system.arrive();
    }
}

void Composition::step(System& system) {
    system.mollify(mollifiers_); // also when a run is resumed
    const double now = middle_of_step(system);
    const Friction& friction = settings_.friction;
    if (friction.is_by_species()) {
        if (species_.empty()) species_ = system.species();
        const std::vector<double> rates = friction.at(now, species_);
        apply_word(system, word_, settings_.dt, std::span(rates), settings_.kT.at(now));
    } else {
        apply_word(system, word_, settings_.dt, friction.at(now), settings_.kT.at(now),
                   settings_.radius);
    }
    system.end_step(settings_.dt);
}

std::optional<double> Composition::bath_kT() const {
    if (bath_rate() == 0.0) return std::nullopt;
    return claims_.damped ? 0.0 : settings_.kT.last();
}

std::int64_t Composition::steady_from() const {
    return std::max(settings_.kT.steady_from(), settings_.friction.steady_from());
}

/// An implicit kick with theta above 1/2 removes energy from vibrations.
bool Composition::samples_ensemble() const {
    return std::none_of(word_.begin(), word_.end(), [](const Flow& flow) {
        return flow.kind == FlowKind::implicit_kick && flow.theta > 0.5;
    });
}

double Composition::bath_rate() const {
    return has_flow(word_, FlowKind::bath) || claims_.damped ? settings_.friction.last() : 0.0;
}

std::string Composition::conserved_name() const {
    const std::string energy = has_flow(word_, FlowKind::mollified_kick)
                                   ? "total energy with slow forces at averages"
                                   : "total energy";
    if (claims_.damped) return energy + " plus what friction took";
    return has_flow(word_, FlowKind::bath) ? energy + " minus bath heat" : energy;
}

} // namespace shadow
