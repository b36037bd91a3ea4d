// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_force.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_system.hpp"
#include "support/tabulated.hpp"

#include "shadow/forces/direct_sum.hpp"

#include "kernels/ops/shares.hpp"
#include "kernels/potentials/list.hpp"

#include <limits>
#include <set>
#include <string>

using namespace shadow;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
// Positions in kernels/potentials/list.hpp.
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

struct Case {
    std::string name;
    PairForceDescription description;
    std::vector<oracle::Pair> pairs; ///< by (a * species + b)
    int species = 1;
    std::vector<double> self = {0.0, 0.0}; ///< energies of particles by themselves, by species
};

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

/// Two species with different parameters and cut-offs; charges +1 and -2.
std::vector<Case> mixtures() {
    const double eps[] = {1.0, 1.5, 1.5, 0.5}, sigma[] = {1.0, 0.8, 0.8, 0.88};
    const double charge[] = {1.0, -2.0, -2.0, 4.0};
    Case kob{"Kob-Andersen", {}, {}, 2}, sum{"lj + dsf", {}, {}, 2}, smooth{"smooth", {}, {}, 2},
        bare{"lj + coulomb", {}, {}, 2}, field{"lj + reaction field", {}, {}, 2};
    for (int k = 0; k < 4; ++k) {
        const auto curve = oracle::lennard_jones(eps[k], sigma[k]);
        const double rc = 2.5 * sigma[k];
        kob.description.potential.pairs.push_back({{eps[k], sigma[k]}, rc, 0.0});
        kob.pairs.push_back({oracle::shifted(curve, rc), rc});
        smooth.description.potential.pairs.push_back({{eps[k], sigma[k]}, rc, 0.8 * rc});
        smooth.pairs.push_back({oracle::smoothed(curve, 0.8 * rc, rc, 3), rc});
        sum.description.potential.pairs.push_back({{eps[k], sigma[k]}, 2.4, 0.0});
        sum.pairs.push_back({curve + oracle::damped_shifted_force(charge[k], 0.3, 2.4), 2.4});
        bare.description.potential.pairs.push_back({{eps[k], sigma[k]}, infinity, 0.0});
        bare.pairs.push_back({curve + oracle::coulomb(charge[k]), infinity});
        field.pairs.push_back({curve + oracle::reaction_field(charge[k], 20.0, 2.4), 2.4});
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

const double rc = 2.3, inner = 1.7;
const auto curve = oracle::lennard_jones(0.9, 1.1);

std::vector<Case> truncations() {
    std::vector<Case> all;
    for (const auto& [name, end] : ends)
        all.push_back(
            {name, single(lj, {0.9, 1.1}, rc, end, inner), {{ended(curve, end, inner, rc), rc}}});
    return all;
}

/// Lennard-Jones with each end, and damped charges in the same pass, of one species and of two.
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

/// Of potentials that take long, beside which pairs of species are told apart by a number.
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

/// As Ewald's sum has it; E1 in both of its parts. What a charge has by itself is that of the
/// cloud, less half of the shift.
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
    // What a charge has by itself is slow.
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

/// As tables: one with a steep core and one without, by themselves and between two species.
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

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const auto& some :
         {truncations(), potentials(), mixtures(), costly_mixtures(), sums(), parts(), tables()})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

template <int Dim>
std::vector<Box<Dim>> boxes(int n, double spacing) {
    int side = 1;
    while (std::pow(side, Dim) < n) ++side;
    std::array<double, Dim> lengths;
    std::array<bool, Dim> all, last{};
    lengths.fill(side * spacing);
    all.fill(true);
    last[Dim - 1] = true;
    std::vector<Box<Dim>> made{Box<Dim>()};
    if (side * spacing > 2 * 2.5 + 0.1) {
        made.push_back(Box<Dim>(lengths, all));
        if (Dim > 1) made.push_back(Box<Dim>(lengths, last));
    }
    return made;
}

template <int Dim>
struct Expected {
    Points<Dim> points;
    std::vector<int> species;
    Box<Dim> box;
    Points<Dim> velocity; ///< for the flux of heat
    oracle::Result<Dim> sums;
    std::vector<DirectTotals<Dim>> direct, direct_mixed; ///< by precision of pairs
    std::vector<std::array<std::int32_t, 2>> excluded;
};

/// Half of the pairs of nearest neighbours, and some that are far apart.
template <int Dim>
std::vector<std::array<std::int32_t, 2>> some_pairs(const Points<Dim>& x, const Box<Dim>& box,
                                                    double spacing) {
    std::vector<std::array<std::int32_t, 2>> pairs;
    for (std::size_t i = 0; i < x.size(); ++i)
        for (std::size_t j = i + 1; j < x.size(); ++j) {
            double r2 = 0.0;
            for (std::size_t d = 0; d < Dim; ++d) {
                double dx = x[i][d] - x[j][d];
                if (box.periodic()[d]) dx -= box.lengths()[d] * std::round(dx / box.lengths()[d]);
                r2 += dx * dx;
            }
            if ((i + j) % 2 == 0 ? r2 < std::pow(1.6 * spacing, 2) : j == i + 7)
                pairs.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)});
        }
    return pairs;
}

