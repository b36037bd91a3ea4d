// SPDX-License-Identifier: BSD-3-Clause
// Implicit kicks of molecules: the equation that they solve, by the forces of the engine.
#include "shadow/forces/implicit_molecules.hpp"

#include "support/averaged_world.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

template <int Dim>
Setup<Dim> moving_molecules(std::vector<BondedKind> kinds) {
    Setup<Dim> setup = chained<Dim>(kinds);
    setup.start.momentum = some_vectors<Dim>(setup.start.size(), 5);
    return setup;
}

/// Momenta before and after, with other forces of size 1 or without any.
template <int Dim>
struct ImplicitKickOfAll {
    Vectors<Dim> before, after, given;

    ImplicitKickOfAll(AveragedWorld<Dim>& m, double t, double theta, bool with_given) {
        given = some_vectors<Dim>(m.setup.start.size(), 3);
        if (!with_given)
            for (auto& g : given) g.fill(0.0);
        const auto kept = m.in_memory(given);
        TotalForce<Dim> total;
        VectorView<Dim, const double> view{};
        for (std::size_t d = 0; d < Dim; ++d) view.component[d] = kept[d].data();
        if (with_given) total.add(view);
        ImplicitMolecules<Dim> molecules(m.backend, m.plan.template of<BondedDescription>(),
                                         m.setup.start);
        before = m.momenta();
        molecules.kick(t, theta, m.particles.view(), total,
                       m.neighbours.index_of_id(m.particles.view()));
        after = m.momenta();
    }
};

template <int Dim>
void check_implicit_kick(AveragedWorld<Dim>& m, double t, double theta, bool with_given) {
    CAPTURE(t, theta, with_given);
    const ImplicitKickOfAll<Dim> kick(m, t, theta, with_given);
    const Vectors<Dim> start = m.places();
    Vectors<Dim> there = start;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double force = (kick.after[i][d] - kick.before[i][d]) / t;
            there[i][d] += ((theta - 0.5) * t * kick.before[i][d] +
                            0.5 * theta * t * t * (force + kick.given[i][d])) /
                           m.setup.start.mass(i);
        }
    m.move_to(there);
    const Vectors<Dim> force = m.forces();
    m.move_to(start);
    double largest = 0.0, scale = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d) {
            const double found = kick.after[i][d] - kick.before[i][d];
            largest = larger(largest, std::abs(found - t * force[i][d]));
            scale = std::max(scale, std::abs(t * force[i][d]));
            if (force[i][d] == 0.0 && found != 0.0) largest = HUGE_VAL; // of one that is not bonded
        }
    // Forces of places are known to some 1e-15 of the box times the stiffness.
    CHECK(largest < 1e-12 * (1.0 + scale));
    CHECK(scale > 0.01);
}

/// Times for which there is a solution: of angles around bonds that happen to be nearly in line
/// only short ones.
template <int Dim>
void check_implicit_kick_of_each_force(const TestBackend& where) {
    for (const FastForce& c : fast_forces()) {
        if (members_of(c.kind) > Dim + 1) continue;
        CAPTURE(c.forces, where.name, Dim);
        const double longest = members_of(c.kind) == 4 ? 0.1 : 0.25;
        for (const double t : {longest, -0.5 * longest})
            for (const double theta : {0.5, 0.8, 1.0})
                for (const bool with_given : {false, true}) {
                    AveragedWorld<Dim> m(where, moving_molecules<Dim>({c.kind}), c.forces);
                    check_implicit_kick(m, t, theta, with_given);
                }
    }
}

std::string all_bonded_forces() {
    std::string forces;
    for (const FastForce& c : fast_forces()) forces += c.forces;
    return forces;
}

const std::vector<BondedKind> all_bonded_kinds = {BondedKind::bond, BondedKind::angle,
                                                  BondedKind::dihedral, BondedKind::improper};

} // namespace

TEST_CASE("implicit kicks have the forces of where they take molecules") {
    for (const TestBackend& where : every_processor()) {
        check_implicit_kick_of_each_force<1>(where);
        check_implicit_kick_of_each_force<2>(where);
        check_implicit_kick_of_each_force<3>(where);
    }
}

TEST_CASE("several bonded forces are implicit together, and in short times are plain kicks") {
    for (const TestBackend& where : best_processors()) {
        for (const bool with_given : {false, true}) {
            AveragedWorld<3> m(where, moving_molecules<3>(all_bonded_kinds), all_bonded_forces());
            check_implicit_kick(m, 0.1, with_given ? 0.7 : 0.5, with_given);
        }
        AveragedWorld<3> m(where, moving_molecules<3>(all_bonded_kinds), all_bonded_forces());
        const Vectors<3> force = m.forces();
        double last = 0.0;
        for (const double t : {1e-3, 5e-4}) {
            AveragedWorld<3> short_time(where, moving_molecules<3>(all_bonded_kinds),
                                        all_bonded_forces());
            const ImplicitKickOfAll<3> kick(short_time, t, 0.5, false);
            double error = 0.0;
            for (std::size_t i = 0; i < force.size(); ++i)
                for (std::size_t d = 0; d < 3; ++d)
                    error = larger(
                        error, std::abs(kick.after[i][d] - kick.before[i][d] - t * force[i][d]));
            if (last > 0.0) CHECK(last / error == Approx(8.0).epsilon(0.02)); // t^3
            last = error;
        }
    }
}

TEST_CASE("implicit kicks conserve the momentum of each molecule") {
    AveragedWorld<3> m(few_test_backends().front(), moving_molecules<3>(all_bonded_kinds),
                       all_bonded_forces());
    const ImplicitKickOfAll<3> kick(m, 0.1, 0.5, false);
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < kick.after.size(); ++i)
        for (std::size_t d = 0; d < 3; ++d) sum[d] += kick.after[i][d] - kick.before[i][d];
    for (const double s : sum) CHECK(std::abs(s) < 1e-12);
}

TEST_CASE("bits of implicit kicks depend neither on threads nor on who stands beside a molecule") {
    Vectors<3> first;
    for (const int threads : {1, 2}) {
        TestBackend where = few_test_backends().front();
        where.threads = threads;
        AveragedWorld<3> m(where, moving_molecules<3>(all_bonded_kinds), all_bonded_forces());
        const ImplicitKickOfAll<3> kick(m, 0.1, 0.5, false);
        if (first.empty()) first = kick.after;
        CHECK(kick.after == first);
    }
}

TEST_CASE("where no place nearby solves it an implicit kick is no number") {
    Setup<3> setup = moving_molecules<3>({BondedKind::bond});
    AveragedWorld<3> m(few_test_backends().front(), setup,
                       "[[force]]\ntype = \"harmonic-bond\"\nk = 100.0\nr0 = 3.0\n");
    const ImplicitKickOfAll<3> kick(m, 3.0, 0.5, false); // pressed bonds give way to the side
    bool some = false;
    for (const auto& p : kick.after) some = some || !std::isfinite(p[0]);
    CHECK(some);
}
