// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/modulation.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <cmath>
#include <string>

using namespace shadow;

namespace {

Modulation read(const std::string& value) {
    const Parameters table = read_toml_text("modulation = " + value, "in.toml");
    const Modulation modulation = read_modulation(table);
    table.refuse_unused();
    return modulation;
}

} // namespace

TEST_CASE("a field is modulated by a wave, by points, or not at all") {
    const Modulation none = read_modulation(read_toml_text("", "in.toml"));
    CHECK(none.at(3.0) == 1.0);
    CHECK(none.rate(3.0) == 0.0);
    CHECK(none.is_constant());
    CHECK(none.steady_from() < -1e300);

    const Modulation wave = read("{ period = 2.0, phase = 0.5 }");
    CHECK(wave.at(0.0) == Approx(std::cos(0.5)));
    CHECK(wave.at(0.5) == Approx(std::cos(0.5 + 1.5707963267948966)));
    CHECK(wave.steady_from() > 1e300);
    CHECK_FALSE(wave.is_constant());

    const Modulation points = read("{ points = [[1.0, 0.0], [2.0, 4.0], [4.0, 2.0]] }");
    CHECK(points.at(-5.0) == 0.0);
    CHECK(points.at(1.0) == 0.0);
    CHECK(points.at(1.5) == 2.0);
    CHECK(points.at(2.0) == 4.0);
    CHECK(points.at(3.0) == 3.0);
    CHECK(points.at(9.0) == 2.0);
    CHECK(points.rate(2.0) == 0.5 * (4.0 - 1.0)); // the mean of both sides
    CHECK(points.rate(1.0) == 2.0);
    CHECK(points.rate(4.0) == -0.5);
    CHECK(points.steady_from() == 4.0);

    CHECK(read("{ points = [[1.0, 0.5]] }").at(7.0) == 0.5);
    CHECK(read("{ points = [[1.0, 0.5]] }").is_constant());

    const double h = 1e-5;
    for (const Modulation& m : {wave, points})
        for (const double t : {0.3, 1.2, 1.9, 2.3, 3.9, 5.0})
            CHECK(std::abs(m.rate(t) - (m.at(t + h) - m.at(t - h)) / (2.0 * h)) < 1e-8);
}

TEST_CASE("modulations that cannot be are refused") {
    for (const char* text :
         {"{ period = 0.0 }", "{ period = -1.0 }", "{ phase = 1.0 }", "{}", "2.0", "\"sine\"",
          "[[0.0, 1.0]]", "{ period = 1.0, fase = 0.0 }", "{ points = [] }",
          "{ points = [[0.0, 1.0], [0.0, 2.0]] }", "{ points = [[1.0, 1.0], [0.5, 2.0]] }",
          "{ points = [[1.0]] }", "{ points = [[0.0, 1.0, 2.0]] }", "{ points = [[0.0, nan]] }",
          "{ points = [[0.0, inf]] }", "{ points = [[0.0, 1.0]], period = 1.0 }"}) {
        INFO(text);
        CHECK_THROWS_AS(read(text), InputError);
    }
}
