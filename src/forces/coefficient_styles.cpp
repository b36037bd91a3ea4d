// SPDX-License-Identifier: BSD-3-Clause
#include "coefficient_styles.hpp"

#include "shadow/core/error.hpp"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

/// The styles of LAMMPS that are known here (its manual, bond_style harmonic and so on).
namespace shadow {
namespace {

using FormRows = std::vector<FormRow>;

struct Style {
    BondedKind kind;
    const char* name;
    const char* numbers; ///< in words
    /// How many numbers there are, which may depend on the first one.
    std::size_t (*count)(double first);
    FormRows (*rows)(const TypeCoefficients& from);
};

template <std::size_t n>
std::size_t always(double) {
    return n;
}

FormRows harmonic_bond(const TypeCoefficients& from) {
    return {{"harmonic-bond", {2.0 * from.numbers[0], from.numbers[1]}}};
}

FormRows morse_bond(const TypeCoefficients& from) {
    return {{"morse-bond", from.numbers}};
}

FormRows harmonic_angle(const TypeCoefficients& from) {
    return {{"harmonic-angle", {2.0 * from.numbers[0], from.numbers[1]}}};
}

/// Most angles of CHARMM have no spring between their ends.
FormRows charmm_angle(const TypeCoefficients& from) {
    const std::vector<double>& x = from.numbers;
    FormRows rows = harmonic_angle(from);
    if (x[2] != 0.0) rows.push_back({"urey-bradley", {2.0 * x[2], x[3]}});
    return rows;
}

FormRows cosine_angle(const TypeCoefficients& from) {
    return {{"cosine-angle", from.numbers}};
}

/// K [1 + d cos(n phi)]
FormRows harmonic_dihedral(const TypeCoefficients& from) {
    const std::vector<double>& x = from.numbers;
    if (std::abs(x[1]) != 1.0)
        refuse_coefficients(from, fmt::format("d = {}", x[1]), "it is a sign", "give 1 or -1");
    return {{"periodic-dihedral", {x[0], x[2], x[1] > 0.0 ? 0.0 : 180.0}}};
}

/// K [1 + cos(n phi - d)]
FormRows charmm_dihedral(const TypeCoefficients& from) {
    const std::vector<double>& x = from.numbers;
    if (x[3] != 0.0)
        refuse_coefficients(from, fmt::format("weight {}", x[3]),
                            "with a weight LAMMPS adds pair forces between the ends of a dihedral, "
                            "which are a matter of pairs here",
                            "write 0 instead, and give `scale_14` in [system], and `pairs_14` in "
                            "the pair force where types have 1-4 parameters of their own");
    return {{"periodic-dihedral", {x[0], x[1], x[2]}}};
}

/// Several of the same, with their number first.
FormRows fourier_dihedral(const TypeCoefficients& from) {
    const std::vector<double>& x = from.numbers;
    FormRows rows;
    for (std::size_t k = 1; k + 2 < x.size(); k += 3)
        rows.push_back({"periodic-dihedral", {x[k], x[k + 1], x[k + 2]}});
    return rows;
}

/// Sum of a_n cos(phi)^n as a series of cos(psi), psi = phi - 180 degrees.
FormRows of_cosines(const std::vector<double>& a) {
    std::vector<double> c(6, 0.0);
    for (std::size_t n = 0; n < a.size(); ++n) c[n] = n % 2 == 0 ? a[n] : -a[n];
    return {{"ryckaert-bellemans", c}};
}

FormRows multi_harmonic_dihedral(const TypeCoefficients& from) {
    return of_cosines(from.numbers);
}

FormRows nharmonic_dihedral(const TypeCoefficients& from) {
    if (from.numbers[0] > 6.0)
        refuse_coefficients(from, fmt::format("n = {}", from.numbers[0]),
                            "the series ends with the fifth power of the cosine",
                            "give 6 terms or less");
    return of_cosines({from.numbers.begin() + 1, from.numbers.end()});
}

/// K1 [1 + cos(phi)] / 2 + K2 [1 - cos(2 phi)] / 2 + K3 [1 + cos(3 phi)] / 2 + K4 [1 - cos(4 phi)]
/// / 2, as a series of powers.
FormRows opls_dihedral(const TypeCoefficients& from) {
    const std::vector<double>& k = from.numbers;
    return of_cosines({0.5 * k[0] + k[1] + 0.5 * k[2], 0.5 * k[0] - 1.5 * k[2], 4.0 * k[3] - k[1],
                       2.0 * k[2], -4.0 * k[3]});
}

/// The angle of LAMMPS has no sign, which makes no difference only at 0 and 180 degrees.
FormRows harmonic_improper(const TypeCoefficients& from) {
    const std::vector<double>& x = from.numbers;
    if (x[1] != 0.0 && x[1] != 180.0)
        refuse_coefficients(from, fmt::format("chi0 = {}", x[1]),
                            "the angle of LAMMPS has no sign, so that only 0 and 180 degrees mean "
                            "the same here",
                            "leave impropers out of `of` and give them a harmonic-improper");
    return {{"harmonic-improper", {2.0 * x[0], x[1]}}};
}

/// All styles that `coefficient_styles` (src/system/coefficients.cpp) names.
const std::vector<Style>& styles() {
    using enum BondedKind;
    static const std::vector<Style> all = {
        {bond, "harmonic", "K, r0", always<2>, harmonic_bond},
        {bond, "morse", "D0, alpha, r0", always<3>, morse_bond},
        {angle, "harmonic", "K, theta0", always<2>, harmonic_angle},
        {angle, "charmm", "K, theta0, K_ub, r_ub", always<4>, charmm_angle},
        {angle, "cosine", "K", always<1>, cosine_angle},
        {dihedral, "harmonic", "K, d, n", always<3>, harmonic_dihedral},
        {dihedral, "charmm", "K, n, d, weight", always<4>, charmm_dihedral},
        {dihedral, "fourier", "m, and K, n, d m times",
         [](double m) { return m >= 1.0 && m < 100.0 ? 1 + 3 * static_cast<std::size_t>(m) : 4; },
         fourier_dihedral},
        {dihedral, "multi/harmonic", "A1, A2, A3, A4, A5", always<5>, multi_harmonic_dihedral},
        {dihedral, "nharmonic", "n, and A1 to An",
         [](double n) { return n >= 1.0 && n < 100.0 ? 1 + static_cast<std::size_t>(n) : 2; },
         nharmonic_dihedral},
        {dihedral, "opls", "K1, K2, K3, K4", always<4>, opls_dihedral},
        {improper, "harmonic", "K, chi0", always<2>, harmonic_improper}};
    return all;
}

} // namespace

void refuse_coefficients(const TypeCoefficients& coefficients, const std::string& problem,
                         const std::string& why, const std::string& advice) {
    throw InputError(fmt::format("{}: {} in the {} coefficients of {} type \"{}\" ({}); {}",
                                 coefficients.place, problem, coefficients.style,
                                 name(coefficients.kind), coefficients.type, why, advice));
}

std::vector<FormRow> rows_of_forms(const TypeCoefficients& coefficients) {
    for (const Style& style : styles()) {
        if (style.kind != coefficients.kind || style.name != coefficients.style) continue;
        const std::vector<double>& x = coefficients.numbers;
        for (const double number : x)
            if (!std::isfinite(number))
                refuse_coefficients(coefficients, fmt::format("{}", number), "numbers are finite",
                                    "correct the file");
        const bool right = !x.empty() && x.size() == style.count(x[0]);
        const bool whole = style.count(1.0) == style.count(2.0) ||
                           (right && x[0] >= 1.0 && x[0] == std::floor(x[0]));
        if (!right || !whole)
            refuse_coefficients(coefficients,
                                fmt::format("{} number{}", x.size(), x.size() == 1 ? "" : "s"),
                                fmt::format("of style {} these are {}", style.name, style.numbers),
                                "correct the line");
        return style.rows(coefficients);
    }
    refuse_coefficients(
        coefficients, "an unknown style",
        fmt::format("known are {}", fmt::join(coefficient_styles(coefficients.kind), ", ")),
        "correct the file");
}

} // namespace shadow
