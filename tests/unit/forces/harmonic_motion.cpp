// SPDX-License-Identifier: BSD-3-Clause
// The exact motion under linear forces against small steps of high order.
#include "shadow/forces/harmonic_motion.hpp"

#include "support/catch.hpp"
#include "support/world.hpp"

#include "shadow/core/error.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

/// A ring of five particles, a chain of two and two that are alone, of three species, in motion.
/// Bonds may go through the border of a box.
template <int Dim>
Setup<Dim> rings(bool periodic) {
    std::array<double, Dim> lengths;
    std::array<bool, Dim> everywhere;
    lengths.fill(30.0);
    everywhere.fill(periodic);
    Setup<Dim> setup =
        setup_of<Dim>(jittered_points<Dim>(9, 0.9, 0.2, 3), Box<Dim>(lengths, everywhere), 3);
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            double& x = setup.start.position[i][d];
            if (periodic) x = std::fmod(x + 28.0, 30.0);
            setup.start.momentum[i][d] = std::sin(1.7 * static_cast<double>(i * Dim + d) + 0.3);
        }
    setup.topology.group(BondedKind::bond, "stiff").members = {0, 1, 1, 2, 2, 3, 3, 4, 4, 0};
    setup.topology.group(BondedKind::bond, "soft").members = {5, 6};
    return setup;
}

std::string numbers(int dim, double first, double by) {
    std::string text = "[";
    for (int d = 0; d < dim; ++d) text += std::to_string(first + by * d) + ", ";
    return text + "]";
}

template <int Dim>
std::string linear_forces(bool periodic) {
    std::string text =
        "[[force]]\ntype = \"harmonic-bond\"\nof = \"stiff\"\nk = 40.0\nr0 = 0.0\n"
        "level = \"fast\"\n"
        "[[force]]\ntype = \"harmonic-bond\"\nof = \"soft\"\nk = 3.0\nr0 = 0.0\n"
        "level = \"fast\"\n"
        "[[force]]\ntype = \"uniform-field\"\ncoupling = \"mass\"\nlevel = \"fast\"\n"
        "strength = " +
        numbers(Dim, 0.3, -0.2) + "\n";
    if (!periodic)
        text += "[[force]]\ntype = \"harmonic-trap\"\nspecies = [\"A\", \"C\"]\nlevel = \"fast\"\n"
                "stiffness = " +
                numbers(Dim, 2.0, 5.0) + "\ncentre = " + numbers(Dim, 0.4, 0.3) +
                "\n[[force]]\ntype = \"harmonic-trap\"\ncoupling = \"mass\"\nlevel = \"fast\"\n"
                "modulation = { points = [[0.0, 0.5]] }\nstiffness = " +
                numbers(Dim, 1.5, 0.0) + "\n";
    return text;
}

template <int Dim>
void check_motion(const TestBackend& where, bool periodic) {
    CAPTURE(Dim, where.name, periodic);
    const Setup<Dim> setup = rings<Dim>(periodic);
    for (const double t : {0.02, 3.7, -1.3}) {
        CAPTURE(t);
        World<Dim> exact(where, setup, linear_forces<Dim>(periodic)),
            small(where, setup, linear_forces<Dim>(periodic));
        const double energy = exact.energy();
        exact.system().move_exactly(t);
        const int steps = std::max(20, static_cast<int>(300.0 * std::abs(t)));
        const auto method = read_integrator("method = \"mclachlan-8\"\ndt = 0.01\n");
        for (int k = 0; k < steps; ++k) apply_word(small.system(), method->word(), t / steps);
        CHECK(exact.energy() == Approx(energy).epsilon(1e-13).margin(1e-13));
        const Snapshot<Dim> a = exact.system().snapshot(), b = small.system().snapshot();
        const Vectors<Dim> x = exact.places(), y = small.places();
        double worst = 0.0;
        for (std::size_t i = 0; i < a.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d)
                worst = larger(worst, larger(std::abs(x[i][d] - y[i][d]),
                                             std::abs(a.momentum[i][d] - b.momentum[i][d])));
        CHECK(worst < 1e-11);
    }
}

} // namespace

