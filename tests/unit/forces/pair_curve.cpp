// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_curve.hpp"

#include "src/forces/cubic_spline.hpp"
#include "src/forces/curve_file.hpp"
#include "src/forces/curves.hpp"
#include "src/forces/formula.hpp"
#include "support/catch.hpp"
#include "support/contains.hpp"
#include "support/larger.hpp"
#include "support/tabulated.hpp"
#include "support/temporary_folder.hpp"

#include <fmt/format.h>
#include <map>

using namespace shadow;
using namespace shadow::test;
using namespace std::string_literals;

namespace {

struct KnownCurve {
    std::string text;
    std::function<double(double)> u, slope;
    double cutoff;
};

std::vector<KnownCurve> known_curves() {
    const auto power = [](double r, int n) { return std::pow(r, -n); };
    return {
        {"4*((1/r)^12 - (1/r)^6)", [=](double r) { return 4 * (power(r, 12) - power(r, 6)); },
         [=](double r) { return 24 * power(r, 7) - 48 * power(r, 13); }, 2.5},
        {"exp(-r^2)", [](double r) { return std::exp(-r * r); },
         [](double r) { return -2 * r * std::exp(-r * r); }, 4.0},
        {"10*(1 - r)^2", [](double r) { return 10 * (1 - r) * (1 - r); },
         [](double r) { return -20 * (1 - r); }, 1.0},
        {"exp(-3*r)/r + 0.1*cos(7*r)",
         [](double r) { return std::exp(-3 * r) / r + 0.1 * std::cos(7 * r); },
         [](double r) { return -std::exp(-3 * r) * (3 * r + 1) / (r * r) - 0.7 * std::sin(7 * r); },
         8.0}};
}

double mean_slope(const KnownCurve& f) {
    double sum = 0.0;
    for (int k = 0; k < 1000; ++k) sum += std::abs(f.slope(f.cutoff * (0.5 + (k + 0.5) / 2000)));
    return sum / 1000;
}

std::shared_ptr<const SplineTable> table_of(const KnownCurve& f, double accuracy) {
    const PairCurve curve = formula_curve(f.text, {});
    return std::make_shared<SplineTable>(make_spline_table(curve.at, 0.0, f.cutoff, accuracy));
}

} // namespace

TEST_CASE("derivatives of a formula are those in closed form") {
    for (const KnownCurve& f : known_curves()) {
        const PairCurve curve = formula_curve(f.text, {});
        for (double r = 0.3; r < f.cutoff; r += 0.1) {
            CAPTURE(f.text, r);
            // Rounding: 1e-16 of u over h, and over its square. Remainder: (7 h)^6/140 of a wave.
            const double u = std::abs(f.u(r)) + 1.0, h = 1e-3 * r, small = 1e-4 * r;
            CHECK(std::abs(curve.at(r).u - f.u(r)) < 1e-14 * u);
            CHECK(std::abs(curve.at(r).d1 - f.slope(r)) <
                  1e-10 * std::abs(f.slope(r)) + 1e-9 * mean_slope(f) + 1e-15 * u / h);
            const double d2 = (f.slope(r + small) - f.slope(r - small)) / (2 * small);
            CHECK(std::abs(curve.at(r).d2 - d2) < 1e-5 * (std::abs(d2) + u / (r * r)));
        }
    }
}

TEST_CASE("a table has the force and the energy of its formula, to the error it states") {
    const double accuracy = GENERATE(1e-4, 1e-6, 1e-8);
    for (const KnownCurve& f : known_curves()) {
        const auto table = table_of(f, accuracy);
        CAPTURE(f.text, accuracy, table->error, table->fineness);
        CHECK(table->error <= accuracy);
        const oracle::Curve curve = oracle::tabulated(table);
        const double mean = mean_slope(f);
        double worst = 0.0, energy = 0.0;
        const double first = std::max(0.05, 1.01 * std::sqrt(table->begin));
        for (int k = 0; k < 20000; ++k) {
            const double r = first + (f.cutoff - first) * (k + 0.37) / 20000;
            const double off = std::abs(static_cast<double>(curve.f(r)) + f.slope(r));
            worst = larger(worst, off / (std::abs(f.slope(r)) + mean));
            energy = larger(energy, std::abs(static_cast<double>(curve.u(r)) - f.u(r)) /
                                        (std::abs(f.u(r)) + mean * f.cutoff));
        }
        // The error is measured at three places of each segment; elsewhere it is not twice that.
        CHECK(worst < 2.0 * table->error + 1e-12);
        CHECK(energy < table->error);
    }
}

