// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/summary.hpp"

#include "shadow/core/progress.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace shadow {
namespace {

/// A mean with as many digits as its error allows (two digits of the error), at most twelve.
std::string mean_text(double mean, double error) {
    if (!std::isfinite(mean)) return "no number";
    if (!std::isfinite(error) || error <= 0.0) return fmt::format("{:.8g}", mean);
    const double last = std::floor(std::log10(error)) - 1.0;
    const double size = std::floor(std::log10(std::max(std::abs(mean), error)));
    const int digits = static_cast<int>(std::clamp(size - last + 1.0, 2.0, 12.0));
    return fmt::format("{:.{}g}", mean, digits);
}

std::string with_unit(const std::string& name, const std::string& unit) {
    return unit.empty() ? name : name + " [" + unit + "]";
}

std::string box_text(const Summary& s) {
    std::string text;
    for (std::size_t d = 0; d < s.box_lengths.size(); ++d) {
        const bool periodic = d < s.box_periodic.size() && s.box_periodic[d];
        text +=
            fmt::format("{}{}", d == 0 ? "" : " x ",
                        periodic ? fmt::format("{:.6g}", s.box_lengths[d]) : std::string("open"));
    }
    for (const NamedTilt& tilt : s.box_tilts)
        text += fmt::format("{} {} {:.6g}", &tilt == s.box_tilts.data() ? " tilted by" : " and",
                            tilt.name, tilt.length);
    return text;
}

void put_until(const StageSummary& stage, std::string& out) {
    const UntilSummary& u = stage.until;
    if (u.targets.empty()) return;
    out += "  until: ";
    if (u.reached)
        out += fmt::format("reached after {} steps, decided by {}", stage.steps, u.decided_by);
    else if (stage.steps >= u.max_steps)
        out += fmt::format("max_steps = {} came first; {} has not passed{}", u.max_steps,
                           u.decided_by, u.missing.empty() ? "" : " (" + u.missing + ")");
    else
        out += fmt::format("not yet after {} of at most {} steps", stage.steps, u.max_steps);
    for (const UntilSummary::Target& t : u.targets)
        out += fmt::format("{} {} {:.2g} of {:.2g}", &t == u.targets.data() ? "; error of" : ",",
                           t.quantity, t.error, t.target);
    out += "\n";
}

void put_coefficients(const StageSummary& stage, std::size_t width, std::string& out) {
    for (const CoefficientSummary& c : stage.coefficients) {
        out += fmt::format("{} {:<{}}  {:>16}  {:>10.2g}  at lag {:.4g}\n", c.trusted ? ' ' : '!',
                           with_unit(c.name, c.unit), width, mean_text(c.value, c.error), c.error,
                           c.lag);
        if (!c.warning.empty()) out += fmt::format("    warning: {}\n", c.warning);
    }
}

/// Failures first, then remarks on what passed.
void put_verdict(const Verdict& verdict, std::string& out) {
    if (!verdict.judged()) return;
    out += verdict.passed() ? "  verdict: passed\n"
                            : "  verdict: FAILED; ! marks what is not to be trusted\n";
    for (const bool good : {false, true})
        for (const auto& [name, finding] : verdict.findings())
            if (finding->passed == good && !finding->message.empty())
                out += fmt::format("    {} {}: {}\n", good ? "note," : "failed,", name,
                                   finding->message);
}

/// Nothing else is reported of a mean that is not a number.
void put_no_number(const AverageSummary& a, std::size_t width, std::string& out) {
    out += fmt::format("{} {:<{}}  {:>16}\n", a.trusted ? ' ' : '!', with_unit(a.name, a.unit),
                       width, mean_text(a.mean, a.error));
    if (!a.warning.empty()) out += fmt::format("    warning: {}\n", a.warning);
}

void put_stage(const StageSummary& stage, std::string& out) {
    out +=
        fmt::format("\n{:<12} {}, {} steps, time {:.8g}{}{}\n",
                    stage.name.empty() ? "Run" : "Stage " + stage.name + ":", stage.method,
                    stage.steps, stage.time, stage.time_unit.empty() ? "" : " ", stage.time_unit);
    if (stage.method == "minimize") out += "  a path to a minimum, without averages\n";
    if (!stage.ensemble.empty())
        out += fmt::format("  {}; {:.10g} degrees of freedom\n", stage.ensemble,
                           stage.degrees_of_freedom);
    put_verdict(stage.verdict, out);
    std::size_t width = 20;
    for (const AverageSummary& a : stage.averages)
        width = std::max(width, with_unit(a.name, a.unit).size());
    for (const FluctuationSummary& f : stage.fluctuations)
        width = std::max(width, with_unit(f.name, f.unit).size());
    for (const CoefficientSummary& c : stage.coefficients)
        width = std::max(width, with_unit(c.name, c.unit).size());
    if (!stage.averages.empty())
        out += fmt::format("  {:<{}}  {:>16}  {:>10}  {:>10}  {:>12}  {:>11}  {:>9}\n", "average",
                           width, "mean", "error", "by time", "inefficiency", "independent",
                           "discarded");
    for (const AverageSummary& a : stage.averages) {
        if (!std::isfinite(a.mean)) {
            put_no_number(a, width, out);
            continue;
        }
        out += fmt::format(
            "{} {:<{}}  {:>16}  {:>10.2g}  {:>10.2g}  {:>12.3g}  {:>11.4g}  {:>8.1f}%\n",
            a.trusted ? ' ' : '!', with_unit(a.name, a.unit), width, mean_text(a.mean, a.error),
            a.error, a.error_autocorrelation, a.inefficiency, a.independent_samples,
            100.0 * a.discarded_fraction);
        if (!a.warning.empty()) out += fmt::format("    warning: {}\n", a.warning);
    }
    for (const FluctuationSummary& f : stage.fluctuations) {
        out += fmt::format("{} {:<{}}  {:>16}  {:>10.2g}  {}\n", f.trusted ? ' ' : '!',
                           with_unit(f.name, f.unit), width, mean_text(f.value, f.error), f.error,
                           f.formula);
        if (!f.warning.empty()) out += fmt::format("    warning: {}\n", f.warning);
    }
    put_coefficients(stage, width, out);
    put_until(stage, out);
    if (stage.friction_energy)
        out += fmt::format("  friction has taken an energy of {:.6g}\n", *stage.friction_energy);
    for (const ConservedSummary* c : {&stage.conserved, &stage.shadow})
        if (!c->name.empty())
            out += fmt::format("  conserved: {}; drift {:.2e} +- {:.1e} {} ({:.1e} kT per "
                               "degree of freedom), fluctuation {:.2e}\n",
                               c->name, c->drift, c->drift_error,
                               c->drift_unit.empty() ? "per unit time" : c->drift_unit,
                               c->relative_drift, c->fluctuation);
}

void put_performance(const PerformanceSummary& p, std::string& out) {
    out += fmt::format("\n{:<13}{}, {:.4g} steps/s, {:.4g} Matom-steps/s, {:.3g} ns per "
                       "particle-step, {} rebuilds\n",
                       "Performance",
                       p.wall_seconds < 60.0 ? fmt::format("{:.2f} s", p.wall_seconds)
                                             : duration_text(p.wall_seconds),
                       p.steps_per_second, 1e-6 * p.particle_steps_per_second,
                       p.ns_per_particle_step, p.rebuilds);
    std::string shares;
    for (const auto& [name, share] : p.shares)
        if (share >= 0.005)
            shares += fmt::format("{}{} {:.0f}%", shares.empty() ? "" : ", ", name, 100.0 * share);
    if (!shares.empty()) out += fmt::format("{:<13}{}\n", "", shares);
    if (!p.tune.empty()) out += fmt::format("{:<13}{}\n", "Tuned", settings_text(p.tune));
}

} // namespace

