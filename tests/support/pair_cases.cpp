// SPDX-License-Identifier: BSD-3-Clause
#include "pair_cases.hpp"

#include "support/tabulated.hpp"

#include "kernels/potentials/list.hpp"

#include <limits>

namespace shadow::test::pair_cases {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Indices in kernels/potentials/list.hpp.
enum { lj, morse, inverse_power, wca, contact, coulomb, dsf, logarithmic };

PairForceDescription single(int potential, std::vector<double> numbers, double cutoff,
                            Truncation truncation = Truncation::none, double inner = 0.0) {
    PairForceDescription d;
    d.name = "test";
    d.potential.potential = potential;
    d.potential.truncation = truncation;
    d.potential.pairs = {{std::move(numbers), cutoff, inner}};
    return d;
}

oracle::Curve ended(const oracle::Curve& curve, Truncation end, double inner, double cutoff) {
    switch (end) {
    case Truncation::none:
        return curve;
    case Truncation::shift:
        return oracle::shifted(curve, cutoff);
    case Truncation::force_shift:
        return oracle::force_shifted(curve, cutoff);
    case Truncation::smooth_c1:
        return oracle::smoothed(curve, inner, cutoff, 2);
    case Truncation::smooth_c2:
        return oracle::smoothed(curve, inner, cutoff, 3);
    }
    return curve;
}
const std::pair<std::string, Truncation> ends[] = {{"none", Truncation::none},
                                                   {"shift", Truncation::shift},
                                                   {"force-shift", Truncation::force_shift},
                                                   {"smooth-c1", Truncation::smooth_c1},
                                                   {"smooth-c2", Truncation::smooth_c2}};

const double rc = 2.3, inner = 1.7;
const auto curve = oracle::lennard_jones(0.9, 1.1);

/// Lennard-Jones with each truncation, and damped charges in the same pass, for one species and for
/// two.
std::vector<Case> sums() {
    const double eps[] = {1.0, 1.5, 1.5, 0.5}, sigma[] = {1.0, 0.8, 0.8, 0.88};
    const double charge[] = {1.0, -2.0, -2.0, 4.0}, alpha = 0.3;
    std::vector<Case> all;
    for (const auto& [name, end] : ends)
        for (const std::size_t species : {1UL, 2UL}) {
            Case c{"lj + dsf, " + name, {}, {}, static_cast<int>(species)};
            PairPotential& dispersion = c.description.potential;
            PairPotential& charges = c.description.electrostatic.emplace();
            dispersion.truncation = end;
            charges.potential = dsf;
            for (std::size_t k = 0; k < species * species; ++k) {
                dispersion.pairs.push_back({{eps[k], sigma[k]}, rc, inner});
                charges.pairs.push_back({{charge[k], alpha}, rc, 0.0});
                c.pairs.push_back({ended(oracle::lennard_jones(eps[k], sigma[k]), end, inner, rc) +
                                       oracle::damped_shifted_force(charge[k], alpha, rc),
                                   rc});
            }
            for (std::size_t a = 0; a < species; ++a)
                c.self[a] = oracle::damped_shifted_force_self(charge[3 * a], alpha, rc);
            all.push_back(c);
        }
    return all;
}

/// Mixtures of a costly potential, for which a number distinguishes the pairs of species.
std::vector<Case> costly_mixtures() {
    std::vector<Case> all;
    for (const auto& [name, end] : ends)
        for (const int species : {2, 3}) {
            Case c{std::to_string(species) + " inverse powers, " + name, {}, {}, species};
            c.self.assign(static_cast<std::size_t>(species), 0.0);
            PairPotential& potential = c.description.potential;
            potential.potential = inverse_power;
            potential.truncation = end;
            for (int a = 0; a < species; ++a)
                for (int b = 0; b < species; ++b) {
                    const double both = a + b, power = 6.5 + both + a * b, cutoff = rc - 0.1 * both;
                    potential.pairs.push_back({{1.0 + 0.2 * both, 1.0, power}, cutoff, inner});
                    c.pairs.push_back({ended(oracle::inverse_power(1.0 + 0.2 * both, 1.0, power),
                                             end, inner, cutoff),
                                       cutoff});
                }
            all.push_back(c);
        }
    return all;
}

/// As in Ewald's sum; E1 in both of its ranges. The self-energy of a charge is that of the cloud
/// minus half of the shift.
Case screened_logarithm() {
    const double alpha = 1.1, gamma = 0.57721566490153286;
    const oracle::Curve screened = oracle::logarithmic(-1.3, alpha);
    Case c{"screened logarithm",
           single(logarithmic, {-1.3, alpha}, rc, Truncation::shift),
           {{oracle::shifted(screened, rc), rc}}};
    c.description.potential.vanishes = false;
    c.self = {-0.5 * -1.3 * (0.5 * gamma + std::log(alpha)) -
              0.5 * static_cast<double>(screened.u(rc))};
    return c;
}

std::vector<Case> potentials() {
    return {{"morse",
             single(morse, {1.2, 3.0, 1.1}, rc, Truncation::shift),
             {{oracle::shifted(oracle::morse(1.2, 3.0, 1.1), rc), rc}}},
            {"inverse power",
             single(inverse_power, {1.1, 0.9, 7.5}, rc, Truncation::force_shift),
             {{oracle::force_shifted(oracle::inverse_power(1.1, 0.9, 7.5), rc), rc}}},
            {"wca",
             single(wca, {1.0, 1.0}, std::pow(2.0, 1.0 / 6.0)),
             {{oracle::wca(1.0, 1.0), std::pow(2.0, 1.0 / 6.0)}}},
            {"contact",
             single(contact, {100.0, 1.2}, 1.2),
             {{oracle::harmonic_contact(100.0, 1.2), 1.2}}},
            {"coulomb smooth",
             single(coulomb, {-1.3, 0.0, 0.0}, rc, Truncation::smooth_c2, inner),
             {{oracle::smoothed(oracle::coulomb(-1.3), inner, rc, 3), rc}}},
            {"gravity",
             single(coulomb, {-1.3, 0.0, 0.0}, infinity),
             {{oracle::coulomb(-1.3), infinity}}},
            {"reaction field",
             single(coulomb, {-1.3, 0.0, 78.5}, rc),
             {{oracle::reaction_field(-1.3, 78.5, rc), rc}}},
            {"softened gravity",
             single(coulomb, {-1.3, 0.7, 0.0}, infinity),
             {{oracle::coulomb(-1.3, 0.7), infinity}}},
            {"logarithmic",
             single(logarithmic, {1.3, 0.0}, infinity),
             {{oracle::logarithmic(1.3), infinity}}},
            screened_logarithm(),
            {"dsf",
             single(dsf, {1.3, 0.4}, rc),
             {{oracle::damped_shifted_force(1.3, 0.4, rc), rc}},
             1,
             {oracle::damped_shifted_force_self(1.3, 0.4, rc)}},
            {"infinite", single(lj, {0.9, 1.1}, infinity, Truncation::shift), {{curve, infinity}}}};
}

std::vector<Case> parts() {
    std::vector<Case> all;
    for (const auto part : {PairPotential::Part::fast, PairPotential::Part::slow}) {
        const bool fast = part == PairPotential::Part::fast;
        const auto core = oracle::smoothed(oracle::shifted(curve, rc), 1.3, 1.6, 3);
        Case split{fast ? "fast part" : "slow part",
                   single(lj, {0.9, 1.1}, rc, Truncation::shift),
                   {{fast ? core : oracle::shifted(curve, rc) - core, fast ? 1.6 : rc}}};
        split.description.potential.part = part;
        split.description.potential.split = {1.3, 1.6};
        all.push_back(split);
    }
    // The self-energy of a charge belongs to the slow part.
    const auto screened = oracle::damped_shifted_force(1.3, 0.4, rc);
    for (const auto part : {PairPotential::Part::fast, PairPotential::Part::slow}) {
        const bool fast = part == PairPotential::Part::fast;
        const auto core = oracle::smoothed(screened, 1.3, 1.6, 3);
        Case split{fast ? "fast part of dsf" : "slow part of dsf",
                   single(dsf, {1.3, 0.4}, rc),
                   {{fast ? core : screened - core, fast ? 1.6 : rc}},
                   1,
                   {fast ? 0.0 : oracle::damped_shifted_force_self(1.3, 0.4, rc)}};
        split.description.potential.part = part;
        split.description.potential.split = {1.3, 1.6};
        all.push_back(split);
    }
    return all;
}

/// As tables: one with a steep core and one without, alone and between two species.
std::vector<Case> tables() {
    oracle::Curve soft{[](long double r) { return 2 * std::exp(-r * r); },
                       [](long double r) { return 4 * r * std::exp(-r * r); }};
    const auto make = [](const char* name, std::vector<oracle::Curve> curves, Truncation end,
                         PairPotential::Part part) {
        Case c{name, single(tabulated, {}, rc, end, inner), {}, curves.size() > 1 ? 2 : 1};
        PairPotential& potential = c.description.potential;
        potential.part = part;
        potential.split = {1.3, 1.6};
        potential.pairs.clear();
        const double cutoffs[] = {rc, rc - 0.1, rc - 0.1, rc - 0.2};
        for (const oracle::Curve& u : curves)
            potential.pairs.push_back(
                {{}, cutoffs[potential.pairs.size()], inner, oracle::curve_from(u)});
        potential.accuracy = 1e-5;
        tabulate(potential);
        for (const PairParameters& p : potential.pairs)
            c.pairs.push_back({oracle::tabulated(p.spline), p.spline->cutoff});
        return c;
    };
    using enum PairPotential::Part;
    const auto other = oracle::morse(1.2, 3.0, 1.1);
    return {make("table", {curve}, Truncation::none, whole),
            make("soft table", {soft}, Truncation::force_shift, whole),
            make("tables", {curve, soft, soft, other}, Truncation::smooth_c2, whole),
            make("fast table", {curve}, Truncation::shift, fast),
            make("slow tables", {curve, other, other, curve}, Truncation::shift, slow)};
}

} // namespace

