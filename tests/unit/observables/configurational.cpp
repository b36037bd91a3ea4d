// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/configurational.hpp"

#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include "shadow/system/lattice.hpp"

#include "kernels/launch.hpp"
#include "kernels/ops/pair_derivatives.hpp"
#include "kernels/potentials/list.hpp"

#include <set>

using namespace shadow;

namespace {

// Positions in kernels/potentials/list.hpp.
enum { lj, morse, inverse_power, wca, contact, coulomb, dsf, logarithmic };

struct Case {
    std::string name;
    std::vector<PairForceDescription> forces;
    std::vector<oracle::Pair> pairs; ///< by (a * species + b), all forces together
    int species = 1;
};

PairForceDescription single(int potential, std::vector<double> numbers, double cutoff,
                            Truncation truncation = Truncation::none, double inner = 0.0) {
    PairForceDescription d;
    d.potential.potential = potential;
    d.potential.truncation = truncation;
    d.potential.pairs = {{std::move(numbers), cutoff, inner}};
    return d;
}

/// Every potential, every truncation, a mixture with charges, and a potential in two parts.
std::vector<Case> cases() {
    const double rc = 2.3, inner = 1.7, contact_at = std::pow(2.0, 1.0 / 6.0);
    const auto curve = oracle::lennard_jones(0.9, 1.1);
    const auto of = [&](Truncation t) { return single(lj, {0.9, 1.1}, rc, t, inner); };
    std::vector<Case> all = {
        {"none", {of(Truncation::none)}, {{curve, rc}}},
        {"shift", {of(Truncation::shift)}, {{curve, rc}}},
        {"force-shift", {of(Truncation::force_shift)}, {{oracle::force_shifted(curve, rc), rc}}},
        {"smooth-c1", {of(Truncation::smooth_c1)}, {{oracle::smoothed(curve, inner, rc, 2), rc}}},
        {"smooth-c2", {of(Truncation::smooth_c2)}, {{oracle::smoothed(curve, inner, rc, 3), rc}}},
        {"morse",
         {single(morse, {1.2, 3.0, 1.1}, rc, Truncation::shift)},
         {{oracle::morse(1.2, 3.0, 1.1), rc}}},
        {"inverse power",
         {single(inverse_power, {1.1, 0.9, 7.5}, rc, Truncation::force_shift)},
         {{oracle::force_shifted(oracle::inverse_power(1.1, 0.9, 7.5), rc), rc}}},
        {"wca", {single(wca, {1.0, 1.0}, contact_at)}, {{oracle::wca(1.0, 1.0), contact_at}}},
        {"contact",
         {single(contact, {100.0, 1.2}, 1.2)},
         {{oracle::harmonic_contact(100.0, 1.2), 1.2}}},
        {"coulomb smooth",
         {single(coulomb, {-1.3, 0.0, 0.0}, rc, Truncation::smooth_c2, inner)},
         {{oracle::smoothed(oracle::coulomb(-1.3), inner, rc, 3), rc}}},
        {"softened",
         {single(coulomb, {-1.3, 0.7, 0.0}, rc, Truncation::force_shift)},
         {{oracle::force_shifted(oracle::coulomb(-1.3, 0.7), rc), rc}}},
        {"logarithmic",
         {single(logarithmic, {-1.3, 0.9}, rc, Truncation::force_shift)},
         {{oracle::force_shifted(oracle::logarithmic(-1.3, 0.9), rc), rc}}},
        {"dsf", {single(dsf, {1.3, 0.4}, rc)}, {{oracle::damped_shifted_force(1.3, 0.4, rc), rc}}}};
    Case charged{"lj + dsf", {single(lj, {}, rc)}, {}, 2};
    PairPotential& dispersion = charged.forces[0].potential;
    PairPotential& charges = charged.forces[0].electrostatic.emplace();
    dispersion.pairs.clear();
    charges.potential = dsf;
    for (const auto& [epsilon, sigma, charge] :
         {std::array{1.0, 1.0, 1.0}, {1.5, 0.8, -2.0}, {1.5, 0.8, -2.0}, {0.5, 0.88, 4.0}}) {
        dispersion.pairs.push_back({{epsilon, sigma}, rc, 0.0});
        charges.pairs.push_back({{charge, 0.3}, rc, 0.0});
        charged.pairs.push_back(
            {oracle::lennard_jones(epsilon, sigma) + oracle::damped_shifted_force(charge, 0.3, rc),
             rc});
    }
    all.push_back(charged);
    Case split{"split", {of(Truncation::shift), of(Truncation::shift)}, {{curve, rc}}};
    split.forces[0].potential.part = PairPotential::Part::fast;
    split.forces[1].potential.part = PairPotential::Part::slow;
    for (PairForceDescription& part : split.forces) part.potential.split = {1.3, 1.6};
    all.push_back(split);
    return all;
}

struct Sums {
    long double laplacian = 0, hypervirial = 0, scale = 0;
};

/// Pair by pair, the force differentiated by differences (sixth order, in extended precision: 1e-13
/// by rounding) and the pairs at the cut-off counted as documented.
template <int Dim>
Sums add_directly(const Snapshot<Dim>& start, const Box<Dim>& box, const Case& c) {
    Sums sums;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t j = i + 1; j < start.size(); ++j) {
            long double r2 = 0;
            for (std::size_t d = 0; d < Dim; ++d) {
                const long double dx = start.position[j][d] - start.position[i][d];
                const long double length = box.lengths()[d];
                const long double nearest = dx - length * std::round(dx / length);
                r2 += nearest * nearest;
            }
            const long double r = std::sqrt(r2), h = 1e-6L * r;
            const auto& [curve, cutoff] =
                c.pairs[static_cast<std::size_t>(start.species[i] * c.species + start.species[j])];
            if (!(r < cutoff)) continue;
            const auto& f = curve.f;
            const long double bend =
                -(45 * (f(r + h) - f(r - h)) - 9 * (f(r + 2 * h) - f(r - 2 * h)) +
                  (f(r + 3 * h) - f(r - 3 * h))) /
                (60 * h);
            const long double width = 0.04L * cutoff, t = (cutoff - r) / width;
            const long double at_end = t < 1 ? f(cutoff) * (4 - 6 * t) / width : 0;
            sums.laplacian += 2 * (bend - (Dim - 1) * f(r) / r + at_end);
            sums.hypervirial += r * (r * bend - f(r)) + cutoff * cutoff * at_end;
            sums.scale += (std::abs(bend) + std::abs(f(r)) + std::abs(at_end)) * (1 + r2);
        }
    sums.hypervirial /= Dim * Dim;
    return sums;
}

