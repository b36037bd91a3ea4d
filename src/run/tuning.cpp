// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/run/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numbers>

namespace shadow {
namespace {

/// Cost of rebuilding the list of a particle, in steps with the listed pairs, and the number of
/// additional pairs that equals the cost without pairs. From times at ten skins in each of 19
/// systems, with the pair kernel over tiles with AVX-512 (docs/performance.md). On a GPU the
/// optimum is equally flat (bench/README.md).
constexpr double steps_of_listing_float = 2.0, steps_of_listing_double = 1.2;
constexpr double pairs_of_listing = 15.0;

/// In units of the distance between particles: the fastest displacement per step for a start at
/// rest, and the smallest one used, since a cold start may become warm.
constexpr double typical_move = 0.02, min_move = 0.005;

/// Pairs per step and thread that make a thread worthwhile: with fewer it waits longer than it
/// works. Two cores are as fast as one at 60,000 to 70,000 pairs (docs/performance.md).
constexpr double pairs_per_thread = 40'000.0;
/// Cost of a particle besides its pairs, in pairs.
constexpr double particle_cost_in_pairs = 20.0;

/// Three digits, so that the printed value is the one used.
double rounded(double x) {
    return std::stod(fmt::format("{:.3g}", x));
}

double plain_skin(const TuneFacts& f) {
    return f.default_skin;
}

double surface(int dimension) { // of the unit ball
    return dimension == 1 ? 2.0 : 2.0 * (dimension - 1) * std::numbers::pi;
}

/// With a skin s a particle has n(s) = V rho (r_c + s)^d neighbours in its list, which lasts s / (2
/// move) steps and costs c (n(s) + n0): n(s) + 2 move c (n(s) + n0) / s is minimised. Lists for
/// observables alone may last long.
double best_skin(const TuneFacts& f) {
    if (!f.forces_need_lists) return f.cutoff;
    const double spacing = std::pow(f.density, -1.0 / f.dimension);
    const double move = f.fastest_move > 0.0 ? std::max(f.fastest_move, min_move * spacing)
                                             : typical_move * spacing;
    const double steps = f.pair_is_double ? steps_of_listing_double : steps_of_listing_float;
    double skin = 0.0, least = std::numeric_limits<double>::infinity();
    for (double s = 0.01 * f.cutoff; s <= 2.0 * f.cutoff; s *= 1.01) {
        const double n =
            surface(f.dimension) / f.dimension * f.density * std::pow(f.cutoff + s, f.dimension);
        const double cost = n + 2.0 * move * steps * (n + pairs_of_listing) / s;
        if (cost < least || skin == 0.0) {
            least = cost;
            skin = s;
        }
    }
    return rounded(skin);
}

/// Removes repeated values.
std::vector<double> distinct(const std::vector<double>& values) {
    std::vector<double> all;
    for (const double x : values)
        if (std::find(all.begin(), all.end(), x) == all.end()) all.push_back(x);
    return all;
}

std::vector<double> skins_around(const TuneFacts& f, double rule) {
    std::vector<double> all{rule};
    if (!f.forces_need_lists) return all; // steps build no lists
    for (const double factor : {0.5, 0.7, 1.4, 2.0})
        all.push_back(rounded(std::min(factor * rule, 2.0 * f.cutoff)));
    return distinct(all);
}

double all_cores(const TuneFacts& f) {
    return f.cores;
}

double cores_worth_it(const TuneFacts& f) {
    const auto n = static_cast<double>(f.particles);
    const double neighbours = f.all_pairs ? n
                                          : surface(f.dimension) / f.dimension * f.density *
                                                std::pow(f.cutoff, f.dimension);
    return std::clamp(std::floor(n * (neighbours + particle_cost_in_pairs) / pairs_per_thread), 1.0,
                      all_cores(f));
}

std::vector<double> threads_around(const TuneFacts& f, double rule) {
    return distinct({rule, 1.0, std::max(1.0, std::floor(0.5 * rule)),
                     std::min(2.0 * rule, all_cores(f)), all_cores(f)});
}

} // namespace

const std::vector<Tunable>& tunables() {
    static const std::vector<Tunable> all{
        {"threads", false, [](const TuneFacts& f) { return f.takes_threads; }, all_cores,
         cores_worth_it, threads_around},
        {"skin", true, [](const TuneFacts& f) { return f.cutoff > 0.0; }, plain_skin, best_skin,
         skins_around},
    };
    return all;
}

const Tunable& find_tunable(const std::string& name) {
    return *std::find_if(tunables().begin(), tunables().end(),
                         [&](const Tunable& t) { return t.name == name; });
}

std::vector<TunedSetting> settings(TuneMode mode, const TuneFacts& facts,
                                   const std::map<std::string, double>& given) {
    std::vector<TunedSetting> all;
    for (const Tunable& t : tunables()) {
        if (!t.applies(facts)) continue;
        if (const auto found = given.find(t.name); found != given.end())
            all.push_back({t.name, found->second, "input", {}});
        else if (mode == TuneMode::off)
            all.push_back({t.name, t.plain(facts), "default", {}});
        else
            all.push_back({t.name, t.rule(facts), "rule", {}});
    }
    return all;
}

double value_of(const std::vector<TunedSetting>& all, const std::string& name, double otherwise) {
    for (const TunedSetting& s : all)
        if (s.name == name) return s.value;
    return otherwise;
}

std::int64_t trial_steps(std::int64_t run_steps, std::size_t candidates) {
    constexpr std::int64_t least = 40, most = 200;
    const auto repeats = static_cast<std::int64_t>(candidates) * (trial_rounds + 1);
    if (repeats == 0) return 0;
    const std::int64_t steps = (run_steps / 20 - trial_warm_up) / repeats;
    return steps < least ? 0 : std::min(steps, most);
}

double least(const std::vector<double>& times) {
    double shortest = std::numeric_limits<double>::quiet_NaN();
    for (const double t : times)
        if (std::isfinite(t) && !(shortest <= t)) shortest = t;
    return shortest;
}

std::size_t choose(const std::vector<std::vector<double>>& times, std::size_t preferred) {
    constexpr double gain = 0.98; // less is noise
    std::size_t best = preferred;
    double to_beat = preferred < times.size() ? gain * least(times[preferred])
                                              : std::numeric_limits<double>::quiet_NaN();
    for (std::size_t c = 0; c < times.size(); ++c) {
        const double here = least(times[c]);
        if (c == preferred || std::isnan(here) || here >= to_beat) continue;
        best = c;
        to_beat = here;
    }
    return best;
}

} // namespace shadow
