// SPDX-License-Identifier: BSD-3-Clause
#include "formula.hpp"

#include "shadow/core/text.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <muParser.h>
#include <vector>

namespace shadow {
namespace {

/// A parser keeps the addresses of variables, so these must not move.
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

/// muParser accepts assignments, which would change r.
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

/// Is a name that ends at `behind` called as a function?
bool is_called(const std::string& text, std::size_t behind) {
    const std::size_t next = text.find_first_not_of(' ', behind);
    return next != std::string::npos && text[next] == '(';
}

std::string words_of(const mu::Parser::exception_type& error, const Constants& constants) {
    if (error.GetCode() != mu::ecUNASSIGNABLE_TOKEN)
        return fmt::format("{} (muParser cannot read it); correct the formula", error.GetMsg());
    std::string token = error.GetToken();
    token.erase(token.find_last_not_of(' ') + 1);
    if (!can_be_parameter(token))
        return fmt::format("{} in the formula (neither a number nor a name); correct the formula",
                           in_quotes(token, 40));
    if (is_called(error.GetExpr(), static_cast<std::size_t>(error.GetPos()) + token.size()))
        return fmt::format("unknown function {} in the formula (those of muParser are exp, ln, "
                           "sqrt and others, and a power is r^2); correct the formula",
                           in_quotes(token, 40));
    std::vector<std::string> known{"r"};
    for (const auto& constant : constants) known.push_back(constant.first);
    const auto near = nearest(token, known);
    return fmt::format(
        "unknown name {} in the formula (known are {}, and functions such as exp and sqrt); {}",
        in_quotes(token, 40), quoted_list(known),
        near ? fmt::format("did you mean {}?", in_quotes(*near))
             : std::string("give its number in parameters"));
}

} // namespace

bool can_be_parameter(const std::string& name) {
    const auto is_letter = [](char c) {
        return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return !name.empty() && is_letter(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

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
