// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/ops/fire.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"

#include "shadow/core/array.hpp"
#include "shadow/system/particles.hpp"

#include "kernels/launch.hpp"

#include <cmath>
#include <vector>

using namespace shadow;

TEST_CASE("a minimisation moves no particle farther than it may") {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Backend backend = where.open();
    // Forces that would move particles by 0.01, 0.5 and beyond all numbers.
    const std::vector<std::array<double, 2>> forces = {{1.0, 0.0}, {-30.0, 40.0}, {1e300, 1e300}};
    Snapshot<2> start;
    start.species_table = {Species{}};
    start.position.resize(3);
    start.momentum.resize(3);
    start.image.resize(3);
    start.species.resize(3);
    Ensemble<2> ensemble(backend, Box<2>{});
    ensemble.set_scalar(Scalar::descent_step, 0.1);
    Particles<2> particles(backend, ensemble, start);
    std::vector<double> x, y;
    for (const auto& f : forces) {
        x.push_back(f[0]);
        y.push_back(f[1]);
    }
    const Array<double> fx(backend, x), fy(backend, y);
    MoveFire<2> move{particles.view(), {}, {ensemble.scalars()}, 0.05};
    move.force.add({{fx.data(), fy.data()}});
    launch(backend, move, 3);
    const Snapshot<2> moved = particles.snapshot();
    CHECK(moved.position[0][0] == Approx(0.01).epsilon(1e-14));
    CHECK(moved.position[1][0] == Approx(-0.03).epsilon(1e-14)); // along its force
    CHECK(moved.position[1][1] == Approx(0.04).epsilon(1e-14));
    CHECK(std::hypot(moved.position[2][0], moved.position[2][1]) == Approx(0.05).epsilon(1e-14));
}