TEST_CASE("tables are twice continuously differentiable") {
    for (const KnownCurve& f : known_curves()) {
        const auto table = table_of(f, 1e-6);
        const std::size_t segments = table->numbers.size() / 4;
        const auto width = [&](double at) {
            return std::ldexp(1.0, std::ilogb(at) - table->fineness);
        };
        double s = table->begin + width(table->begin), worst[3] = {};
        for (std::size_t k = 1; k + 1 < segments; ++k) {
            const double *c = table->numbers.data() + 4 * k, *next = c + 4, x = width(s);
            const double u = c[3] - x * (c[0] / 2 + x * (c[1] / 4 + x * c[2] / 6));
            const double force = c[0] + x * (c[1] + x * c[2]), slope = c[1] + 2 * x * c[2];
            // Rounding of the energies, over the width and its square.
            const double rounding = 1e-15 * (std::abs(c[3]) + std::abs(next[3]) + 1e-3);
            worst[0] = larger(worst[0], std::abs(u - next[3]) / rounding);
            worst[1] = larger(worst[1], std::abs(force - next[0]) / (rounding / x));
            worst[2] = larger(worst[2], std::abs(slope - next[1]) / (rounding / (x * x)));
            s += x;
        }
        CAPTURE(f.text);
        CHECK(worst[0] < 4.0);
        CHECK(worst[1] < 20.0);
        CHECK(worst[2] < 100.0);
    }
}

TEST_CASE("what is closer than a table has an infinite force, or goes on") {
    const auto core = table_of(known_curves()[0], 1e-6), soft = table_of(known_curves()[1], 1e-6);
    CHECK(std::isinf(core->numbers[0]));
    CHECK(core->begin < 0.06 * 0.06);                     // u is 1e16 there
    CHECK(soft->numbers[0] == Approx(2.0).epsilon(1e-4)); // -u'/r = 2 exp(-r^2)
    CHECK(soft->numbers[3] == Approx(1.0).epsilon(1e-4));
    // exp-6 has a barrier where a/rho exp(-r/rho) = 6 c/r^7, here at r = 0.3.
    const PairCurve exp6 =
        formula_curve("a*exp(-r/0.1) - 1/r^6", {{"a", 0.6 / std::pow(0.3, 7) * std::exp(3.0)}});
    const SplineTable table = make_spline_table(exp6.at, 0.0, 2.0, 1e-6);
    CHECK(std::isinf(table.numbers[0]));
    CHECK(std::sqrt(table.begin) == Approx(0.3).epsilon(0.02));
    REQUIRE(table.barrier);
    CHECK(*table.barrier == Approx(exp6.at(0.3).u).epsilon(1e-3));
    CHECK_FALSE(core->barrier);
    // As a part of a sum it goes on behind it.
    const SplineTable part = make_spline_tables({{exp6.at, 0.0, 2.0, true}}, 1e-6).front();
    CHECK_FALSE(part.barrier);
    CHECK(part.first < 0.05);
    // A narrow Gaussian comes to its limit closer than a thousandth of the cut-off.
    for (const double sigma : {0.02, 0.002, 0.0002}) {
        CAPTURE(sigma);
        const PairCurve narrow = formula_curve("exp(-(r/s)^2)", {{"s", sigma}});
        const SplineTable at_end = make_spline_table(narrow.at, 0.0, 2.5, 1e-6);
        CHECK(at_end.error < 1e-4); // of the finest knots, where the Gaussian falls below F
        CHECK(at_end.numbers[0] == Approx(2.0 / (sigma * sigma)).epsilon(5e-3));
        CHECK(at_end.numbers[3] == Approx(1.0).epsilon(5e-3));
    }
    for (const char* text : {"1/r", "-ln(r)", "exp(-r)/r"})
        CHECK(std::isinf(make_spline_table(formula_curve(text, {}).at, 0.0, 2.5, 1e-6).numbers[0]));
    // Attraction is no barrier's where charges leave a hump of 5e-5 at the cut-off.
    for (const char* text : {"0.40005 - 0.8/r", "0.0157 - 1/r^6"})
        CHECK(make_spline_table(formula_curve(text, {}).at, 0.0, 2.0, 1e-6).first < 0.1);
}

