// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/statistics/verdict.hpp"

#include "shadow/statistics/expectation.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// `min_chance` of a normal distribution, two-sided.
constexpr double min_chance_errors = 3.89;

Finding passed() {
    return {true, true, {}};
}

Finding failed(std::string message) {
    return {true, false, std::move(message)};
}

/// Upper bound of the probability that a mean of sums of `squares` squares of normal numbers, with
/// any dependence between them, is at least `mean` (Chernoff's bound for one such sum).
double chance_of_squares(double mean, int squares) {
    const double more = mean / squares;
    return more > 1.0 ? std::exp(0.5 * squares * (1.0 - more + std::log(more))) : 1.0;
}

double times_longer(const Estimate& e) {
    return std::max(2.0, std::ceil(Estimate::min_independent / e.independent_samples));
}

} // namespace

Finding judge_conservation(const Conservation& facts) {
    if (facts.drift.samples < 3) return {};
    const bool by_shadow = facts.shadow && facts.shadow->samples >= 3;
    const Drift& drift = by_shadow ? *facts.shadow : facts.drift;
    const double thermal = facts.kT * facts.degrees_of_freedom;
    double time = facts.time;
    if (facts.friction > 0.0 || facts.period > 0.0)
        time = std::min(time, facts.friction > 0.0 ? 1.0 / facts.friction : facts.period);
    const double change = std::abs(drift.slope) * time;
    const double rounding = 1e-6 * facts.energy;
    if (std::abs(drift.slope) > 4.0 * drift.error_about_line &&
        std::abs(drift.slope) > 0.005 * std::abs(facts.power) &&
        change > std::max(1e-3 * thermal, rounding))
        return failed(
            fmt::format("{} drifts by {:.3g} {}, {:.2g} kT per degree of freedom (0.001 is no "
                        "matter; the drift is {:.1f} times its error about a line{}); use a "
                        "smaller dt, or a smoother truncation{}",
                        by_shadow ? "shadow energy" : facts.name, change,
                        time >= facts.time     ? "over the stage"
                        : facts.friction > 0.0 ? "in a relaxation time of the bath"
                                               : "in a period of the bath",
                        change / thermal, std::abs(drift.slope) / drift.error_about_line,
                        by_shadow ? ": the step is too long, forces jump or are no gradient of the "
                                    "energy, lists lack pairs, or arithmetic is too coarse"
                                  : "",
                        by_shadow ? ", or precision = \"double\"" : ""));
    const double no_matter =
        std::max(1e-3 * facts.kT * std::sqrt(0.5 * facts.degrees_of_freedom), rounding);
    if (facts.friction == 0.0 &&
        facts.drift.fluctuation > std::max(0.05 * facts.kinetic_deviation, no_matter))
        return failed(
            fmt::format("{} fluctuates by {:.3g}, {:.2g} of the fluctuations of the kinetic energy "
                        "(more than 0.05: the step is too large, or the potential jumps at its "
                        "cut-off); use a smaller dt, or truncation = \"shift\" or a smoother one",
                        facts.name, facts.drift.fluctuation,
                        facts.drift.fluctuation / facts.kinetic_deviation));
    return passed();
}

Finding judge_temperature(const BathTemperature& facts) {
    if (!(facts.bath > 0.0) || facts.mean.samples == 0) return {};
    const double relaxations = facts.time * facts.friction;
    if (facts.friction > 0.0 && relaxations < 10.0)
        return failed(
            fmt::format("not equilibrated with the bath: T is {:.4g}, the bath's {:.4g} (the "
                        "averages span {:.2g} relaxation times of the bath, not 10); give it more "
                        "steps or more friction (bussi: a shorter time)",
                        facts.mean.mean, facts.bath, relaxations));
    const double apart = facts.mean.mean / facts.bath - 1.0;
    const Expectation expected{facts.bath, facts.bath * std::sqrt(2.0 / facts.degrees_of_freedom)};
    if (!(chance_of(facts.mean, expected) < min_chance)) return passed();
    const std::string what =
        fmt::format("T is {:.5g} +- {:.2g}, the bath's {:.5g} ({:+.2g} %", facts.mean.mean,
                    facts.mean.larger_error(), facts.bath, 100.0 * apart);
    if (std::abs(apart) < 0.01)
        return {true, true, what + "; a step may do so much: it falls as the square of dt)"};
    if (facts.in_shear)
        return failed(what + ": the heat of the flow comes faster than the bath takes it); give "
                             "the bath a shorter time (more friction, a higher rate), or use "
                             "nose-hoover with chain = 1");
    return failed(what + ", more than the step may do: 1 %); use a smaller dt, or a longer "
                         "equilibration");
}

