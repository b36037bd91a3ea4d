// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/directional_temperature.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("each direction has the temperature of its own motion") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const Box<3> box({9.0, 9.0, 9.0}, {true, true, true});
    Snapshot<3> start;
    start.species_table = {{"A", 1.0, 0.0}, {"B", 4.0, 0.0}};
    const int n = 64; // half of each
    for (int i = 0; i < n; ++i) {
        start.position.push_back({0.1 * i, 0.2 * (i % 7), 0.3});
        start.species.push_back(static_cast<std::uint16_t>(i % 2));
        const double side = i % 4 < 2 ? 1.0 : -1.0;
        start.momentum.push_back({2.0 * side, 0.5, 0.0});
    }
    start.image.assign(n, {});
    ParticleSystem<3> system(backend, box, start, 1, Neighbours<3>(backend, box, 8, 0.2), {});
    system.set_scalar(Scalar::s, 2.0); // momenta are those over s
    Array<double> row(backend, 3);
    const double k = 0.5;
    const double sum_x = 32 * (4.0 + 4.0 / 4) / 4, sum_y = 32 * (0.25 + 0.25 / 4) / 4;

    SECTION("with nothing conserved") {
        system.set_degrees_of_freedom(3 * n);
        DirectionalTemperature<3> observable(k, {});
        observable.enqueue(system, row.data());
        const auto t = row.to_host();
        CHECK(std::abs(t[0] - sum_x / (n * k)) < 1e-14);
        CHECK(std::abs(t[1] - sum_y / (n * k)) < 1e-14);
        CHECK(t[2] == 0.0);
        CHECK(observable.quantities().at(2).name == "temperature_z");
    }
    SECTION("without the motion of the centre of mass") {
        system.set_degrees_of_freedom(3 * n - 3);
        DirectionalTemperature<3> observable(k, {{160.0, 160.0, 160.0}});
        observable.enqueue(system, row.data());
        const auto t = row.to_host();
        const double p = 0.5 * n / 2;
        CHECK(std::abs(t[0] - sum_x / ((n - 1) * k)) < 1e-14);
        CHECK(std::abs(t[1] - (sum_y - p * p / 160.0) / ((n - 1) * k)) < 1e-14);
    }
    SECTION("where the momentum is conserved along y alone") {
        system.set_degrees_of_freedom(3 * n - 1);
        DirectionalTemperature<3> observable(k, {{0.0, 160.0, 0.0}});
        observable.enqueue(system, row.data());
        const auto t = row.to_host();
        const double p = 0.5 * n / 2;
        CHECK(std::abs(t[0] - sum_x / (n * k)) < 1e-14);
        CHECK(std::abs(t[1] - (sum_y - p * p / 160.0) / ((n - 1) * k)) < 1e-14);
    }
}
