// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

#include <random>

using namespace shadow;

namespace {

/// Bent molecules of three atoms with unlike masses, which go through the faces, and single atoms.
template <int Dim>
Setup<Dim> molecules() {
    const std::string shape =
        Dim == 1 ? "lattice = { type = \"chain\", repeat = [12], constant = 3.3 }\n"
        : Dim == 2
            ? "lattice = { type = \"square\", repeat = [3, 4], constant = 2.5, jitter = 0.1 }\n"
            : "lattice = { type = \"sc\", repeat = [3, 2, 2], constant = 2.6, jitter = 0.1 }\n"
              "box = { lengths = [7.8, 6.0, 6.5] }\n";
    const std::string places = Dim == 1   ? "[[0.0], [1.05], [1.95]]"
                               : Dim == 2 ? "[[0.0, 0.0], [1.05, 0.0], [-0.3, 0.9]]"
                                          : "[[0.0, 0.0, 0.0], [1.05, 0.0, 0.1], [-0.3, 0.9, 0.0]]";
    return test::read_setup<Dim>("[system]\ndimension = " + std::to_string(Dim) + "\n" + shape + R"(
[[species]]
name = "A"
mass = 5.0
charge = -0.8
[[species]]
name = "B"
mass = 1.5
charge = 0.4
[[species]]
name = "C"
charge = 0.0
[[molecule]]
count = 10
atoms = ["A", "B", "B"]
places = )" + places + R"(
bonds = [{ atoms = [0, 1] }, { atoms = [0, 2] }]
exclude = 1
[[molecule]]
count = 2
atoms = ["C"]
)",
                                 7);
}

template <int Dim>
std::string forces() {
    const std::string charges =
        Dim == 1 ? "" : "[[force]]\ntype = \"coulomb-ewald\"\naccuracy = 1e-9\n";
    return charges + R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 0.8
cutoff = 2.4
truncation = "force-shift"
[[force]]
type = "harmonic-bond"
k = 60.0
r0 = 0.97
[[observe]]
type = "molecular-pressure"
[[observe]]
type = "thermo"
)";
}

/// The first atom of each molecule, and the end.
std::vector<std::size_t> first_atoms() {
    std::vector<std::size_t> first;
    for (std::size_t k = 0; k < 10; ++k) first.push_back(3 * k);
    for (const std::size_t k : {30, 31, 32}) first.push_back(k);
    return first;
}

/// The box is so many times as large along each direction, and molecules are as they were, their
/// centres of mass at the same parts of it.
template <int Dim>
Setup<Dim> swollen(Setup<Dim> setup, const std::array<double, Dim>& factor) {
    const auto first = first_atoms();
    for (std::size_t m = 0; m + 1 < first.size(); ++m) {
        std::array<double, Dim> centre{};
        double mass = 0.0;
        for (std::size_t i = first[m]; i < first[m + 1]; ++i) {
            mass += setup.start.mass(i);
            const auto x = unwrapped(setup.start, setup.box, i);
            for (std::size_t d = 0; d < Dim; ++d) centre[d] += setup.start.mass(i) * x[d];
        }
        for (std::size_t i = first[m]; i < first[m + 1]; ++i) {
            setup.start.position[i] = unwrapped(setup.start, setup.box, i);
            for (std::size_t d = 0; d < Dim; ++d)
                setup.start.position[i][d] += (factor[d] - 1.0) * centre[d] / mass;
        }
    }
    auto lengths = setup.box.lengths();
    for (std::size_t d = 0; d < Dim; ++d) lengths[d] *= factor[d];
    setup.box = Box<Dim>(lengths, setup.box.periodic());
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double turns = std::floor(setup.start.position[i][d] / lengths[d]);
            setup.start.position[i][d] -= turns * lengths[d];
            setup.start.image[i][d] = static_cast<std::int32_t>(turns);
        }
    return setup;
}

template <int Dim>
double measured(test::World<Dim>& world, const std::string& name) {
    return world.measure().at(name).back();
}

} // namespace