TEST_CASE("the exact motion under linear forces is that of many small steps") {
    for (const TestBackend& where : best_processors())
        for (const bool periodic : {false, true}) {
            check_motion<1>(where, periodic);
            check_motion<2>(where, periodic);
            check_motion<3>(where, periodic);
        }
}

TEST_CASE("exact motions there and back return") {
    for (const TestBackend& where : best_processors()) {
        World<3> world(where, rings<3>(false), linear_forces<3>(false));
        const Vectors<3> start = world.places();
        for (const double t : {0.4, 7.0, 7.0, -0.4, -7.0, -7.0}) world.system().move_exactly(t);
        const Vectors<3> end = world.places();
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t d = 0; d < 3; ++d) CHECK(std::abs(end[i][d] - start[i][d]) < 1e-12);
    }
}

TEST_CASE("molecules that are alike share their matrices") {
    Setup<3> setup = rings<3>(true);
    const std::string input = linear_forces<3>(true);
    World<3> world(best_processor(), setup, input);
    const Backend backend = Backend::cpu();
    const HarmonicMotion<3> motion(backend, world.plan().of<BondedDescription>(1),
                                   world.plan().of<FieldDescription>(1), setup.start);
    // The ring, the chain, and of single particles those of species B and C.
    CHECK(motion.kinds() == 4);
}

TEST_CASE("forces that are linear say so") {
    const auto plan = [](const std::string& force, bool bonded) {
        Setup<2> setup = rings<2>(false);
        if (!bonded) setup.topology = {};
        return World<2>(best_processor(), setup, "[[force]]\nlevel = \"fast\"\n" + force).plan();
    };
    const auto bond = [&](const std::string& force) {
        return plan(force, true).first<BondedDescription>()->is_linear();
    };
    CHECK(bond("type = \"harmonic-bond\"\nk = 2.0\nr0 = 0.0\n"));
    CHECK(!bond("type = \"harmonic-bond\"\nk = 2.0\nr0 = 0.1\n"));
    CHECK(!bond("type = \"fene-bond\"\nk = 2.0\nr_max = 5.0\n"));
    const auto field = [&](const std::string& force) {
        return plan(force, false).first<FieldDescription>()->is_linear();
    };
    CHECK(field("type = \"harmonic-trap\"\nstiffness = [1.0, 2.0]\n"));
    CHECK(field("type = \"uniform-field\"\nstrength = [1.0, 2.0]\n"));
    CHECK(
        !field("type = \"uniform-field\"\nstrength = [1.0, 2.0]\nmodulation = { period = 2.0 }\n"));
    CHECK(!field(
        "type = \"wall-harmonic\"\npoint = [-9.0, 0.0]\nnormal = [1.0, 0.0]\nstiffness = 2.0\n"));
}

TEST_CASE("fields that claim to be linear are") {
    // A force at the middle of two places is the mean of theirs.
    Setup<3> setup = rings<3>(false);
    setup.topology = {};
    for (const char* text : {"type = \"harmonic-trap\"\nstiffness = [1.0, 2.0, 0.5]\n",
                             "type = \"uniform-field\"\nstrength = [1.0, 2.0, 0.0]\n"}) {
        const auto fields = World<3>(best_processor(), setup, std::string("[[force]]\n") + text)
                                .plan()
                                .of<FieldDescription>();
        const double a[] = {-300.0, 2.0, 7.0}, b[] = {40.0, 0.5, -90.0},
                     middle[] = {-130.0, 1.25, -41.5};
        const auto at = [&](const double* x) { return fields.front().at<3>(x, 1); };
        for (std::size_t d = 0; d < 3; ++d)
            CHECK(at(middle).force[d] ==
                  Approx(0.5 * (at(a).force[d] + at(b).force[d])).margin(1e-12));
    }
}
