// SPDX-License-Identifier: BSD-3-Clause
// Pairs three bonds apart with a part of their pair forces.
#include "src/forces/curves.hpp"
#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"

#include "kernels/potentials/list.hpp"

#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

const std::string weightless_bonds = "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n";

bool is_named_curve(const std::string& name) {
    const auto& all = curve_traits();
    return std::any_of(all.begin(), all.end(), [&](const PotentialTraits& traits) {
        return traits.kind == CurveKind::named && traits.info->name == name;
    });
}

/// Tables of all pair forces there are, with each end and part that they may have; of those that
/// become numbers of a table in space only, as it knows neither dimension nor box.
std::vector<std::string> pair_forces(bool periodic, int dimension) {
    std::vector<std::string> all;
    for (std::size_t k = 0; k < forces().size(); ++k) {
        const Descriptor& force = forces()[k];
        const std::string& name = force.name;
        const bool plane = name == "logarithmic-pme" || name == "logarithmic-ewald";
        const bool far =
            name == "coulomb-pme" || name == "coulomb-ewald" || name == "coulomb-wolf" || plane;
        const bool listed = name == "formula" || name == "reaction-field" || is_named_curve(name);
        if (!far && !listed && k >= static_cast<std::size_t>(Potentials::size)) continue;
        if (far && (!periodic || dimension == 1)) continue;
        if (plane && dimension != 2) continue;
        const bool bare = force.name == "coulomb" || force.name == "logarithmic";
        if (bare && periodic) continue;
        std::string text = "[[force]]\ntype = \"" + force.name + "\"\n";
        const auto has = [&](const char* key) {
            return std::any_of(force.parameters.begin(), force.parameters.end(),
                               [&](const ParameterInfo& p) { return p.name == key; });
        };
        for (const ParameterInfo& p : force.parameters)
            if (p.required() && p.name != "cutoff")
                text += fmt::format("{} = {}\n", p.name, p.example);
        if (has("cutoff") && !bare) text += "cutoff = 2.2\n";
        all.push_back(text);
        if (far) continue;
        if (has("split")) all.push_back(text + "split = { inner = 1.2, outer = 1.5 }\n");
        if (!has("truncation") || (listed && (dimension < 3 || periodic))) continue;
        for (const char* end : {"shift", "force-shift", "smooth-c1", "smooth-c2"})
            all.push_back(text + fmt::format("{}truncation = \"{}\"\n",
                                             std::string_view(end).starts_with("smooth")
                                                 ? "inner = 1.6\n"
                                                 : "",
                                             end));
    }
    return all;
}

/// Chains of six particles; pairs up to `excluded` bonds apart are excluded, those three apart
/// scaled where these are among them.
template <int Dim>
Setup<Dim> scaled_system(bool periodic, int excluded, double lj, double coulomb) {
    const int side = Dim == 1 ? 24 : 8;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> directions;
    lengths.fill(1.0 * side);
    directions.fill(periodic);
    const Box<Dim> box = periodic ? Box<Dim>(lengths, directions) : Box<Dim>();
    const int n = Dim == 1 ? side : Dim == 2 ? side * side : side * side * side;
    Setup<Dim> setup = setup_of<Dim>(jittered_points<Dim>(n, 1.0, 0.1, 5), box, 2);
    setup.start.species_table[0].charge = 0.6;
    setup.start.species_table[1].charge = -0.6;
    // Of six neighbours on a path these are three bonds apart: 0 and 1, 2 and 3, 4 and 5.
    const auto path = path_through<Dim>(setup.start.position, box, 18);
    for (std::size_t k = 0; k < path.size(); k += 6)
        for (const std::size_t at : {0UL, 2UL, 2UL, 4UL, 4UL, 1UL, 1UL, 3UL, 3UL, 5UL})
            setup.topology.group(BondedKind::bond, "b").members.push_back(path[k + at]);
    setup.topology.excluded = pairs_within_bonds(setup.topology, n, excluded);
    const auto nearer = pairs_within_bonds(setup.topology, n, 2);
    for (const auto& pair : setup.topology.excluded)
        if (!std::binary_search(nearer.begin(), nearer.end(), pair))
            setup.topology.scaled.push_back({pair, lj, coulomb});
    return setup;
}

/// Energy, virial and forces in a row.
template <int Dim>
std::vector<double> numbers_of(const TestBackend& where, const Setup<Dim>& setup,
                               const std::string& input) {
    World<Dim> world(where, setup, input + weightless_bonds);
    std::vector<double> all = {world.potential()};
    const SymmetricTensor<Dim> virial = world.virial();
    all.insert(all.end(), virial.component, virial.component + tensor_size<Dim>);
    for (const auto& force : world.forces()) all.insert(all.end(), force.begin(), force.end());
    return all;
}

