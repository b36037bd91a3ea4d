// SPDX-License-Identifier: BSD-3-Clause
#include "src/io/json.hpp"

#include "shadow/io/summary.hpp"

namespace shadow {
namespace {

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
    for (const auto& [name, finding] : verdict.findings()) {
        json.key(name).open('{').item("judged", finding->judged).item("passed", finding->passed);
        json.item("message", finding->message).close('}');
    }
    json.close('}');
}

void put_conserved(JsonWriter& json, const char* key, const ConservedSummary& c) {
    json.key(key).open('{');
    json.item("name", c.name).item("drift", c.drift).item("drift_error", c.drift_error);
    json.item("drift_unit", c.drift_unit);
    json.item("fluctuation", c.fluctuation).item("relative_drift", c.relative_drift).close('}');
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
    put_conserved(json, "conserved", stage.conserved);
    if (!stage.shadow.name.empty()) put_conserved(json, "shadow", stage.shadow);
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
    json.close(']');
    if (!s.box_tilts.empty()) {
        json.key("tilt").open('{');
        for (const NamedTilt& tilt : s.box_tilts) json.item(tilt.name, tilt.length);
        json.close('}');
    }
    json.key("periodic").open('[');
    for (const bool periodic : s.box_periodic) json.value(periodic);
    json.close(']').close('}').item("degrees_of_freedom", s.degrees_of_freedom).close('}');
}

void put_charges(JsonWriter& json, const ChargesSummary& c) {
    if (c.method.empty()) return;
    json.key("charges").open('{').item("method", c.method).item("accuracy", c.accuracy);
    json.item("cutoff", c.cutoff).item("alpha", c.alpha);
    if (c.mesh.empty()) {
        json.item("longest_wave_number", c.longest);
    } else {
        json.key("mesh").open('[');
        for (const std::int32_t n : c.mesh) json.value(std::int64_t{n});
        json.close(']').item("order", std::int64_t{c.order});
        if (!c.transforms.empty()) json.item("transforms", c.transforms);
    }
    if (!c.images.empty()) json.item("images", c.images);
    json.key("estimated_error").open('{').item("pairs", c.pair_error);
    json.item("fourier", c.fourier_error).item("images", c.image_error);
    json.item("rounding", c.rounding).close('}');
    if (c.error) json.item("measured_error", *c.error);
    json.item("force_scale", c.scale).item("force_unit", c.force_unit);
    json.item("length_unit", c.length_unit).close('}');
}

} // namespace

std::string summary_json(const Summary& s) {
    JsonWriter json;
    json.open('{').item("title", s.title);
    put_system(json, s);
    put_charges(json, s.charges);
    put_averages(json, s.stages.empty() ? StageSummary{} : s.stages.back());
    json.key("stages").open('[');
    for (const StageSummary& stage : s.stages) {
        json.open('{').item("name", stage.name).item("method", stage.method);
        json.item("steps", stage.steps).item("time", stage.time).item("time_unit", stage.time_unit);
        json.item("ensemble", stage.ensemble);
        json.item("degrees_of_freedom", stage.degrees_of_freedom);
        json.item("removed_energy", stage.removed_energy);
        if (stage.friction_energy) json.item("friction_energy", *stage.friction_energy);
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
