// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_system.hpp"

#include "shadow/neighbours/neighbours.hpp"

#include "kernels/ops/shares.hpp"

#include <cmath>
#include <limits>
#include <random>

using namespace shadow;

namespace {

PairForceDescription shifted_lj(double cutoff) {
    PairForceDescription d;
    d.potential.truncation = Truncation::shift;
    d.potential.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
    return d;
}

/// A periodic liquid by a real list of neighbours, in id order.
struct Liquid {
    Points<3> force;
    std::vector<double> energy;
    SymmetricTensor<3> virial;
    std::vector<Share<3>> share;
};

bool same_bits(const SymmetricTensor<3>& a, const SymmetricTensor<3>& b) {
    return std::equal(std::begin(a.component), std::end(a.component), std::begin(b.component));
}

/// Of two liquids, and each sums to the energies.
bool same_shares(const Liquid& a, const Liquid& b) {
    double difference = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < a.share.size(); ++i) {
        if (a.share[i].energy != b.share[i].energy ||
            !same_bits(a.share[i].virial, b.share[i].virial))
            return false;
        difference = test::larger(difference, std::abs(a.share[i].energy - a.energy[i]));
        scale = test::larger(scale, std::abs(a.energy[i]));
    }
    return difference <= 1e-13 * scale;
}

constexpr double edge = 8 * 1.08;

/// Reaches of a list with which the CPU takes all pairs, and those that it has listed.
constexpr double everything = std::numeric_limits<double>::infinity(), tiles = 2.6;

Liquid liquid(const Backend& backend, const Points<3>& points, bool pair_is_double,
              const PairForceDescription& d, double length = edge,
              const std::vector<std::array<std::uint32_t, 2>>& excluded = {}) {
    const Snapshot<3> s = at_rest<3>(points);
    const Box<3> box({length, length, length}, {true, true, true});
    const Ensemble<3> ensemble(backend, box);
    Particles<3> particles(backend, ensemble, s);
    Neighbours<3> neighbours(backend, box, pair_cluster_size(backend), list_skin(backend, 0.3, 2.5),
                             0.3);
    const int list = neighbours.add_list(2.5);
    PairForce<3> term(backend, d, pair_is_double, list);
    neighbours.exclude(excluded);
    neighbours.update(particles);
    const std::size_t n = points.size();
    std::array<Array<double>, 3> force{Array<double>(backend, n), Array<double>(backend, n),
                                       Array<double>(backend, n)};
    Array<double> energy(backend, n);
    Array<SymmetricTensor<3>> virial(backend, 1);
    Array<Share<3>> share(backend, n);
    Array<std::int32_t> status(backend, 1);
    ForceOutput<3> output{{{force[0].data(), force[1].data(), force[2].data()}},
                          energy.data(),
                          virial.data(),
                          status.data(),
                          false};
    term.compute(particles.view(), neighbours, output);
    term.share(term.all_parts, particles.view(), neighbours, false, share.data());
    backend.synchronize();
    CHECK(status.get(0) == 0);
    std::vector<std::uint32_t> id(n);
    detail::copy_to_host(backend, id.data(), particles.view().id, n * sizeof(std::uint32_t));
    Liquid out{Points<3>(n), std::vector<double>(n), virial.get(0), std::vector<Share<3>>(n)};
    const auto e = energy.to_host();
    const auto of = share.to_host();
    for (std::size_t i = 0; i < n; ++i) {
        out.energy[id[i]] = e[i];
        out.share[id[i]] = of[i];
    }
    for (int d2 = 0; d2 < 3; ++d2) {
        const auto f = force[d2].to_host();
        for (std::size_t i = 0; i < n; ++i) out.force[id[i]][d2] = static_cast<double>(f[i]);
    }
    return out;
}

} // namespace

