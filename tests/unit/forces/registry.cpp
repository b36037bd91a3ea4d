// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/registry.hpp"

#include "support/catch.hpp"

#include "shadow/core/error.hpp"
#include "shadow/io/toml.hpp"

#include "kernels/potentials/lennard_jones.hpp"
#include "kernels/potentials/list.hpp"

#include <cmath>
#include <set>
#include <string>

using namespace shadow;

namespace {

/// A system of 100 particles in a cube of edge 10, periodic or open.
struct TestSystem {
    std::vector<Species> species = {{"A", 1.0, 0.0}};
    bool open = false;
    double coulomb = 1.0, inertia = 1.0;
};

TestSystem one_species() {
    return {};
}
TestSystem two_species() {
    return {{{"A", 1.0, 1.0}, {"B", 1.0, -2.0}}, false, 1.0};
}
TestSystem open(TestSystem s) {
    s.open = true;
    return s;
}

ForcePlan plan_of(const std::string& text, const TestSystem& system) {
    const Backend backend = Backend::cpu(1);
    Snapshot<3> start;
    start.species_table = system.species;
    start.species.assign(100, 0);
    const Box<3> box = system.open ? Box<3>() : Box<3>({10.0, 10.0, 10.0}, {true, true, true});
    Units units = units_named("lj");
    units.coulomb = system.coulomb;
    units.inertia = system.inertia;
    const Parameters root = read_toml_text(text, "test.toml");
    auto plan = read_forces(root, ForceContext<3>{backend, box, start, units, true});
    root.refuse_unused();
    return plan;
}

std::vector<PairForceDescription> read(const std::string& text, const TestSystem& system) {
    return plan_of(text, system).of<PairForceDescription>();
}

/// The message of the error that reading gives.
std::string failure(const std::string& text, const TestSystem& context) {
    try {
        (void)read(text, context);
    } catch (const InputError& error) {
        return error.what();
    }
    return "read without an error";
}

const std::string lj_table = "[[force]]\ntype = \"lennard-jones\"\n";

} // namespace

TEST_CASE("every potential of the list can be named, described and read") {
    std::set<std::string> names;
    for (std::size_t k = 0; k < forces().size(); ++k) {
        const Descriptor& entry = forces()[k];
        CAPTURE(entry.name);
        CHECK(!entry.summary.empty());
        CHECK(!entry.equation.empty());
        CHECK(!entry.reference.empty());
        if (k >= Potentials::size) continue; // a field
        names.insert(entry.name);
        const bool charged = entry.name.starts_with("coulomb") || entry.name == "logarithmic";
        std::string text = "[[force]]\ntype = \"" + entry.name + "\"\n";
        for (const ParameterInfo& p : entry.parameters)
            if (p.default_value.empty()) text += p.name + " = 1.5\n";
        const auto read_back = read(text, charged ? open(two_species()) : one_species());
        REQUIRE(read_back.size() == 1);
        CHECK(read_back[0].potential.potential == static_cast<int>(k));
        for (const double x : make_pair_table(read_back[0]).rows) CHECK(!std::isnan(x));
    }
    CHECK(names.size() == Potentials::size);
}

TEST_CASE("a Lennard-Jones force reads as the user contract says") {
    const auto forces =
        read(lj_table + "epsilon = 0.4\nr_min = 1.0\ncutoff = inf\ntruncation = \"shift\"\n"
                        "level = \"fast\"\n",
             open(one_species()));
    REQUIRE(forces.size() == 1);
    const auto& p = forces[0].potential;
    CHECK(forces[0].level == 1);
    CHECK(p.truncation == Truncation::shift);
    CHECK(std::isinf(p.pairs[0].cutoff));
    CHECK(p.pairs[0].numbers[0] == 0.4);
    // the minimum is at r_min with depth epsilon
    const auto at = LennardJones<double>::from(p.pairs[0].numbers.data(), HUGE_VAL)(1.0);
    CHECK(std::abs(at.u + 0.4) < 1e-15);
    CHECK(std::abs(at.f_over_r) < 1e-14);
}