TEMPLATE_TEST_CASE_SIG("molecular pressure is the work of moving whole molecules apart", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(test::best_processors()));
    CAPTURE(where.name);
    const Setup<Dim> setup = molecules<Dim>();
    test::World<Dim> world(where, setup, forces<Dim>());
    // -dU/dV by differences: these leave e^2 / 6 of the third derivative, some 10^3 of the first,
    // and of sums of 100 in double 1e-14 / e of each; Ewald's sum changes by 1e-9 of its forces.
    constexpr double e = 1e-5;
    const auto work = [&](const std::array<double, Dim>& larger) {
        std::array<double, Dim> smaller;
        for (std::size_t d = 0; d < Dim; ++d) smaller[d] = 2.0 - larger[d];
        test::World<Dim> a(where, swollen<Dim>(setup, larger), forces<Dim>()),
            b(where, swollen<Dim>(setup, smaller), forces<Dim>());
        return -(a.potential() - b.potential()) / (2.0 * e * setup.box.volume());
    };
    std::array<double, Dim> all;
    all.fill(1.0 + e);
    const double expected = work(all) / Dim, found = measured(world, "molecular_pressure");
    CHECK(std::abs(expected) > 0.003);
    CHECK(std::abs(found - expected) < 1e-6 * (1.0 + std::abs(expected)));
    for (std::size_t d = 0; d < Dim; ++d) {
        std::array<double, Dim> one;
        one.fill(1.0);
        one[d] += e;
        const double along = work(one);
        const std::string name = std::string("molecular_pressure_") + "xyz"[d] + "xyz"[d];
        CHECK(std::abs(measured(world, name) - along) < 1e-6 * (1.0 + std::abs(along)));
    }
    CHECK(std::abs(measured(world, "pressure") - expected) > 0.03);
}

TEMPLATE_TEST_CASE_SIG("molecular pressure has the kinetic energy of centres of mass", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(test::best_processors()));
    CAPTURE(where.name);
    Setup<Dim> setup = molecules<Dim>();
    test::World<Dim> still(where, setup, forces<Dim>());
    std::mt19937 engine(3);
    std::uniform_real_distribution<double> draw(-1.0, 2.0);
    for (auto& p : setup.start.momentum)
        for (double& x : p) x = draw(engine);
    test::World<Dim> world(where, setup, forces<Dim>());
    const double s = GENERATE(1.0, 1.7); // of a Nosé bath
    world.system().set_scalar(Scalar::s, s);
    const auto first = first_atoms();
    double twice_kinetic = 0.0;
    for (std::size_t m = 0; m + 1 < first.size(); ++m)
        for (std::size_t d = 0; d < Dim; ++d) {
            double p = 0.0, mass = 0.0;
            for (std::size_t i = first[m]; i < first[m + 1]; ++i) {
                p += setup.start.momentum[i][d] / s;
                mass += setup.start.mass(i);
            }
            twice_kinetic += p * p / mass;
        }
    const double rest = measured(still, "molecular_pressure");
    const double moving = measured(world, "molecular_pressure");
    // Of sums of some 10^3 terms of size one.
    CHECK(std::abs(moving - rest - twice_kinetic / (Dim * setup.box.volume())) < 1e-11);
}

TEST_CASE("molecular pressure is refused where it is none") {
    const auto refused = [](const Setup<2>& setup, const std::string& input) -> std::string {
        try {
            test::World<2> world(few_test_backends().front(), setup, input);
        } catch (const InputError& error) {
            return error.what();
        }
        return "nothing is wrong";
    };
    using Catch::Contains;
    const std::string input = forces<2>();
    const Setup<2> setup = molecules<2>();
    CHECK(refused(setup, input) == "nothing is wrong");
    CHECK_THAT(refused(setup, "[[force]]\ntype = \"uniform-field\"\nstrength = [1, 0]\n" + input),
               Contains("molecular-pressure with uniform-field"));
    // A ring of three around the box.
    Setup<2> ring =
        test::setup_of<2>({{0.5, 1.0}, {1.5, 1.0}, {2.5, 1.0}}, Box<2>({3.0, 9.0}, {true, true}));
    ring.topology.group(BondedKind::bond, "b").members = {0, 1, 1, 2, 2, 0};
    const std::string spring = "[[force]]\ntype = \"harmonic-bond\"\nk = 1.0\nr0 = 1.0\n";
    for (const char* type : {"molecular-pressure", "molecule-size"})
        CHECK_THAT(refused(ring, spring + "[[observe]]\ntype = \"" + type + "\"\n"),
                   Contains("comes back to itself"));
    ring.topology.groups.front().members = {0, 1, 1, 2};
    const std::string observe = "[[observe]]\ntype = \"molecular-pressure\"\n";
    CHECK(refused(ring, spring + observe) == "nothing is wrong");
    ring.box = Box<2>({3.0, 0.0}, {true, false});
    CHECK_THAT(refused(ring, spring + observe), Contains("in an open box"));
    ring.topology = {};
    CHECK_THAT(refused(ring, observe), Contains("where nothing is bonded"));
}
