// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/local_density.hpp"

#include "support/catch.hpp"

#include <limits>

using namespace shadow;

namespace {

/// A simple cubic lattice of edge `count`, constant 1, from `origin` on.
Snapshot<3> cube(int count, double origin = 0.0) {
    Snapshot<3> snapshot;
    for (int x = 0; x < count; ++x)
        for (int y = 0; y < count; ++y)
            for (int z = 0; z < count; ++z)
                snapshot.position.push_back({origin + x + 0.5, origin + y + 0.5, origin + z + 0.5});
    return snapshot;
}

Box<3> periodic(double length) {
    return {{length, length, length}, {true, true, true}};
}

} // namespace

TEST_CASE("the density of a homogeneous system") {
    CHECK(local_density(cube(12), periodic(12.0), 3.0) == Approx(1.0));
    CHECK(local_density(cube(12), periodic(12.0), 100.0) == Approx(1.0)); // one cell
    // Images are no other place.
    CHECK(local_density(cube(12, -24.0), periodic(12.0), 3.0) == Approx(1.0));
    CHECK(local_density(cube(12, 1.5), periodic(12.0), 3.0) == Approx(1.0)); // across its end
    // Cells whose edge is no multiple of the lattice hold 4 to 5 layers.
    CHECK(local_density(cube(13), periodic(13.0), 4.2) == Approx(1.0).epsilon(0.06));
}

TEST_CASE("a droplet is dense, whatever is about it") {
    // At the surface cells are partly empty.
    CHECK(local_density(cube(12), periodic(120.0), 3.0) == Approx(1.0));
    CHECK(local_density(cube(12), Box<3>(), 3.0) == Approx(1.0));
    const double shifted = local_density(cube(12, 1.5), Box<3>(), 3.0);
    CHECK(shifted < 1.0);
    CHECK(shifted > 0.7);
}

TEST_CASE("large systems are sampled") {
    // 216,000 particles, a third of 8000 cells of 27.
    CHECK(local_density(cube(60), periodic(60.0), 3.0) == Approx(1.0));
}

TEST_CASE("there is at least one particle in a cell") {
    CHECK(local_density(Snapshot<3>(), periodic(10.0), 5.0) == Approx(1.0 / 125.0));
    CHECK(local_density(cube(1), Box<3>(), 5.0) == Approx(1.0 / 125.0));
    Snapshot<2> wild;
    wild.position = {{0.5, std::numeric_limits<double>::quiet_NaN()}, {1e300, -1e300}};
    CHECK(local_density(wild, Box<2>(), 1.0) == Approx(1.0));
}