TEST_CASE("gravity has the masses in the units of the input") {
    TestSystem system = open(two_species());
    system.species = {{"A", 3.0, 1.0}, {"B", 5.0, 0.0}};
    system.coulomb = 7.0;
    const std::string text = "[[force]]\ntype = \"gravity\"\ng = 2.0\nsoftening = 0.3\n";
    for (const double inertia : {1.0, 0.1}) { // masses of the engine are those times it
        system.inertia = inertia;
        const auto forces = read(text, system);
        REQUIRE(forces.size() == 1);
        CHECK(forces[0].name == "gravity");
        CHECK_FALSE(forces[0].potential.charged);
        const double masses[] = {3.0 / inertia, 5.0 / inertia};
        for (std::size_t k = 0; k < 4; ++k) {
            const PairParameters& p = forces[0].potential.pairs[k];
            CHECK(p.numbers[0] == Approx(-2.0 * masses[k / 2] * masses[k % 2]).epsilon(1e-14));
            CHECK(p.numbers[1] == 0.3);
            CHECK(std::isinf(p.cutoff));
        }
    }
}

TEST_CASE("mixtures take cross terms from pairs, from a rule, or from the common values") {
    const auto pairs = read(lj_table + R"(
truncation = "force-shift"
pairs = [ { species = ["A", "A"], epsilon = 1.0, sigma = 1.00, cutoff = 2.5 },
          { species = ["B", "A"], epsilon = 1.5, sigma = 0.80, cutoff = 2.0 },
          { species = ["B", "B"], epsilon = 0.5, sigma = 0.88, cutoff = 2.2 } ])",
                            two_species());
    const auto& p = pairs.at(0).potential.pairs;
    REQUIRE(p.size() == 4);
    CHECK(p[1].numbers == std::vector{1.5, 0.8});
    CHECK(p[2].numbers == p[1].numbers);
    CHECK(p[2].cutoff == 2.0);
    CHECK(p[3].cutoff == 2.2);

    const std::string like = "cutoff = 2.5\n"
                             "pairs = [ { species = [\"A\", \"A\"], epsilon = 1.0, sigma = 1.0 },\n"
                             " { species = [\"B\", \"B\"], epsilon = 4.0, sigma = 2.0 } ]\n";
    const auto lorentz = read(lj_table + "mixing = \"lorentz-berthelot\"\n" + like, two_species());
    CHECK(lorentz[0].potential.pairs[1].numbers == std::vector{2.0, 1.5});
    const auto geometric = read(lj_table + "mixing = \"geometric\"\n" + like, two_species());
    CHECK(std::abs(geometric[0].potential.pairs[1].numbers[1] - std::sqrt(2.0)) < 1e-15);
    const auto common =
        read(lj_table + "epsilon = 1.1\nsigma = 0.9\ncutoff = 2.5\n", two_species());
    CHECK(common[0].potential.pairs[2].numbers == std::vector{1.1, 0.9});
    CHECK(failure(lj_table + like, two_species()).find("missing cross term") != std::string::npos);
}

