// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/radial_distribution.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include "kernels/ops/counting.hpp"

#include <cmath>
#include <numbers>
#include <random>

using namespace shadow;

namespace {

template <int Dim>
Snapshot<Dim> random_particles(const Box<Dim>& box, std::size_t n, int species) {
    std::mt19937_64 random(n + 7);
    Snapshot<Dim> start;
    for (int s = 0; s < species; ++s)
        start.species_table.push_back({std::string(1, char('A' + s))});
    for (std::size_t i = 0; i < n; ++i) {
        std::array<double, Dim> x;
        for (std::size_t d = 0; d < Dim; ++d)
            x[d] = box.origin()[d] + box.lengths()[d] * std::uniform_real_distribution<>()(random);
        start.position.push_back(x);
        start.species.push_back(static_cast<std::uint16_t>(i * i % 3 % std::size_t(species)));
    }
    start.momentum.assign(n, {});
    start.image.assign(n, {});
    return start;
}

/// Counts of all pairs, each through its nearest image: for each pair of species, bin by bin.
template <int Dim>
std::vector<double> count_directly(const Snapshot<Dim>& start, const Box<Dim>& box, double radius,
                                   int bins) {
    const auto kinds = start.species_table.size();
    std::vector<double> counts(kinds * (kinds + 1) / 2 * static_cast<std::size_t>(bins));
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t j = i + 1; j < start.size(); ++j) {
            double r2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) {
                const double dx = start.position[j][d] - start.position[i][d];
                const double nearest = dx - box.lengths()[d] * std::round(dx / box.lengths()[d]);
                r2 += nearest * nearest;
            }
            if (r2 >= radius * radius) continue;
            const std::size_t a = std::min(start.species[i], start.species[j]);
            const std::size_t b = std::max(start.species[i], start.species[j]);
            const std::size_t pair = a * kinds - a * (a + 1) / 2 + b; // of the upper triangle
            const auto bin = static_cast<std::size_t>(std::sqrt(r2) / radius * bins);
            ++counts[pair * static_cast<std::size_t>(bins) + bin];
        }
    return counts;
}

template <int Dim>
void compare(const Backend& backend, const std::array<double, Dim>& lengths, std::size_t n,
             int species, double radius, int bins) {
    CAPTURE(Dim, n, species, radius);
    std::array<bool, Dim> periodic;
    periodic.fill(true);
    std::array<double, Dim> origin;
    origin.fill(-1.25);
    const Box<Dim> box(lengths, periodic, origin);
    Snapshot<Dim> start = random_particles<Dim>(box, n, species);
    std::vector<Population> populations;
    for (const Species& s : start.species_table) populations.push_back({s.name, 0});
    for (const auto s : start.species) ++populations[s].particles;
    ParticleSystem<Dim> system(backend, box, start, 1, Neighbours<Dim>(backend, box, 8, 0.2), {});
    start = system.snapshot(); // as rounded to double
    RadialDistribution<Dim> rdf(box, populations, radius, bins);
    Array<double> row(backend, rdf.width());
    const std::vector<double> expected = count_directly<Dim>(start, box, radius, bins);
    for (int again = 0; again < 2; ++again) {
        rdf.enqueue(system, row.data());
        CHECK(row.to_host() == expected);
    }
}

} // namespace

TEST_CASE("pairs are counted as one by one") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    // Few cells (each stencil is the whole box), many, and boxes longer in one direction.
    compare<3>(backend, {4.0, 4.0, 4.0}, 150, 1, 2.0, 10);
    compare<3>(backend, {9.0, 10.0, 11.0}, 600, 1, 1.5, 40);
    compare<3>(backend, {3.0, 4.0, 20.0}, 400, 2, 1.5, 7);
    compare<3>(backend, {9.0, 9.0, 9.0}, 500, 3, 2.5, 25);
    compare<2>(backend, {20.0, 12.0}, 500, 1, 3.0, 33);
    compare<2>(backend, {5.0, 30.0}, 400, 2, 2.5, 10);
    compare<1>(backend, {50.0}, 100, 2, 5.0, 10);
    compare<3>(backend, {9.0, 9.0, 9.0}, 2, 1, 4.5, 5);
}