/// Positions are numbers of float, so that they are the same in every precision.
template <int Dim>
Expected<Dim> expect(const Case& c, int n, double spacing, const Box<Dim>& box, bool excluding) {
    Expected<Dim> e;
    e.points = jittered_points<Dim>(n, spacing, 0.05, static_cast<unsigned>(n));
    e.box = box;
    for (auto& x : e.points)
        for (double& v : x) v = static_cast<float>(v);
    std::mt19937 random(static_cast<unsigned>(n));
    std::uniform_int_distribution<int> eighths(-16, 16);
    e.velocity.resize(e.points.size());
    for (auto& v : e.velocity)
        for (double& component : v) component = 0.125 * eighths(random);
    for (int i = 0; i < n; ++i) e.species.push_back(i * 7 % 5 * c.species / 5);
    if (excluding) e.excluded = some_pairs<Dim>(e.points, box, spacing);
    std::set<std::pair<std::size_t, std::size_t>> excluded;
    for (const auto& [i, j] : e.excluded) {
        excluded.emplace(i, j);
        excluded.emplace(j, i);
    }
    e.sums = oracle::evaluate<Dim>(
        e.points, e.species, box.view(),
        [&](int a, int b) -> const oracle::Pair& { return c.pairs[a * c.species + b]; }, e.velocity,
        [&](std::size_t i, std::size_t j) {
            return excluded.count({i, j}) > 0;
        });
    for (std::size_t i = 0; i < e.points.size(); ++i) {
        const double self = c.self.at(static_cast<std::size_t>(e.species[i]));
        e.sums.energy[i] += self;
        e.sums.energy_scale[i] += std::abs(self);
        for (int d = 0; d < Dim; ++d) {
            e.sums.flux[d] += self * e.velocity[i][d];
            e.sums.flux_scale += std::abs(self * e.velocity[i][d]);
        }
    }
    Snapshot<Dim> particles = at_rest<Dim>(e.points);
    particles.species.assign(e.species.begin(), e.species.end());
    for (const bool pair_is_double : {true, false}) {
        const DirectSum<Dim> sum(ForcePlan{{c.description}}, box, particles, pair_is_double);
        auto& all = pair_is_double ? e.direct : e.direct_mixed;
        for (std::size_t i = 0; i < sum.size(); ++i) all.push_back(sum(i));
    }
    return e;
}

/// Sums by particle are those of DirectSum up to the rounding it states, and that is small.
/// `bound`: of it in terms of the scale of the oracle.
template <int Dim>
void check_direct(const Expected<Dim>& e, const Points<Dim>& force, const PairSums<Dim>& sums,
                  const std::vector<DirectTotals<Dim>>& direct, double bound) {
    double off = 0.0, loose = 0.0;
    std::array<double, tensor_size<Dim>> virial{}, rounding{};
    const auto compare = [&](double found, double value, double error) {
        off = test::larger(off, std::abs(found - value) / std::max(error, 1e-300));
    };
    for (std::size_t i = 0; i < direct.size(); ++i) {
        const auto& [value, error] = direct[i];
        for (std::size_t d = 0; d < Dim; ++d) {
            compare(force[i][d], value.force[d], error.force[d]);
            loose = test::larger(loose, error.force[d] / std::max(e.sums.force_scale[i], 1e-300));
        }
        compare(sums.energy[i], value.energy, error.energy);
        for (std::size_t k = 0; k < virial.size(); ++k) {
            virial[k] += value.virial[k];
            rounding[k] += error.virial[k];
        }
    }
    for (std::size_t k = 0; k < virial.size(); ++k)
        compare(sums.virial.component[k], virial[k], rounding[k]);
    CHECK(off <= 1.0);
    CHECK(loose <= bound);
}

