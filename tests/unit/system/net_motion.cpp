// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/system/net_motion.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <random>

using namespace shadow;

namespace {

/// Masses 1 and 3 anywhere, with any momenta.
template <int Dim>
Snapshot<Dim> gas(std::size_t count) {
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    Snapshot<Dim> s;
    s.species_table = {{"A", 1.0, 0.0}, {"B", 3.0, 0.0}};
    for (std::size_t i = 0; i < count; ++i) {
        s.species.push_back(i % 3 == 0);
        s.position.emplace_back();
        s.momentum.emplace_back();
        for (std::size_t d = 0; d < Dim; ++d) {
            s.position[i][d] = 10.0 + 4.0 * normal(random);
            s.momentum[i][d] = 0.7 + normal(random);
        }
    }
    s.image.resize(count);
    return s;
}

Box<3> box(bool x, bool y, bool z) {
    return {{20.0, 20.0, 20.0}, {x, y, z}};
}

} // namespace

TEST_CASE("angular momentum is conserved about axes across open directions") {
    using Three = std::array<bool, 3>;
    CHECK(conserved_momenta(box(false, false, false)).angular == Three{true, true, true});
    CHECK(conserved_momenta(box(true, false, false)).angular == Three{true, false, false});
    CHECK(conserved_momenta(box(false, true, false)).angular == Three{false, true, false});
    CHECK(conserved_momenta(box(false, false, true)).angular == Three{false, false, true});
    CHECK(conserved_momenta(box(true, true, false)).angular == Three{false, false, false});
    // Of a field along z those about z, along x those about x.
    CHECK(conserved_momenta(box(false, false, false), Invariance<3>({true, true, false})).angular ==
          Three{false, false, true});
    CHECK(conserved_momenta(box(false, false, false), Invariance<3>({false, true, true})).angular ==
          Three{true, false, false});
    CHECK(conserved_momenta(box(true, true, true), Invariance<3>({false, true, true})).linear ==
          Three{false, true, true});
    CHECK(conserved_momenta(Box<2>()).angular == std::array<bool, 1>{true});
    CHECK(conserved_momenta(Box<2>({1.0, 0.0}, {true, false})).angular ==
          std::array<bool, 1>{false});
}

TEST_CASE("the motion of a rigid body is all net motion") {
    auto s = gas<3>(9);
    const std::array<double, 3> v{0.3, -1.0, 0.2}, omega{0.5, 0.1, -0.8}, about{1.0, 2.0, 3.0};
    for (std::size_t i = 0; i < s.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) {
            const std::size_t a = (d + 1) % 3, b = (d + 2) % 3;
            s.momentum[i][d] = s.mass(i) * (v[d] + omega[a] * (s.position[i][b] - about[b]) -
                                            omega[b] * (s.position[i][a] - about[a]));
        }
    const auto motion = net_motion(s, conserved_momenta(box(false, false, false)));
    CHECK(motion.rotation > 1.0);
    CHECK(motion.translation > 1.0);
    CHECK(std::abs(motion.translation + motion.rotation - motion.kinetic) < 1e-12 * motion.kinetic);
    remove_net_motion(s, conserved_momenta(box(false, false, false)));
    CHECK(net_motion(s, conserved_momenta(box(false, false, false))).kinetic < 1e-25);
}

TEMPLATE_TEST_CASE_SIG("net motion is removed, and nothing else", "", ((int Dim), Dim), 1, 2, 3) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> periodic{};
    lengths.fill(20.0);
    periodic[0] = GENERATE(false, true);
    const Box<Dim> box(lengths, periodic);
    const auto before = gas<Dim>(50);
    auto after = before;
    const auto motion = net_motion(before, conserved_momenta(box));
    remove_net_motion(after, conserved_momenta(box));
    const auto left = net_motion(after, conserved_momenta(box));
    CHECK(motion.translation > 0.1);
    // Rounding of 50 terms: squares of 50 * 1e-16 * 10.
    CHECK(left.translation < 1e-26);
    CHECK(left.rotation < 1e-26);
    // The nearest momenta without it, in the metric of the masses: energies add up.
    CHECK(std::abs(left.kinetic + motion.translation + motion.rotation - motion.kinetic) <
          1e-12 * motion.kinetic);
    CHECK(after.position == before.position);
    const auto turning = conserved_momenta(box).angular;
    for (std::size_t k = 0; k < turning.size(); ++k)
        CHECK((motion.angular_momentum[k] != 0.0) == turning[k]);
}
