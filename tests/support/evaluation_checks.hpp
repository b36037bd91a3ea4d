// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/claim_checks.hpp"
#include "support/world.hpp"

#include "kernels/ops/shares.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

/// Results of a force evaluated in different ways: without energies, by particle, in mixed
/// precision, in two parts by distance, between other species, at a later time.
namespace shadow::test {

/// For sums of the same terms in double: they differ by the order of terms, by a few units of 2^-53
/// times the square root of some thousands of terms; the parts of a force are larger than the force
/// itself.
constexpr double sum_rounding = 1e-12;
/// In mixed precision a pair errs by 2^-24 of its cluster's extent over its distance: in these
/// boxes, up to 23 long, by 23 * 2^-24 / 0.9 = 1.5e-6, and functions by a few 2^-24 more.
constexpr double mixed_rounding = 4e-6;

template <int Dim>
double largest_component(const SymmetricTensor<Dim>& a, const SymmetricTensor<Dim>& b = {}) {
    double most = 0.0;
    for (int k = 0; k < tensor_size<Dim>; ++k)
        most = larger(most, std::abs(a.component[k] - b.component[k]));
    return most;
}

/// The shares of particles in all forces, in memory order: term by term in double, or all together
/// in the precision of forces.
template <int Dim>
std::vector<Share<Dim>> shares_of(World<Dim>& world, bool term_by_term) {
    ParticleSystem<Dim>& system = world.system();
    Array<Share<Dim>> share(world.backend, world.size());
    system.prepare_observation(true);
    bool is_first = true;
    if (term_by_term)
        system.each_term([&](const auto& enqueue, double) {
            enqueue(!is_first, share.data());
            is_first = false;
        });
    else
        REQUIRE(system.share(share.data()));
    return share.to_host();
}

/// Compares particle energies with those that forces have summed, and both sums with the totals.
template <int Dim>
void check_shares(World<Dim>& world, bool term_by_term, double tolerance) {
    const double energy = world.potential();
    const SymmetricTensor<Dim> virial = world.virial();
    const std::vector<Share<Dim>> shares = shares_of(world, term_by_term);
    const std::vector<double> known = world.particle_energies();
    double sum = 0.0, most = 0.0;
    SymmetricTensor<Dim> sums{};
    for (std::size_t i = 0; i < shares.size(); ++i) {
        sum += shares[i].energy;
        sums.add(shares[i].virial);
        most = larger(most, std::abs(shares[i].energy - known[i]));
    }
    CAPTURE(term_by_term, energy, sum, most);
    CHECK(std::abs(sum - energy) <= tolerance);
    CHECK(most <= tolerance);
    CHECK(largest_component(sums, virial) <= tolerance);
}

/// Checks that another input gives the same forces, energy and virial.
template <int Dim>
void check_same(World<Dim>& there, World<Dim>& here, double tolerance) {
    CHECK(largest_difference<Dim>(there.forces(), here.forces()) <= tolerance);
    CHECK(std::abs(there.potential() - here.potential()) <= tolerance);
    CHECK(largest_component(there.virial(), here.virial()) <= tolerance);
}

/// Pairs, and a mesh of low accuracy, in float.
template <int Dim>
void check_mixed(const ForceCase<Dim>& c, const Setup<Dim>& setup, World<Dim>& in_double,
                 double scale, double rounding = mixed_rounding) {
    World<Dim> mixed(c.where, setup, c.input, false);
    const double tolerance = rounding * scale;
    CHECK(largest_difference<Dim>(mixed.forces(false), in_double.forces()) <= tolerance);
    check_same(mixed, in_double, tolerance);
    for (const bool term_by_term : {true, false}) check_shares(mixed, term_by_term, tolerance);
}

/// At a later time, without energies: forces are the same, times `factor` if the force changes in
/// time.
template <int Dim>
void check_later(const ForceCase<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                 const ForceClaims<Dim>& claims, double time, double factor, double scale) {
    Setup<Dim> later = setup;
    later.start.time = time;
    Vectors<Dim> found = World<Dim>(c.where, later, c.input).forces(false);
    const double tolerance = sum_rounding * scale;
    CHECK((largest_difference<Dim>(found, force) <= tolerance) == claims.constant);
    for (auto& f : found)
        for (double& component : f) component /= factor;
    CHECK(largest_difference<Dim>(found, force) <= tolerance);
}

/// The force in two parts, neither of which is zero.
template <int Dim>
void check_split(const ForceCase<Dim>& c, const Setup<Dim>& setup, World<Dim>& whole,
                 const std::string& split, double tolerance, double scale) {
    World<Dim> parts(c.where, setup, c.input + split);
    check_same(parts, whole, tolerance);
    int count = 0;
    for (const SymmetricTensor<Dim>& virial : parts.virials_by_level()) {
        CHECK(largest_component(virial) > 1e-4 * scale);
        ++count;
    }
    CHECK(count == 2);
}

/// The particles of one species, without bonds.
template <int Dim>
Setup<Dim> only(const Setup<Dim>& setup, std::uint16_t species) {
    Setup<Dim> some = setup;
    some.start.position.clear();
    for (std::size_t i = 0; i < setup.start.size(); ++i)
        if (setup.start.species[i] == species)
            some.start.position.push_back(setup.start.position[i]);
    const std::size_t n = some.start.position.size();
    some.start.momentum.assign(n, {});
    some.start.image.assign(n, {});
    some.start.species.assign(n, species);
    return some;
}

/// Like pairs of each species have a row of their own, and so have unlike ones; each input of
/// `rows` uses one row for all pairs.
template <int Dim>
void check_mixture(const ForceCase<Dim>& mixture, const std::array<std::string, 3>& rows,
                   const Setup<Dim>& setup, double rounding) {
    const auto energy = [&](const std::string& input, const Setup<Dim>& of) {
        return ForceCase<Dim>{mixture.where, input}.energy(of);
    };
    const Setup<Dim> first = only(setup, 0), second = only(setup, 1);
    const double like = energy(rows[0], first) + energy(rows[2], second);
    const double unlike = energy(rows[1], setup) - energy(rows[1], first) - energy(rows[1], second);
    const double found = mixture.energy(setup);
    const double scale = std::abs(like) + std::abs(unlike) + std::abs(energy(rows[1], setup));
    CAPTURE(mixture.input, like, unlike, found);
    CHECK(std::abs(unlike) > 1e-3 * scale);
    CHECK(std::abs(found - like - unlike) <= rounding * scale);
}

} // namespace shadow::test
