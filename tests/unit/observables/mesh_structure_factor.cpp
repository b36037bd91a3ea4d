// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/mesh_structure_factor.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "kernels/ops/spread.hpp"

#include <cmath>
#include <numbers>
#include <random>

using namespace shadow;

namespace {

/// S(k) of all wave vectors, by shell: all particles, then A-A, A-B, B-B.
template <int Dim>
std::vector<double> add_directly(const Snapshot<Dim>& start, const Box<Dim>& box, double longest,
                                 int shells, std::vector<double>& k_of) {
    std::array<int, Dim> max_index;
    for (std::size_t d = 0; d < Dim; ++d)
        max_index[d] = static_cast<int>(longest * box.lengths()[d] / (2.0 * std::numbers::pi));
    const auto count = static_cast<std::size_t>(shells);
    std::vector<double> number(count), length(count), sums(4 * count);
    double population[2] = {};
    for (const auto s : start.species) population[s] += 1.0;
    std::array<int, Dim> n;
    const auto visit = [&](const auto& self, std::size_t d) -> void {
        if (d < Dim) {
            for (n[d] = -max_index[d]; n[d] <= max_index[d]; ++n[d]) self(self, d + 1);
            return;
        }
        std::array<double, Dim> k;
        double k2 = 0.0;
        for (std::size_t e = 0; e < Dim; ++e) {
            k[e] = 2.0 * std::numbers::pi * n[e] / box.lengths()[e];
            k2 += k[e] * k[e];
        }
        if (k2 == 0.0 || std::sqrt(k2) > longest) return;
        const auto s = static_cast<std::size_t>(std::ceil(std::sqrt(k2) / longest * shells)) - 1;
        std::complex<double> rho[2];
        for (std::size_t i = 0; i < start.size(); ++i) {
            double phase = 0.0;
            for (std::size_t e = 0; e < Dim; ++e) phase += k[e] * start.position[i][e];
            rho[start.species[i]] += std::polar(1.0, phase);
        }
        number[s] += 1.0;
        length[s] += std::sqrt(k2);
        sums[s] += std::norm(rho[0] + rho[1]) / static_cast<double>(start.size());
        sums[count + s] += std::norm(rho[0]) / population[0];
        sums[2 * count + s] +=
            (rho[0] * std::conj(rho[1])).real() / std::sqrt(population[0] * population[1]);
        sums[3 * count + s] += std::norm(rho[1]) / population[1];
    };
    visit(visit, 0);
    std::vector<double> all;
    for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t s = 0; s < count; ++s)
            if (number[s] > 0.0) all.push_back(sums[c * count + s] / number[s]);
    for (std::size_t s = 0; s < count; ++s)
        if (number[s] > 0.0) k_of.push_back(length[s] / number[s]);
    return all;
}

template <int Dim>
void compare(const Backend& backend, const std::array<double, Dim>& lengths, double longest,
             int shells, double accuracy) {
    CAPTURE(Dim, longest, accuracy);
    std::array<bool, Dim> periodic;
    periodic.fill(true);
    const Box<Dim> box(lengths, periodic);
    Snapshot<Dim> start;
    start.species_table = {{"A"}, {"B"}};
    std::mt19937_64 random(9);
    for (std::size_t i = 0; i < 200; ++i) {
        std::array<double, Dim> x;
        for (std::size_t d = 0; d < Dim; ++d)
            x[d] = lengths[d] * std::uniform_real_distribution<>()(random);
        start.position.push_back(x);
        start.species.push_back(i % 3 == 0);
    }
    start.momentum.assign(200, {});
    start.image.assign(200, {});
    ParticleSystem<Dim> system(backend, box, start, 1, Neighbours<Dim>(backend, box, 8, 0.2), {});
    start = system.snapshot(); // as rounded to double
    MeshStructureFactor<Dim> factor(box, {{"A", 133}, {"B", 67}}, longest, shells, accuracy);
    Array<double> row(backend, factor.width());
    for (int again = 0; again < 2; ++again) {
        factor.enqueue(system, row.data());
        factor.accumulate(0.0, row.to_host());
    }
    std::vector<double> k;
    const std::vector<double> expected = add_directly<Dim>(start, box, longest, shells, k);
    const auto found = factor.estimates();
    REQUIRE(found.size() == 4);
    REQUIRE(found[0].axes.at(0).values.size() == k.size());
    CHECK(found[2].name == "structure_factor_A_B");
    for (std::size_t s = 0; s < k.size(); ++s) {
        CHECK(std::abs(found[0].axes[0].values[s] - k[s]) < 1e-12);
        for (std::size_t c = 0; c < 4; ++c) {
            // An amplitude x of about 1 becomes x + accuracy y with another such y: 2 accuracy |x
            // y|, where |x|^2 and |y|^2 are exponentially distributed.
            CHECK(std::abs(found[c].value[s] - expected[c * k.size() + s]) < 8.0 * accuracy);
            CHECK(found[c].error[s] == 0.0); // the same twice
        }
    }
}

} // namespace

