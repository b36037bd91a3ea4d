// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/structure_factor.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "kernels/cpu/density_modes.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <random>
#include <set>

using namespace shadow;

namespace {

template <int Dim>
void check_shells(const Box<Dim>& box, double longest, int shells, int most) {
    CAPTURE(Dim, longest, shells, most);
    const auto chosen = choose_wave_vectors(box, longest, shells, most);
    REQUIRE_FALSE(chosen.empty());
    double before = 0.0;
    for (const Shell<Dim>& shell : chosen) {
        CHECK(shell.vectors.size() <= static_cast<std::size_t>(most));
        const double part = std::ceil(shell.k / longest * shells * (1.0 - 1e-9));
        CHECK(part > before);
        before = part;
        std::set<std::vector<std::int32_t>> seen;
        for (const WaveVector<Dim>& k : shell.vectors) {
            double k2 = 0.0;
            std::vector<std::int32_t> n(k.n, k.n + Dim), opposite;
            for (std::size_t d = 0; d < Dim; ++d) {
                k2 += std::pow(2.0 * std::numbers::pi * n[d] / box.lengths()[d], 2);
                opposite.push_back(-n[d]);
            }
            CHECK(std::sqrt(k2) <= longest * part / shells * (1.0 + 1e-9));
            CHECK(std::sqrt(k2) >= longest * (part - 1.0) / shells * (1.0 - 1e-9));
            CHECK_FALSE(seen.contains(opposite));
            CHECK(seen.insert(n).second);
        }
    }
    CHECK(before == shells);
}

} // namespace

TEST_CASE("wave vectors lie in their shells, each once, and without their opposites") {
    check_shells(Box<3>({10.0, 12.0, 9.0}, {true, true, true}), 6.0, 20, 7);
    check_shells(Box<3>({10.0, 12.0, 9.0}, {true, true, true}), 6.0, 3, 100000);   // all of them
    check_shells(Box<3>({200.0, 200.0, 200.0}, {true, true, true}), 15.0, 64, 12); // drawn
    check_shells(Box<2>({500.0, 100.0}, {true, true}), 20.0, 50, 5);
    check_shells(Box<1>({500.0}, {true}), 20.0, 50, 5);
    const auto all =
        choose_wave_vectors(Box<3>({10.0, 10.0, 10.0}, {true, true, true}), 1.1, 1, 99);
    REQUIRE(all.size() == 1);
    CHECK(all[0].vectors.size() == 3 + 6 + 4); // (1,0,0), (1,1,0), (1,1,1): |k| 0.63, 0.89, 1.09
}

TEST_CASE("wave vectors near a number are within half the shortest of it, and all of these") {
    const Box<2> box({10.0, 12.0}, {true, true});
    const double half = std::numbers::pi / 12.0;
    for (double k = 0.5; k < 12.0; k += 0.07) {
        CAPTURE(k);
        std::size_t all = 0;
        for (int x = 0; x < 30; ++x)
            for (int y = -30; y < 30; ++y)
                all += (x > 0 || y > 0) && std::abs(2.0 * half * std::hypot(1.2 * x, y) - k) < half;
        const auto near = wave_vectors_near(box, k, 1000);
        CHECK(near.vectors.size() == all);
        const auto some = wave_vectors_near(box, k, 3);
        CHECK(some.vectors.size() == std::min<std::size_t>(3, all));
        for (const auto& n : some.vectors)
            CHECK(std::abs(2.0 * half * std::hypot(1.2 * n.n[0], n.n[1]) - k) < half);
    }
}

