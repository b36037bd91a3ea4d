// SPDX-License-Identifier: BSD-3-Clause
// Bonded forces against textbook formulas, written here once more, and their differences.
#include "shadow/forces/bonded.hpp"

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "shadow/core/error.hpp"

#include <functional>
#include <numbers>

using namespace shadow;
using namespace shadow::test;

namespace {

using Number = long double;
using Vector = std::array<Number, 3>;
constexpr Number degree = std::numbers::pi_v<Number> / 180;

/// A bonded force and its energy as a function of a distance, or of an angle in radians; or of the
/// distance between the ends of an angle.
struct Row {
    std::string name, parameters;
    std::function<Number(Number)> energy;
    bool of_ends = false;
};

std::vector<Row> rows() {
    return {{"harmonic-bond", "k = 3.0\nr0 = 1.1\n",
             [](Number r) { return 1.5L * (r - 1.1L) * (r - 1.1L); }},
            {"fene-bond", "k = 30.0\nr_max = 2.4\n",
             [](Number r) { return -15.0L * 5.76L * std::log(1 - r * r / 5.76L); }},
            {"morse-bond", "depth = 2.0\na = 1.3\nr0 = 0.9\n",
             [](Number r) { return 2 * std::pow(1 - std::exp(-1.3L * (r - 0.9L)), 2.0L); }},
            {"harmonic-angle", "k = 4.0\ntheta0 = 109.5\n",
             [](Number t) { return 2 * std::pow(t - 109.5L * degree, 2.0L); }},
            {"cosine-angle", "k = 1.5\n", [](Number t) { return 1.5L * (1 + std::cos(t)); }},
            {"urey-bradley", "k = 2.5\nr0 = 1.7\n",
             [](Number r) { return 1.25L * (r - 1.7L) * (r - 1.7L); }, true},
            {"periodic-dihedral", "k = 1.2\nn = 3\nphase = 40.0\n",
             [](Number p) { return 1.2L * (1 + std::cos(3 * p - 40 * degree)); }},
            {"ryckaert-bellemans",
             "c0 = 0.928\nc1 = 1.216\nc2 = -1.312\nc3 = -0.306\nc4 = 2.624\nc5 = -3.15\n",
             [](Number p) {
                 const Number c = std::cos(p - 180 * degree);
                 return 0.928L + 1.216L * c - 1.312L * c * c - 0.306L * std::pow(c, 3.0L) +
                        2.624L * std::pow(c, 4.0L) - 3.15L * std::pow(c, 5.0L);
             }},
            {"harmonic-improper", "k = 2.0\nphi0 = 170.0\n", [](Number p) {
                 const Number away = p - 170 * degree;
                 return std::pow(std::remainder(away, 360 * degree), 2.0L);
             }}};
}

Number dot(const Vector& a, const Vector& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Vector cross(const Vector& a, const Vector& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Distance, angle or dihedral of particles, by the textbook.
Number variable(const std::vector<Vector>& x, bool of_ends) {
    const auto way = [&](std::size_t from, std::size_t to) {
        return Vector{x[to][0] - x[from][0], x[to][1] - x[from][1], x[to][2] - x[from][2]};
    };
    const std::size_t last_one = x.size() - 1;
    if (x.size() == 2 || of_ends) return std::sqrt(dot(way(0, last_one), way(0, last_one)));
    if (x.size() == 3) {
        const Vector a = way(1, 0), b = way(1, 2);
        return std::acos(dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)));
    }
    const Vector first = way(0, 1), middle = way(1, 2), last = way(2, 3);
    const Vector left = cross(first, middle), right = cross(middle, last);
    return std::atan2(std::sqrt(dot(middle, middle)) * dot(first, right), dot(left, right));
}

/// Energy of all terms, and forces by differences.
template <int Dim>
struct BondedSums {
    Number energy = 0;
    Vectors<Dim> force;
    double scale = 0.0; ///< sum of the size of forces
};

template <int Dim>
BondedSums<Dim> bonded_sums(const Row& row, const Topology& topology, const Vectors<Dim>& points,
                            const Box<Dim>& box) {
    constexpr Number h = 1e-6L; // leaves h^2 / 6 of the third derivative
    BondedSums<Dim> all{0, Vectors<Dim>(points.size(), std::array<double, Dim>{}), 0.0};
    for (const BondedGroup& group : topology.groups)
        for (std::size_t k = 0; k < group.members.size(); k += group.span()) {
            std::vector<Vector> x(group.span());
            for (std::size_t m = 1; m < x.size(); ++m) {
                const auto way = between<Dim>(points[group.members[k + m - 1]],
                                              points[group.members[k + m]], box);
                for (std::size_t d = 0; d < Dim; ++d) x[m][d] = x[m - 1][d] + Number(way[d]);
            }
            const auto energy = [&] { return row.energy(variable(x, row.of_ends)); };
            all.energy += energy();
            for (std::size_t m = 0; m < x.size(); ++m)
                for (std::size_t d = 0; d < Dim; ++d) {
                    x[m][d] += h;
                    Number change = energy();
                    x[m][d] -= 2 * h;
                    change -= energy();
                    x[m][d] += h;
                    const auto f = static_cast<double>(-change / (2 * h));
                    all.force[group.members[k + m]][d] += f;
                    all.scale += std::abs(f);
                }
        }
    return all;
}

template <int Dim>
void check(const TestBackend& where, bool periodic) {
    const int n = Dim == 1 ? 40 : Dim == 2 ? 144 : 216;
    const int side = Dim == 1 ? 40 : Dim == 2 ? 12 : 6;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> directions;
    lengths.fill(1.1 * side);
    directions.fill(periodic);
    const Box<Dim> box = periodic ? Box<Dim>(lengths, directions) : Box<Dim>();
    const auto points = jittered_points<Dim>(n, 1.1, 0.1, 3);
    std::vector<std::string> names;
    for (const Row& row : rows()) {
        names.push_back(row.name);
        const auto infos = bonded_infos();
        const auto found = std::find_if(infos.begin(), infos.end(),
                                        [&](const auto* i) { return row.name == i->name; });
        INFO("a name of kernels/bonded/list.hpp: " << row.name);
        REQUIRE(found != infos.end());
        const BondedInfo& info = **found;
        if (members_of(info.kind) > Dim + 1) continue;
        CAPTURE(row.name, periodic);
        Setup<Dim> setup = setup_of<Dim>(points, box);
        setup.topology = chains<Dim>(points, box, 30, 6, {info.kind});
        for (std::size_t i = 0; i < points.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d)
                setup.start.momentum[i][d] = 1.2 * std::sin(1.0 + 7.0 * double(i) + double(d));
        // Pairs without weight: so that particles are sorted in memory.
        World<Dim> world(where, setup,
                         "[[force]]\ntype = \"" + row.name + "\"\n" + row.parameters +
                             "[[force]]\ntype = \"lennard-jones\"\nepsilon = 1e-200\nsigma = "
                             "0.5\ncutoff = 1.6\n");
        const auto compare = [&](const Vectors<Dim>& at) {
            const auto right = bonded_sums<Dim>(row, setup.topology, at, box);
            CHECK(world.potential() == Approx(static_cast<double>(right.energy)).epsilon(1e-12));
            CHECK(largest_difference<Dim>(world.forces(), right.force) < 1e-9 * right.scale);
            CHECK(right.scale > 1.0);
        };
        compare(points);
        // Far enough for lists to be made anew.
        const auto integrator = read_integrator("method = \"verlet\"\ndt = 0.005\n");
        world.run(*integrator, 100);
        const Vectors<Dim> before = world.system().snapshot().position;
        compare(before);
        world.system().update_pair_lists(); // where nothing else asks for them
        CHECK(world.system().neighbours().rebuilds() > 1);
        compare(world.system().snapshot().position);
    }
    for (const BondedInfo* info : bonded_infos())
        CHECK(std::count(names.begin(), names.end(), info->name) == 1);
}

} // namespace