Finding judge_directions(const Estimate& temperature, std::span<const DirectionalMean> directions,
                         double degrees_of_freedom, double uneven) {
    Finding finding;
    const double tolerance = 0.01 + uneven / degrees_of_freedom;
    for (const auto& [name, mean] : directions) {
        if (mean.samples < 2 || temperature.samples < 2) continue;
        finding.judged = true;
        Estimate apart = mean;
        apart.error = std::hypot(mean.larger_error(), temperature.larger_error());
        const Expectation expected{temperature.mean,
                                   temperature.mean * std::sqrt(2.0 / degrees_of_freedom)};
        if (std::abs(mean.mean / temperature.mean - 1.0) > tolerance &&
            chance_of(apart, expected) < min_chance)
            return failed(
                fmt::format("{} is {:.4g} +- {:.2g}, that of all directions {:.4g} (energy is not "
                            "exchanged between directions, or more slowly than within the stage); "
                            "use a bath that mixes, such as baoab, or run longer",
                            name, mean.mean, mean.larger_error(), temperature.mean));
        if (mean.deviation < 0.05 * expected.deviation && finding.message.empty())
            finding.message = fmt::format(
                "{} hardly changes (nothing carries energy from one direction to another, so that "
                "it is as good as one measurement, +- {:.2g}, whatever its error)",
                name, expected.deviation);
    }
    return finding;
}

Finding judge_whole_motion(const WholeMotion& facts) {
    if (facts.directions == 0 || facts.squares.samples < 2 || !(facts.kT > 0.0)) return {};
    const double one = facts.mass * facts.kT, thermal = facts.directions * one,
                 all = facts.degrees_of_freedom * one, part = (facts.squares.mean - thermal) / all;
    const Expectation expected{thermal, one * std::sqrt(2.0 * facts.directions)};
    // While the momentum grows its error is too large.
    const double chance = std::min(chance_of(facts.squares, expected),
                                   chance_of_squares(facts.squares.mean / one, facts.directions));
    if (!(part > 0.01 && chance < min_chance)) return passed();
    return failed(fmt::format(
        "{:.2g} % of the temperature is motion of the centre of mass and not heat ({:.2g} % would "
        "be: a field has caused it or drives it, or it was present at the start); use a bath with "
        "friction, which removes it, or a field that acts on species whose weights sum to zero",
        100.0 * facts.squares.mean / all, 100.0 * thermal / all));
}

Finding judge_fluctuations(const DerivedEstimate& kinetic_variance, double independent_samples) {
    const double off = std::abs(kinetic_variance.value - 1.0);
    if (!std::isfinite(kinetic_variance.error)) return {};
    // The logarithm of a variance is more nearly normal.
    const double value = kinetic_variance.value, error = kinetic_variance.error,
                 errors = value > 0.0 ? normal_errors(std::abs(std::log(value)) * value / error,
                                                      independent_samples)
                                      : HUGE_VAL;
    if (!(off > 0.1 && errors > min_chance_errors)) return passed();
    return failed(fmt::format(
        "kinetic energy does not fluctuate as in the canonical ensemble (its variance is {:.3g} "
        "+- {:.2g} of (f/2)(kT)^2: the bath mixes too slowly, or the step is too large); give a "
        "Nosé bath a smaller mass, or run a bath with friction",
        kinetic_variance.value, kinetic_variance.error));
}

Finding judge_equilibrium(std::span<const Average> averages) {
    Finding finding;
    for (const auto& [name, kept, settled] : averages) {
        if (settled.samples < 2) continue;
        finding.judged = true;
        if (kept.samples == 0)
            return failed(
                fmt::format("equilibration leaves no sample of {} (so far); run longer, or "
                            "leave out less",
                            name));
        if (settled.discarded > settled.samples)
            return failed(
                fmt::format("{} is not in equilibrium for the first {:.0f} % (nor perhaps after "
                            "that); add a stage before it for equilibration, or give it more steps",
                            name,
                            100.0 * static_cast<double>(settled.discarded) /
                                static_cast<double>(settled.discarded + settled.samples)));
        if (settled.discarded <= kept.discarded) continue;
        const double errors = std::abs(kept.mean - settled.mean) / settled.larger_error();
        if (errors > min_chance_errors)
            return failed(
                fmt::format("the averages include the start (it shifts {} by {:.1f} errors); leave "
                            "out {:.0f} % with equilibration",
                            name, errors,
                            100.0 * static_cast<double>(settled.discarded) /
                                static_cast<double>(settled.discarded + settled.samples)));
    }
    return finding;
}

Finding judge_samples(std::span<const Average> averages, std::int64_t unasked) {
    Finding finding;
    for (const auto& [name, kept, settled] : averages) {
        if (kept.samples == 0 || kept.error == 0.0) continue;
        finding.judged = true;
        if (kept.samples < 2 || kept.independent_samples < Estimate::min_independent) {
            // More frequent samples help if consecutive ones are nearly independent.
            const bool rare = unasked > 0 && kept.inefficiency < 2.0;
            return failed(fmt::format(
                "{} has only {:.0f} independent samples (errors are known from {:.0f} on{}); run "
                "at least {:.0f} times as long{}",
                name, kept.independent_samples, Estimate::min_independent,
                rare ? fmt::format("; without thermo they are {} steps apart", unasked) : "",
                times_longer(kept), rare ? ", or observe thermo" : ""));
        }
        // The error by blocking is the one that is reported. For oscillating series, as with a Nosé
        // bath, it is the larger one.
        if (!kept.plateau || (!kept.errors_agree() && kept.autocorrelation_error > kept.error))
            return failed(fmt::format("the error of {} is not known (it fluctuates slowly compared "
                                      "with the stage); run at least twice as long",
                                      name));
    }
    return finding;
}

} // namespace shadow