/// Energies by particle, the virial of all, and the pairs' part of the flux of heat: that of the
/// oracle is a sum over pairs.
template <int Dim>
void check_shares(const Expected<Dim>& e, const std::vector<Share<Dim>>& shares, double times,
                  double tolerance, double virial_scale) {
    CAPTURE(times, tolerance);
    double worst_energy = 0.0, worst_flux = 0.0, worst_virial = 0.0;
    std::array<double, Dim> flux{};
    SymmetricTensor<Dim> virial{};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const double energy = shares[i].energy / times;
        worst_energy = test::larger(worst_energy, std::abs(energy - e.sums.energy[i]) /
                                                      std::max(e.sums.energy_scale[i], 1e-300));
        virial.add(shares[i].virial);
        for (std::size_t a = 0; a < Dim; ++a) {
            flux[a] += energy * e.velocity[i][a];
            for (std::size_t b = 0; b < Dim; ++b)
                flux[a] += shares[i].virial.component[tensor_index<Dim>(static_cast<int>(a),
                                                                        static_cast<int>(b))] /
                           times * e.velocity[i][b];
        }
    }
    for (std::size_t a = 0; a < Dim; ++a) {
        worst_flux = test::larger(worst_flux, std::abs(flux[a] - e.sums.flux[a]));
        for (std::size_t b = a; b < Dim; ++b) {
            const double found =
                virial.component[tensor_index<Dim>(static_cast<int>(a), static_cast<int>(b))];
            worst_virial = test::larger(
                worst_virial, std::abs(found / times - e.sums.virial[a][b]) / virial_scale);
        }
    }
    CHECK(worst_energy < tolerance);
    CHECK(worst_virial < tolerance);
    CHECK(worst_flux <= tolerance * std::max(e.sums.flux_scale, 1e-300));
}

/// Errors relative to the scale of the oracle, which is what a relative error of distances makes.
/// In double distances and functions err by a few units of 2^-53 and sums by about sqrt(n); in
/// mixed and single by those of 2^-24 times the size of a cluster over the distance (the clusters
/// of these tests are scattered over the whole box).
/// `reach` of the list, on which it depends whether the CPU lists tiles, takes all, or sweeps.
template <int Dim, bool PairIsDouble>
void check_case(const Backend& backend, const Case& c, const Expected<Dim>& e, double reach,
                int cluster_size) {
    CAPTURE(reach);
    double extent = 0.0; // on a line, 171 particles scatter a cluster over 185
    for (const auto& x : e.points)
        for (const double component : x) extent = std::max(extent, std::abs(component));
    const double tolerance = PairIsDouble ? 1e-14 : std::max(4e-6, 0x1p-24 * extent);
    const std::size_t n = e.points.size();
    PairForce<Dim> force(backend, c.description, PairIsDouble, 0);
    PairSystem<Dim> system(backend, e.points, e.species, e.box, cluster_size, reach);
    if (!e.excluded.empty()) system.exclude(e.excluded);
    PairSums<Dim> sums;
    const auto forces = system.compute(force, nullptr);
    const auto again = system.compute(force, &sums);
    CHECK(sums.status == 0);
    double worst_force = 0.0, worst_energy = 0.0, worst_virial = 0.0, total_scale = 1e-300;
    for (std::size_t i = 0; i < n; ++i) {
        const double force_scale = std::max(e.sums.force_scale[i], 1e-300);
        const double energy_scale = std::max(e.sums.energy_scale[i], 1e-300);
        for (int d = 0; d < Dim; ++d)
            for (const auto& f : {forces, again})
                worst_force =
                    test::larger(worst_force, std::abs(f[i][d] - e.sums.force[i][d]) / force_scale);
        worst_energy =
            test::larger(worst_energy, std::abs(sums.energy[i] - e.sums.energy[i]) / energy_scale);
        total_scale += std::min(c.pairs[0].cutoff, 20.0) * force_scale;
    }
    for (int a = 0; a < Dim; ++a)
        for (int b = 0; b < Dim; ++b) {
            const double found =
                sums.virial.component[tensor_index<Dim>(a < b ? a : b, a < b ? b : a)];
            worst_virial =
                test::larger(worst_virial, std::abs(found - e.sums.virial[a][b]) / total_scale);
        }
    CHECK(worst_force < tolerance);
    CHECK(worst_energy < tolerance);
    CHECK(worst_virial < tolerance);
    if (e.excluded.empty())
        check_direct<Dim>(e, again, sums, PairIsDouble ? e.direct : e.direct_mixed,
                          PairIsDouble ? 1e-12 : 1e-3);
    const auto once = system.share(force, force.all_parts);
    check_shares(e, once, 1.0, tolerance, total_scale);
    check_shares(e, system.share(force, force.all_parts, once), 2.0, tolerance, total_scale);
    std::vector<Share<Dim>> in_parts;
    for (std::size_t part = 0; part < force.parts(); ++part)
        in_parts = system.share(force, part, in_parts);
    check_shares(e, in_parts, 1.0, 1e-14, total_scale);
}