TEMPLATE_TEST_CASE_SIG("bonded forces are those of the textbook", "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    check<Dim>(where, false);
    check<Dim>(where, true);
}

TEST_CASE("types of bonds have parameters of their own") {
    const auto where = GENERATE(from_range(best_processors()));
    const Vectors<2> points = {{0.0, 0.0}, {1.0, 0.0}, {1.0, 2.0}, {5.0, 5.0}};
    Setup<2> setup = setup_of<2>(points, Box<2>());
    setup.topology.group(BondedKind::bond, "short").members = {0, 1};
    setup.topology.group(BondedKind::bond, "long").members = {1, 2};
    const std::string two = R"(
[[force]]
type = "harmonic-bond"
of = "short"
k = 2.0
r0 = 0.5
[[force]]
type = "harmonic-bond"
of = "long"
k = 8.0
r0 = 1.5
)";
    World<2> world(where, setup, two);
    CHECK(world.claims().size() == 1); // one pass
    CHECK(world.potential() == Approx(0.25 + 1.0));
    const auto force = world.forces();
    CHECK(force[0][0] == Approx(1.0));
    CHECK(force[1][0] == Approx(-1.0));
    CHECK(force[1][1] == Approx(4.0));
    CHECK(force[2][1] == Approx(-4.0));
    CHECK(force[3][0] == 0.0);
    const auto refused = [&](const std::string& input) {
        try {
            World<2> other(where, setup, input);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("nothing is wrong");
    };
    using Catch::Contains;
    const std::string first = two.substr(0, two.find("[[force]]", 10));
    CHECK_THAT(refused(first), Contains("\"long\" without a force"));
    CHECK_THAT(refused(two + first), Contains("a second harmonic-bond"));
    CHECK_THAT(refused(two + "[[force]]\ntype = \"harmonic-bond\"\nof = \"lnog\"\nk = "
                             "1\nr0 = 1\n"),
               Contains("type \"lnog\"") && Contains("\"long\""));
    CHECK_THAT(refused(two + "[[force]]\ntype = \"cosine-angle\"\nk = 1\n"), Contains("no angles"));
    CHECK_THAT(refused(two + "[[force]]\ntype = \"ryckaert-bellemans\"\n"),
               Contains("in 2 dimensions"));
    CHECK_THAT(refused("[[force]]\ntype = \"fene-bond\"\nk = -1\nr_max = 3\n"), Contains("k = -1"));
}

