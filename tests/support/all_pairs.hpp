// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/forces/direct_sum.hpp"

#include <cmath>

namespace shadow::test {

/// Checks energy, forces and virial of a world of pair forces against a sum over all pairs.
template <int Dim>
void check_sum_over_all_pairs(World<Dim>& world, bool pair_is_double) {
    const double energy = world.potential();
    const auto forces = world.forces();
    const Snapshot<Dim> now = world.system().snapshot();
    const DirectSum<Dim> sum(world.plan(), world.system().box(), now, pair_is_double);
    double total = 0.0, worst = 0.0;
    SymmetricTensor<Dim> virial{};
    for (std::size_t i = 0; i < now.size(); ++i) {
        const auto expected = sum(i);
        total += expected.value.energy;
        for (std::size_t c = 0; c < expected.value.virial.size(); ++c)
            virial.component[c] += expected.value.virial[c];
        for (std::size_t d = 0; d < Dim; ++d)
            worst = test::larger(worst, std::abs(forces[i][d] - expected.value.force[d]) /
                                            expected.rounding.force[d]);
    }
    CHECK(worst < 1.0);
    const double rounding = pair_is_double ? 1e-11 : 1e-4;
    CHECK(std::abs(energy - total) < rounding * std::abs(total));
    const auto measured = world.virial();
    for (int c = 0; c < tensor_size<Dim>; ++c)
        CHECK(std::abs(measured.component[c] - virial.component[c]) < rounding * std::abs(total));
}

} // namespace shadow::test