template <int Dim>
void check_scaling(const TestBackend& where, bool periodic) {
    for (const std::string& input : pair_forces(periodic, Dim)) {
        CAPTURE(input, periodic);
        const auto with = [&](int excluded, double lj, double coulomb) {
            return numbers_of<Dim>(where, scaled_system<Dim>(periodic, excluded, lj, coulomb),
                                   input);
        };
        const auto whole = with(2, 0.0, 0.0), one = with(3, 1.0, 1.0), none = with(3, 0.0, 0.0),
                   part = with(3, 0.5, 0.8);
        const auto is = [&](const char* name) { return input.find(name) != std::string::npos; };
        const bool field = is("\"reaction-field"), plane = is("\"logarithmic-");
        const double factor = is("\"coulomb") || is("\"logarithmic") || field ? 0.8 : 0.5;
        // Where what is taken away and what is scaled are not one table, by the error of tables.
        const double tolerance = field ? 1e-6 : plane ? 1e-9 : 1e-12;
        double scale = 0.0, change = 0.0;
        for (const double x : whole) scale = std::max(scale, std::abs(x));
        for (std::size_t k = 0; k < whole.size(); ++k)
            change = std::max(change, std::abs(whole[k] - none[k]));
        CHECK(change > 1e-6 * scale); // these pairs are within the cut-off
        for (std::size_t k = 0; k < whole.size(); ++k) {
            // Pairs are summed in another order.
            CHECK(std::abs(one[k] - whole[k]) < tolerance * scale);
            CHECK(std::abs(part[k] - (1.0 - factor) * none[k] - factor * whole[k]) <
                  tolerance * scale);
        }
    }
}

} // namespace

TEMPLATE_TEST_CASE_SIG("a scaled pair has its factor times what it has elsewhere", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check_scaling<Dim>(where, false);
    check_scaling<Dim>(where, true);
}

TEST_CASE("each scaled pair has factors and species of its own") {
    const auto where = GENERATE(from_range(best_processors()));
    Setup<3> setup = setup_of<3>({{0, 0, 0},
                                  {1.2, 0, 0},
                                  {0, 9, 0},
                                  {1.3, 9, 0},
                                  {0, 18, 0},
                                  {1.4, 18, 0},
                                  {0, 27, 0},
                                  {3.1, 27, 0}},
                                 Box<3>(), 2);
    setup.start.species = {0, 1, 0, 1, 1, 1, 0, 1};
    setup.start.species_table[0].charge = 0.3;
    setup.start.species_table[1].charge = -0.7;
    setup.topology.group(BondedKind::bond, "b").members = {0, 2};
    setup.topology.excluded = {{0, 1}, {2, 3}, {4, 5}, {6, 7}};
    setup.topology.scaled = {
        {{0, 1}, 0.25, 0.5}, {{2, 3}, 0.5, 0.5}, {{4, 5}, 0.25, 0.0}, {{6, 7}, 1.0, 1.0}};
    World<3> world(
        where, setup,
        "[[force]]\ntype = \"lennard-jones\"\ncutoff = 3.0\ntruncation = \"shift\"\n"
        "mixing = \"lorentz-berthelot\"\npairs = [{ species = [\"A\", \"A\"], epsilon = "
        "1.0, sigma = 1.0 }, { species = [\"B\", \"B\"], epsilon = 0.25, sigma = 1.2 }]\n"
        "[[force]]\ntype = \"coulomb\"\n" +
            weightless_bonds);
    const auto lj = [](double epsilon, double sigma, double r) {
        const auto u = [&](double x) { return std::pow(sigma / x, 12) - std::pow(sigma / x, 6); };
        return r < 3.0 ? 4.0 * epsilon * (u(r) - u(3.0)) : 0.0;
    };
    double energy = 0.25 * lj(0.5, 1.1, 1.2) + 0.5 * lj(0.5, 1.1, 1.3) +
                    0.25 * lj(0.25, 1.2, 1.4); // the fourth is beyond the cut-off
    const double charge[] = {0.3, -0.7, 0.3, -0.7, -0.7, -0.7, 0.3, -0.7};
    const auto& x = setup.start.position;
    for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = a + 1; b < 8; ++b) {
            const double part = a / 2 != b / 2 ? 1.0 : std::array{0.5, 0.5, 0.0, 1.0}[a / 2];
            energy +=
                part * charge[a] * charge[b] / std::hypot(x[a][0] - x[b][0], x[a][1] - x[b][1]);
        }
    CHECK(world.potential() == Approx(energy).epsilon(1e-13));
    const std::vector<std::string> names = world.plan().names();
    for (const char* name : {"lennard-jones", "coulomb", "lennard-jones_14", "coulomb_14"})
        CHECK(std::count(names.begin(), names.end(), name) == 1);
}