std::vector<std::pair<std::string, double>>
spread(std::vector<std::pair<std::string, double>> shares, const std::string& whole,
       const std::vector<std::string>& parts) {
    const auto is_part = [&](const auto& share) {
        return std::find(parts.begin(), parts.end(), share.first) != parts.end();
    };
    double sum = 0.0, of_whole = 0.0;
    for (const auto& share : shares) {
        if (is_part(share)) sum += share.second;
        if (share.first == whole) of_whole = share.second;
    }
    if (sum == 0.0) return shares;
    std::erase_if(shares, [&](const auto& share) { return share.first == whole; });
    for (auto& share : shares)
        if (is_part(share)) share.second *= (sum + of_whole) / sum;
    return shares;
}

std::string settings_text(const std::vector<TunedSetting>& all) {
    std::string text;
    for (const TunedSetting& s : all) {
        text += fmt::format("{}{} {:.4g} ({}", text.empty() ? "" : ", ", s.name, s.value, s.by);
        for (const auto& [value, time] : s.trials)
            text += fmt::format("{}{:.4g}: {:.3g}",
                                value == s.trials.front().first ? ", ns for " : ", ", value, time);
        text += ")";
    }
    return text;
}

std::string species_text(const std::vector<SpeciesSummary>& all) {
    std::string text;
    for (const SpeciesSummary& s : all)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", s.name, s.particles);
    return text;
}

std::string charges_text(const ChargesSummary& c) {
    if (c.method.empty()) return "";
    const std::string means =
        c.mesh.empty()
            ? fmt::format("wave vectors up to {:.6g} {}", c.longest, c.wave_unit)
            : fmt::format("mesh {} of splines of order {}{}", fmt::join(c.mesh, " x "), c.order,
                          c.transforms.empty() ? "" : fmt::format(", {} transforms", c.transforms));
    return fmt::format(
        "cutoff {:.6g} {}, alpha {:.6g} {}, {}; estimated errors of forces {:.2g} by pairs, {:.2g} "
        "by the rest{}, over {:.3g} {}{}",
        c.cutoff, c.length_unit, c.alpha, c.wave_unit, means, c.pair_error, c.fourier_error,
        c.error ? fmt::format(", and at the start {:.2g} in all", *c.error) : "", c.scale,
        c.force_unit,
        c.images.empty() ? ""
                         : fmt::format("; {}, error by images {:.2g}", c.images, c.image_error));
}

std::string summary_table(const Summary& s) {
    std::string out;
    for (const char c : s.title) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    if (!s.title.empty()) out += '\n';
    out += fmt::format("{:<13}{} particle{}{}, {}D, box {}, {:.10g} degrees of freedom\n", "System",
                       s.particles, s.particles == 1 ? "" : "s",
                       s.species.size() > 1 ? " (" + species_text(s.species) + ")" : "",
                       s.dimension, box_text(s), s.degrees_of_freedom);
    if (!s.charges.method.empty())
        out += fmt::format("{:<13}{}, accuracy {:.2g}: {}\n", "Charges", s.charges.method,
                           s.charges.accuracy, charges_text(s.charges));
    for (const StageSummary& stage : s.stages) put_stage(stage, out);
    put_performance(s.performance, out);
    out += fmt::format("{:<13}{}, {} precision, seed {}, version {}\n", "Device", s.device,
                       s.precision, s.seed, s.version);
    for (std::size_t i = 0; i < s.files.size(); ++i)
        out += fmt::format("{:<13}{}\n", i == 0 ? "Files" : "", s.files[i]);
    return out;
}

} // namespace shadow
