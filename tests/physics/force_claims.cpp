// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/claim_checks.hpp"
#include "support/description_checks.hpp"
#include "support/evaluation_checks.hpp"
#include "support/force_rows.hpp"
#include "support/world.hpp"

#include <cmath>
#include <numbers>

using namespace shadow;
using namespace shadow::test;

/// Every force does what it claims (ForceClaims), on every backend, in each dimension and both
/// precisions, in open and periodic boxes, slabs and wires, charges and other pairs also with some
/// that are excluded or scaled, fields also with a factor that changes in time: tests that are
/// generated from the list of forces.
namespace {

/// Beside what the list says: some pairs are excluded, or a factor changes in time.
enum class Variant { plain, excluded, modulated };

constexpr double wave_period = 2.0, wave_phase = 0.9, a_later_time = 0.37;
double wave(double time) {
    return std::cos(2.0 * std::numbers::pi * time / wave_period + wave_phase);
}

template <int Dim>
std::string input_of(const Descriptor& force, const std::string& parameters) {
    return fmt::format("[[force]]\ntype = \"{}\"\n{}", force.name, parameters);
}

/// In two parts by distance; of a table each part has an error of its own, as the whole.
template <int Dim>
void check_parts(const ForceCase<Dim>& c, const Descriptor& force, const Setup<Dim>& setup,
                 World<Dim>& world, double scale) {
    if (!force_rows::has_key(force, "split")) return;
    const double rounding = force_rows::has_key(force, "accuracy") ? 3e-4 : sum_rounding;
    check_split<Dim>(c, setup, world, "split = { inner = 1.0, outer = 1.4 }\n", rounding * scale,
                     scale);
}

/// A mesh in float, of which forces are good to 1e-5 (src/forces/fourier_force.cpp).
template <int Dim>
void check_coarse(const TestBackend& where, const Descriptor& force,
                  const force_rows::Directions<Dim>& periodic, const Setup<Dim>& setup,
                  double scale) {
    if (!force.name.ends_with("-pme")) return;
    const ForceCase<Dim> c{where,
                           input_of<Dim>(force, force_rows::far_parameters<Dim>(periodic, 1e-4))};
    World<Dim> in_double(where, setup, c.input);
    check_mixed(c, setup, in_double, scale, 1e-5);
}

template <int Dim>
void check_row(const TestBackend& where, const Descriptor& force,
               const force_rows::Directions<Dim>& periodic, Variant variant) {
    const bool excluded = variant == Variant::excluded, modulated = variant == Variant::modulated;
    const Setup<Dim> setup = force_rows::setup_for<Dim>(force, periodic, excluded);
    ForceCase<Dim> c{where, input_of<Dim>(force, force_rows::parameters<Dim>(force, periodic))};
    if (modulated)
        c.input +=
            fmt::format("modulation = {{ period = {}, phase = {} }}\n", wave_period, wave_phase);
    CAPTURE(c.input, periodic, excluded);
    World<Dim> world(where, setup, c.input);
    const SymmetricTensor<Dim> alone = world.virial_alone();
    const auto found = world.forces();
    const std::size_t terms = force_rows::is_far(force) ? 2 : 1;
    REQUIRE((excluded ? world.claims().size() > terms : world.claims().size() == terms));
    const ForceClaims<Dim> claims = claims_of<Dim>(world);
    double scale = std::abs(world.potential());
    for (const auto& f : found)
        for (const double component : f) scale += std::abs(component);
    CHECK(scale > 0.03);
    CHECK(claims.conservative); // all of them so far
    CHECK(claims.constant == !modulated);
    check_gradient<Dim>(c, setup, found, scale);
    check_invariance<Dim>(c, setup, found, claims, scale);
    check_freedom<Dim>(world, setup, found, claims, scale);
    check_images<Dim>(c, setup, found, scale);
    const SymmetricTensor<Dim> virial = world.virial();
    check_virial<Dim>(c, setup, virial, claims, scale);
    CHECK(largest_component(alone, virial) <= 1e-12 * scale);
    if constexpr (Dim > 1) check_turned<Dim>(c, setup, virial, claims, scale);
    check_locality<Dim>(c, setup, claims, scale);
    check_stiffness<Dim>(c, setup, claims, modulated ? wave(0.0) : 1.0);
    check_hessian<Dim>(c, setup, world);
    check_list<Dim>(c, setup, world, found, scale);
    for (const bool term_by_term : {true, false})
        check_shares(world, term_by_term, sum_rounding * scale);
    check_later<Dim>(c, setup, found, claims, a_later_time,
                     modulated ? wave(a_later_time) / wave(0.0) : 1.0, scale);
    check_mixed<Dim>(c, setup, world, scale);
    check_coarse<Dim>(where, force, periodic, setup, scale);
    check_parts<Dim>(c, force, setup, world, scale);
}

template <int Dim>
void check_all(const TestBackend& where) {
    for (const Descriptor& force : forces())
        for (const force_rows::Directions<Dim>& periodic : force_rows::boxes<Dim>()) {
            if (!force_rows::exists<Dim>(force, periodic)) continue;
            check_row<Dim>(where, force, periodic, Variant::plain);
            if (force_rows::has_key(force, "modulation"))
                check_row<Dim>(where, force, periodic, Variant::modulated);
            // Between masses there is no pair without it; a wire adds nothing to that of a slab.
            if (force_rows::is_of_pairs(force) && force.name != "gravity" &&
                !force_rows::is_wire<Dim>(periodic))
                check_row<Dim>(where, force, periodic, Variant::excluded);
        }
}

} // namespace

