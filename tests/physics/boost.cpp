// SPDX-License-Identifier: BSD-3-Clause
// A potential energy that is made flatter (Hamelberg, Mongan and McCammon 2004).
#include "support/catch.hpp"
#include "support/pair_system.hpp"
#include "support/world.hpp"

#include "shadow/integrators/boosted.hpp"

#include <cmath>
#include <fmt/format.h>

using namespace shadow;
using namespace shadow::test;

namespace {

Boost boost_of(const std::string& side, double threshold, double width) {
    return {threshold, width, 0.2, side != "above", side != "below"};
}

} // namespace

TEST_CASE("a boost joins V smoothly and stays within its width") {
    constexpr double width = 12.0;
    for (const char* side : {"below", "above", "both"}) {
        const Boost boost = boost_of(side, -3.0, width);
        CAPTURE(side);
        for (const double potential : {-900.0, -40.0, -3.1, -3.0, -2.9, 25.0, 1e4}) {
            const double h = 1e-4 * (1.0 + 1e-3 * std::abs(potential));
            const auto flatter = [&](double v) { return v + boost.energy(v); };
            const double slope = (flatter(potential + h) - flatter(potential - h)) / (2.0 * h);
            CHECK(std::abs(boost.slope(potential) - slope) < 1e-5);
            const bool acts = potential < -3.0 ? boost.below : boost.above;
            if (acts) {
                const double y = potential + 3.0;
                CHECK(std::abs(flatter(potential) + 3.0 - 0.2 * y) < 0.8 * width);
            }
            if (!acts) CHECK(boost.energy(potential) == 0.0);
        }
    }
    CHECK_FALSE(Boost{}.any());
}

TEMPLATE_TEST_CASE_SIG("forces beside a boost are those of its energy", "", ((int Dim), Dim), (1),
                       (2), (3)) {
    const auto where = GENERATE(from_range(test_backends()));
    const std::string side = GENERATE("below", "above", "both");
    const std::string method = GENERATE("verlet", "position-verlet", "blanes-moan-4");
    CAPTURE(where.name, side, method);
    // The third derivative of a boost on one side jumps at its threshold.
    const double order = method == "blanes-moan-4" ? 4.0 : 2.0;
    if (order > 2.0 && side != "both") return;
    const Setup<Dim> setup = warm_lattice<Dim>(Dim == 3 ? 6 : Dim == 2 ? 10 : 40, 1.0);
    const auto n = static_cast<double>(setup.start.size());
    const double start = World<Dim>(where, setup, short_smooth_force).potential();
    // On the way from a lattice to what it becomes.
    const Boost boost = boost_of(side, start + 0.2 * n, 0.5 * n);
    const auto off = [&](double dt) {
        World<Dim> world(where, setup, short_smooth_force);
        ParticleSystem<Dim>& system = world.system();
        system.set_boost(boost);
        const auto integrator =
            read_integrator("method = \"" + method + "\"\ndt = " + std::to_string(dt));
        const auto kept = [&] { return world.energy() + system.scalar(Scalar::boost); };
        const double before = kept();
        double sum = 0.0, changed = 0.0;
        const int steps = static_cast<int>(std::lround(0.4 / dt));
        for (int k = 0; k < steps; ++k) {
            world.run(*integrator, 1);
            sum += (kept() - before) * (kept() - before);
            const double slope = boost.slope(system.potential_energy());
            changed = std::max(changed, std::abs(slope - 1.0));
        }
        CHECK(changed > 0.005);
        return std::sqrt(sum / steps);
    };
    const double coarse = off(0.01), fine = off(0.005);
    CAPTURE(coarse, fine);
    CHECK(std::log2(coarse / fine) > order - 0.5);
    CHECK(fine < 0.01 * n);
}

namespace {

/// nose-poincare beside a boost, or the method of a density, of an energy near `start`.
std::unique_ptr<Integrator> flatter(bool of_total, double dt, double start) {
    const std::string bath = fmt::format("mass = 50.0\ntemperature = 1.0\ndt = {}\n", dt);
    if (of_total)
        return read_integrator(fmt::format("method = \"nose-density\"\n{}threshold = {}\nwidth = "
                                           "100.0\nleast_slope = 0.2",
                                           bath, start + 40.0));
    return std::make_unique<Boosted>(read_integrator("method = \"nose-poincare\"\n" + bath),
                                     boost_of("both", start + 40.0, 100.0));
}

} // namespace

