// SPDX-License-Identifier: BSD-3-Clause
#include "shadow/forces/pair_force.hpp"

#include "support/backends.hpp"
#include "support/catch.hpp"
#include "support/larger.hpp"
#include "support/pair_cases.hpp"
#include "support/pair_system.hpp"

#include "shadow/forces/direct_sum.hpp"

#include "kernels/ops/shares.hpp"
#include "kernels/potentials/list.hpp"

#include <limits>
#include <set>
#include <string>

using namespace shadow;
using namespace test::pair_cases;

namespace {

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
