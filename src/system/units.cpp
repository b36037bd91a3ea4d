// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/units.hpp"

#include "shadow/core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>
#include <vector>

namespace shadow {
namespace {

Units reduced() {
    return {"lj",          1.0, 1.0, "sigma", "epsilon", "m", "sigma sqrt(m/epsilon)",
            "epsilon/k_B", "q", 0.0};
}

/// CODATA 2018: k_B, e and N_A are exact, so k_B = R / (4184 J/kcal) and 1 g/mol (Angstrom/fs)^2
/// = 1e7 J/mol. e^2 N_A / (4 pi eps_0) has its relative error of 1.5e-10.
Units akma() {
    return {"akma",
            0.0019872042586408316,
            332.06371329919216,
            "Angstrom",
            "kcal mol-1",
            "u",
            "48.88821 fs",
            "K",
            "e",
            48.88821290839616,
            1.0,
            "atm",
            68568.42296625092};
}

Units real() {
    Units units = akma();
    units.name = "real";
    units.time = "fs";
    units.femtoseconds = 1.0;
    units.inertia = 1e7 / 4184.0;
    return units;
}

/// 1 g/mol (Angstrom/ps)^2 = 10 J/mol; the Faraday constant e N_A converts J/mol to eV.
Units metal() {
    Units units = akma();
    units.name = "metal";
    units.boltzmann = 8.617333262145179e-05;
    units.coulomb = 14.399645478425668;
    units.energy = "eV";
    units.time = "ps";
    units.femtoseconds = 1000.0;
    units.inertia = 10.0 / 96485.33212331002;
    units.pressure = "bar";
    units.pressures = 1602176.634;
    return units;
}

const std::vector<Units>& all_units() {
    static const std::vector<Units> all{reduced(), akma(), real(), metal()};
    return all;
}

/// Symbols with twice their powers, in the order of appearance.
using Powers = std::vector<std::pair<std::string, int>>;

void multiply(Powers& product, const Powers& factor, int power) {
    for (const auto& [symbol, twice] : factor) {
        const auto same =
            std::find_if(product.begin(), product.end(),
                         [&s = symbol](const auto& known) { return known.first == s; });
        if (same != product.end())
            same->second += twice * power;
        else
            product.emplace_back(symbol, twice * power);
    }
}

/// Reads "mass length^2/time", "energy/(length^3 temperature)" and the like.
class DimensionReader {
  public:
    DimensionReader(const Units& units, std::string_view text) : units_(units), text_(text) {}

    Powers product() {
        Powers all;
        for (int sign = 1; at_ < text_.size();) {
            const char c = text_[at_];
            if (c == ')') break;
            if (c == '/') sign = -1;
            if (c == ' ' || c == '*' || c == '/') {
                ++at_;
                continue;
            }
            const Powers next = factor();
            multiply(all, next, sign * exponent());
            sign = 1;
        }
        return all;
    }

  private:
    Powers factor() {
        if (text_[at_] == '(') {
            ++at_;
            const Powers inside = product();
            ++at_;
            return inside;
        }
        const std::size_t end = std::min(text_.find_first_of(" */^()", at_ + 1), text_.size());
        const std::string_view word = text_.substr(at_, end - at_);
        at_ = end;
        return named(word);
    }

    int exponent() {
        int value = 1;
        if (at_ < text_.size() && text_[at_] == '^')
            at_ = static_cast<std::size_t>(
                std::from_chars(&text_[at_] + 1, text_.data() + text_.size(), value).ptr -
                text_.data());
        return value;
    }

    /// Reduced units of time and temperature are expressed by the others, so that these cancel.
    [[nodiscard]] Powers named(std::string_view word) const {
        const Units& u = units_;
        const bool reduced = u.femtoseconds == 0.0;
        if (word == "1") return {};
        if (word == "length") return {{u.length, 2}};
        if (word == "energy") return {{u.energy, 2}};
        if (word == "mass" && u.inertia == 1.0) return {{u.mass, 2}};
        if (word == "mass") return {{u.energy, 2}, {u.time, 4}, {u.length, -4}};
        if (word == "pressure" && u.pressure.empty()) return {{u.energy, 2}, {u.length, -6}};
        if (word == "pressure") return {{u.pressure, 2}};
        if (word == "charge") return {{u.charge, 2}};
        if (word == "time" && reduced) return {{u.length, 2}, {u.mass, 1}, {u.energy, -1}};
        if (word == "time") return {{u.time, 2}};
        if (word == "temperature" && reduced) return {{u.energy, 2}, {"k_B", -2}};
        if (word == "temperature") return {{u.temperature, 2}};
        return {{std::string(word), 2}};
    }

    const Units& units_;
    std::string_view text_;
    std::size_t at_ = 0;
};

/// A factor with its power, as written next to others; `leads`: it is the first.
std::string in_company(const std::string& symbol, int power, bool leads) {
    const bool numbered = symbol.find_first_of("0123456789") == 0;
    const bool bare = symbol.find(' ') == std::string::npos || symbol.starts_with("sqrt(") ||
                      (leads && power == 1 && !numbered);
    return (bare ? symbol : "(" + symbol + ")") + (power == 1 ? "" : fmt::format("^{}", power));
}

/// "a^2 b/(c d)"; names of several words are put into parentheses where they could be misread.
std::string fraction(const Powers& above, const Powers& below) {
    if (below.empty() && above.size() == 1 && above[0].second == 1) return above[0].first;
    std::string top, bottom;
    for (const auto& [symbol, power] : above)
        top += (top.empty() ? "" : " ") + in_company(symbol, power, top.empty());
    for (const auto& [symbol, power] : below)
        bottom += (bottom.empty() ? "" : " ") + in_company(symbol, power, false);
    if (below.empty()) return top;
    if (below.size() > 1) bottom = "(" + bottom + ")";
    return fmt::format("{}/{}", top.empty() ? "1" : top, bottom);
}

/// Integer powers as a fraction; half-integer powers under a root.
std::string written(const Powers& product) {
    Powers above, below, root_above, root_below;
    for (const auto& [symbol, twice] : product) {
        if (const int whole = std::abs(twice) / 2; whole > 0)
            (twice > 0 ? above : below).emplace_back(symbol, whole);
        if (twice % 2 != 0) (twice > 0 ? root_above : root_below).emplace_back(symbol, 1);
    }
    if (!root_above.empty())
        above.emplace_back("sqrt(" + fraction(root_above, root_below) + ")", 1);
    else if (!root_below.empty())
        below.emplace_back("sqrt(" + fraction(root_below, {}) + ")", 1);
    return fraction(above, below);
}

} // namespace

const Units& units_named(std::string_view name) {
    for (const Units& units : all_units())
        if (units.name == name) return units;
    throw InputError(fmt::format("units \"{}\" (not a system of units); use one of \"{}\"", name,
                                 fmt::join(unit_systems(), "\", \"")));
}

const std::vector<std::string>& unit_systems() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> all;
        for (const Units& units : all_units()) all.push_back(units.name);
        return all;
    }();
    return names;
}

std::string pressure_dimension(int dimension) {
    if (dimension == 3) return "pressure";
    return dimension == 1 ? "energy/length" : fmt::format("energy/length^{}", dimension);
}

std::string Units::express(std::string_view dimension) const {
    return written(DimensionReader(*this, dimension).product());
}

double Units::factor(std::string_view dimension) const {
    if (pressure.empty()) return 1.0;
    for (const auto& [symbol, twice] : DimensionReader(*this, dimension).product())
        if (symbol == pressure) return std::pow(pressures, 0.5 * twice);
    return 1.0;
}

} // namespace shadow