TEST_CASE("tables of one force are equally fine and begin at the same place") {
    const auto curves = known_curves();
    const KnownCurve &core = curves[0], &soft = curves[1];
    const auto range = [](const KnownCurve& f, double first, double cutoff) {
        return CurveRange{formula_curve(f.text, {}).at, first, cutoff};
    };
    const std::vector<CurveRange> ranges{range(soft, 0.0, 4.0), range(core, 0.0, 2.5),
                                         range(core, 0.5, 2.5), range(soft, 0.0, 8.0)};
    const double accuracy = 1e-6;
    const std::vector<SplineTable> tables = make_spline_tables(ranges, accuracy);
    const SplineTable alone = make_spline_table(ranges[0].curve, 0.0, 4.0, accuracy);
    CHECK(tables[0].fineness > alone.fineness);
    for (std::size_t k = 0; k < tables.size(); ++k) {
        CAPTURE(k);
        CHECK(tables[k].fineness == tables[0].fineness);
        CHECK(tables[k].begin == tables[0].begin);
        CHECK(tables[k].error <= accuracy);
        const KnownCurve& f = k == 0 || k == 3 ? soft : core;
        const oracle::Curve curve = oracle::tabulated(std::make_shared<SplineTable>(tables[k]));
        const double mean = mean_slope(f);
        double worst = 0.0;
        for (double r = 1.01 * tables[k].first; r < ranges[k].cutoff; r += 0.001)
            worst = larger(worst, std::abs(static_cast<double>(curve.f(r)) + f.slope(r)) /
                                      (std::abs(f.slope(r)) + mean));
        // F of the longer range is below the mean of the shorter one.
        CHECK(worst < 2.0 * accuracy);
        const double closer = 0.7 * tables[k].first;
        if (f.text == core.text) CHECK(std::isinf(static_cast<double>(curve.f(closer))));
        // To half the square of r^2 there, (8/1024)^4/2.
        if (k == 3)
            CHECK(static_cast<double>(curve.u(closer)) == Approx(f.u(closer)).epsilon(2e-9));
    }
    CHECK(tables[2].first == Approx(0.5).epsilon(0.011)); // places are 2^(1/64) apart
    CHECK(tables[3].first > 1.9 * tables[0].first);
}

TEST_CASE("forces that end before the cut-off, and wells without a core, have tables") {
    const auto table_of = [](const char* text, double cutoff) {
        return make_spline_table(formula_curve(text, {}).at, 0.0, cutoff, 1e-6);
    };
    // The force of a soft sphere of 1.2 has a kink of its second derivative at its end.
    CHECK(table_of("r < 1.2 ? (1.2 - r)^4 : 0", 2.5).error < 1e-4);
    CHECK(table_of("r < 1.2 ? (1.2 - r)^4 : 0", 1.5).error < 1e-4);
    // Attraction towards r = 0, which another force may outweigh; only exp-6 falls from a barrier.
    for (const char* text : {"ln(r)", "-exp(-r)/r + 0.2*exp(-r/3)/r"}) {
        CAPTURE(text);
        CHECK(table_of(text, 2.5).first < 0.01);
    }
    CHECK(table_of("1000*exp(-r/0.2) - 1/r^6", 2.5).first > 0.1);
}

TEST_CASE("poles, jumps and wiggles are found") {
    for (const char* text : {"1/(r - 1)", "r < 1 ? 1 : 0", "sin(20000*r)"}) {
        CAPTURE(text);
        const PairCurve curve = formula_curve(text, {});
        CHECK(make_spline_table(curve.at, 0.0, 2.5, 1e-6).error > 1e-2);
    }
    // 1.5 is a knot; the others are not.
    const auto worst = [](const char* text) {
        return make_spline_table(formula_curve(text, {}).at, 0.0, 2.5, 1e-6).worst;
    };
    CHECK(worst("1/(r - 1.5)") == 1.5);
    CHECK(worst("1/(r - 1.37)") == Approx(1.37).epsilon(1e-3));
    CHECK(worst("r < 1 ? 1e20 : 0") == Approx(1.0).epsilon(4e-3));
    CHECK(worst("abs(r - 1.5) < 0.01 ? 1 : 0") == Approx(1.5).epsilon(1e-2));
    // A force with a kink is followed, but not to 1e-9: its slope by differences is off over 3e-3.
    const PairCurve kink = formula_curve("r < 1 ? 10*(1 - r)^2 : 0", {});
    const SplineTable table = make_spline_table(kink.at, 0.0, 1.5, 1e-9);
    CHECK(table.error < 4e-3);
    CHECK(table.error > 1e-9);
}