TEST_CASE("scaled pairs may have parameters of their own") {
    const auto where = GENERATE(from_range(best_processors()));
    // Pairs far from each other: two that are scaled of each two species, and one that is not.
    Vectors<3> places;
    for (int k = 0; k < 7; ++k)
        for (const double x : {0.0, 1.1 + 0.1 * k}) places.push_back({x, 9.0 * k, 0.0});
    Setup<3> setup = setup_of<3>(places, Box<3>(), 3);
    setup.start.species = {0, 0, 0, 1, 1, 1, 0, 2, 1, 2, 2, 2, 0, 0};
    setup.topology.group(BondedKind::bond, "b").members = {0, 2};
    for (std::uint32_t k = 0; k < 6; ++k) {
        setup.topology.excluded.push_back({2 * k, 2 * k + 1});
        setup.topology.scaled.push_back({{2 * k, 2 * k + 1}, 0.5, 1.0});
    }
    const std::string input =
        "[[force]]\ntype = \"lennard-jones\"\ncutoff = 3.0\ntruncation = \"shift\"\n"
        "mixing = \"lorentz-berthelot\"\n"
        "pairs = [{ species = [\"A\", \"A\"], epsilon = 1.0, sigma = 1.0 },"
        " { species = [\"B\", \"B\"], epsilon = 0.25, sigma = 1.2 },"
        " { species = [\"C\", \"C\"], epsilon = 0.36, sigma = 0.9 },"
        " { species = [\"A\", \"C\"], epsilon = 0.7, sigma = 0.8 }]\n"
        "pairs_14 = [{ species = [\"A\", \"A\"], epsilon = 0.64, sigma = 0.9 },"
        " { species = [\"C\", \"B\"], epsilon = 0.1 }, { species = [\"C\", \"C\"], sigma = 0.7 "
        "}]\n" +
        weightless_bonds;
    World<3> world(where, setup, input);
    const auto lj = [](double epsilon, double sigma, double r) {
        const auto u = [&](double x) { return std::pow(sigma / x, 12) - std::pow(sigma / x, 6); };
        return 4.0 * epsilon * (u(r) - u(3.0));
    };
    // A-A, A-B by the rule from both, B-B as elsewhere, A-C as its pair, B-C with a sigma by the
    // rule, C-C with its own epsilon; and A-A that is not scaled.
    const double scaled = lj(0.64, 0.9, 1.1) + lj(0.4, 1.05, 1.2) + lj(0.25, 1.2, 1.3) +
                          lj(0.7, 0.8, 1.4) + lj(0.1, 0.95, 1.5) + lj(0.36, 0.7, 1.6);
    CHECK(world.potential() == Approx(0.5 * scaled + lj(1.0, 1.0, 1.7)).epsilon(1e-13));

    const auto refused = [&](const std::string& from, const std::string& to) -> std::string {
        std::string text = input;
        text.replace(text.find(from), from.size(), to);
        try {
            World<3>(where, setup, text);
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing is wrong";
    };
    using Catch::Contains;
    CHECK_THAT(refused("\"C\"], sigma = 0.7 }", "\"C\"] }"), Contains("would change nothing"));
    CHECK_THAT(refused("\"C\"], sigma = 0.7 }", "\"C\"], sigma = -0.7 }"),
               Contains("sigma = -0.7"));
    CHECK_THAT(refused("\"C\", \"B\"]", "\"A\", \"A\"]"), Contains("given twice"));
    CHECK_THAT(refused("\"C\", \"B\"]", "\"C\", \"D\"]"), Contains("unknown species"));
    CHECK_THAT(refused("truncation", "split = { inner = 1.5, outer = 2.0 }\ntruncation"),
               Contains("together with a split"));
    setup.topology.scaled.clear();
    CHECK_THAT(refused("cutoff", "cutoff"), Contains("where no pairs are scaled"));
}

TEST_CASE("a scaled pair of half the box is refused") {
    const auto where = few_test_backends().front();
    const Box<2> box({6.0, 6.0}, {true, true});
    Setup<2> setup = setup_of<2>({{1.0, 1.0}, {3.75, 1.0}, {2.4, 1.0}}, box);
    setup.topology.group(BondedKind::bond, "b").members = {0, 2};
    setup.topology.excluded = {{0, 1}};
    setup.topology.scaled = {{{0, 1}, 0.5, 0.5}};
    const std::string input =
        "[[force]]\ntype = \"wca\"\nepsilon = 1.0\nsigma = 1.0\n" + weightless_bonds;
    CHECK_THROWS_WITH((World<2>(where, setup, input)),
                      Catch::Contains("wca_14 of particles 0 and 1, which are 2.75 apart"));
    setup.start.position[1][0] = 3.5;
    CHECK_NOTHROW(World<2>(where, setup, input));
}