TEST_CASE("charges share the pass of a Lennard-Jones potential with the same cut-off and class") {
    const std::string dsf = "[[force]]\ntype = \"coulomb-dsf\"\nalpha = 0.3\ncutoff = 2.5\n";
    const std::string lj25 = lj_table + "epsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\n";
    TestSystem c = two_species();
    c.coulomb = 3.0;
    for (const std::string& text : {lj25 + dsf, dsf + lj25}) {
        const auto fused = read(text, c);
        REQUIRE(fused.size() == 1);
        REQUIRE(fused[0].electrostatic);
        CHECK(fused[0].electrostatic->pairs[1].numbers[0] == -6.0);
        CHECK(make_pair_table(fused[0]).interaction == plain_lennard_jones_dsf);
    }
    CHECK(read(lj_table + "epsilon = 1.0\nsigma = 1.0\ncutoff = 2.4\n" + dsf, c).size() == 2);
    const auto ended = [&](const std::string& end, const std::string& charges) {
        return read(lj25 + "truncation = " + end + "\n" + charges, c);
    };
    for (const std::string end : {"\"none\"", "\"force-shift\"", "\"smooth-c1\"\ninner = 2.0"}) {
        const auto fused = ended(end, dsf);
        REQUIRE(fused.size() == 1);
        CHECK(make_pair_table(fused[0]).interaction ==
              (end.starts_with("\"smooth") ? switched_lennard_jones_dsf : plain_lennard_jones_dsf));
    }
    CHECK(read(lj25 + dsf + "level = \"fast\"\n", c).size() == 2);
    CHECK(failure(lj25 + dsf + dsf, c).find("count twice") != std::string::npos);
    CHECK(failure(dsf + "[[force]]\ntype = \"coulomb\"\n", open(c))
              .find("coulomb together with coulomb-dsf") != std::string::npos);
    const auto bare = read(lj_table + "epsilon = 1.0\nsigma = 1.0\ncutoff = inf\n[[force]]\ntype = "
                                      "\"coulomb\"\ndielectric = 2.0\n",
                           open(c));
    REQUIRE(bare.size() == 1);
    CHECK(bare[0].electrostatic->pairs[3].numbers[0] == 6.0);
    const auto field =
        read(lj25 + "[[force]]\ntype = \"reaction-field\"\nepsilon_rf = inf\ncutoff = 2.5\n", c);
    REQUIRE(field.size() == 1);
    CHECK(make_pair_table(field[0]).interaction == plain_lennard_jones_coulomb);
    CHECK(ended("\"force-shift\"",
                "[[force]]\ntype = \"reaction-field\"\nepsilon_rf = inf\ncutoff = 2.5\n")
              .size() == 2);
}

TEST_CASE("a split gives a fast and a slow term") {
    const auto parts = read(lj_table + "epsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\n"
                                       "split = { inner = 1.3, outer = 1.7 }\n",
                            one_species());
    REQUIRE(parts.size() == 2);
    CHECK(parts[0].level == 1);
    CHECK(parts[1].level == 2);
    CHECK(make_pair_table(parts[0]).cutoff == 1.7);
    CHECK(make_pair_table(parts[1]).cutoff == 2.5);
}

