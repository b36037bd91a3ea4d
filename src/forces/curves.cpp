// SPDX-License-Identifier: BSD-3-Clause
#include "curves.hpp"

#include "curve_file.hpp"
#include "formula.hpp"
#include "pair_numbers.hpp"

#include "shadow/core/error.hpp"
#include "shadow/core/text.hpp"

#include "kernels/potentials/list.hpp"

#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

namespace shadow {
namespace {

constexpr PotentialInfo mie{
    "mie",
    "repulsion and attraction by inverse powers of the distance",
    "u = epsilon n/(n - m) (n/m)^(m/(n - m)) [(sigma/r)^n - (sigma/r)^m], "
    "minimum -epsilon",
    "G. Mie, Ann. Phys. 316 (1903) 657",
    4,
    {{"epsilon", "energy", "depth of the well"},
     {"sigma", "length", "where u = 0"},
     {"n", "", "exponent of the repulsion"},
     {"m", "", "exponent of the attraction, below n", nullptr, 1.0, NumberRange::usual, "6.0"}}};
/// The formula divides by the difference of the exponents.
const char* mie_problem(const double* p) {
    return p[2] == p[3] ? "n = m (repulsion and attraction would cancel, as their exponents are "
                          "the same); give an m below n"
                        : nullptr;
}
constexpr PotentialInfo buckingham{
    "buckingham",
    "exponential repulsion and dispersion (exp-6); pairs within its barrier end the run",
    "u = a exp(-r/rho) - c/r^6",
    "R. A. Buckingham, Proc. R. Soc. A 168 (1938) 264",
    3,
    {{"a", "energy", "strength of the repulsion", nullptr, 1.0, NumberRange::usual, "1000.0"},
     {"rho", "length", "range of the repulsion", nullptr, 1.0, NumberRange::usual, "0.25"},
     {"c", "energy*length^6", "strength of the dispersion", nullptr, 1.0, NumberRange::any}}};
constexpr PotentialInfo yukawa{
    "yukawa",
    "screened charges, as of colloids",
    "u = a exp(-kappa r)/r",
    "H. Yukawa, Proc. Phys.-Math. Soc. Japan 17 (1935) 48",
    2,
    {{"a", "energy*length", "strength; negative: attraction", nullptr, 1.0, NumberRange::any},
     {"kappa", "1/length", "inverse screening length"}}};
constexpr PotentialInfo gaussian_core{
    "gaussian-core",
    "soft particles which may pass through each other",
    "u = epsilon exp(-(r/sigma)^2)",
    "F. H. Stillinger, J. Chem. Phys. 65 (1976) 3968",
    2,
    {{"epsilon", "energy", "u at r = 0"}, {"sigma", "length", "width"}}};
constexpr PotentialInfo reaction_field{
    "reaction-field",
    "charges in a sphere, with a dielectric continuum beyond the cut-off",
    "u = k q_i q_j [1/r + (1 - 1/e)/(2 + 1/e) r^2/R^3 - 3/((2 + 1/e) R)], e = epsilon_rf, R the "
    "cut-off",
    "J. A. Barker and R. O. Watts, Mol. Phys. 26 (1973) 789; I. G. Tironi et al., J. Chem. Phys. "
    "102 (1995) 5451",
    3,
    {{"strength", "energy*length", "k q_i q_j"},
     {"softening", "length", "of none", nullptr, 1.0, NumberRange::internal},
     {"epsilon_rf", "", "relative permittivity of the continuum; inf: a conductor", nullptr, 1.0,
      NumberRange::permittivity, "78.5"}},
    PairStrength::charges};
constexpr PotentialInfo gravity{
    "gravity",
    "masses that attract each other, summed over all pairs of an open system",
    "u = -g m_i m_j / sqrt(r^2 + softening^2)",
    "H. C. Plummer, Mon. Not. R. Astron. Soc. 71 (1911) 460, on softening",
    3,
    {{"strength", "energy*length", "-g m_i m_j"},
     {"softening", "length", "0: point masses; else radius of Plummer spheres", nullptr, 1.0,
      NumberRange::zero_or_above},
     {"epsilon_rf", "", "of none", nullptr, 1.0, NumberRange::internal}},
    PairStrength::masses};
constexpr PotentialInfo formula{"formula",
                                "a formula of your own for u(r)",
                                "u = u(r), as given in the input",
                                "A. Wolff and W. G. Rudd, Comput. Phys. Commun. 120 (1999) 20, on "
                                "tables in r^2",
                                0,
                                {}};
constexpr PotentialInfo file{"table",
                             "energies from a file, rows of r and u",
                             "u = the cubic spline through the rows",
                             "A. Wolff and W. G. Rudd, Comput. Phys. Commun. 120 (1999) 20, on "
                             "tables in r^2",
                             0,
                             {}};

/// The entry of `pairs` if it has the key, else the table of the force.
const Parameters& place_of(const Parameters& table, const Parameters* entry, const char* key) {
    return entry && entry->has(key) ? *entry : table;
}

/// The `parameters` of a force and of a pair; where both give a name, that of the pair counts.
Constants read_constants(const Parameters& table, const Parameters* entry) {
    Constants all;
    const auto add = [&all](const Parameters& from) {
        if (!from.has("parameters")) return;
        const Parameters given = from.table("parameters");
        for (const std::string& name : given.names()) {
            const auto same = [&name](const auto& c) { return c.first == name; };
            std::erase_if(all, same);
            if (!can_be_parameter(name))
                given.fail(name, fmt::format("a parameter {} (its name must be letters, digits and "
                                             "_, a digit not first); choose another name",
                                             shadow::in_quotes(name, 40)));
            if (name == "r" || name == "cutoff" || name == "_pi" || name == "_e")
                given.fail(name, fmt::format("a parameter {} (it has a meaning of its own); choose "
                                             "another name",
                                             name));
            all.emplace_back(name, given.number(name));
        }
    };
    add(table);
    if (entry) add(*entry);
    return all;
}

PairCurve curve_from(const Parameters& from, const char* key, const std::string& text,
                     Constants constants, double cutoff) {
    constants.emplace_back("cutoff", cutoff);
    if (const std::string problem = formula_problem(text, constants); !problem.empty())
        from.fail(key, problem);
    return formula_curve(text, constants);
}

PairCurve curve_of_file(const Parameters& from, const ForceSurroundings& around) {
    try {
        PairCurve curve = read_curve_file(std::filesystem::path(around.folder) / from.text("file"));
        // With its default, so that a run cannot be continued with another file.
        if (const std::string given = from.text("check_sum", curve.source); given != curve.source)
            from.fail("check_sum", fmt::format("rows with check_sum {} (these have {}); name the "
                                               "right file, or change the check_sum",
                                               shadow::in_quotes(given, 40), curve.source));
        return curve;
    } catch (const InputError&) {
        throw;
    } catch (const std::runtime_error& error) {
        from.fail("file", error.what());
    }
}

/// A table needs u from a little below the cut-off on, to estimate its error.
void refuse_late_rows(const Parameters& from, const PairCurve& curve, double cutoff) {
    if (curve.first > 0.95 * cutoff)
        from.fail("file", fmt::format("rows from r = {} on only (the cutoff is {}, and the rows "
                                      "must begin at 0.95 of it at most); give a longer cutoff, or "
                                      "rows at smaller r",
                                      curve.first, cutoff));
}

/// Throws for a parameter that does not occur in a formula for which it is given.
void refuse_unused(const Parameters& table, const GivenPairNumbers& given, std::size_t species) {
    const auto is_used = [&](const Parameters* of, const std::string& name) {
        for (std::size_t a = 0; a < species; ++a)
            for (std::size_t b = a; b < species; ++b) {
                const Parameters* entry = given.entry(a, b);
                if (of && entry != of) continue;
                Constants all = read_constants(table, entry);
                all.emplace_back("cutoff", 1.0);
                if (formula_has(place_of(table, entry, "u").text("u"), all, name)) return true;
            }
        return false;
    };
    const auto check = [&](const Parameters& from, const Parameters* entry) {
        if (!from.has("parameters")) return;
        const Parameters numbers = from.table("parameters");
        for (const std::string& name : numbers.names())
            if (!is_used(entry, name))
                numbers.fail(name, fmt::format("a parameter {} that u does not have (a misprint in "
                                               "either?); remove it, or use it in u",
                                               name));
    };
    check(table, nullptr);
    for (std::size_t a = 0; a < species; ++a)
        for (std::size_t b = a; b < species; ++b)
            if (const Parameters* entry = given.entry(a, b)) check(*entry, entry);
}

} // namespace

const std::vector<PotentialTraits>& curve_traits() {
    static const std::vector<PotentialTraits> all = {
        {&mie, tabulated, nullptr, true, CurveKind::named,
         "epsilon*n/(n-m)*(n/m)^(m/(n-m))*((sigma/r)^n-(sigma/r)^m)", false, nullptr, mie_problem},
        {&buckingham, tabulated, nullptr, true, CurveKind::named, "a*exp(-r/rho)-c/r^6"},
        {&yukawa, tabulated, nullptr, true, CurveKind::named, "a*exp(-kappa*r)/r"},
        {&gaussian_core, tabulated, nullptr, true, CurveKind::named, "epsilon*exp(-(r/sigma)^2)"},
        {&reaction_field, potential_index<Coulomb>},
        {&formula, tabulated, nullptr, true, CurveKind::formula, ""},
        {&file, tabulated, nullptr, false, CurveKind::file, ""},
        {&gravity, potential_index<Coulomb>, nullptr, false, CurveKind::compiled, "", true}};
    return all;
}

std::vector<ParameterInfo> curve_keys(CurveKind kind) {
    using enum KeyType;
    const ParameterInfo accuracy{
        "accuracy",
        number,
        "",
        "1e-6",
        "target error of the tabulated force, over |f| + F, F the mean |f| of the outer half of "
        "the cut-off; the log states the error reached",
        "1e-7"};
    if (kind == CurveKind::formula)
        return {
            {"u", text, "", "",
             "the energy of a pair as a function of the distance r, as muParser reads it: + - "
             "* / ^, exp, ln, sqrt, sin ..., c ? a : b; `cutoff` may be used as a number",
             "\"4*((1/r)^12 - (1/r)^6)\""},
            {"parameters", KeyType::table, "", "none", "named numbers in u", "{ epsilon = 1.0 }"},
            accuracy};
    if (kind == CurveKind::file)
        return {{"file", text, "", "",
                 "rows of r, u and perhaps f = -u'(r), in the input's units; a path relative to "
                 "the input",
                 "\"u.dat\""},
                {"check_sum", text, "", "that of the rows",
                 "of r and u; the run is refused if it differs", "\"ae6d96f35b5ff7bd\""},
                accuracy};
    return {accuracy};
}

void read_curves(const Parameters& table, const PotentialTraits& traits,
                 const GivenPairNumbers& given, const ForceSurroundings& around,
                 PairPotential& potential) {
    const std::size_t species = around.species.size();
    for (std::size_t a = 0; a < species; ++a)
        for (std::size_t b = a; b < species; ++b) {
            PairParameters& p = potential.pairs[a * species + b];
            const Parameters* entry = given.entry(a, b);
            const Parameters& place = entry ? *entry : table;
            if (std::isinf(p.cutoff))
                place.fail("cutoff", "an infinite cutoff of a tabulated potential (a table has an "
                                     "end); give a finite cutoff");
            PairCurve curve;
            if (traits.kind == CurveKind::named) {
                Constants constants;
                for (int k = 0; k < traits.info->parameter_count; ++k)
                    constants.emplace_back(traits.info->parameters[k].name,
                                           p.numbers[static_cast<std::size_t>(k)]);
                curve = curve_from(place, "", traits.formula, constants, p.cutoff);
            } else if (traits.kind == CurveKind::formula) {
                const Parameters& from = place_of(table, entry, "u");
                curve =
                    curve_from(from, "u", from.text("u"), read_constants(table, entry), p.cutoff);
            } else {
                const Parameters& from = place_of(table, entry, "file");
                curve = curve_of_file(from, around);
                if (p.cutoff > curve.last * (1.0 + 1e-12))
                    from.fail("file", fmt::format("rows up to r = {} only (the cutoff is {}); give "
                                                  "a shorter cutoff, or more rows",
                                                  curve.last, p.cutoff));
                refuse_late_rows(from, curve, p.cutoff);
            }
            p.curve = std::make_shared<PairCurve>(std::move(curve));
            potential.pairs[b * species + a].curve = p.curve;
        }
    if (traits.kind == CurveKind::formula) refuse_unused(table, given, species);
}

} // namespace shadow
