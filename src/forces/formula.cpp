// SPDX-License-Identifier: BSD-3-Clause
#include "formula.hpp"

#include "shadow/core/text.hpp"

#include <fmt/format.h>
#include <memory>
#include <muParser.h>
#include <vector>

namespace shadow {
namespace {

/// A parser keeps the addresses of variables, so all stay where they are.
struct Formula {
    mu::Parser parser;
    double r = 1.0;
    std::vector<double> values;

    Formula(const std::string& text, const Constants& constants) {
        parser.DefineVar("r", &r);
        for (const auto& constant : constants) values.push_back(constant.second);
        for (std::size_t k = 0; k < constants.size(); ++k)
            parser.DefineVar(constants[k].first, &values[k]);
        parser.SetExpr(text);
    }
    Formula(const Formula&) = delete;

    double operator()(double distance) {
        r = distance;
        return parser.Eval();
    }
};

/// muParser knows assignments, which would change r.
bool assigns(const std::string& text) {
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '=') continue;
        const char before = k > 0 ? text[k - 1] : ' ';
        if (before == '<' || before == '>' || before == '!') continue;
        if (k + 1 == text.size() || text[k + 1] != '=') return true;
        ++k;
    }
    return false;
}

std::string words_of(const mu::Parser::exception_type& error, const Constants& constants) {
    if (error.GetCode() != mu::ecUNASSIGNABLE_TOKEN)
        return fmt::format("{} (muParser cannot read it); mend the formula", error.GetMsg());
    std::vector<std::string> known{"r"};
    for (const auto& constant : constants) known.push_back(constant.first);
    const auto near = nearest(error.GetToken(), known);
    return fmt::format("unknown name {} in the formula (it knows {}, and functions such as exp and "
                       "sqrt); {}",
                       quoted(error.GetToken(), 40), quoted_list(known),
                       near ? fmt::format("did you mean {}?", quoted(*near))
                            : std::string("give its number in parameters"));
}

} // namespace

std::string formula_problem(const std::string& text, const Constants& constants) {
    if (assigns(text))
        return "\"=\" in a formula (it is the right side of u(r) = ...); remove it, or write == to "
               "compare";
    try {
        Formula formula(text, constants);
        const double value = formula(1.0);
        if (formula.parser.GetNumResults() > 1)
            return "a comma outside of a function (a formula has one value); remove it, or write a "
                   "decimal point";
        if (value != 0.0 && !formula.parser.GetUsedVar().contains("r"))
            return "a formula without r (a constant energy has no force); write it as a function "
                   "of r";
    } catch (const mu::Parser::exception_type& error) {
        return words_of(error, constants);
    }
    return "";
}

bool formula_has(const std::string& text, const Constants& constants, const std::string& name) {
    return Formula(text, constants).parser.GetUsedVar().contains(name);
}

PairCurve formula_curve(const std::string& text, const Constants& constants) {
    PairCurve curve;
    curve.source = text;
    for (const auto& [name, value] : constants)
        curve.source += fmt::format(", {} = {}", name, value);
    const auto formula = std::make_shared<Formula>(text, constants);
    curve.at = [formula](double r) {
        return differentiate([&formula](double x) { return (*formula)(x); }, r);
    };
    return curve;
}

} // namespace shadow
