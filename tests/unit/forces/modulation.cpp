// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/modulation.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include <cmath>
#include <string>

using namespace shadow;

namespace {

Modulation read_modulation(const std::string& value) {
    const Parameters table = read_toml_text("modulation = " + value, "in.toml");
    const Modulation modulation = read_modulation(table);
    table.refuse_unused();
    return modulation;
}

} // namespace

TEST_CASE("a field is modulated by a wave, by points, or not at all") {
    const Modulation none = read_modulation(read_toml_text("", "in.toml"));
    CHECK(none.at(3.0) == 1.0);
    CHECK(none.mean(3.0, 5.0) == 1.0);
    CHECK(none.change(3.0, 5.0) == 0.0);
    CHECK(none.is_constant());
    CHECK(none.steady_from() < -1e300);

    const Modulation wave = read_modulation("{ period = 2.0, phase = 0.5 }");
    CHECK(wave.at(0.0) == Approx(std::cos(0.5)));
    CHECK(wave.at(0.5) == Approx(std::cos(0.5 + 1.5707963267948966)));
    CHECK(wave.steady_from() > 1e300);
    CHECK_FALSE(wave.is_constant());

    const Modulation points = read_modulation("{ points = [[1.0, 0.0], [2.0, 4.0], [4.0, 2.0]] }");
    CHECK(points.at(-5.0) == 0.0);
    CHECK(points.at(1.0) == 0.0);
    CHECK(points.at(1.5) == 2.0);
    CHECK(points.at(2.0) == 4.0);
    CHECK(points.at(3.0) == 3.0);
    CHECK(points.at(9.0) == 2.0);
    CHECK(points.mean(1.5, 3.0) == Approx((0.5 * 3.0 + 1.0 * 3.5) / 1.5));
    CHECK(points.mean(-1.0, 5.0) == Approx((0.0 + 2.0 + 6.0 + 2.0) / 6.0));
    CHECK(points.steady_from() == 4.0);

    CHECK(read_modulation("{ points = [[1.0, 0.5]] }").at(7.0) == 0.5);
    CHECK(read_modulation("{ points = [[1.0, 0.5]] }").is_constant());

    for (const Modulation& m : {wave, points})
        for (const double from : {-0.7, 0.3, 1.2, 1.9, 3.9})
            for (const double to : {-0.7, 0.3, 1.2001, 2.3, 5.0}) {
                constexpr int cells = 20000;
                double sum = 0.0; // by midpoints
                for (int k = 0; k < cells; ++k) sum += m.at(from + (to - from) * (k + 0.5) / cells);
                CAPTURE(from, to);
                CHECK(std::abs(m.mean(from, to) - sum / cells) < 1e-7);
                CHECK(std::abs(m.change(from, to) - (m.at(to) - m.at(from))) < 1e-14);
            }
    // A jump, as good as.
    const Modulation jump = read_modulation("{ points = [[1.0, 0.0], [1.0000001, 1.0]] }");
    CHECK(jump.mean(0.5, 1.5) == Approx(0.5).epsilon(1e-6));
    CHECK(jump.change(0.5, 1.5) == 1.0);
}

TEST_CASE("modulations that cannot be are refused") {
    for (const char* text :
         {"{ period = 0.0 }", "{ period = -1.0 }", "{ phase = 1.0 }", "{}", "2.0", "\"sine\"",
          "[[0.0, 1.0]]", "{ period = 1.0, fase = 0.0 }", "{ points = [] }",
          "{ points = [[0.0, 1.0], [0.0, 2.0]] }", "{ points = [[1.0, 1.0], [0.5, 2.0]] }",
          "{ points = [[1.0]] }", "{ points = [[0.0, 1.0, 2.0]] }", "{ points = [[0.0, nan]] }",
          "{ points = [[0.0, inf]] }", "{ points = [[0.0, 1.0]], period = 1.0 }"}) {
        INFO(text);
        CHECK_THROWS_AS(read_modulation(text), InputError);
    }
}