/// Two species with different parameters and cut-offs; charges +1 and -2.
std::vector<Case> mixtures() {
    const double eps[] = {1.0, 1.5, 1.5, 0.5}, sigma[] = {1.0, 0.8, 0.8, 0.88};
    const double charge[] = {1.0, -2.0, -2.0, 4.0};
    Case kob{"Kob-Andersen", {}, {}, 2}, sum{"lj + dsf", {}, {}, 2}, smooth{"smooth", {}, {}, 2},
        bare{"lj + coulomb", {}, {}, 2}, field{"lj + reaction field", {}, {}, 2};
    for (int k = 0; k < 4; ++k) {
        const auto pair = oracle::lennard_jones(eps[k], sigma[k]);
        const double cutoff = 2.5 * sigma[k];
        kob.description.potential.pairs.push_back({{eps[k], sigma[k]}, cutoff, 0.0});
        kob.pairs.push_back({oracle::shifted(pair, cutoff), cutoff});
        smooth.description.potential.pairs.push_back({{eps[k], sigma[k]}, cutoff, 0.8 * cutoff});
        smooth.pairs.push_back({oracle::smoothed(pair, 0.8 * cutoff, cutoff, 3), cutoff});
        sum.description.potential.pairs.push_back({{eps[k], sigma[k]}, 2.4, 0.0});
        sum.pairs.push_back({pair + oracle::damped_shifted_force(charge[k], 0.3, 2.4), 2.4});
        bare.description.potential.pairs.push_back({{eps[k], sigma[k]}, infinity, 0.0});
        bare.pairs.push_back({pair + oracle::coulomb(charge[k]), infinity});
        field.pairs.push_back({pair + oracle::reaction_field(charge[k], 20.0, 2.4), 2.4});
    }
    kob.description.potential.truncation = Truncation::shift;
    smooth.description.potential.truncation = Truncation::smooth_c2;
    sum.description.electrostatic.emplace();
    sum.description.electrostatic->potential = dsf;
    bare.description.electrostatic.emplace();
    bare.description.electrostatic->potential = coulomb;
    field.description = sum.description;
    field.description.electrostatic->potential = coulomb;
    for (std::size_t a = 0; a < 2; ++a)
        sum.self[a] = oracle::damped_shifted_force_self(charge[3 * a], 0.3, 2.4);
    for (const double q : charge) {
        sum.description.electrostatic->pairs.push_back({{q, 0.3}, 2.4, 0.0});
        bare.description.electrostatic->pairs.push_back({{q, 0.0, 0.0}, infinity, 0.0});
        field.description.electrostatic->pairs.push_back({{q, 0.0, 20.0}, 2.4, 0.0});
    }
    return {kob, smooth, sum, bare, field};
}

std::vector<Case> truncations() {
    std::vector<Case> all;
    for (const auto& [name, end] : ends)
        all.push_back(
            {name, single(lj, {0.9, 1.1}, rc, end, inner), {{ended(curve, end, inner, rc), rc}}});
    return all;
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& some :
         {truncations(), potentials(), mixtures(), costly_mixtures(), sums(), parts(), tables()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace shadow::test::pair_cases
