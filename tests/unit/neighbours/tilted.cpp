// SPDX-License-Identifier: BSD-3-Clause
// Tilted boxes: pairs through their images, where particles truly are, and cells of the same
// lattice.
#include "support/all_pairs.hpp"
#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/forces/direct_sum.hpp"
#include "shadow/system/tilt.hpp"
#include "shadow/system/unwrapped.hpp"

#include <cmath>
#include <random>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr const char* leaning_force = R"(
[[force]]
type = "lennard-jones"
epsilon = 1.0
sigma = 1.0
cutoff = 2.0
truncation = "force-shift"
)";

/// Parts of lengths: one edge leans, two lean along one direction, one along two, and all that can.
struct Lean {
    std::int32_t flow, gradient;
    double slide, third_flow, third_gradient;
};

template <int Dim>
Lean any_lean() {
    if constexpr (Dim == 2) return GENERATE(Lean{0, 1, 0.37, 0, 0}, Lean{1, 0, -0.5, 0, 0});
    return GENERATE(Lean{0, 1, 0.5, 0.0, 0.0}, Lean{2, 0, -0.29, 0.0, 0.0},
                    Lean{0, 1, 0.21, -0.43, 0.0}, Lean{0, 1, 0.0, 0.31, 0.47},
                    Lean{0, 1, 0.5, -0.5, 0.5}, Lean{1, 2, 0.33, 0.41, -0.23},
                    Lean{2, 0, -0.17, 0.5, 0.49}, Lean{0, 2, 0.41, 0.12, 0.37},
                    Lean{2, 1, 0.27, -0.31, -0.45}, Lean{1, 0, 0.5, 0.22, 0.36});
}

/// Two species in motion around sites that lean with their box.
template <int Dim>
Setup<Dim> leaning_liquid(int side, const Lean& lean) {
    Setup<Dim> setup = warm_lattice<Dim>(side, 1.0);
    const double length = setup.box.lengths()[0];
    const SlidingImages sliding{lean.flow,
                                lean.gradient,
                                lean.slide * length,
                                0.0,
                                lean.third_flow * length,
                                lean.third_gradient * length};
    setup.box.set_sliding(sliding);
    for (auto& x : setup.start.position) {
        const auto upright = x;
        for (std::int32_t e = 0; e < Dim; ++e)
            sliding.slide_back(x, e, -upright[static_cast<std::size_t>(e)] / length);
    }
    return setup;
}

template <int Dim>
double farthest(const std::vector<std::array<double, Dim>>& a,
                const std::vector<std::array<double, Dim>>& b) {
    double largest = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            largest = test::larger(largest, std::abs(a[i][d] - b[i][d]));
    return largest;
}

template <int Dim>
std::vector<std::array<double, Dim>> places(const Snapshot<Dim>& snapshot, const Box<Dim>& box) {
    std::vector<std::array<double, Dim>> all;
    for (std::size_t i = 0; i < snapshot.size(); ++i) all.push_back(unwrapped(snapshot, box, i));
    return all;
}

} // namespace

TEMPLATE_TEST_CASE_SIG("forces in a tilted box are those of a sum over all pairs", "",
                       ((int Dim), Dim), (2), (3)) {
    const auto where = GENERATE(from_range(every_processor()));
    const bool pair_is_double = GENERATE(true, false);
    const Lean lean = any_lean<Dim>();
    CAPTURE(where.name, pair_is_double, lean.flow, lean.gradient, lean.slide, lean.third_flow,
            lean.third_gradient);
    const int side = GENERATE(4, Dim == 3 ? 8 : 22); // of 4 not much longer than two cut-offs
    World<Dim> world(where, leaning_liquid<Dim>(side, lean), leaning_force, pair_is_double);
    const auto verlet = read_integrator("method = \"verlet\"\ndt = 0.004");
    for (int k = 0; k < 3; ++k) {
        check_sum_over_all_pairs(world, pair_is_double);
        world.run(*verlet, 40);
    }
}

TEST_CASE("particles of a tilted box are in it, and images say where they truly are") {
    const auto where = GENERATE(from_range(best_processors()));
    const Lean lean = any_lean<3>();
    CAPTURE(where.name, lean.flow, lean.gradient, lean.slide, lean.third_flow, lean.third_gradient);
    Setup<3> setup = leaning_liquid<3>(6, lean);
    std::mt19937_64 random(5);
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) {
            setup.start.image[i][d] = static_cast<std::int32_t>(random() % 7) - 3;
            setup.start.position[i][d] +=
                setup.box.lengths()[d] * (static_cast<double>(random() % 9) - 4.0);
        }
    const auto before = places(setup.start, setup.box);
    World<3> world(where, setup, leaning_force);
    world.potential();
    const Snapshot<3> now = world.system().snapshot();
    CHECK(farthest<3>(places(now, world.system().box()), before) < 1e-12 * 100.0);
    for (const auto& x : now.position)
        for (std::size_t d = 0; d < 3; ++d) CHECK((x[d] >= 0.0 && x[d] < setup.box.lengths()[d]));
}

