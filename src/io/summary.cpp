// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/summary.hpp"

#include "src/io/json.hpp"

#include "shadow/core/progress.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace shadow {
namespace {

/// A mean with as many digits as its error allows (two of the error), at most twelve.
std::string mean_text(double mean, double error) {
    if (!std::isfinite(mean) || !std::isfinite(error) || error <= 0.0)
        return fmt::format("{:.8g}", mean);
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
    return text;
}

void put_until(const StageSummary& stage, std::string& out) {
    const UntilSummary& u = stage.until;
    if (u.targets.empty()) return;
    out += "  until: ";
    if (u.reached)
        out += fmt::format("reached after {} steps, decided by {}", stage.steps, u.decided_by);
    else if (stage.steps >= u.max_steps)
        out +=
            fmt::format("max_steps = {} came first; {} has not passed", u.max_steps, u.decided_by);
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

/// The parts of a verdict with their names.
std::vector<std::pair<const char*, const Finding*>> findings(const Verdict& verdict) {
    return {{"conserved", &verdict.conserved},
            {"temperature", &verdict.temperature},
            {"fluctuations", &verdict.fluctuations},
            {"equilibrium", &verdict.equilibrium},
            {"samples", &verdict.samples}};
}

/// What fails, and then what is to be kept in mind.
void put_verdict(const Verdict& verdict, std::string& out) {
    if (!verdict.judged()) return;
    out += verdict.passed() ? "  verdict: passed\n"
                            : "  verdict: FAILED; ! marks what is not to be trusted\n";
    for (const bool good : {false, true})
        for (const auto& [name, finding] : findings(verdict))
            if (finding->passed == good && !finding->message.empty())
                out += fmt::format("    {} {}: {}\n", good ? "note," : "failed,", name,
                                   finding->message);
}

void put_stage(const StageSummary& stage, std::string& out) {
    out +=
        fmt::format("\n{:<12} {}, {} steps, time {:.8g}{}{}\n",
                    stage.name.empty() ? "Run" : "Stage " + stage.name + ":", stage.method,
                    stage.steps, stage.time, stage.time_unit.empty() ? "" : " ", stage.time_unit);
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
    const ConservedSummary& c = stage.conserved;
    if (!c.name.empty())
        out += fmt::format("  conserved: {}; drift {:.2e} +- {:.1e} {} ({:.1e} kT per "
                           "degree of freedom), fluctuation {:.2e}\n",
                           c.name, c.drift, c.drift_error,
                           c.drift_unit.empty() ? "per unit time" : c.drift_unit, c.relative_drift,
                           c.fluctuation);
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

void put_until(JsonWriter& json, const UntilSummary& until) {
    if (until.targets.empty()) return;
    json.key("until").open('{').item("reached", until.reached);
    json.item("decided_by", until.decided_by).item("max_steps", until.max_steps);
    json.key("targets").open('{');
    for (const UntilSummary::Target& t : until.targets) {
        json.key(t.quantity).open('{').item("target", t.target).item("error", t.error);
        json.item("steps", t.steps).close('}');
    }
    json.close('}').close('}');
}

void put_verdict(JsonWriter& json, const Verdict& verdict) {
    json.key("verdict").open('{').item("judged", verdict.judged());
    json.item("passed", verdict.passed());
    for (const auto& [name, finding] : findings(verdict)) {
        json.key(name).open('{').item("judged", finding->judged).item("passed", finding->passed);
        json.item("message", finding->message).close('}');
    }
    json.close('}');
}

void put_averages(JsonWriter& json, const StageSummary& stage) {
    put_verdict(json, stage.verdict);
    json.key("averages").open('{');
    for (const AverageSummary& a : stage.averages) {
        json.key(a.name).open('{');
        json.item("mean", a.mean).item("error", a.error);
        json.item("error_autocorrelation", a.error_autocorrelation);
        json.item("inefficiency", a.inefficiency);
        json.item("independent_samples", a.independent_samples).item("unit", a.unit);
        json.key("discarded").open('{').item("steps", a.discarded_steps);
        json.item("time", a.discarded_time).item("fraction", a.discarded_fraction).close('}');
        json.item("trusted", a.trusted);
        if (!a.warning.empty()) json.item("warning", a.warning);
        json.close('}');
    }
    json.close('}').key("fluctuations").open('{');
    for (const FluctuationSummary& f : stage.fluctuations) {
        json.key(f.name).open('{').item("value", f.value).item("error", f.error);
        json.item("unit", f.unit).item("formula", f.formula).item("trusted", f.trusted);
        if (!f.warning.empty()) json.item("warning", f.warning);
        json.close('}');
    }
    json.close('}').key("coefficients").open('{');
    for (const CoefficientSummary& c : stage.coefficients) {
        json.key(c.name).open('{').item("value", c.value).item("error", c.error);
        json.item("lag", c.lag).item("unit", c.unit);
        json.item("trusted", c.trusted);
        if (!c.warning.empty()) json.item("warning", c.warning);
        json.close('}');
    }
    json.close('}');
    const ConservedSummary& c = stage.conserved;
    json.key("conserved").open('{');
    json.item("name", c.name).item("drift", c.drift).item("drift_error", c.drift_error);
    json.item("drift_unit", c.drift_unit);
    json.item("fluctuation", c.fluctuation).item("relative_drift", c.relative_drift).close('}');
    put_until(json, stage.until);
}

void put_tuning(JsonWriter& json, const std::vector<TunedSetting>& all) {
    json.key("tune").open('{');
    for (const TunedSetting& s : all) {
        json.key(s.name).open('{').item("value", s.value).item("by", s.by);
        json.key("trials").open('[');
        for (const auto& [value, time] : s.trials)
            json.open('{').item("value", value).item("ns_per_particle_step", time).close('}');
        json.close(']').close('}');
    }
    json.close('}');
}

void put_system(JsonWriter& json, const Summary& s) {
    json.key("system").open('{');
    json.item("particles", s.particles).item("dimension", std::int64_t{s.dimension});
    json.key("species").open('[');
    for (const SpeciesSummary& kind : s.species)
        json.open('{')
            .item("name", kind.name)
            .item("particles", kind.particles)
            .item("mass", kind.mass)
            .item("charge", kind.charge)
            .close('}');
    json.close(']');
    json.key("box").open('{').key("lengths").open('[');
    for (const double length : s.box_lengths) json.value(length);
    json.close(']').key("periodic").open('[');
    for (const bool periodic : s.box_periodic) json.value(periodic);
    json.close(']').close('}').item("degrees_of_freedom", s.degrees_of_freedom).close('}');
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

std::string summary_table(const Summary& s) {
    std::string out;
    for (const char c : s.title) out += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? ' ' : c;
    if (!s.title.empty()) out += '\n';
    out += fmt::format("{:<13}{} particle{}{}, {}D, box {}, {:.10g} degrees of freedom\n", "System",
                       s.particles, s.particles == 1 ? "" : "s",
                       s.species.size() > 1 ? " (" + species_text(s.species) + ")" : "",
                       s.dimension, box_text(s), s.degrees_of_freedom);
    for (const StageSummary& stage : s.stages) put_stage(stage, out);
    put_performance(s.performance, out);
    out += fmt::format("{:<13}{}, {} precision, seed {}, version {}\n", "Device", s.device,
                       s.precision, s.seed, s.version);
    for (std::size_t i = 0; i < s.files.size(); ++i)
        out += fmt::format("{:<13}{}\n", i == 0 ? "Files" : "", s.files[i]);
    return out;
}

std::string summary_json(const Summary& s) {
    JsonWriter json;
    json.open('{').item("title", s.title);
    put_system(json, s);
    put_averages(json, s.stages.empty() ? StageSummary{} : s.stages.back());
    json.key("stages").open('[');
    for (const StageSummary& stage : s.stages) {
        json.open('{').item("name", stage.name).item("method", stage.method);
        json.item("steps", stage.steps).item("time", stage.time).item("time_unit", stage.time_unit);
        json.item("ensemble", stage.ensemble);
        json.item("degrees_of_freedom", stage.degrees_of_freedom);
        json.item("removed_energy", stage.removed_energy);
        put_averages(json, stage);
        json.close('}');
    }
    json.close(']');
    const PerformanceSummary& p = s.performance;
    json.key("performance").open('{').item("wall_seconds", p.wall_seconds);
    json.item("steps_per_second", p.steps_per_second);
    json.item("particle_steps_per_second", p.particle_steps_per_second);
    json.item("million_atom_steps_per_second", 1e-6 * p.particle_steps_per_second);
    json.item("ns_per_particle_step", p.ns_per_particle_step).item("rebuilds", p.rebuilds);
    json.key("shares").open('{');
    for (const auto& [name, share] : p.shares) json.item(name, share);
    json.close('}');
    put_tuning(json, p.tune);
    json.close('}');
    json.item("device", s.device).item("precision", s.precision).item("seed", s.seed);
    json.item("version", s.version).item("input_digest", s.input_digest).key("files").open('[');
    for (const std::string& file : s.files) json.value(file);
    return json.close(']').close('}').text();
}

} // namespace shadow