std::vector<double> reaches(const Case& c) {
    double longest = 0.0;
    for (const oracle::Pair& pair : c.pairs) longest = std::max(longest, pair.cutoff);
    std::vector<double> all{std::numeric_limits<double>::infinity()};
    if (std::isfinite(longest)) all.push_back(1.01 * longest);
    return all;
}

/// `cluster`: particles of a cluster at most, where the backend allows so many.
template <int Dim>
void check(const std::vector<Case>& cases, int n, double spacing = 1.08, int cluster = 1024,
           bool excluding = false) {
    for (const Case& c : cases)
        for (const Box<Dim>& box : boxes<Dim>(n, spacing)) {
            if (!std::isfinite(c.pairs[0].cutoff) && !box.is_open()) continue;
            const Expected<Dim> expected = expect<Dim>(c, n, spacing, box, excluding);
            for (const TestBackend& where : test_backends()) {
                if (where.threads > 1) continue;
                const Backend backend = where.open();
                CAPTURE(Dim, n, where.name, c.name, box.is_open(), box.is_periodic());
                const int size = std::min(cluster, pair_cluster_size(backend, Dim));
                for (const double reach : reaches(c)) {
                    check_case<Dim, true>(backend, c, expected, reach, size);
                    check_case<Dim, false>(backend, c, expected, reach, size);
                }
            }
        }
}

} // namespace

TEST_CASE("every potential is among the cases") {
    std::set<int> found;
    for (const Case& c : cases()) {
        found.insert(c.description.potential.potential);
        if (c.description.electrostatic) found.insert(c.description.electrostatic->potential);
    }
    CHECK(found.size() == GeneralInteractions::size);
}

TEST_CASE("pair forces, energies and virials agree with the oracle") {
    const int n = GENERATE(1, 2, 3, 15, 16, 17, 31, 32, 33, 63);
    check<1>(cases(), n);
    check<2>(cases(), n);
    check<3>(cases(), n);
}

TEST_CASE("pair forces of 300 particles agree with the oracle") {
    check<2>(cases(), 300);
    check<3>(cases(), 300);
}

// A CPU fills fours up with empty places. Their virial counts if they come within the cut-off of
// each other, or of themselves through a face of the box.
TEST_CASE("a few particles see each other, and themselves, through the faces of the box") {
    const int n = GENERATE(5, 6, 7, 9);
    check<2>(truncations(), n, 1.72);
    check<3>(truncations(), n + 4, 1.72);
}

TEST_CASE("excluded pairs have no force, energy or virial") {
    const int n = GENERATE(2, 5, 17, 64, 171);
    const auto some = [](auto all, auto more) {
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    for (const int cluster : {1024, 9}) {
        check<1>(truncations(), n, 1.08, cluster, true);
        check<2>(some(truncations(), mixtures()), n, 1.08, cluster, true);
        check<3>(some(truncations(), mixtures()), n, 1.08, cluster, true);
    }
}

TEST_CASE("clusters that leave places empty do not see those of others") {
    check<2>(truncations(), 171, 1.08, 57);
    check<3>(truncations(), 171, 1.08, 57);
}
