// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/io/summary.hpp"

#include "src/io/json.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"

#include <cmath>
#include <limits>

using namespace shadow;
using test::contains;

namespace {

Summary example_summary() {
    Summary s;
    s.title = "A \"quoted\" title";
    s.particles = 400;
    s.dimension = 2;
    s.box_lengths = {10.0, INFINITY};
    s.box_periodic = {true, false};
    s.degrees_of_freedom = 798;
    StageSummary stage;
    stage.method = "verlet";
    stage.steps = 1000;
    stage.time = 10.0;
    stage.averages.push_back({.name = "temperature",
                              .unit = "energy",
                              .mean = 0.72212345,
                              .error = 0.0012,
                              .error_autocorrelation = 0.0013,
                              .inefficiency = 3.5,
                              .independent_samples = 285.7,
                              .discarded_steps = 40,
                              .discarded_time = 0.4,
                              .discarded_fraction = 0.04});
    stage.averages.push_back({.name = "pressure",
                              .unit = "",
                              .mean = NAN,
                              .independent_samples = 1.0,
                              .warning = "only one sample"});
    stage.fluctuations.push_back(
        {"heat_capacity", "k", 1083.21, 32.0, "NVE, from var K", "too few"});
    stage.conserved = {"total energy", 1e-9, 2e-9, 3e-5, 4e-12};
    s.stages.push_back(stage);
    s.performance = {.wall_seconds = 2.0,
                     .steps_per_second = 500.0,
                     .particle_steps_per_second = 2e5,
                     .ns_per_particle_step = 5000.0,
                     .rebuilds = 12,
                     .shares = {{"forces", 0.75}, {"list", 0.25}},
                     .tune = {{"skin", 0.412, "trial", {{0.2, 91.23}, {0.412, 80.0}}},
                              {"threads", 2.0, "input", {}}}};
    s.device = "CPU, 2 threads";
    s.precision = "mixed";
    s.version = "0.1.0";
    s.seed = 1;
    return s;
}

} // namespace

TEST_CASE("the table tells means with the digits their error allows") {
    const std::string table = summary_table(example_summary());
    INFO(table);
    CHECK(contains(table, "400 particles, 2D, box 10 x open, 798 degrees of freedom"));
    CHECK(contains(table, " 0.7221 ")); // the error is 0.0012, so two digits of it
    CHECK_FALSE(contains(table, "0.72212"));
    CHECK(contains(table, " 0.0012 "));
    CHECK(contains(table, " 0.0013 "));
    CHECK(contains(table, " 4.0%"));
    CHECK(contains(table, "no number\n    warning: only one sample"));
    CHECK(contains(table, " 1083 "));
    CHECK(contains(table, "NVE, from var K\n    warning: too few"));
    CHECK(contains(table, "drift 1.00e-09 +- 2.0e-09"));
    CHECK(contains(table, "forces 75%, list 25%"));
    CHECK(contains(table, "skin 0.412 (trial, ns for 0.2: 91.2, 0.412: 80), threads 2 (input)"));
}

TEST_CASE("what fails stands first and once, and marks what stands behind it") {
    CHECK_FALSE(contains(summary_table(example_summary()), "verdict")); // nothing was judged
    Summary s = example_summary();
    Verdict& verdict = s.stages[0].verdict;
    verdict.conserved = {true, true, "a note"};
    CHECK(contains(summary_table(s), "  verdict: passed\n    note, conserved: a note\n"));
    verdict.temperature = {true, false, "too cold (no); wait"};
    s.stages[0].averages[0].trusted = s.stages[0].fluctuations[0].trusted = false;
    const std::string table = summary_table(s);
    INFO(table);
    CHECK(contains(table,
                   "time 10\n  verdict: FAILED; ! marks what is not to be trusted\n"
                   "    failed, temperature: too cold (no); wait\n    note, conserved: a note\n"));
    CHECK(contains(table, "\n! temperature [energy]"));
    CHECK(contains(table, "\n  pressure"));
    CHECK(contains(table, "\n! heat_capacity [k]"));
    const std::string json = summary_json(s);
    CHECK(contains(json, "\"verdict\": {\n    \"judged\": true,\n    \"passed\": false,"));
    CHECK(contains(json, "\"message\": \"too cold (no); wait\""));
    CHECK(contains(json, "\"trusted\": false"));
}

TEST_CASE("what ended a stage") {
    Summary s = example_summary();
    UntilSummary& until = s.stages[0].until;
    until = {{{"pressure", 0.02, 0.0196, 1000}, {"temperature", 0.1, 0.05, 640}},
             true,
             "pressure",
             "its error is above 0.02",
             5000};
    CHECK(contains(summary_table(s),
                   "until: reached after 1000 steps, decided by pressure; error of "
                   "pressure 0.02 of 0.02, temperature 0.05 of 0.1\n"));
    CHECK(contains(summary_json(s), "\"decided_by\": \"pressure\","));
    CHECK(contains(summary_json(s), "\"steps\": 640"));
    until.reached = false;
    CHECK(contains(summary_table(s), "not yet after 1000 of at most 5000 steps"));
    until.max_steps = 1000;
    CHECK(contains(summary_table(s),
                   "max_steps = 1000 came first; pressure has not passed (its error "
                   "is above 0.02)"));
    CHECK_FALSE(contains(summary_json(example_summary()), "until"));
}

