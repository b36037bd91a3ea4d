// SPDX-License-Identifier: BSD-3-Clause
#include "src/forces/coefficient_styles.hpp"

#include "src/forces/bonded_parameters.hpp"
#include "support/catch.hpp"

#include "shadow/core/error.hpp"

using namespace shadow;

namespace {

std::string failure_of(const TypeCoefficients& coefficients) {
    try {
        (void)rows_of_forms(coefficients);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("every style of a data file that is read is known, and no other") {
    for (const BondedKind kind : bonded_kinds) {
        for (const std::string& style : coefficient_styles(kind)) {
            CAPTURE(name(kind), style);
            // No style has so many numbers, and each says what it has.
            const std::string said =
                failure_of({kind, "1", style, std::vector<double>(50, 1.0), "file:1"});
            CHECK(said.starts_with("file:1: 50 numbers in the " + style));
            CHECK(said.find("of style " + style + " these are ") != std::string::npos);
        }
        CHECK(failure_of({kind, "1", "zero", {}, "file:1"}).find("unknown style") !=
              std::string::npos);
    }
}

TEST_CASE("coefficients become forms that have as many numbers") {
    const std::vector<TypeCoefficients> all = {
        {BondedKind::bond, "1", "harmonic", {1.0, 1.0}, ""},
        {BondedKind::bond, "1", "morse", {1.0, 1.0, 1.0}, ""},
        {BondedKind::angle, "1", "charmm", {1.0, 90.0, 1.0, 1.0}, ""},
        {BondedKind::angle, "1", "cosine", {1.0}, ""},
        {BondedKind::dihedral, "1", "fourier", {2.0, 1.0, 2.0, 0.0, 1.0, 3.0, 0.0}, ""},
        {BondedKind::angle, "1", "harmonic", {1.0, 90.0}, ""},
        {BondedKind::dihedral, "1", "charmm", {1.0, 2.0, 0.0, 0.0}, ""},
        {BondedKind::dihedral, "1", "harmonic", {1.0, 1.0, 2.0}, ""},
        {BondedKind::dihedral, "1", "multi/harmonic", {1.0, 1.0, 1.0, 1.0, 1.0}, ""},
        {BondedKind::dihedral, "1", "nharmonic", {1.0, 1.0}, ""},
        {BondedKind::dihedral, "1", "opls", {1.0, 1.0, 1.0, 1.0}, ""},
        {BondedKind::improper, "1", "harmonic", {1.0, 180.0}, ""}};
    for (const BondedKind kind : bonded_kinds)
        for (const std::string& style : coefficient_styles(kind)) {
            INFO("an example of " << name(kind) << " style " << style << " is missing here");
            CHECK(std::any_of(all.begin(), all.end(), [&](const TypeCoefficients& one) {
                return one.kind == kind && one.style == style;
            }));
        }
    for (const TypeCoefficients& one : all)
        for (const FormRow& row : rows_of_forms(one)) {
            CAPTURE(one.style, row.form);
            const int form = bonded_form(row.form);
            REQUIRE(form >= 0);
            const BondedInfo& info = *bonded_infos()[static_cast<std::size_t>(form)];
            CHECK(info.kind == one.kind);
            CHECK(static_cast<int>(row.numbers.size()) == info.parameter_count);
        }
    // A spring without strength between the ends of an angle is left out.
    const auto rows = [](BondedKind kind, const char* style, std::vector<double> numbers) {
        return rows_of_forms({kind, "1", style, std::move(numbers), ""}).size();
    };
    CHECK(rows(BondedKind::angle, "charmm", {1.0, 90.0, 1.0, 1.0}) == 2);
    CHECK(rows(BondedKind::angle, "charmm", {1.0, 90.0, 0.0, 0.0}) == 1);
    CHECK(rows(BondedKind::dihedral, "fourier", {2.0, 1.0, 2.0, 0.0, 1.0, 3.0, 0.0}) == 2);
}
