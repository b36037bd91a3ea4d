// SPDX-License-Identifier: BSD-3-Clause
// The motion of light atoms, and the mean force on heavy ones in it, against small steps with the
// forces of the engine.
#include "shadow/forces/light_atoms.hpp"

#include "support/averaged_world.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double light_mass = 1.5; // the species have 1 and 2

template <int Dim>
Setup<Dim> moving_chains(const std::vector<BondedKind>& kinds) {
    Setup<Dim> setup = chained<Dim>(kinds);
    setup.start.momentum = some_vectors<Dim>(setup.start.size(), 5);
    return setup;
}

/// Verlet's method with the forces of the engine; heavy particles move straight on, or stay.
template <int Dim>
struct LightByTheBook {
    AveragedWorld<Dim>& m;
    Vectors<Dim> place, momentum, force;

    LightByTheBook(AveragedWorld<Dim>& world, Vectors<Dim> q, Vectors<Dim> p)
        : m(world), place(std::move(q)), momentum(std::move(p)) {
        measure();
    }
    void measure() {
        m.move_to(place);
        force = m.forces();
    }
    bool is_light(std::size_t i) const { return m.setup.start.mass(i) < light_mass; }
    void kick(double t) {
        for (std::size_t i = 0; i < place.size(); ++i)
            for (std::size_t d = 0; is_light(i) && d < Dim; ++d) momentum[i][d] += t * force[i][d];
    }
    void step(double dt, bool others) {
        kick(0.5 * dt);
        for (std::size_t i = 0; i < place.size(); ++i)
            for (std::size_t d = 0; (others || is_light(i)) && d < Dim; ++d)
                place[i][d] += dt * momentum[i][d] / m.setup.start.mass(i);
        measure();
        kick(0.5 * dt);
    }
};

template <int Dim>
void check_motion(AveragedWorld<Dim>& m, double t, int steps) {
    CAPTURE(t, steps);
    const LightMotion how{light_mass, steps};
    LightAtoms<Dim> light(m.backend, m.plan.template of<BondedDescription>(), m.setup.start);
    const Vectors<Dim> start = m.places(), momentum = m.momenta();

    VectorView<Dim, double> view{};
    std::array<Array<double>, Dim> mean = m.in_memory(start);
    for (std::size_t d = 0; d < Dim; ++d) view.component[d] = mean[d].data();
    light.mean_force(t, how, m.particles.view(), m.neighbours.index_of_id(m.particles.view()),
                     view);
    Vectors<Dim> expected(start.size());
    for (const double sign : {1.0, -1.0}) {
        LightByTheBook<Dim> book(m, start, momentum);
        for (int k = 0; k <= steps; ++k) {
            const double weight = (k == 0 || k == steps ? 0.5 : 1.0) / (2 * steps);
            for (std::size_t i = 0; i < start.size(); ++i)
                for (std::size_t d = 0; !book.is_light(i) && d < Dim; ++d)
                    expected[i][d] += weight * book.force[i][d];
            book.step(sign * t / steps, false);
        }
    }
    m.move_to(start);
    CHECK(largest_difference<Dim>(m.read(view), expected) < 1e-11);

    LightByTheBook<Dim> book(m, start, momentum);
    for (int k = 0; k < steps; ++k) book.step(t / steps, true);
    m.move_to(start);
    light.move(t, how, m.particles.view(), m.neighbours.index_of_id(m.particles.view()));
    CHECK(largest_difference<Dim>(m.places(), book.place) < 1e-11);
    CHECK(largest_difference<Dim>(m.momenta(), book.momentum) < 1e-11);
    light.move(-t, how, m.particles.view(), m.neighbours.index_of_id(m.particles.view()));
    CHECK(largest_difference<Dim>(m.places(), start) < 1e-11);
    CHECK(largest_difference<Dim>(m.momenta(), momentum) < 1e-11);
}

template <int Dim>
void check_light_motion_of_each_force(const TestBackend& where) {
    for (const FastForce& c : fast_forces()) {
        if (members_of(c.kind) > Dim + 1) continue;
        CAPTURE(c.forces, where.name, Dim);
        AveragedWorld<Dim> m(where, moving_chains<Dim>({c.kind}), c.forces);
        check_motion(m, 0.1, 1);
        check_motion(m, 0.2, 4);
    }
}

} // namespace

TEST_CASE("light atoms move by small steps, and heavy ones feel the mean of their forces") {
    for (const TestBackend& where : every_processor()) {
        check_light_motion_of_each_force<1>(where);
        check_light_motion_of_each_force<2>(where);
        check_light_motion_of_each_force<3>(where);
    }
}

TEST_CASE("bits of the motion of light atoms do not depend on threads") {
    Vectors<3> first;
    for (const int threads : {1, 2}) {
        TestBackend where = few_test_backends().front();
        where.threads = threads;
        AveragedWorld<3> m(where, moving_chains<3>({BondedKind::bond}),
                           fast_forces().front().forces);
        LightAtoms<3> light(m.backend, m.plan.of<BondedDescription>(), m.setup.start);
        light.move(0.2, {light_mass, 4}, m.particles.view(),
                   m.neighbours.index_of_id(m.particles.view()));
        if (first.empty()) first = m.places();
        CHECK(m.places() == first);
    }
}

TEST_CASE("kicks of light atoms end the mean over their motion") {
    const std::string forces = fast_forces().front().forces + "level = \"fast\"\n";
    const LightMotion light{light_mass, 4};
    const auto momenta = [](World<3>& world) { return world.system().snapshot().momentum; };
    const TestBackend where = few_test_backends().front();
    World<3> kept(where, moving_chains<3>({BondedKind::bond}), forces);
    kept.system().averaged_kick(0.1, 0.2, light);
    kept.system().kick(0.3, 1); // of forces that are known
    kept.system().averaged_kick(0.1, 0.2, light);
    kept.system().kick(0.3, 1);
    const Vectors<3> before = momenta(kept);
    Setup<3> setup = moving_chains<3>({BondedKind::bond});
    setup.start.momentum = before;
    World<3> fresh(where, setup, forces);
    kept.system().averaged_kick(0.1, 0.2, light);
    fresh.system().averaged_kick(0.1, 0.2, light);
    CHECK(largest_difference<3>(momenta(kept), before) > 1e-3);
    CHECK(largest_difference<3>(momenta(kept), momenta(fresh)) < 1e-12); // images differ
}
