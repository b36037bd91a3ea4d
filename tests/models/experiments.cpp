// SPDX-License-Identifier: BSD-3-Clause
/// What is compared and how it is told; that the numbers are right is tests/regression's part.
#include "src/models/experiment.hpp"
#include "support/catch.hpp"

#include "shadow/core/error.hpp"

#include <limits>

using namespace shadow;
using namespace shadow::models;

TEST_CASE("a finding agrees within its tolerance, and never if it is no number") {
    CHECK(Finding{"x", 1.0, 1.001, 1.0000001e-3}.agrees());
    CHECK_FALSE(Finding{"x", 1.0, 1.002, 1e-3}.agrees());
    CHECK_FALSE(Finding{"x", 1.0, std::numeric_limits<double>::quiet_NaN(), 1e-3}.agrees());
    Results results;
    results.compare("a length", 1.0, 2.0, 0.1);
    results.compare("a time", 3.0, 3.0, 0.0);
    const std::string text = findings_text(experiments().front(), results);
    CHECK(text.find("DIFFERS") == text.rfind("DIFFERS"));
    CHECK(text.find("DIFFERS") < text.find("a time"));
}

TEST_CASE("experiments have names of their own, found in any spelling") {
    for (const Experiment& e : experiments()) CHECK(find_experiment(e.name).name == e.name);
    CHECK(find_experiment("stiff-ring").name == "stiff_ring");
    CHECK_THROWS_WITH(find_experiment("stif_ring"), Catch::Contains("\"stiff_ring\""));
    CHECK_THROWS_AS(find_experiment("zzz"), InputError);
}