TEST_CASE("what cannot be computed is refused in the grammar of errors, at its place") {
    struct Bad {
        std::string text, problem;
        TestSystem context = one_species();
    };
    const std::string full = lj_table + "epsilon = 1.0\nsigma = 1.0\n";
    const std::string dsf = "[[force]]\ntype = \"coulomb-dsf\"\nalpha = 0.3\n";
    const std::vector<Bad> all = {
        {"[[force]]\ntype = \"lenard-jones\"\n", "lennard-jones"},
        {lj_table + "sigma = 1.0\ncutoff = 2.5\n", "epsilon is missing"},
        {lj_table + "epsilon = 1.0\ncutoff = 2.5\n", "sigma is missing"},
        {full, "cutoff is missing"},
        {full + "cutoff = 0.0\n", "above zero"},
        {full + "cutoff = -1.0\n", "above zero"},
        {full + "cutoff = 5.1\n", "half the shortest periodic length"},
        {full + "cutoff = inf\n", "infinite cutoff"},
        {full + "cutof = 2.5\n", "cutoff is missing"},
        {full + "cutoff = 2.5\ncutof = 2.5\n", "cutof"},
        {lj_table + "epsilon = 1.0\nsigma = 0.0\ncutoff = 2.5\n", "sigma = 0"},
        {lj_table + "epsilon = 1.0\nsigma = -1.0\ncutoff = 2.5\n", "sigma = -1"},
        {lj_table + "epsilon = -1.0\nsigma = 1.0\ncutoff = 2.5\n", "epsilon = -1"},
        {full + "r_min = 1.0\ncutoff = 2.5\n", "both sigma and r_min"},
        {full + "cutoff = 2.5\ntruncation = \"smooth\"\n", "truncation"},
        {full + "cutoff = 2.5\ntruncation = \"smooth-c2\"\n", "inner"},
        {full + "cutoff = 2.5\ntruncation = \"smooth-c2\"\ninner = 2.5\n", "not below the cutoff"},
        {full + "cutoff = inf\ntruncation = \"smooth-c1\"\ninner = 2.0\n", "infinite cutoff",
         open(one_species())},
        {full + "cutoff = 2.5\ntruncation = \"shift\"\ntail = true\n", "tail"},
        {lj_table +
             "cutoff = 2.5\npairs = [ { species = [\"A\", \"A\"], epsilon = 1.0, sigma = 1.0 } ]\n",
         "no epsilon for B-B", two_species()},
        {lj_table +
             "pairs = [ { species = [\"A\", \"A\"], epsilon = 1.0, sigma = 1.0, cutoff = 2.0 } ]\n",
         "B-B", two_species()},
        {full + "cutoff = 2.5\ntruncation = \"none\"\ntail = true\n", "open box",
         open(one_species())},
        {"[[force]]\ntype = \"inverse-power\"\nepsilon = 1.0\nsigma = 1.0\nexponent = 3.0\n"
         "cutoff = 2.5\ntruncation = \"none\"\ntail = true\n",
         "infinite"},
        {full + "cutoff = 2.5\nlevel = \"medium\"\n", "level"},
        {full + "cutoff = 2.5\nlevel = \"fast\"\nsplit = { inner = 1.3, outer = 1.7 }\n",
         "the fast part kicks more often"},
        {full + "cutoff = 2.5\nsplit = { inner = 1.7, outer = 1.3 }\n", "not below outer"},
        {full + "cutoff = 2.5\nsplit = { inner = 1.7, outer = 2.6 }\n", "beyond the cutoff"},
        {full + "cutoff = 2.5\nsplit = { inner = 1.7 }\n", "outer"},
        {full + "cutoff = 2.5\npairs = [ { species = [\"A\", \"C\"], epsilon = 1.0 } ]\n",
         "unknown species \"C\""},
        {full + "cutoff = 2.5\npairs = [ { species = [\"A\"], epsilon = 1.0 } ]\n", "1 species"},
        {full + "cutoff = 2.5\npairs = [ { species = [\"A\", \"B\"], sigma = 1.1 },\n"
                " { species = [\"B\", \"A\"], sigma = 1.2 } ]\n",
         "given twice", two_species()},
        {full + "cutoff = 2.5\npairs = [ { species = [\"A\", \"B\"], sigma = 0.0 } ]\n",
         "sigma = 0", two_species()},
        {full + "cutoff = 2.5\npairs = [ { species = [\"A\", \"B\"], cutoff = 6.0 } ]\n",
         "half the shortest", two_species()},
        {full + "cutoff = 2.5\npairs = [ { species = [\"B\", \"B\"], sigma = 1.2 } ]\n",
         "missing cross term", two_species()},
        {"[[force]]\ntype = \"morse\"\nmixing = \"geometric\"\ncutoff = 2.5\ndepth = 1.0\nr0 = "
         "1.0\na = 3.0\npairs = [ { species = [\"B\", \"B\"], a = 4.0 } ]\n",
         "no rule for a", two_species()},
        {"[[force]]\ntype = \"harmonic-contact\"\nstiffness = 100.0\ndiameter = 6.0\n",
         "half the shortest"},
        {"[[force]]\ntype = \"harmonic-contact\"\nstiffness = 100.0\ndiameter = 1.0\ncutoff = 2\n",
         "cutoff"},
        {"[[force]]\ntype = \"coulomb\"\n", "without charges", open(one_species())},
        {"[[force]]\ntype = \"coulomb\"\n", "periodic box", two_species()},
        {"[[force]]\ntype = \"coulomb\"\ncutoff = 2.5\n", "a cutoff of coulomb",
         open(two_species())},
        {"[[force]]\ntype = \"coulomb\"\nsoftening = -0.1\n", "softening = -0.1",
         open(two_species())},
        {"[[force]]\ntype = \"gravity\"\ng = 1.0\n", "gravity in a periodic box", two_species()},
        {"[[force]]\ntype = \"gravity\"\n", "g is missing", open(two_species())},
        {"[[force]]\ntype = \"gravity\"\ng = -1.0\n", "g is -1", open(two_species())},
        {"[[force]]\ntype = \"gravity\"\ng = 1.0\ncutoff = 9.0\n", "a cutoff of gravity",
         open(two_species())},
        {"[[force]]\ntype = \"logarithmic\"\n", "without charges", open(one_species())},
        {"[[force]]\ntype = \"logarithmic\"\n", "use logarithmic-pme", two_species()},
        {"[[force]]\ntype = \"logarithmic\"\nalpha = 1.0\n", "alpha", open(two_species())},
        {dsf, "cutoff is missing", two_species()},
        {dsf + "cutoff = inf\n", "infinite", open(two_species())},
        {"[[force]]\ntype = \"coulomb-dsf\"\ncutoff = 2.5\n", "alpha", two_species()},
        {dsf + "cutoff = 2.5\ndielectric = 0.0\n", "dielectric", two_species()},
    };
    for (const Bad& bad : all) {
        const std::string message = failure(bad.text, bad.context);
        CAPTURE(bad.text, message);
        CHECK(message.find(bad.problem) != std::string::npos);
        CHECK(message.starts_with("test.toml:"));
        CHECK(message.find(" (") != std::string::npos);
        CHECK(message.find("); ") != std::string::npos);
    }
}

