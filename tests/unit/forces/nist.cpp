// SPDX-License-Identifier: BSD-3-Clause
#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/pair_system.hpp"

#include <cmath>
#include <numbers>

using namespace shadow;

namespace {

/// NIST Standard Reference Simulation Website, Lennard-Jones sample configuration 4: 30 particles
/// in a periodic cube of edge 8, reduced units.
const Points<3> configuration = {{1.077169909511E+00, -1.020988125886E+00, -1.348259447733E+00},
                                 {1.830884592213E-01, -1.557698231574E+00, -1.782405485883E+00},
                                 {-2.060346185437E+00, 3.927378276290E+00, 3.889555115290E+00},
                                 {1.936298049102E+00, 7.181973326223E-01, 3.715169082037E+00},
                                 {-7.514139041700E-01, -4.184139469527E-01, -3.250183630687E+00},
                                 {2.257391305584E+00, -1.126577405146E+00, -2.291542913197E+00},
                                 {1.208868721243E-01, -1.395611520000E+00, 2.003709382777E+00},
                                 {3.327427055092E+00, -1.476502868105E+00, 3.394023898450E+00},
                                 {2.130927328546E+00, -1.106827632561E+00, -1.972896367169E-01},
                                 {2.117442019559E+00, -1.844743512029E-01, 9.301638993772E-01},
                                 {-1.459378119580E+00, 2.382882188329E+00, -3.788199401470E+00},
                                 {2.432313424884E+00, -1.118537915440E+00, -1.224088264651E+00},
                                 {2.416845366530E+00, 1.845499053895E+00, 2.906107003288E+00},
                                 {2.515247912050E+00, 3.580976978134E-02, -2.445590080636E+00},
                                 {1.113585242376E+00, -2.478011342991E+00, -8.092189527960E-03},
                                 {1.261664073561E+00, 1.075432348722E+00, -2.751715752259E+00},
                                 {-5.811873476022E-01, -2.429378395199E+00, 2.668996832737E+00},
                                 {-1.533182296119E+00, 2.319699660489E+00, 1.762429379767E+00},
                                 {2.639946585704E+00, -7.847515599358E-01, 2.251233247739E+00},
                                 {-1.927486378623E+00, -1.432729425739E+00, -2.439226375584E+00},
                                 {9.212801355440E-01, -2.427925517025E+00, 2.150024430246E+00},
                                 {2.114172305774E+00, 9.586575168591E-01, -1.790678078404E+00},
                                 {-7.312380271746E-01, -3.366157234697E+00, 1.376597954432E-01},
                                 {1.612569300954E+00, -9.233415846164E-01, 2.037484769332E+00},
                                 {3.967911812136E+00, 2.002508998947E-01, 2.659432175592E+00},
                                 {1.188751191387E+00, -5.955638413419E-02, -7.363070447875E-01},
                                 {3.789497702433E+00, 1.570674334424E+00, 7.265918374820E-01},
                                 {2.786625773109E+00, -1.524167484397E+00, 8.358187540631E-01},
                                 {-1.629362446504E+00, -1.139061532617E+00, -7.654084051377E-01},
                                 {2.592655226763E+00, 3.786335083587E+00, -1.252452130644E+00}};

struct Totals {
    double energy = 0.0, virial = 0.0;
};

Totals totals(const Backend& backend, double cutoff, Truncation truncation) {
    PairForceDescription d;
    d.potential.truncation = truncation;
    d.potential.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
    PairForce<3> force(backend, d, true, 0);
    PairSystem<3> system(backend, configuration, {}, Box<3>({8.0, 8.0, 8.0}, {true, true, true}),
                         pair_cluster_size(backend));
    PairSums<3> sums;
    system.compute(force, &sums);
    Totals t;
    for (const double e : sums.energy) t.energy += e;
    t.virial = sums.virial.trace();
    return t;
}

} // namespace

TEST_CASE("NIST configuration 4 has the published energies and virials") {
    const auto where = GENERATE(from_range(test_backends()));
    const Backend backend = where.open();
    CAPTURE(where.name);
    // NIST gives five digits; the long ones were computed from the same coordinates by a separate
    // program, and sums of 30 particles round at 1e-14 of their largest terms.
    const Totals three = totals(backend, 3.0, Truncation::none);
    CHECK(std::abs(three.energy - -16.790321304625856) < 2e-13);
    CHECK(std::abs(three.virial - -46.24919674630891) < 2e-12);
    const Totals four = totals(backend, 4.0, Truncation::none);
    CHECK(std::abs(four.energy - -17.060453220270876) < 2e-13);
    CHECK(std::abs(four.virial - -47.869) < 5e-4);
    const Totals forced = totals(backend, 3.0, Truncation::force_shift);
    CHECK(std::abs(forced.energy - -15.001) < 5e-4);
    CHECK(std::abs(forced.virial - -43.096) < 5e-4);
}

TEST_CASE("tail corrections are those of NIST and of the textbook") {
    PairPotential p;
    p.tail = true;
    for (const auto& [cutoff, expected] : {std::pair{3.0, -0.5451660014945708}, {4.0, -0.23008}}) {
        p.pairs = {{{1.0, 1.0}, cutoff, 0.0}};
        const double tolerance = cutoff == 3.0 ? 1e-15 : 5e-6;
        CHECK(std::abs(tail_correction(p, 3, {30}, 512.0).energy - expected) < tolerance);
    }
    // P_tail V Dim = virial; u and P of the Lennard-Jones fluid beyond rc, per particle.
    const double rc = 2.5, rho = 0.8;
    p.pairs = {{{1.0, 1.0}, rc, 0.0}};
    const auto r = [&](double n) { return std::pow(rc, -n); };
    const TailCorrection three = tail_correction(p, 3, {800}, 1000.0);
    CHECK(std::abs(three.energy / 800 - 8.0 / 3.0 * std::numbers::pi * rho * (r(9) / 3 - r(3))) <
          1e-14);
    CHECK(std::abs(three.virial / 3000 -
                   16.0 / 3.0 * std::numbers::pi * rho * rho * (2.0 / 3.0 * r(9) - r(3))) < 1e-14);
    const TailCorrection two = tail_correction(p, 2, {800}, 1000.0);
    CHECK(std::abs(two.energy / 800 - 4 * std::numbers::pi * rho * (r(10) / 10 - r(4) / 4)) <
          1e-14);
    CHECK(std::abs(two.virial / 2000 - 12 * std::numbers::pi * rho * rho * (r(10) / 5 - r(4) / 4)) <
          1e-13);
}

TEST_CASE("a mixture of equals has the tail of the pure fluid") {
    PairPotential pure, mixed;
    pure.tail = mixed.tail = true;
    pure.pairs = {{{1.2, 0.9}, 2.2, 0.0}};
    mixed.pairs.assign(4, pure.pairs[0]);
    const auto a = tail_correction(pure, 3, {100}, 150.0);
    const auto b = tail_correction(mixed, 3, {30, 70}, 150.0);
    CHECK(std::abs(a.energy - b.energy) < 1e-13 * std::abs(a.energy));
    CHECK(std::abs(a.virial - b.virial) < 1e-13 * std::abs(a.virial));
}