TEST_CASE("S(k) by a mesh is that of all wave vectors to the accuracy asked for") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    compare<3>(backend, {7.0, 8.0, 9.5}, 6.0, 20, 1e-3);
    compare<3>(backend, {7.0, 4.0, 3.5}, 5.0, 7, 1e-6);
    compare<2>(backend, {12.0, 19.0}, 7.0, 20, 1e-2);
    compare<2>(backend, {12.0, 19.0}, 7.0, 20, 1e-5);
    compare<1>(backend, {40.0}, 9.0, 12, 1e-4);
}

TEST_CASE("meshes are fine enough, and not finer") {
    const Box<3> box({10.0, 20.0, 1.0}, {true, true, true});
    const WaveMesh<3> mesh = choose_mesh(box, 2.0 * std::numbers::pi, 1e-3);
    CHECK(mesh.max_index == std::array{10, 20, 1});
    for (std::size_t d = 0; d < 2; ++d) {
        const double m = mesh.max_index[d], K = mesh.count[d];
        const double alias = std::pow(m / (K - m), 6) + std::pow(m / (K + m), 6);
        CHECK(alias < 1e-3);
        CHECK(alias > 1e-4);
    }
    CHECK(mesh.count[2] >= 12);
    CHECK(mesh.modes() == 21 * 41 * 2);
    CHECK(mesh.indices(0) == std::array{-10, -20, 0});
    CHECK(mesh.indices(3) == std::array{-10, -19, 1});
    CHECK(mesh.indices(mesh.modes() - 1) == std::array{10, 20, 1});
}

TEST_CASE("weights of B-splines add up to 1 and know where a particle is") {
    for (const double u : {0.0, 0.25, 3.5, 7.999999, 8.0}) {
        const AssignmentWeights w(u);
        double sum = 0.0, mean = 0.0;
        for (int j = 0; j < AssignmentWeights::order; ++j) {
            CHECK(w.weight[j] >= 0.0);
            sum += w.weight[j];
            mean += w.weight[j] * (w.first + j);
        }
        CHECK(std::abs(sum - 1.0) < 1e-15);
        CHECK(std::abs(mean - (u - 0.5 * AssignmentWeights::order)) < 1e-14);
    }
}

TEST_CASE("Bragg peaks of a lattice by a mesh") {
    const Backend backend = Backend::cpu(2);
    const Box<2> box({12.0, 12.0}, {true, true});
    const auto start = at_rest<2>(jittered_points<2>(144, 1.0, 0.0, 1)); // the perfect lattice
    ParticleSystem<2> system(backend, box, start, 1, Neighbours<2>(backend, box, 8, 0.2), {});
    // Shells as thin as the distance of wave vectors along an axis: (12, 0) and (0, 12) are in the
    // 12th one, whose other vectors have none.
    const double unit = 2.0 * std::numbers::pi / 12.0;
    MeshStructureFactor<2> factor(box, {{"A", 144}}, 13 * unit, 13, 1e-8);
    Array<double> row(backend, factor.width());
    factor.enqueue(system, row.data());
    factor.accumulate(0.0, row.to_host());
    int vectors = 0;
    for (int x = -12; x <= 12; ++x)
        for (int y = -12; y <= 12; ++y) vectors += x * x + y * y > 121 && x * x + y * y <= 144;
    const auto found = factor.estimates().at(0);
    REQUIRE(found.value.size() == 13);
    for (std::size_t s = 0; s < 13; ++s)
        CHECK(std::abs(found.value[s] - (s == 11 ? 144.0 * 4 / vectors : 0.0)) < 1e-6);
}