TEST_CASE("nose-poincare and nose-density are of flatter energies") {
    const auto where = GENERATE(from_range(few_test_backends()));
    const bool of_total = GENERATE(false, true);
    CAPTURE(where.name, of_total);
    const Setup<3> setup = warm_lattice<3>(6, 1.0);
    World<3> still(where, setup, short_smooth_force);
    const double start = of_total ? still.energy() : still.potential();
    const auto off = [&](double dt) {
        World<3> world(where, setup, short_smooth_force);
        const auto method = flatter(of_total, dt, start);
        ParticleSystem<3>& system = world.system();
        method->prepare(system);
        const auto kept = [&] { return world.energy(*method); };
        const double before = kept();
        double worst = 0.0;
        for (int k = 0; k < static_cast<int>(std::lround(0.4 / dt)); ++k) {
            method->step(system);
            worst = test::larger(worst, std::abs(kept() - before));
        }
        return worst;
    };
    const double coarse = off(0.008), fine = off(0.004);
    CAPTURE(coarse, fine);
    CHECK(std::log2(coarse / fine) > 1.7);
    CHECK(fine < 1.0);
}

TEMPLATE_TEST_CASE_SIG("weights of a density are those of the energy that is measured", "",
                       ((int Dim), Dim), (1), (2), (3)) {
    const auto where = GENERATE(from_range(test_backends()));
    CAPTURE(where.name);
    const Setup<Dim> setup = warm_lattice<Dim>(Dim == 3 ? 6 : Dim == 2 ? 10 : 40, 1.0);
    World<Dim> world(where, setup, short_smooth_force), other(where, setup, short_smooth_force);
    const double n = static_cast<double>(setup.start.size()), start = world.energy();
    const auto method = read_integrator(fmt::format(
        "method = \"nose-density\"\nmass = {}\ntemperature = 1.0\ndt = 0.004\nthreshold = {}\n"
        "width = {}\nleast_slope = 0.4\nside = \"above\"",
        0.05 * n, start - 0.1 * n, 0.3 * n));
    ParticleSystem<Dim>& system = world.system();
    method->prepare(system);
    method->prepare(other.system());
    const Boost boost{start - 0.1 * n, 0.3 * n, 0.4, false, true, 1.0, true};
    for (int k = 0; k < 12; ++k) {
        method->step(system);
        method->step(other.system());
        system.prepare_observation(k % 2 == 0); // of one of them: no motion depends on it
        const double known = boost.of_density(world.energy());
        CHECK(std::abs(system.scalar(Scalar::boost) - known) < 1e-5);
        const double log_weight = known - system.scalar(Scalar::boost_reference); // kT is 1
        CHECK(std::abs(system.scalar(Scalar::step_weight) - log_weight) < 1e-4);
    }
    CHECK(std::abs(system.scalar(Scalar::boost_reference) - boost.of_density(start)) < 1e-5);
    const auto seen = system.state().snapshot.position,
               unseen = other.system().state().snapshot.position;
    double most = 0.0;
    for (std::size_t i = 0; i < seen.size(); ++i)
        for (int d = 0; d < Dim; ++d) most = larger(most, std::abs(seen[i][d] - unseen[i][d]));
    CHECK(most < 1e-9); // kicks with one force or with two, rounded
}

TEST_CASE("bits of a boosted system do not depend on the number of threads or on a restart") {
    const bool of_total = GENERATE(false, true);
    const auto end = [&](const TestBackend& where, bool resumed) {
        const Setup<3> setup = warm_lattice<3>(8, 1.0);
        World<3> world(where, setup, short_smooth_force, false);
        std::unique_ptr<Integrator> method = flatter(true, 0.004, world.energy());
        if (!of_total)
            method = std::make_unique<Boosted>(
                read_integrator("method = \"baoab\"\ndt = 0.004\nfriction = 1.0\n"
                                "temperature = 1.0"),
                boost_of("below", world.potential() + 100.0, 100.0));
        method->prepare(world.system());
        for (int k = 0; k < 30; ++k) method->step(world.system());
        if (resumed) {
            World<3> other(where, setup, short_smooth_force, false);
            other.system().restore(world.system().state());
            for (int k = 0; k < 30; ++k) method->step(other.system());
            return other.system().state();
        }
        for (int k = 0; k < 30; ++k) method->step(world.system());
        return world.system().state();
    };
    for (const TestBackend& where : best_processors()) {
        CAPTURE(where.name);
        const SystemState<3> a = end(where, false), b = end(where, true);
        CHECK(a.snapshot.position == b.snapshot.position);
        CHECK(a.ensemble.scalars == b.ensemble.scalars);
    }
    if (!is_wanted("cpu")) return;
    const InstructionSet isa = available_instruction_sets().back();
    CHECK(end(processor(isa, 1), false).snapshot.position ==
          end(processor(isa, 2), false).snapshot.position);
}