TEST_CASE("density modes are the same sums by all instruction sets") {
    const double length[] = {7.0, 11.0, 13.0};
    const std::size_t n = 10007;
    std::mt19937_64 random(4);
    std::vector<double> x[3];
    std::vector<std::uint16_t> species;
    for (std::size_t i = 0; i < n + 32; ++i) {
        for (int d = 0; d < 3; ++d)
            x[d].push_back(std::uniform_real_distribution<>(-1.0, 8.0)(random));
        species.push_back(static_cast<std::uint16_t>(i % 3 == 0));
    }
    // Shells of 1, 2, 3, 1 and 2 vectors; at the third measurement it is the turn of these.
    const std::vector<WaveVector<3>> k{
        {{1, 0, 0}}, {{-3, 2, 17}}, {{0, 0, 40}}, {{9, 9, -9}}, {{100, -1, 2}}};
    const std::vector<WaveVector<3>> all{k[0], k[1], {{5, 5, 5}}, {{1, 2, 3}}, {{3, 2, 1}},
                                         k[2], k[3], k[4],        {{7, 0, 7}}};
    DensityModes<3> modes{};
    for (int d = 0; d < 3; ++d) {
        modes.position.component[d] = x[d].data();
        modes.box.inverse_length[d] = 1.0 / length[d];
    }
    modes.species = species.data();
    modes.particles = static_cast<std::int64_t>(n);
    modes.k = all.data();
    const std::vector<std::int32_t> begin{0, 1, 3, 6, 7, 9};
    modes.begin = begin.data();
    modes.turn = 2;
    modes.count = static_cast<std::int32_t>(k.size());

    std::vector<std::complex<long double>> expected(2 * k.size());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t m = 0; m < k.size(); ++m) {
            long double turns = 0.0L;
            for (int d = 0; d < 3; ++d)
                turns += static_cast<long double>(k[m].n[d]) * x[d][i] / length[d];
            expected[species[i] * k.size() + m] +=
                std::polar(1.0L, 2.0L * std::numbers::pi_v<long double> * turns);
        }
    // Phases of up to 150 turns, each rounded to 1e-14 of a turn; 10^4 of them.
    const double tolerance = 1e-10;
    std::vector<std::vector<double>> rows;
    for (const InstructionSet isa : available_instruction_sets())
        for (const int threads : {1, 2}) {
            CAPTURE(name(isa), threads);
            const Backend backend = Backend::cpu(threads, isa);
            std::vector<double> row(4 * k.size());
            cpu::density_modes(backend, modes, 2, row.data());
            for (std::size_t m = 0; m < expected.size(); ++m) {
                CHECK(std::abs(row[m] - static_cast<double>(expected[m].real())) < tolerance);
                CHECK(std::abs(row[2 * k.size() + m] - static_cast<double>(expected[m].imag())) <
                      tolerance);
            }
            if (threads == 2) CHECK(row == rows.back());
            rows.push_back(row);
        }
    for (std::int32_t s = 0; s < 2; ++s)
        for (std::int32_t first = 0; first < modes.count; first += SomeModes::max_modes) {
            const SumModes<3> op{modes, first, s};
            SomeModes sum = op.identity();
            for (std::int64_t i = 0; i < modes.particles; ++i) sum = op.combine(sum, op(i));
            for (std::int32_t m = first; m < std::min(first + SomeModes::max_modes, modes.count);
                 ++m) {
                const auto& e =
                    expected[static_cast<std::size_t>(s) * k.size() + static_cast<std::size_t>(m)];
                CHECK(std::abs(sum.cosine[m - first] - static_cast<double>(e.real())) < tolerance);
                CHECK(std::abs(sum.sine[m - first] - static_cast<double>(e.imag())) < tolerance);
            }
        }
}

TEST_CASE("S(k) of a perfect lattice is N at its reciprocal vectors and 0 elsewhere") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const Box<2> box({12.0, 12.0}, {true, true});
    const auto start = at_rest<2>(jittered_points<2>(144, 1.0, 0.0, 1)); // the perfect lattice
    ParticleSystem<2> system(backend, box, start, 1, Neighbours<2>(backend, box, 8, 0.2), {});
    const std::vector<Shell<2>> shells{{1.0, {{{1, 0}}, {{0, 1}}}},
                                       {6.28, {{{12, 0}}, {{0, 12}}}},
                                       {9.0, {{{12, 12}}}},
                                       {9.1, {{{12, 13}}}}};
    StructureFactor<2> factor(box, {{"A", 144}}, shells);
    Array<double> row(backend, factor.width());
    for (int n = 0; n < 3; ++n) {
        factor.enqueue(system, row.data());
        factor.accumulate(0.0, row.to_host());
    }
    const auto all = factor.estimates();
    REQUIRE(all.size() == 1);
    CHECK(all[0].name == "structure_factor");
    const double expected[] = {0.0, 144.0, 144.0, 0.0};
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::abs(all[0].value[k] - expected[k]) < 1e-9);
}
