// SPDX-License-Identifier: BSD-3-Clause
// Molecules at their averages in time: against the motion by the forces of the engine, and the
// transposed derivative against differences of the average.
#include "support/averaged_world.hpp"

using namespace shadow;
using namespace shadow::test;

namespace {

/// The motion step by step with the forces of the engine.
template <int Dim>
void check_average(AveragedWorld<Dim>& m, const Mollifier& mollifier) {
    const Vectors<Dim> start = m.places();
    const Vectors<Dim> mean = m.average_of(start, mollifier);
    Vectors<Dim> before = start, now = start, sum(start.size());
    for (std::size_t k = 0; k < mollifier.weight.size(); ++k) {
        m.move_to(now);
        const Vectors<Dim> force = m.forces();
        for (std::size_t i = 0; i < start.size(); ++i)
            for (std::size_t d = 0; d < Dim; ++d) {
                sum[i][d] += mollifier.weight[k] * now[i][d];
                const double push =
                    mollifier.dt * mollifier.dt * force[i][d] / m.setup.start.mass(i);
                const double next =
                    k == 0 ? now[i][d] + 0.5 * push : 2.0 * now[i][d] - before[i][d] + push;
                before[i][d] = now[i][d];
                now[i][d] = next;
            }
    }
    m.move_to(start);
    double largest = 0.0;
    for (std::size_t i = 0; i < start.size(); ++i)
        for (std::size_t d = 0; d < Dim; ++d)
            largest = larger(largest, std::abs(mean[i][d] - sum[i][d]));
    CHECK(largest < 1e-12);
}

template <int Dim>
void check_all(const TestBackend& where) {
    for (const FastForce& c : fast_forces()) {
        if (members_of(c.kind) > Dim + 1) continue;
        CAPTURE(c.forces, where.name);
        AveragedWorld<Dim> m(where, chained<Dim>({c.kind}), c.forces);
        CHECK(m.averaged->molecules() == 4);
        for (const std::string& name : mollifier_names())
            for (const int steps : {1, 2, 7}) {
                const Mollifier mollifier = make_mollifier(name, 0.05, steps);
                if (mollifier.at_rest) continue;
                CAPTURE(name, steps);
                check_average(m, mollifier);
                check_transpose(m, mollifier);
            }
    }
}

} // namespace

TEST_CASE("averages of molecules are those of a motion from rest") {
    for (const TestBackend& where : every_processor()) {
        check_all<1>(where);
        check_all<2>(where);
        check_all<3>(where);
    }
}

TEST_CASE("several bonded forces act in one average") {
    std::string forces;
    for (const FastForce& c : fast_forces()) forces += c.forces;
    for (const TestBackend& where : best_processors()) {
        AveragedWorld<3> m(where,
                           chained<3>({BondedKind::bond, BondedKind::angle, BondedKind::dihedral,
                                       BondedKind::improper}),
                           forces);
        const Mollifier mollifier = make_mollifier("long-average", 0.02, 6);
        check_average(m, mollifier);
        check_transpose(m, mollifier);
    }
}

TEST_CASE("molecules of one kind stand side by side") {
    Setup<3> setup = read_setup<3>(
        "[system]\ndimension = 3\nlattice = { type = \"sc\", repeat = [3, 3, 3], constant = 3.0 }\n"
        "[[species]]\nname = \"A\"\n[[species]]\nname = \"B\"\nmass = 2.0\n"
        "[[molecule]]\ncount = 27\natoms = [\"A\", \"A\", \"B\"]\n"
        "places = [[-1.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]\n"
        "bonds = [{ atoms = [0, 1] }, { atoms = [1, 2] }]\nexclude = 0\n");
    const TestBackend where = few_test_backends().front();
    AveragedWorld<3> same(where, setup, fast_forces().front().forces);
    CHECK(same.averaged->molecules() == 27);
    CHECK(same.averaged->kinds() == 1);
    check_transpose(same, make_mollifier("long-average", 0.05, 3));
    setup.start.species[4] = 1; // another mass
    AveragedWorld<3> other(where, setup, fast_forces().front().forces);
    CHECK(other.averaged->kinds() == 2);
    check_transpose(other, make_mollifier("long-average", 0.05, 3));
}

TEST_CASE("bits of averages depend neither on threads nor on who stands beside a molecule") {
    const Setup<3> setup = chained<3>({BondedKind::bond});
    const Mollifier mollifier = make_mollifier("linear-average", 0.03, 5);
    Vectors<3> first;
    for (const int threads : {1, 2}) {
        TestBackend where = few_test_backends().front();
        where.threads = threads;
        AveragedWorld<3> m(where, setup, fast_forces().front().forces);
        const Vectors<3> mean = m.average_of(setup.start.position, mollifier);
        if (first.empty()) first = mean;
        CHECK(mean == first);
    }
}