TEST_CASE("forces over real neighbour lists are those of the oracle, and sum to zero") {
    const auto points = jittered_points<3>(500, 1.08, 0.12, 5);
    const oracle::Pair pair{oracle::shifted(oracle::lennard_jones(1.0, 1.0), 2.5), 2.5};
    const bool excluding = GENERATE(false, true);
    std::vector<std::array<std::uint32_t, 2>> excluded;
    for (std::uint32_t i = 0; excluding && i < points.size(); ++i)
        for (std::uint32_t j = i + 1; j < points.size(); ++j) {
            double r2 = 0.0;
            for (std::size_t d = 0; d < 3; ++d) {
                const double dx = points[i][d] - points[j][d];
                r2 += std::pow(dx - edge * std::round(dx / edge), 2);
            }
            if ((i + j) % 3 == 0 && r2 < 2.0) excluded.push_back({i, j});
        }
    const auto is_excluded = [&](std::size_t i, std::size_t j) {
        const std::array both{static_cast<std::uint32_t>(std::min(i, j)),
                              static_cast<std::uint32_t>(std::max(i, j))};
        return std::binary_search(excluded.begin(), excluded.end(), both);
    };
    const auto expected = oracle::evaluate<3>(
        points, {}, Box<3>({edge, edge, edge}, {true, true, true}).view(),
        [&](int, int) -> const oracle::Pair& { return pair; }, {}, is_excluded);
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    for (const bool pair_is_double : {true, false}) {
        const auto got = liquid(backend, points, pair_is_double, shifted_lj(2.5), edge, excluded);
        double worst = 0.0, energy = 0.0, scale = 0.0;
        std::array<double, 3> total{};
        for (std::size_t i = 0; i < points.size(); ++i) {
            for (int d = 0; d < 3; ++d) {
                worst = test::larger(worst, std::abs(got.force[i][d] - expected.force[i][d]) /
                                                expected.force_scale[i]);
                total[d] += got.force[i][d];
            }
            energy += got.energy[i];
            scale += expected.force_scale[i];
        }
        // Units of 2^-53, or of 2^-24 times coordinates of two or three distances.
        const double tolerance = pair_is_double ? 1e-14 : 1e-6;
        CHECK(worst < tolerance);
        CHECK(std::abs(energy - expected.total_energy()) < tolerance * std::abs(energy));
        for (int a = 0; a < 3; ++a)
            for (int b = a; b < 3; ++b)
                CHECK(std::abs(got.virial.component[tensor_index<3>(a, b)] -
                               expected.virial[a][b]) < tolerance * scale);
        for (const double f : total) CHECK(std::abs(f) < tolerance * scale);
    }
}

TEST_CASE("threads change no bit of a force, energy or virial") {
    const auto points = jittered_points<3>(500, 1.08, 0.12, 6);
    for (const InstructionSet isa : available_instruction_sets())
        for (const bool pair_is_double : {true, false}) {
            const Backend one = Backend::cpu(1, isa), many = Backend::cpu(3, isa);
            const auto a = liquid(one, points, pair_is_double, shifted_lj(2.5));
            const auto b = liquid(many, points, pair_is_double, shifted_lj(2.5));
            CHECK(a.force == b.force);
            CHECK(a.energy == b.energy);
            CHECK(same_bits(a.virial, b.virial));
            CHECK(same_shares(a, b));
        }
}

TEST_CASE("threads change no bit where forces are collected in several batches") {
    // Waves are as long as there are threads for them; here three, and one.
    const auto points = jittered_points<3>(44 * 44 * 44, 1.08, 0.12, 6);
    const Backend one = Backend::cpu(1), many = Backend::cpu(5);
    const auto check = [&](const auto& a, const auto& b) {
        CHECK(a.force == b.force);
        CHECK(a.energy == b.energy);
        CHECK(same_bits(a.virial, b.virial));
        CHECK(same_shares(a, b));
    };
    const PairForceDescription d = shifted_lj(2.5);
    check(liquid(one, points, false, d, 44 * 1.08), liquid(many, points, false, d, 44 * 1.08));
    check(liquid(one, points, true, d, 44 * 1.08), liquid(many, points, true, d, 44 * 1.08));
}

TEST_CASE("single precision of pairs is not biased across a face of the box") {
    // Two double layers face each other through the face x = 0. Of the force between them rounding
    // takes away or adds, but on average nothing: that would be work in every crossing.
    const auto where = GENERATE(from_range(test_backends()));
    const double length = GENERATE(8.6523, 8.7001, 8.7313);
    const Backend backend = where.open();
    CAPTURE(where.name, length);
    double sum = 0.0, sum2 = 0.0;
    constexpr int samples = 60;
    for (unsigned seed = 1; seed <= samples; ++seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> jitter(-0.1, 0.1);
        Points<3> points;
        for (const double x : {0.5, 1.58, length - 0.5, length - 1.58})
            for (int y = 0; y < 8; ++y)
                for (int z = 0; z < 8; ++z)
                    points.push_back({x + jitter(random), 0.5 + 1.07 * y + jitter(random),
                                      0.5 + 1.07 * z + jitter(random)});
        const auto exact = liquid(backend, points, true, shifted_lj(2.5), length);
        const auto got = liquid(backend, points, false, shifted_lj(2.5), length);
        double error = 0.0; // of the force on one side
        for (std::size_t i = 0; i < points.size(); ++i)
            if (points[i][0] < 0.5 * length) error += got.force[i][0] - exact.force[i][0];
        sum += error;
        sum2 += error * error;
    }
    CHECK(std::abs(sum) < 4.0 * std::sqrt(sum2)); // four standard errors of an unbiased sum
}