TEST_CASE(
    "a box scaled along its directions keeps the fractions that particles have of its edges") {
    const auto where = GENERATE(from_range(best_processors()));
    CAPTURE(where.name);
    const Setup<3> setup = leaning_liquid<3>(7, {0, 1, 0.3, -0.4, 0.45});
    World<3> world(where, setup, leaning_force);
    ParticleSystem<3>& system = world.system();
    world.potential();
    const auto fractions = [&] {
        const BoxView<3> box = system.box().view();
        const Snapshot<3> now = system.snapshot();
        std::vector<std::array<double, 3>> all;
        for (const auto& place : places(now, system.box())) {
            double x[3], u[3];
            std::copy_n(place.begin(), 3, x);
            box.fractions(x, u);
            all.push_back({u[0], u[1], u[2]});
        }
        return all;
    };
    const auto before = fractions();
    for (int k = 0; k < 5; ++k) {
        system.set_scalar(Scalar::strain, 1.0 + 0.02 * k);
        system.scale_box(Scalar::strain, Axes{1} << (k % 3));
        const double energy = world.potential();
        const Snapshot<3> now = system.snapshot();
        const Box<3> box = system.box();
        const DirectSum<3> sum(world.plan(), box, now, true);
        double total = 0.0;
        for (std::size_t i = 0; i < world.size(); ++i) total += sum(i).value.energy;
        CHECK(std::abs(energy - total) < 1e-11 * std::abs(total));
        CHECK(farthest<3>(fractions(), before) < 1e-13);
    }
}

TEST_CASE("edges by their order, and the box of the same lattice with the least tilts") {
    CHECK(!images_of({{{1, 2, 0}, {3, 1, 0}, {0, 0, 1}}}).has_value());
    CHECK(!images_of({{{1, 2, 0}, {0, 1, 3}, {4, 0, 1}}}).has_value());
    CHECK(!images_of({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}})->any());
    const SlidingImages xz = *images_of({{{1, 0, 0}, {0, 1, 0}, {7, 0, 1}}});
    CHECK((xz.flow == 0 && xz.gradient == 2 && xz.slide == 7.0 && !xz.third_is_tilted()));
    const SlidingImages yx = *images_of({{{1, -2, 0}, {0, 1, 0}, {0, 0, 1}}});
    CHECK((yx.flow == 1 && yx.gradient == 0 && yx.slide == -2.0 && !yx.third_is_tilted()));
    const SlidingImages all = *images_of({{{1, 5, 4}, {0, 1, 3}, {0, 0, 1}}}); // z, y, x
    CHECK((all.flow == 2 && all.gradient == 1 && all.slide == 3.0));
    CHECK((all.third() == 0 && all.third_flow == 4.0 && all.third_gradient == 5.0));

    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> tilt(-30.0, 30.0);
    for (int k = 0; k < 200; ++k) {
        Box<3> box({5.0, 6.0, 7.0}, {true, true, true});
        const std::int32_t x = k % 3, y = (x + 1 + k / 3 % 2) % 3;
        const SlidingImages given{x, y, tilt(random), 0.0, tilt(random), tilt(random)};
        box.set_sliding(given);
        Snapshot<3> one;
        one.position = {{1.0, 2.0, 3.0}};
        one.image = {{3, -2, 5}};
        const auto before = unwrapped(one, box, 0);
        reduce_tilt(box).apply(given, one.image[0]);
        const auto after = unwrapped(one, box, 0);
        for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(after[d] - before[d]) < 1e-12 * 300.0);
        const auto length = [&](std::int32_t d) {
            return box.lengths()[static_cast<std::size_t>(d)];
        };
        const SlidingImages& now = box.sliding();
        CHECK(std::abs(now.slide) <= 0.5 * length(x) * (1.0 + 1e-12));
        CHECK(std::abs(now.third_flow) <= 0.5 * length(x) * (1.0 + 1e-12));
        CHECK(std::abs(now.third_gradient) <= 0.5 * length(y) * (1.0 + 1e-12));
    }
}

TEST_CASE("wave vectors have whole turns along the edges of a tilted box") {
    const Lean lean = any_lean<3>();
    const BoxView<3> box = leaning_liquid<3>(5, lean).box.view();
    const std::int32_t turns[3] = {3, -7, 2};
    double k[3];
    box.wave_vector(turns, k);
    for (int e = 0; e < 3; ++e) {
        double product = k[e] * box.length[e];
        for (int d = 0; d < 3; ++d)
            if (d != e) product += k[d] * box.sliding.lean(e, d);
        CHECK(std::abs(product / (2.0 * std::acos(-1.0)) - turns[e]) < 1e-12);
    }
    const double x[3] = {0.7, -3.1, 12.3};
    double u[3], phase = 0.0, same = 0.0;
    box.fractions(x, u);
    for (int d = 0; d < 3; ++d) {
        phase += k[d] * x[d];
        same += 2.0 * std::acos(-1.0) * turns[d] * u[d];
    }
    CHECK(std::abs(phase - same) < 1e-12 * 100.0);
}