TEST_CASE("a plan has forces in the order of terms, by kind and by level") {
    const std::string field = "[[force]]\ntype = \"uniform-field\"\nstrength = [1.0, 0.0, 0.0]\n"
                              "level = \"fast\"\n",
                      trap = "[[force]]\ntype = \"harmonic-trap\"\nstiffness = [1.0, 1.0, 1.0]\n";
    const ForcePlan plan =
        plan_of(field + lj_table + "epsilon = 1.0\nsigma = 1.0\ncutoff = 2.5\n" + trap,
                open(two_species()));
    CHECK(plan.names() ==
          std::vector<std::string>{"lennard-jones", "uniform-field", "harmonic-trap"});
    CHECK(plan.used_levels() == std::vector<std::string>{"fast", "slow"});
    CHECK(plan.of<FieldDescription>().size() == 2);
    REQUIRE(plan.of<FieldDescription>(1).size() == 1);
    CHECK(plan.of<FieldDescription>(1)[0].name == "uniform-field");
    CHECK(plan.of<PairForceDescription>(1).empty());
    CHECK(plan.first<PairForceDescription>()->level == 2);
    CHECK(plan.first<LongRangeDescription>() == nullptr);
    CHECK(plan.has_list(ForceList::Of::pairs));
    CHECK(plan.has_list(ForceList::Of::no_list));
    CHECK_FALSE(plan.has_list(ForceList::Of::bonded));
    const auto acts_on_pairs = [](const auto& f) { return f.list().of == ForceList::Of::pairs; };
    CHECK(plan.name_where(acts_on_pairs) == "lennard-jones");
    CHECK(plan.name_where([](const auto& f) { return !f.gives_hessian(); }).empty());
    CHECK(plan.name_without_virial<3>() == "uniform-field");
    CHECK(plan.longest_cutoff() == 2.5);
    CHECK(plan.constant());
    CHECK_FALSE(plan.charged());
    CHECK(plan_of(field + "coupling = \"charge\"\n", open(two_species())).charged());
}

TEST_CASE("coefficients beyond the range of float are refused where float is used") {
    const Backend backend = Backend::cpu(1);
    PairForceDescription d;
    d.name = "lennard-jones";
    d.potential.pairs = {{{1.0, 1e4}, 3e4, 0.0}};
    CHECK_THROWS_AS((PairForce<3>(backend, d, false, 0)), InputError);
    CHECK_NOTHROW((PairForce<3>(backend, d, true, 0)));
    d.potential.pairs = {{{1e-50, 1.0}, 2.5, 0.0}};
    CHECK_THROWS_AS((PairForce<3>(backend, d, false, 0)), InputError);
    CHECK_NOTHROW((PairForce<3>(backend, d, true, 0)));
    d.potential.pairs = {{{0.0, 1.0}, 2.5, 0.0}}; // no interaction
    CHECK_NOTHROW((PairForce<3>(backend, d, false, 0)));
}
