// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/observables/heat_flux.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace shadow;

TEST_CASE("a gas carries its kinetic energy, in physical velocities") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    const Box<3> box({9.0, 8.0, 7.0}, {true, true, true});
    Snapshot<3> start;
    start.species_table = {{"A", 1.0, 0.0}, {"B", 4.0, 0.0}};
    for (int i = 0; i < 50; ++i) {
        start.position.push_back({0.125 * i, 0.25 * (i % 7), 0.5});
        start.species.push_back(static_cast<std::uint16_t>(i % 3 == 0));
        start.momentum.push_back({0.5 * (i % 5), 0.25 * (i % 4) - 1.0, 0.125 * i});
    }
    start.image.assign(start.size(), {});
    ParticleSystem<3> system(backend, box, start, 1, Neighbours<3>(backend, box, 8, 0.2), {});
    const double s = 2.0, freedom = 147.0, boltzmann = 0.5;
    system.set_scalar(Scalar::s, s); // momenta are those over s
    system.set_degrees_of_freedom(freedom);

    double mass = 0.0, centre[3] = {}, flux[3] = {}, twice_kinetic = 0.0;
    const auto each = [&](auto&& use) {
        for (std::size_t i = 0; i < start.size(); ++i)
            use(start.species_table[start.species[i]].mass, start.momentum[i]);
    };
    each([&](double m, const std::array<double, 3>& p) {
        mass += m;
        for (std::size_t d = 0; d < 3; ++d) centre[d] += p[d] / s;
    });
    each([&](double m, const std::array<double, 3>& p) {
        double v[3], square = 0.0;
        for (std::size_t d = 0; d < 3; ++d) {
            v[d] = p[d] / (m * s) - centre[d] / mass;
            square += v[d] * v[d];
        }
        twice_kinetic += m * square;
        for (std::size_t d = 0; d < 3; ++d) flux[d] += 0.5 * m * square * v[d] / box.volume();
    });

    HeatFlux<3> observable(HeatFluxRow<3>({box.volume(), boltzmann, {{mass, mass, mass}}}));
    Array<double> row(backend, observable.width());
    observable.enqueue(system, row.data());
    const auto found = row.to_host();
    for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(found[d] - flux[d]) < 1e-13);
    CHECK(std::abs(found[3] - twice_kinetic / (freedom * boltzmann)) < 1e-12);
    CHECK(observable.quantities().at(1).name == "heat_flux_y");
    CHECK(observable.quantities().at(1).unit == "energy/length^2/time");
}