TEST_CASE("a core is never left out of a table") {
    const auto table_of = [](const std::string& text, double first = 0.0) {
        return make_spline_table(formula_curve(text, {}).at, first, 2.5, 1e-6);
    };
    for (const char* text :
         {"r < 1 ? 1e25 : 0", "r < 1 ? 1e300 : 0", "r < 1 ? 1/0 : 0", "r < 1 ? -1/0 : 0",
          "max(0, 1.1 - r)*1e30", "r < 1e-3 ? 1/r : 0", "exp(-r/1e-6)",
          "abs(r - 1.5) < 1e-3 ? 1 : 0", "r < 1 ? 1e25 : exp(-r)", "r < 1 ? 1/0 : -exp(-r)/r",
          "4*(r^-12 - r^-6) + (r < 1 ? 1e28 : 0)"}) {
        CAPTURE(text);
        const SplineTable table = table_of(text);
        CHECK(table.error > 1e-2);
        CHECK((table.fault.empty() || std::isinf(table.error)));
    }
    CHECK(contains(table_of("r < 1 ? 1e25 : 0").fault, "u goes from 0 to 1e+25 near r = 1:"));
    CHECK(contains(table_of("r < 1e-3 ? 1/r : 0").fault, "u is zero, but not near r = 0.00"));
    // What rises without a leap, or is not defined closer by, ends the run there.
    for (const char* text : {"(r - 1)^-12", "(r - 0.5)^-12", "exp(1/r^6)", "sqrt(r - 0.5)",
                             "r < 1 ? 0/0 : 0", "r < 1.2 ? 1e25*(1.2 - r)^4 : 0", "-1e-3*r^-12"}) {
        CAPTURE(text);
        const SplineTable table = table_of(text);
        CHECK(table.fault.empty());
        CHECK(table.error < 1e-2);
        CHECK(std::isinf(table.numbers[0]));
    }
    // Nothing is nothing everywhere, but for rows that begin above zero.
    CHECK(table_of("0").fault.empty());
    CHECK(table_of("0").numbers[0] == 0.0);
    CHECK(std::isinf(table_of("0", 1.25).numbers[0]));
    CHECK(table_of("0", 1.25).first == Approx(1.25).epsilon(0.011));
}

TEST_CASE("tails of formulas are those in closed form") {
    const PairCurve curve = formula_curve("4*(r^-12 - r^-6)", {});
    const double cutoff = 2.5;
    for (const int dim : {1, 2, 3}) {
        const double exact =
            4 * (std::pow(cutoff, dim - 12) / (12 - dim) - std::pow(cutoff, dim - 6) / (6 - dim));
        CHECK(tail_integral(curve, cutoff, dim) == Approx(exact).epsilon(1e-9));
    }
    CHECK(std::isinf(tail_integral(formula_curve("1/r^3", {}), cutoff, 3)));
    CHECK(std::isfinite(tail_integral(formula_curve("1/r^3", {}), cutoff, 2)));
}

TEST_CASE("what is wrong with a formula is said in words") {
    const Constants known{{"sigma", 1.0}};
    CHECK(formula_problem("4*(sigma/r)^12", known).empty());
    CHECK(formula_problem("0", {}).empty());
    CHECK(contains(formula_problem("4*(sigam/r)^12", known), "did you mean \"sigma\"?"));
    CHECK(contains(formula_problem("4*(1/r^12", {}), "muParser cannot read it"));
    CHECK(contains(formula_problem("a/r", {}), "give its number in parameters"));
    CHECK(contains(formula_problem("max(r, pow (r, 2))", {}), "unknown function \"pow\""));
    CHECK(contains(formula_problem("1e400/r", {}), "\"1e400\" in the formula (neither"));
    CHECK(contains(formula_problem("1/r + $", {}), "\"$\" in the formula (neither"));
    CHECK(contains(formula_problem("r = 2", {}), "right side"));
    CHECK(contains(formula_problem("1/r, 2", {}), "comma"));
    CHECK(contains(formula_problem("3", {}), "without r"));
    CHECK(formula_problem("r >= 1 ? 0 : r == 2", {}).empty());
    CHECK(formula_has("4*sigma/r", known, "sigma"));
    CHECK_FALSE(formula_has("4/r", known, "sigma"));
}

