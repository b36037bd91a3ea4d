// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/units.hpp"

#include "shadow/core/error.hpp"

#include <cctype>
#include <fmt/format.h>

namespace shadow {

namespace {

const Units lj{"lj",          1.0, 1.0, "sigma", "epsilon", "m", "sigma (m/epsilon)^1/2",
               "epsilon/k_B", "q", 0.0, 0.0,     0.0};

/// k_B = R / (4184 J/kcal); e^2 N_A / (4 pi eps_0) and the time from CODATA 2018.
const Units akma{"akma",
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
                 1.0};

} // namespace

const Units& units_named(std::string_view name) {
    if (name == "lj") return lj;
    if (name == "akma") return akma;
    throw InputError(
        fmt::format("units \"{}\" (not a system of units); use \"lj\" or \"akma\"", name));
}

std::string Units::express(std::string_view dimension) const {
    const struct {
        const char* word;
        const std::string& unit;
    } table[] = {{"length", length}, {"energy", energy},           {"mass", mass},
                 {"time", time},     {"temperature", temperature}, {"charge", charge}};
    std::string result, word;
    const auto flush = [&] {
        for (const auto& [name_of, unit] : table)
            if (word == name_of) word = unit;
        result += word;
        word.clear();
    };
    for (const char c : dimension) {
        if (std::isalpha(static_cast<unsigned char>(c))) {
            word += c;
        } else {
            flush();
            result += c;
        }
    }
    flush();
    return result;
}

} // namespace shadow