template <int Dim>
Snapshot<Dim> jittered(int n, const Case& c) {
    Snapshot<Dim> start = at_rest<Dim>(jittered_points<Dim>(n, 1.08, 0.05, 3));
    if (c.species == 2) start.species_table.push_back({"B"});
    for (std::size_t i = 0; i < start.size() && c.species == 2; ++i)
        start.species[i] = i * 7 % 5 > 2;
    return start;
}

std::vector<Population> populations(const std::vector<std::uint16_t>& species, int kinds) {
    std::vector<Population> all{{"A"}};
    if (kinds == 2) all.push_back({"B"});
    for (const auto s : species) ++all[s].particles;
    return all;
}

template <int Dim>
std::vector<double> measure(const Backend& backend, const Case& c, int n, double side) {
    CAPTURE(Dim, c.name);
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic;
    lengths.fill(side);
    periodic.fill(true);
    const Box<Dim> box(lengths, periodic);
    Snapshot<Dim> start = jittered<Dim>(n, c);
    ParticleSystem<Dim> system(backend, box, start, 1, Neighbours<Dim>(backend, box, 8, 0.2), {});
    start = system.snapshot(); // as rounded to double
    Configurational<Dim> observable(box, populations(start.species, c.species), c.forces);
    Array<double> row(backend, 3);
    observable.enqueue(system, row.data());
    const std::vector<double> found = row.to_host();
    const Sums expected = add_directly<Dim>(start, box, c);
    const auto tolerance = static_cast<double>(expected.scale) * 1e-12;
    CHECK(std::abs(found[0] - static_cast<double>(expected.hypervirial)) < tolerance);
    CHECK(std::abs(found[2] - static_cast<double>(expected.laplacian)) < tolerance);
    CHECK(found[1] == 0.0);   // no force acts in this system
    if (!backend.is_cuda()) { // what devices do
        double laplacian = 0.0;
        for (std::size_t p = 0; p < (c.species == 2 ? 3 : 1); ++p) {
            const auto op = observable.sums_of(p);
            PairDerivatives sum{};
            reduce(backend, op, op.pairs.chosen(), &sum);
            laplacian += sum.laplacian;
        }
        CHECK(std::abs(laplacian - found[2]) < tolerance);
    }
    return found;
}

} // namespace