TEST_CASE("the ends of an angle have a spring beside its force, along the bonds") {
    const auto where = GENERATE(from_range(best_processors()));
    // The ends are 4 apart by way of the vertex, and nearer to each other's images. Those of the
    // first are in line, where the force of the angle is one at rest alone.
    const Box<2> box({7.0, 7.0}, {true, true});
    Setup<2> setup = setup_of<2>({{1.0, 1.0}, {3.0, 1.0}, {5.0, 1.0}, {3.0, 3.0}}, box);
    setup.topology.group(BondedKind::angle, "a").members = {0, 1, 2, 3, 1, 2};
    const std::string spring = "[[force]]\ntype = \"urey-bradley\"\nk = 2.0\nr0 = 3.0\n";
    const std::string angle = "[[force]]\ntype = \"harmonic-angle\"\nk = 4.0\ntheta0 = 180.0\n";
    World<2> world(where, setup, spring + angle);
    const double other = 2.0 * std::sqrt(2.0) - 3.0, bend = 0.5 * std::numbers::pi;
    CHECK(world.potential() == Approx(1.0 + other * other + 2.0 * bend * bend));
    const std::string elsewhere = "[[force]]\ntype = \"harmonic-angle\"\nk = 4.0\ntheta0 = 90.0\n";
    CHECK_THROWS_WITH((World<2>(where, setup, spring + elsewhere)),
                      Catch::Contains("in line and theta0 is another angle"));
    CHECK(world.forces()[0][0] == Approx(2.0));
    CHECK(world.forces()[3][1] == Approx(-2.0 * other / std::sqrt(2.0)));
    CHECK(world.virial().component[0] == Approx(-2.0 * 4.0 - 2.0 * other * std::sqrt(2.0)));
    CHECK_THROWS_WITH((World<2>(where, setup, spring + angle + spring)),
                      Catch::Contains("a second urey-bradley on angles of type \"a\""));
}