TEST_CASE("when tiles were listed changes no bit of a force") {
    const Box<3> box({edge, edge, edge}, {true, true, true});
    const bool pair_is_double = GENERATE(false, true);
    for (const InstructionSet isa : available_instruction_sets()) {
        const Backend backend = Backend::cpu(2, isa);
        CAPTURE(name(isa), pair_is_double);
        const Ensemble<3> ensemble(backend, box);
        Particles<3> particles(backend, ensemble,
                               at_rest<3>(jittered_points<3>(500, 1.08, 0.12, 7)));
        Neighbours<3> neighbours(backend, box, pair_cluster_size(backend),
                                 list_skin(backend, 0.3, 2.5), 0.3);
        const int list = neighbours.add_list(2.5);
        PairForce<3> old(backend, shifted_lj(2.5), pair_is_double, list);
        std::array<Array<double>, 3> force;
        for (auto& component : force) component = Array<double>(backend, 500);
        Array<std::int32_t> status(backend, 1);
        ForceOutput<3> output{{{force[0].data(), force[1].data(), force[2].data()}},
                              nullptr,
                              nullptr,
                              status.data(),
                              false};
        const auto compute = [&](PairForce<3>& term) {
            neighbours.update(particles);
            term.compute(particles.view(), neighbours, output);
            return std::array{force[0].to_host(), force[1].to_host(), force[2].to_host()};
        };
        compute(old);
        std::mt19937 random(3);
        std::uniform_real_distribution<double> step(-0.03, 0.03);
        for (int round = 0; round < 12; ++round) { // the old one lists anew now and then
            for (int d = 0; d < 3; ++d)
                for (int i = 0; i < 500; ++i)
                    particles.view().position.component[d][i] += step(random);
            PairForce<3> fresh(backend, shifted_lj(2.5), pair_is_double, list);
            REQUIRE(compute(old) == compute(fresh));
        }
        CHECK(neighbours.rebuilds() == 1);
    }
}

TEST_CASE("forces are added to what is there where asked") {
    const auto points = jittered_points<2>(40, 1.08, 0.1, 7);
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    const double reach = GENERATE(everything, tiles);
    CAPTURE(where.name, reach);
    PairForce<2> force(backend, shifted_lj(2.5), false, 0);
    PairSystem<2> system(backend, points, {}, Box<2>(), pair_cluster_size(backend), reach);
    PairSums<2> once, twice;
    const auto first = system.compute(force, &once);
    const auto second = system.compute(force, &twice, true);
    // Over tiles what superclusters give is added in turn, and every sum rounded, to 2^-53.
    const auto doubled = [](double x) { return Approx(2.0 * x).epsilon(1e-12).margin(1e-12); };
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (int d = 0; d < 2; ++d) CHECK(second[i][d] == doubled(first[i][d]));
        CHECK(twice.energy[i] == doubled(once.energy[i]));
    }
    for (int k = 0; k < tensor_size<2>; ++k)
        CHECK(twice.virial.component[k] == doubled(once.virial.component[k]));
}

TEST_CASE("two particles at the same place are reported, whichever they are") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    const int first = GENERATE(0, 3, 17, 38);
    const int second = GENERATE(1, 5, 39);
    const double reach = GENERATE(everything, tiles);
    CAPTURE(where.name, first, second, reach);
    auto points = jittered_points<3>(40, 1.08, 0.1, 8);
    points[static_cast<std::size_t>(second)] = points[static_cast<std::size_t>(first)];
    for (const bool pair_is_double : {true, false}) {
        PairForce<3> force(backend, shifted_lj(2.5), pair_is_double, 0);
        PairSystem<3> system(backend, points, {}, Box<3>(), pair_cluster_size(backend), reach);
        PairSums<3> sums;
        system.compute(force, &sums);
        CHECK(sums.status == 1 + 39 - std::max(first, second)); // ids run backwards here
        const auto f = system.compute(force, nullptr);
        for (std::size_t i = 0; i < points.size(); ++i) // and no other is spoilt
            CHECK(std::isfinite(f[i][0]) ==
                  (static_cast<int>(i) != first && static_cast<int>(i) != second));
    }
}

TEST_CASE("a position that is not a number is reported") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    auto points = jittered_points<3>(40, 1.08, 0.1, 9);
    const std::size_t lost = GENERATE(0, 12, 39);
    const double reach = GENERATE(everything, tiles);
    CAPTURE(where.name, lost, reach);
    points[lost][1] = std::nan("");
    PairForce<3> force(backend, shifted_lj(2.5), true, 0);
    PairSystem<3> system(backend, points, {}, Box<3>(), pair_cluster_size(backend), reach);
    system.compute(force, nullptr);
    CHECK(system.status() != 0);
    if (!where.cuda && reach == tiles)
        CHECK(system.status() == 1 + 39 - static_cast<int>(lost)); // ids run backwards here
}