TEST_CASE("second derivatives of every potential and truncation are differences of the force") {
    for (const Case& c : cases()) {
        std::vector<double> before;
        for (const TestBackend& where : test_backends()) {
            const Backend backend = where.open();
            CAPTURE(where.name);
            const auto found = measure<3>(backend, c, 343, 7 * 1.08);
            if (where.threads == 2) CHECK(found == before); // threads do not change a bit
            before = found;
            measure<2>(backend, c, 225, 15 * 1.08);
            measure<1>(backend, c, 60, 60 * 1.08);
        }
    }
}

TEST_CASE("a lattice of springs has the second derivatives of paper and pencil") {
    // Neighbours at distance 1 pressed together to d = 1.2: u' = -K/5, u'' = K.
    const double K = 100.0;
    const int side = 12;
    const Box<2> box({12.0, 12.0}, {true, true});
    Points<2> points;
    for (int i = 0; i < side * side; ++i) points.push_back({i % side + 0.3, i / side + 0.7});
    const Case c{"contact", {single(contact, {K, 1.2}, 1.2)}, {}};
    for (const TestBackend& where : few_test_backends()) {
        const Backend backend = where.open();
        ParticleSystem<2> system(backend, box, at_rest<2>(points), 1,
                                 Neighbours<2>(backend, box, 8, 0.2), {});
        Configurational<2> observable(box, {{"A", 144}}, c.forces);
        Array<double> row(backend, 3);
        observable.enqueue(system, row.data());
        const std::vector<double> found = row.to_host();
        // 288 bonds: X = r (u' + r u'') / 4 each; 2 (u'' + u'/r) each.
        CHECK(std::abs(found[0] - 288 * (K - K / 5) / 4) < 1e-9);
        CHECK(std::abs(found[2] - 288 * 2 * (K - K / 5)) < 1e-9);
        CHECK(observable.state() == std::vector<double>{1.0});
    }
}