TEST_CASE("formulas with a name are what their equations say") {
    const double r = 1.3, cutoff = 2.5;
    const std::map<std::string, std::pair<Constants, double>> known = {
        {"mie",
         {{{"epsilon", 1.7}, {"sigma", 1.1}, {"n", 14.0}, {"m", 7.0}},
          1.7 * 4.0 * (std::pow(1.1 / r, 14) - std::pow(1.1 / r, 7))}},
        {"buckingham",
         {{{"a", 1000.0}, {"rho", 0.3}, {"c", 2.0}},
          1000.0 * std::exp(-r / 0.3) - 2.0 / std::pow(r, 6)}},
        {"yukawa", {{{"a", -3.0}, {"kappa", 0.7}}, -3.0 * std::exp(-0.7 * r) / r}},
        {"gaussian-core",
         {{{"epsilon", 2.0}, {"sigma", 0.8}}, 2.0 * std::exp(-r * r / (0.8 * 0.8))}}};
    for (const PotentialTraits& traits : curve_traits()) {
        if (traits.kind != CurveKind::named) continue;
        CAPTURE(traits.info->name);
        const auto row = known.find(traits.info->name);
        REQUIRE(row != known.end());
        Constants constants = row->second.first;
        CHECK(constants.size() == static_cast<std::size_t>(traits.info->parameter_count));
        for (std::size_t k = 0; k < constants.size(); ++k)
            CHECK(constants[k].first == traits.info->parameters[k].name);
        constants.emplace_back("cutoff", cutoff);
        REQUIRE(formula_problem(traits.formula, constants).empty());
        const PairCurve curve = formula_curve(traits.formula, constants);
        CHECK(curve.at(r).u == Approx(row->second.second).epsilon(1e-13));
    }
}

TEST_CASE("a spline through points is exact for cubics and goes on beyond them") {
    const auto u = [](double x) { return 1.0 + x * (2.0 - x * (0.5 - 0.25 * x)); };
    std::vector<double> x, y;
    for (const double at : {0.5, 0.7, 1.0, 1.2, 1.7, 2.0, 2.1}) {
        x.push_back(at);
        y.push_back(u(at));
    }
    const CubicSpline spline(x, y);
    for (double at = 0.4; at < 2.3; at += 0.05) {
        CHECK(spline.at(at).u == Approx(u(at)).epsilon(1e-13));
        CHECK(spline.at(at).d1 == Approx(2.0 - at + 0.75 * at * at).epsilon(1e-12));
        CHECK(spline.at(at).d2 == Approx(-1.0 + 1.5 * at).epsilon(1e-11).margin(1e-12));
    }
}

TEST_CASE("files of curves are read, or refused in words") {
    const TemporaryFolder folder;
    const auto text = [](double step, double noise, bool forces, double wrong = 1.0) {
        std::string rows = "# r u f\n";
        for (int k = 0; 0.8 + step * k < 2.6; ++k) {
            const double r = 0.8 + step * k, p = std::pow(r, -6);
            rows += fmt::format("{:.17g} {:.17g}", r, 4 * (p * p - p) + (k % 2 ? noise : -noise));
            if (forces) rows += fmt::format(" {:.17g}", wrong * (48 * p * p - 24 * p) / r);
            rows += k % 3 == 0 ? "  # a comment\n" : "\n";
        }
        return rows;
    };
    const auto problem = [&](const std::string& rows) -> std::string {
        try {
            (void)read_curve_file(folder.write("u.dat", rows));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    };
    const PairCurve curve = read_curve_file(folder.write("u.dat", text(0.005, 0.0, true)));
    CHECK(curve.first == 0.8);
    CHECK(curve.last == Approx(2.6).margin(0.006));
    const double p = std::pow(1.1234, -6);
    CHECK(curve.at(1.1234).u == Approx(4 * (p * p - p)).epsilon(1e-6));
    CHECK(curve.at(1.1234).d1 == Approx(-(48 * p * p - 24 * p) / 1.1234).margin(1e-3));
    CHECK(problem(text(0.01, 0.0, false)).empty());
    CHECK(contains(problem(text(0.01, 3e-3, false)), "too noisy"));
    CHECK(contains(problem(text(0.15, 0.0, false)), "too coarse"));
    CHECK(contains(problem(text(0.01, 0.0, true, -1.0)), "not -du/dr"));
    CHECK(contains(problem("1 2 3\n2 3\n"), "line 2"));
    CHECK(contains(problem("1 2\n2 x\n"), "not a finite number"));
    CHECK(contains(problem("1 2\n2 nan\n"), "not a finite number"));
    CHECK(contains(problem("1 2\n1 3\n"), "must ascend"));
    CHECK(contains(problem("-1 2\n1 3\n"), "not below zero"));
    CHECK(contains(problem("1 2\n2 3\n"), "too few"));
    const std::string rows = text(0.01, 0.0, false);
    const std::size_t from = rows.find('\n', rows.find("\n1.2")) + 1;
    const std::size_t to = rows.find('\n', rows.find("\n1.25")) + 1;
    CHECK(contains(problem(rows.substr(0, from) + rows.substr(to)), "a gap from r = "));
    CHECK_THROWS(read_curve_file(folder / "none.dat"));
}