TEMPLATE_TEST_CASE_SIG("every force does what it claims", "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_all<Dim>(where);
}

TEMPLATE_TEST_CASE_SIG("every field is what its flags say", "", ((int Dim), Dim), 1, 2, 3) {
    const Backend backend = Backend::cpu(1);
    for (const Descriptor& force : forces())
        for (const force_rows::Directions<Dim>& periodic : force_rows::boxes<Dim>()) {
            if (!force_rows::info_of(force) || !force_rows::exists<Dim>(force, periodic)) continue;
            const Setup<Dim> setup = force_rows::points<Dim>(periodic);
            const Parameters input = read_toml_text(
                input_of<Dim>(force, force_rows::parameters<Dim>(force, periodic)), "test.toml");
            const ForceContext<Dim> context{backend, setup.box, setup.start,    setup.units,
                                            true,    {"all"},   &setup.topology};
            check_flags<Dim>(*read_forces(input, context).template first<FieldDescription>());
        }
}

TEMPLATE_TEST_CASE_SIG("each pair of species has its own potential", "", ((int Dim), Dim), 1, 2,
                       3) {
    const auto where = GENERATE(from_range(best_processors()));
    force_rows::Directions<Dim> periodic;
    periodic.fill(true);
    const Setup<Dim> setup = force_rows::points<Dim>(periodic);
    const std::vector<force_rows::PairRow>& others = force_rows::other_rows;
    for (const Descriptor& force : forces()) {
        if (!force_rows::has_key(force, "pairs") || force_rows::is_bare(force)) continue;
        const auto input = [&](const force_rows::PairRow& row,
                               const std::vector<force_rows::PairRow>& more = {}) {
            return input_of<Dim>(force, force_rows::pair_parameters(force, row, more));
        };
        // The knots of a table are those of all its rows, so each has other errors in a mixture:
        // the accuracy of its force, 1e-4, over a hundredth of its range.
        const double rounding = force_rows::has_key(force, "accuracy") ? 1e-6 : sum_rounding;
        check_mixture<Dim>({where, input({}, others)},
                           {input({}), input(others[0]), input(others[1])}, setup, rounding);
    }
}

TEMPLATE_TEST_CASE_SIG("Lennard-Jones with any end and charges in its pass are the sum of both", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    const std::string end = GENERATE("none", "shift", "force-shift", "smooth-c1", "smooth-c2");
    const bool mixture = GENERATE(false, true);
    force_rows::Directions<Dim> periodic;
    periodic.fill(true);
    const Setup<Dim> setup = force_rows::points<Dim>(periodic);
    const std::string others = "pairs = [{ species = [\"A\", \"B\"], epsilon = 0.7, sigma = 0.9 }, "
                               "{ species = [\"B\", \"B\"], epsilon = 1.2, sigma = 0.8 }]\n";
    const std::string dispersion =
        "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1.0\nsigma = 1.0\ncutoff = 2.2\n" +
        fmt::format("truncation = \"{}\"\n{}{}", end,
                    end.starts_with("smooth") ? "inner = 1.6\n" : "", mixture ? others : "");
    const std::string charges = "[[force]]\ntype = \"coulomb-dsf\"\nalpha = 0.4\ncutoff = 2.2\n";
    const ForceCase<Dim> c{where, dispersion + charges};
    CAPTURE(c.input);
    World<Dim> one(where, setup, dispersion), two(where, setup, charges),
        both(where, setup, c.input);
    REQUIRE(both.claims().size() == 1);
    const auto found = both.forces(), first = one.forces(), second = two.forces();
    const SymmetricTensor<Dim> virial = both.virial();
    SymmetricTensor<Dim> sum = one.virial();
    sum.add(two.virial());
    double scale = std::abs(one.potential()) + std::abs(two.potential());
    Vectors<Dim> total = first;
    for (std::size_t i = 0; i < total.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            total[i][d] += second[i][d];
            scale += std::abs(first[i][d]) + std::abs(second[i][d]);
        }
    const double tolerance = sum_rounding * scale;
    CHECK(largest_difference<Dim>(found, total) <= tolerance);
    CHECK(std::abs(both.potential() - one.potential() - two.potential()) <= tolerance);
    CHECK(largest_component(virial, sum) <= tolerance);
    CHECK(largest_difference<Dim>(both.forces(false), total) <= tolerance);
    const ForceClaims<Dim> claims = claims_of<Dim>(both);
    check_gradient<Dim>(c, setup, found, scale);
    check_virial<Dim>(c, setup, virial, claims, scale);
    for (const bool term_by_term : {true, false}) check_shares(both, term_by_term, tolerance);
    check_mixed<Dim>(c, setup, both, scale);
}