TEST_CASE("a bond that is too long for it stops the run") {
    const auto where = GENERATE(from_range(best_processors()));
    Setup<1> setup = setup_of<1>({{0.0}, {1.4}}, Box<1>());
    setup.topology.group(BondedKind::bond, "b").members = {0, 1};
    setup.start.momentum = {{-1.0}, {1.0}};
    World<1> world(where, setup, "[[force]]\ntype = \"fene-bond\"\nk = 1e-3\nr_max = 1.5\n");
    const auto integrator = read_integrator("method = \"verlet\"\ndt = 0.1\n");
    world.run(*integrator, 2);
    CHECK_THROWS_WITH(world.system().check_status(),
                      Catch::Contains("fene-bond is infinite from r_max on"));
}

TEST_CASE("a bond that may soon be one of another image stops the run") {
    const auto where = GENERATE(from_range(best_processors()));
    const Box<2> box({10.0, 10.0}, {true, true});
    Setup<2> setup = setup_of<2>({{1.0, 1.0}, {5.4, 1.0}}, box);
    setup.topology.group(BondedKind::bond, "b").members = {0, 1};
    setup.start.momentum = {{-1.0, 0.0}, {1.0, 0.0}};
    const std::string weak = "[[force]]\ntype = \"harmonic-bond\"\nk = 1e-6\nr0 = 1.0\n";
    World<2> world(where, setup, weak);
    const auto integrator = read_integrator("method = \"verlet\"\ndt = 0.02\n");
    world.run(*integrator, 2);
    CHECK_NOTHROW(world.system().check_status());
    world.run(*integrator, 1);
    CHECK_THROWS_WITH(world.system().check_status(),
                      Catch::Contains("harmonic-bond ends where particles 0 and 1 are 4.5") &&
                          Catch::Contains("a larger box"));
    setup.start.position[1][0] = 5.6;
    CHECK_THROWS_WITH((World<2>(where, setup, weak)), Catch::Contains("nearly half"));
}

TEST_CASE("an excluded pair of damped charges loses what it has by itself alone") {
    const auto where = GENERATE(from_range(best_processors()));
    const double alpha = 0.3, cutoff = 4.0, q = 0.8;
    const Box<3> box({20.0, 20.0, 20.0}, {true, true, true});
    const auto damped = [&](long double r) {
        const auto v = [&](long double x) { return std::erfc(alpha * x) / x; };
        const long double h = 1e-5L, slope = (v(cutoff + h) - v(cutoff - h)) / (2 * h);
        return r < cutoff ? v(r) - v(cutoff) - slope * (r - cutoff) : 0.0L;
    };
    const double end = std::erfc(alpha * cutoff) / cutoff,
                 gauss = 2.0 * alpha / std::sqrt(std::numbers::pi) *
                         std::exp(-alpha * alpha * cutoff * cutoff);
    const double alone = -q * q * (0.5 * (2.0 * end + gauss) + alpha / std::sqrt(std::numbers::pi));
    for (const double r : {1.3, 3.9, 4.1, 6.0}) {
        CAPTURE(r);
        Setup<3> setup =
            setup_of<3>({{1.0, 1.0, 1.0}, {1.0 + r, 1.0, 1.0}, {9.0, 9.0, 9.0}}, box, 2);
        setup.start.species = {0, 1, 0};
        setup.start.species_table[0].charge = q;
        setup.start.species_table[1].charge = -q;
        setup.topology.group(BondedKind::bond, "b").members = {0, 1};
        setup.topology.excluded = {{0, 1}};
        World<3> world(where, setup,
                       "[[force]]\ntype = \"harmonic-bond\"\nk = 0.0\nr0 = 1.0\n[[force]]\ntype = "
                       "\"coulomb-dsf\"\nalpha = 0.3\ncutoff = 4.0\n");
        const auto energy = [&](long double x) {
            return x < cutoff ? -q * q * (damped(x) - 1 / x) : 0.0L;
        };
        // Two charges of a self energy each, and that of the third.
        CHECK(world.potential() ==
              Approx(3.0 * alone + static_cast<double>(energy(r))).epsilon(1e-9));
        const long double h = 1e-5L;
        const auto force = static_cast<double>(-(energy(r + h) - energy(r - h)) / (2 * h));
        CHECK(world.forces()[1][0] == Approx(force).epsilon(1e-7));
    }
}