TEST_CASE("how charges were computed, and how well") {
    CHECK_FALSE(contains(summary_table(example_summary()), "Charges"));
    CHECK_FALSE(contains(summary_json(example_summary()), "charges"));
    Summary s = example_summary();
    s.charges = {.method = "coulomb-pme",
                 .accuracy = 1e-4,
                 .cutoff = 9.5,
                 .alpha = 0.31,
                 .mesh = {32, 40, 50},
                 .order = 6,
                 .images = {},
                 .pair_error = 6e-5,
                 .fourier_error = 5e-5,
                 .error = 7.5e-5,
                 .scale = 20.0,
                 .length_unit = "nm",
                 .wave_unit = "1/nm",
                 .force_unit = "eV/nm"};
    CHECK(contains(summary_table(s),
                   "\nCharges      coulomb-pme, accuracy 0.0001: cutoff 9.5 nm, alpha 0.31 1/nm, "
                   "mesh 32 x 40 x 50 of splines of order 6; estimated errors of forces 6e-05 by "
                   "pairs, 5e-05 by the rest, and at the start 7.5e-05 in all, over 20 eV/nm\n"));
    std::string json = summary_json(s);
    INFO(json);
    CHECK(contains(json, "\"mesh\": [\n      32,\n      40,\n      50\n    ]"));
    CHECK(contains(json, "\"measured_error\": 7.5e-05"));
    CHECK(contains(json, "\"pairs\": 6e-05"));
    s.charges.mesh.clear(); // a sum over wave vectors
    s.charges.longest = 3.5;
    s.charges.error.reset();
    CHECK(contains(summary_table(s), "wave vectors up to 3.5 1/nm; estimated"));
    json = summary_json(s);
    CHECK(contains(json, "\"longest_wave_number\": 3.5"));
    CHECK_FALSE(contains(json, "measured_error"));
}

TEST_CASE("a title cannot steer the terminal") {
    Summary s = example_summary();
    s.title = "a\x1b[2Jb\n\xC3\xA4";
    CHECK(summary_table(s).substr(0, 10) == "a [2Jb \xC3\xA4\n");
}

TEST_CASE("the summary as JSON") {
    const std::string json = summary_json(example_summary());
    INFO(json);
    CHECK(contains(json, R"("title": "A \"quoted\" title")"));
    CHECK(contains(json, "\"mean\": 0.72212345,"));
    CHECK(contains(json, "\"mean\": null,"));
    CHECK(contains(json, "\"error_autocorrelation\": 0.0013,"));
    CHECK(contains(json, "\"steps\": 40,"));
    CHECK(contains(json, "\"value\": 1083.21,"));
    CHECK(contains(json, "\"degrees_of_freedom\": 798"));
    CHECK(contains(json, "\"by\": \"trial\","));
    CHECK(contains(json, "\"ns_per_particle_step\": 91.23"));
    CHECK_FALSE(contains(json, "inf"));
    CHECK_FALSE(contains(json, "nan"));
    CHECK(contains(summary_json({}), "\"stages\": []"));
}

TEST_CASE("JSON is nested, separated and escaped as RFC 8259 says") {
    JsonWriter json;
    json.open('{').item("a", std::int64_t{-3}).key("b").open('[').value(true).value(0.1);
    json.value(-INFINITY).open('{').close('}').close(']').item("c", "\x01\"\\\n\xC3\xA4");
    json.item("d", "\xFF\xC3").close('}');
    CHECK(json.text() == "{\n  \"a\": -3,\n  \"b\": [\n    true,\n    0.1,\n    null,\n    {}\n  "
                         "],\n  \"c\": \"\\u0001\\\"\\\\\\n\xC3\xA4\",\n  \"d\": \"??\"\n}\n");
    JsonWriter number;
    CHECK(number.value(1.0 / 3.0).text() == "0.3333333333333333\n");
}

TEST_CASE("the time of steps goes to the parts in which some were looked into") {
    using Shares = std::vector<std::pair<std::string, double>>;
    const Shares found =
        spread({{"other", 0.1}, {"forces", 0.03}, {"steps", 0.76}, {"lists", 0.01}, {"disk", 0.1}},
               "steps", {"forces", "lists"});
    REQUIRE(found.size() == 4);
    CHECK(found[1].first == "forces");
    CHECK(found[1].second == Approx(0.6));
    CHECK(found[2].second == Approx(0.2));
    CHECK(found[3].second == 0.1);
    const Shares nothing{{"other", 0.2}, {"steps", 0.8}};
    CHECK(spread(nothing, "steps", {"forces"}) == nothing);
}
