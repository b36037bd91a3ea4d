// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/bond_correlation.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include "shadow/system/lattice.hpp"

#include <complex>

using namespace shadow;

namespace {

/// A system with the list that the observable wants.
struct Plane {
    Plane(const Backend& backend, const Box<2>& box, const Points<2>& points,
          typename BondCorrelation::Plan plan)
        : observable(plan), neighbours(backend, box, 8, 0.2) {
        declare_list(neighbours, observable);
        system = std::make_unique<ParticleSystem<2>>(backend, box, at_rest<2>(points), 1,
                                                     std::move(neighbours),
                                                     std::vector<std::unique_ptr<ForceTerm<2>>>{});
        row = Array<double>(backend, observable.width());
    }
    std::vector<double> measure() {
        system->prepare_observation(false);
        observable.enqueue(*system, row.data());
        std::vector<double> numbers = row.to_host();
        observable.accumulate(0.0, numbers);
        return numbers;
    }

    BondCorrelation observable;
    Neighbours<2> neighbours;
    std::unique_ptr<ParticleSystem<2>> system;
    Array<double> row;
};

std::array<double, 2> nearest(const std::array<double, 2>& a, const std::array<double, 2>& b,
                              const Box<2>& box) {
    std::array<double, 2> dx;
    for (std::size_t d = 0; d < 2; ++d) {
        dx[d] = b[d] - a[d];
        dx[d] -= box.lengths()[d] * std::round(dx[d] / box.lengths()[d]);
    }
    return dx;
}

} // namespace

TEST_CASE("g_6 of a perfect triangular lattice is 1 at every distance") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const auto points = lattice_points<2>(lattice_cell<2>("triangular"), {16, 10}, 1.1);
    const Box<2> box({16 * 1.1, 10 * 1.1 * std::sqrt(3.0)}, {true, true});
    Plane plane(backend, box, points, {6, 1.4, 8.0, 40});
    const auto row = plane.measure();
    const auto g = plane.observable.estimates().at(0);
    CHECK(g.name == "bond_correlation_6");
    CHECK(g.axes.at(0).values.at(3) == 0.7);
    double pairs = 0.0;
    for (std::size_t k = 0; k < 40; ++k) {
        pairs += row[k];
        // Angles of float coordinates err by 16 * 6e-8 / 1.1, six times that in psi.
        if (row[k] > 0.0) CHECK(std::abs(g.value[k] - 1.0) < 1e-5);
        if (row[k] == 0.0) CHECK(g.value[k] == 0.0);
    }
    CHECK(row[5] == 320 * 6); // bin [1, 1.2): all neighbours
    CHECK(pairs == 320.0 * std::round(pairs / 320.0));
}

TEST_CASE("bond correlations are those of all pairs on every backend") {
    const Box<2> box({14.0, 17.0}, {true, true});
    const Points<2> points = random_points<2>(300, 0.3, {14.0, 17.0}, {true, true}, 5);
    const int bins = 13;
    const double radius = 1.4, largest = 6.5;
    std::vector<std::complex<double>> psi(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        int near = 0;
        for (std::size_t j = 0; j < points.size(); ++j) {
            const auto dx = nearest(points[i], points[j], box);
            if (i == j || !(std::hypot(dx[0], dx[1]) < radius)) continue;
            psi[i] += std::polar(1.0, 4 * std::atan2(dx[1], dx[0]));
            ++near;
        }
        if (near > 0) psi[i] /= near;
    }
    std::vector<double> pairs(bins), products(bins);
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < points.size(); ++j) {
            const auto dx = nearest(points[i], points[j], box);
            const double r = std::hypot(dx[0], dx[1]);
            if (i == j || !(r < largest)) continue;
            const auto k = static_cast<std::size_t>(r / largest * bins);
            pairs[k] += 1.0;
            products[k] += (std::conj(psi[i]) * psi[j]).real();
        }
    std::vector<double> before;
    for (const TestBackend& where : test_backends()) {
        const Backend backend = where.open();
        CAPTURE(where.name);
        Plane plane(backend, box, points, {4, radius, largest, bins});
        const auto row = plane.measure();
        for (std::size_t k = 0; k < bins; ++k) {
            CHECK(row[k] == pairs[k]);
            // Each product is rounded to 2^-31, some thousand of them in a bin.
            CHECK(std::abs(row[bins + k] / 1073741824.0 - products[k]) < 1e-9 * (1.0 + pairs[k]));
        }
        if (!before.empty()) CHECK(row == before);
        before = row;
        if (where.cuda) continue;
        CHECK(plane.measure() == row);
        Plane resumed(backend, box, points, {4, radius, largest, bins});
        resumed.observable.restore(plane.observable.state());
        CHECK(resumed.observable.state() == plane.observable.state());
        CHECK(resumed.observable.estimates().at(0).value ==
              plane.observable.estimates().at(0).value);
    }
}

TEST_CASE("of many particles some are origins, in turn") {
    // 5000 particles have 25 million pairs, more than are looked at: every seventh is an origin.
    const Backend backend = Backend::cpu(1);
    const Box<2> box({70.0, 72.0}, {true, true});
    const Points<2> points = random_points<2>(5000, 0.3, {70.0, 72.0}, {true, true}, 6);
    Plane plane(backend, box, points, {6, 1.4, 35.0, 4});
    std::vector<double> sum(8), first = plane.measure();
    for (std::size_t k = 0; k < 8; ++k) sum[k] += first[k];
    for (int turn = 1; turn < 7; ++turn) {
        const auto row = plane.measure();
        CHECK(row != first);
        for (std::size_t k = 0; k < 8; ++k) sum[k] += row[k];
    }
    CHECK(plane.measure() == first);
    // Together all, each pair from both sides.
    CHECK(sum[0] + sum[1] + sum[2] + sum[3] > 5000.0 * 4999.0 * 0.7);
    for (std::size_t k = 0; k < 4; ++k) CHECK(std::fmod(sum[k], 2.0) == 0.0);
    const auto all = plane.observable.estimates().at(0);
    CHECK(all.samples == 8);
    for (std::size_t k = 0; k < 4; ++k) {
        const double mean = (sum[4 + k] + first[4 + k]) / (sum[k] + first[k]) / BondProducts::one;
        CHECK(std::abs(all.value[k] - mean) < 1e-14);
        CHECK(std::isfinite(all.error[k]));
    }
}