TEST_CASE("every instruction set counts the same pairs as the kernel for devices") {
    const Box<3> box({9.0, 10.0, 11.0}, {true, true, true});
    const Snapshot<3> start = random_particles<3>(box, 700, 1);
    const std::vector<double> expected = count_directly<3>(start, box, 2.0, 20);
    for (const InstructionSet isa : available_instruction_sets())
        for (const int threads : {1, 2}) {
            CAPTURE(name(isa), threads);
            const Backend backend = Backend::cpu(threads, isa);
            ParticleSystem<3> system(backend, box, start, 1, Neighbours<3>(backend, box, 8, 0.2),
                                     {});
            RadialDistribution<3> rdf(box, {{"A", 700}}, 2.0, 20);
            Array<double> row(backend, rdf.width());
            rdf.enqueue(system, row.data());
            CHECK(row.to_host() == expected);

            std::vector<std::int64_t> counts(20);
            const CountPairs<3> op{rdf.pairs(), 0, 0, counts.data()};
            for (std::int64_t k = 0; k < op.pairs.chosen(); ++k)
                op.count(k, AddToHistogram{op.histogram});
            CHECK(std::vector<double>(counts.begin(), counts.end()) == expected);
        }
}

TEST_CASE("a large system is counted in parts, which together are all of it") {
    const Backend backend = Backend::cpu(1);
    const Box<2> box({300.0, 180.0}, {true, true});
    const std::size_t n = 90000;
    const Snapshot<2> start = random_particles<2>(box, n, 1);
    ParticleSystem<2> system(backend, box, start, 1, Neighbours<2>(backend, box, 8, 0.2), {});
    const auto particles = static_cast<std::int64_t>(n);
    RadialDistribution<2> rdf(box, {{"A", particles}}, 2.0, 4);
    const auto measure = [&](RadialDistribution<2>& of) {
        Array<double> row(backend, of.width());
        of.enqueue(system, row.data());
        of.accumulate(0.0, row.to_host());
        return row.to_host();
    };
    const auto first = measure(rdf);
    const std::vector<double> state = rdf.state();
    const auto second = measure(rdf), third = measure(rdf), again = measure(rdf);
    CHECK(first == again);
    CHECK(first != second);

    // Random points: each pair is in a shell with the probability of its share of the box, and the
    // counts are Poisson's.
    std::vector<double> sum(4);
    for (std::size_t k = 0; k < 4; ++k) {
        sum[k] = first[k] + second[k] + third[k];
        const double inner = 0.5 * static_cast<double>(k), outer = inner + 0.5;
        const double share = std::numbers::pi * (outer * outer - inner * inner) / (300.0 * 180.0);
        const double mean = 0.5 * static_cast<double>(n) * static_cast<double>(n - 1) * share;
        CHECK(std::abs(sum[k] - mean) < 5.0 * std::sqrt(mean));
    }

    // g(r) is 1; the counts of the first shell are known to 0.4 %.
    const auto estimates = rdf.estimates();
    for (const double g : estimates.at(0).value) CHECK(std::abs(g - 1.0) < 0.03);

    RadialDistribution<2> resumed(box, {{"A", particles}}, 2.0, 4);
    resumed.restore(state);
    CHECK(measure(resumed) == second);
    CHECK(measure(resumed) == third);
    CHECK(measure(resumed) == again);
    CHECK(resumed.state() == rdf.state());
    CHECK(resumed.estimates().at(0).samples == 4);
}

TEST_CASE("g(r) of a mixture has a curve for all particles and one for each pair of species") {
    const Box<3> box({10.0, 10.0, 10.0}, {true, true, true});
    RadialDistribution<3> rdf(box, {{"A", 30}, {"B", 20}}, 5.0, 2);
    // As many pairs as strangers would have: N_a N_b v / V.
    const double inner = 4.0 / 3.0 * std::numbers::pi * 2.5 * 2.5 * 2.5 / 1000.0;
    const double outer = 7.0 * inner;
    rdf.accumulate(0.0, std::vector<double>{435 * inner, 435 * outer, 600 * inner, 600 * outer,
                                            190 * inner, 190 * outer});
    const auto all = rdf.estimates();
    REQUIRE(all.size() == 4);
    const char* const names[] = {"rdf", "rdf_A_A", "rdf_A_B", "rdf_B_B"};
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(all[k].name == names[k]);
        CHECK(all[k].axes.at(0).name == "r");
        CHECK(all[k].axes.at(0).values == std::vector<double>{1.25, 3.75});
        for (const double g : all[k].value) CHECK(std::abs(g - 1.0) < 1e-14);
    }
}