TEST_CASE("a large system is summed in parts, which together are all of it") {
    const Backend backend = Backend::cpu(2);
    const Box<2> box({280.0, 290.0}, {true, true});
    const Points<2> points = random_points<2>(70000, 0.6, {280.0, 290.0}, {true, true}, 4);
    const Case c{"contact", {single(contact, {50.0, 1.2}, 1.2)}, {}};
    ParticleSystem<2> system(backend, box, at_rest<2>(points), 1,
                             Neighbours<2>(backend, box, 8, 0.2), {});
    Configurational<2> observable(box, {{"A", 70000}}, c.forces);
    Array<double> row(backend, 3);
    std::vector<std::vector<double>> turns;
    for (int turn = 0; turn < 4; ++turn) {
        observable.enqueue(system, row.data());
        turns.push_back(row.to_host());
    }
    CHECK(turns[3] == turns[0]); // three parts
    CHECK(turns[1] != turns[0]);
    auto whole = observable.sums_of(0);
    whole.pairs.parts = 1;
    whole.pairs.part = 0;
    PairDerivatives all{};
    reduce(backend, whole, whole.pairs.chosen(), &all);
    const double sum = turns[0][2] + turns[1][2] + turns[2][2];
    CHECK(std::abs(sum / 3.0 / all.laplacian - 1.0) < 1e-12);
    CHECK(std::abs(turns[0][2] / all.laplacian - 1.0) < 0.05); // each stands for all
    Configurational<2> resumed(box, {{"A", 70000}}, c.forces);
    resumed.restore(std::vector<double>{2.0});
    resumed.enqueue(system, row.data());
    CHECK(row.to_host() == turns[2]);
}

TEST_CASE("every potential has second derivatives that are tested") {
    std::set<int> found;
    for (const Case& c : cases())
        for (const PairForceDescription& force : c.forces) found.insert(force.potential.potential);
    CHECK(found.size() == Potentials::size);
}

TEST_CASE("without forces all is zero") {
    const Backend backend = Backend::cpu(1);
    const Box<2> box({12.0, 12.0}, {true, true});
    ParticleSystem<2> system(backend, box, at_rest<2>({{1.0, 2.0}, {1.1, 2.0}}), 1,
                             Neighbours<2>(backend, box, 8, 0.2), {});
    Configurational<2> observable(box, {{"A", 2}}, {});
    Array<double> row(backend, 3);
    observable.enqueue(system, row.data());
    CHECK(row.to_host() == std::vector<double>(3, 0.0));
}

TEST_CASE("forces of all levels enter the squared force, and a tail the hypervirial") {
    const std::string input = R"(
[system]
dimension = 3
box = { density = 0.8 }
lattice = { type = "fcc", repeat = [5, 5, 5], jitter = 0.1 }
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.5
TAIL
split = { inner = 1.3, outer = 1.6 }
[[observe]]
type = "configurational"
)";
    const auto with = [&](const std::string& tail) {
        std::string text = input;
        return text.replace(text.find("TAIL"), 4, tail);
    };
    for (const TestBackend& where : test::best_processors()) {
        test::World<3> plain(where, test::read_setup<3>(with("")), with(""));
        test::World<3> tail(where, test::read_setup<3>(with("")), with("tail = true"));
        const auto row = plain.measure();
        const auto forces = plain.forces();
        double square = 0.0;
        for (const auto& f : forces) square += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
        CHECK(std::abs(row.at("squared_force")[0] / square - 1.0) < 1e-12);
        CHECK(plain.system().levels().count == 2);
        // P and X / V of pairs beyond the cut-off are the same where forces do not jump there.
        const double beyond = tail.measure().at("hypervirial")[0] - row.at("hypervirial")[0];
        CHECK(std::abs(beyond - tail.system().tail_virial().value / 3.0) < 1e-9);
        CHECK(beyond < -100.0);
    }
}

TEST_CASE("configurational is refused beside forces without derivatives between pairs") {
    const auto where = test::best_processors().front();
    const Setup<3> setup = test::warm_lattice<3>(5, 1.0);
    const std::string input = std::string(test::short_smooth_force) +
                              "[[observe]]\ntype = \"configurational\"\n[[force]]\ntype = ";
    for (const std::string field :
         {"uniform-field\"\nstrength = [0.1, 0.0, 0.0]\n", // linear: it has derivatives
          "cosine-field\"\namplitude = 1.0\nperiods = [1, 0, 0]\n"})
        CHECK_THROWS_WITH(
            test::World<3>(where, setup, input + '"' + field),
            Catch::Contains("configurational with " + field.substr(0, field.find('"'))));
}
