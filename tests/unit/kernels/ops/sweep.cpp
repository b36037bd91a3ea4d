// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/sweep.hpp"

#include "support/catch.hpp"

#include "shadow/neighbours/neighbours.hpp"

#include "kernels/cpu/launch.hpp"

#include <algorithm>
#include <cmath>
#include <random>

using namespace shadow;

namespace {

/// Number of partners and sums which weigh distance, direction and identity.
template <int Dim>
struct Weigh {
    struct Sum {
        int partners;
        double r2, first, ids;
    };
    const std::uint32_t* id;
    Sum* out; ///< by id

    Sum begin() const { return {0, 0.0, 0.0, 0.0}; }
    void pair(Sum& sum, const double (&dx)[Dim], double r2, std::int64_t, std::int64_t j) const {
        sum.partners += 1;
        sum.r2 += r2;
        sum.first += dx[0];
        sum.ids += id[j];
    }
    void end(std::int64_t i, const Sum& sum) const { out[id[i]] = sum; }
};

} // namespace

TEMPLATE_TEST_CASE_SIG("a sweep meets every pair within the radius", "", ((int Dim), Dim), 1, 2,
                       3) {
    const Backend backend = Backend::cpu(2);
    const bool periodic = GENERATE(true, false);
    const int cluster_size = GENERATE(1, 4, 8, 16);
    const double length = 6.5, radius = 1.3;
    std::array<double, Dim> lengths{};
    std::array<bool, Dim> mask{};
    if (periodic) {
        lengths.fill(length);
        mask.fill(true);
    }
    const Box<Dim> box(lengths, mask);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(0.0, length);
    Snapshot<Dim> s;
    s.species_table = {{}};
    const std::size_t n = 150;
    for (std::size_t i = 0; i < n; ++i) {
        s.position.emplace_back();
        for (auto& x : s.position.back()) x = uniform(random);
    }
    s.momentum.resize(n);
    s.image.resize(n);
    s.species.resize(n);
    const Ensemble<Dim> ensemble(backend, box);
    Particles<Dim> particles(backend, ensemble, s);
    Neighbours<Dim> neighbours(backend, box, cluster_size, 0.3);
    neighbours.add_list(2.0);
    neighbours.update(particles);

    using Sum = typename Weigh<Dim>::Sum;
    const auto view = particles.view();
    std::vector<Sum> one(n), many(n);
    Sweep<Dim, Weigh<Dim>> sweep{view.position,   view.box, neighbours.list(0),
                                 radius * radius, 1,        {view.id, one.data()}};
    cpu::launch(backend, sweep, neighbours.cluster_bound(), nullptr);
    sweep.lanes = cluster_size;
    sweep.op.out = many.data();
    cpu::launch(backend, sweep, neighbours.cluster_bound() * sweep.lanes, nullptr);

    for (std::size_t i = 0; i < n; ++i) {
        Sum truth{0, 0.0, 0.0, 0.0};
        for (std::size_t j = 0; j < n; ++j) {
            if (j == i) continue;
            std::array<double, Dim> dx;
            double r2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) {
                dx[d] = s.position[j][d] - s.position[i][d];
                if (periodic) dx[d] = std::remainder(dx[d], length);
                r2 += dx[d] * dx[d];
            }
            if (r2 >= radius * radius) continue;
            ++truth.partners;
            truth.r2 += r2;
            truth.first += dx[0];
            truth.ids += static_cast<double>(j);
        }
        CHECK(one[i].partners == truth.partners);
        CHECK(one[i].ids == truth.ids);
        // Sums of up to 150 terms below 2, in another order and with images added first.
        CHECK(std::abs(one[i].r2 - truth.r2) < 1e-12);
        CHECK(std::abs(one[i].first - truth.first) < 1e-12);
        CHECK(many[i].partners == one[i].partners);
        CHECK(many[i].r2 == one[i].r2);
        CHECK(many[i].first == one[i].first);
    }
}