TEMPLATE_TEST_CASE_SIG("forces of any kind leave the momenta that none of them changes", "",
                       ((int Dim), Dim), 1, 2, 3) {
    for (std::size_t breaks = 0; breaks < 3; ++breaks) // the first of three, or another
        for (std::size_t d = 0; d < Dim; ++d) {
            std::vector<ForceClaims<Dim>> all(3);
            all[breaks].invariance.along[d] = false;
            const Invariance<Dim> found = invariance_of(all);
            for (std::size_t e = 0; e < Dim; ++e) CHECK(found.along[e] == (e != d));
            CHECK(degrees_of_freedom(9, conserved_momenta(Box<Dim>(), found)) ==
                  static_cast<double>(9 * Dim - (Dim - 1) - (Dim == 3 ? 1 : 0)));
            all[breaks].invariance = {};
            all[breaks].invariance.turning[d] = false;
            CHECK(invariance_of(all).along == Invariance<Dim>{}.along);
            CHECK(invariance_of(all).turning == all[breaks].invariance.turning);
        }
}

TEST_CASE("uniform forces on the whole cancel each other where both are constant") {
    std::vector<ForceClaims<2>> all(3);
    for (const std::size_t k : {0UL, 2UL}) {
        all[k].invariance.along[1] = all[k].invariance.turning[1] = false;
        all[k].uniform[1] = k == 0 ? 0.3 : -0.3;
    }
    const auto along = [&] { return invariance_of(all).along; };
    CHECK(along() == std::array{true, true});
    CHECK_FALSE(invariance_of(all).turning[1]);
    all[1].invariance.along[1] = false; // nothing cancels this one
    CHECK(along() == std::array{true, false});
    all[1] = {};
    all[2].uniform[1] = -0.2;
    CHECK(along() == std::array{true, false});
    all[2].uniform[1] = -0.3;
    all[2].constant = false;
    CHECK(along() == std::array{true, false});
}

TEMPLATE_TEST_CASE_SIG("a field along one direction leaves the others alone", "", ((int Dim), Dim),
                       2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const Setup<Dim> setup = force_rows::points<Dim>({});
    const std::string last =
        force_rows::vector<Dim>(Dim == 2 ? std::array{0.0, 1.0, 0.0} : std::array{0.0, 0.0, 1.0});
    for (const std::string& field :
         {"type = \"uniform-field\"\nstrength = " + last,
          "type = \"harmonic-trap\"\nstiffness = " + last,
          "type = \"wall-harmonic\"\nstiffness = 1.0\npoint = " + last + "\nnormal = " + last}) {
        World<Dim> world(where, setup, "[[force]]\n" + field);
        CAPTURE(field);
        for (std::size_t d = 0; d + 1 < Dim; ++d) CHECK(world.claims().front().invariance.along[d]);
        CHECK_FALSE(world.claims().front().invariance.along[Dim - 1]);
        const auto force = world.forces();
        double scale = 0.0;
        for (const auto& f : force) scale += std::abs(f[Dim - 1]);
        check_freedom<Dim>(world, setup, force, world.claims().front(), scale);
        // All but one momentum, and in space the one angular momentum about z.
        CHECK(world.system().degrees_of_freedom() ==
              static_cast<double>(Dim * world.size() - (Dim == 2 ? 1 : 3)));
    }
}
