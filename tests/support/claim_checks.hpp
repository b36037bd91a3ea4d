// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/bonded_chain.hpp"
#include "support/catch.hpp"
#include "support/turned.hpp"
#include "support/world.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

/// The claims of a force (ForceClaims) against differences of its energy.
namespace shadow::test {

template <int Dim>
struct ForceCase {
    TestBackend where;
    std::string input;

    [[nodiscard]] double energy(const Setup<Dim>& setup) const {
        return World<Dim>(where, setup, input).potential();
    }
    /// Derivative of the energy with respect to h in `change(setup, h)`.
    template <class Change>
    [[nodiscard]] double slope(const Setup<Dim>& setup, Change&& change) const {
        constexpr double h = 1e-5;
        Setup<Dim> up = setup, down = setup;
        change(up, h);
        change(down, -h);
        return (energy(up) - energy(down)) / (2.0 * h);
    }
};

/// Relative to all forces and the energy: the error of a difference is h^2 / 6 times the third
/// derivative and 1e-16 / h times the energy.
constexpr double claim_tolerance = 2e-8;
/// The same for values that are not differences.
template <int Dim>
double claim_rounding(const ForceClaims<Dim>& claims) {
    return std::max(1e-11, claims.accuracy);
}

/// Claims of a force that has several terms: periodic charges and the terms of their excluded
/// pairs.
template <int Dim>
ForceClaims<Dim> claims_of(const World<Dim>& world) {
    ForceClaims<Dim> all = world.claims().front();
    for (const ForceClaims<Dim>& claims : world.claims()) {
        all.conservative = all.conservative && claims.conservative;
        all.has_virial = all.has_virial && claims.has_virial;
        all.local_to_molecule = all.local_to_molecule && claims.local_to_molecule;
        all.constant = all.constant && claims.constant;
        all.accuracy = std::max(all.accuracy, claims.accuracy);
    }
    all.invariance = invariance_of(world.claims());
    return all;
}

template <int Dim>
void check_gradient(const ForceCase<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                    double scale) {
    for (const std::size_t i : {0UL, 3UL, 10UL})
        for (std::size_t d = 0; d < Dim; ++d) {
            const double expected =
                -c.slope(setup, [&](Setup<Dim>& s, double h) { s.start.position[i][d] += h; });
            CAPTURE(i, d);
            CHECK(std::abs(force[i][d] - expected) < claim_tolerance * scale);
        }
}

/// Exactly along the claimed directions a displacement of all particles leaves the energy
/// unchanged, and the total force is zero.
template <int Dim>
void check_invariance(const ForceCase<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                      const ForceClaims<Dim>& claims, double scale) {
    for (std::size_t d = 0; d < Dim; ++d) {
        const double here = c.energy(setup);
        Setup<Dim> moved = setup;
        for (auto& x : moved.start.position) x[d] += 0.31;
        const double change = std::abs(c.energy(moved) - here);
        double sum = 0.0;
        for (const auto& f : force) sum += f[d];
        CAPTURE(d, change, sum);
        CHECK((change < claim_rounding(claims) * scale) == claims.invariance.along[d]);
        CHECK((std::abs(sum) < 1e-11 * scale) == claims.invariance.along[d]);
    }
}

/// In planes of two open directions the total torque about the origin is zero exactly if claimed.
/// Degrees of freedom exclude exactly the momenta found to be conserved.
template <int Dim>
void check_freedom(World<Dim>& world, const Setup<Dim>& setup, const Vectors<Dim>& force,
                   const ForceClaims<Dim>& claims, double scale) {
    std::array<bool, Dim> stays{};
    double extent = 0.0, freedom = static_cast<double>(Dim * world.size());
    for (std::size_t d = 0; d < Dim; ++d) {
        double sum = 0.0;
        for (const auto& f : force) sum += f[d];
        stays[d] = std::abs(sum) < 1e-11 * scale;
        freedom -= stays[d] ? 1.0 : 0.0;
        for (const auto& x : setup.start.position) extent = std::max(extent, std::abs(x[d]));
    }
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t b = a + 1; b < Dim; ++b) {
            if (setup.box.periodic()[a] || setup.box.periodic()[b]) continue;
            double torque = 0.0;
            for (std::size_t i = 0; i < force.size(); ++i) {
                const auto& x = setup.start.position[i];
                torque += x[a] * force[i][b] - x[b] * force[i][a];
            }
            CAPTURE(a, b, torque);
            const bool turns = std::abs(torque) < claim_rounding(claims) * scale * extent;
            CHECK(turns == (claims.invariance.turning[a] && claims.invariance.turning[b]));
            freedom -= turns && stays[a] && stays[b] ? 1.0 : 0.0;
        }
    CHECK(world.system().degrees_of_freedom() == freedom);
}

/// A force in a periodic box is the same in the next image.
template <int Dim>
void check_images(const ForceCase<Dim>& c, const Setup<Dim>& setup, const Vectors<Dim>& force,
                  double scale) {
    if (setup.box.is_open()) return;
    Setup<Dim> moved = setup;
    for (std::size_t d = 0; d < Dim; ++d)
        if (setup.box.periodic()[d]) moved.start.image[5][d] = -1;
    const auto there = World<Dim>(c.where, moved, c.input).forces();
    for (std::size_t d = 0; d < Dim; ++d)
        CHECK(std::abs(there[5][d] - force[5][d]) < 1e-11 * scale);
}

/// Adds e x_b to x_a. If a and b differ, b must be open: along a periodic direction images would be
/// sheared too, which is impossible in a rectangular box.
template <int Dim>
void strain(Setup<Dim>& setup, std::size_t a, std::size_t b, double e) {
    auto lengths = setup.box.lengths();
    if (a == b) lengths[a] *= 1.0 + e;
    if (!setup.box.is_open()) setup.box = Box<Dim>(lengths, setup.box.periodic());
    for (auto& x : setup.start.position) x[a] += e * x[b];
}

/// Checks W_ab = -dU/de_ab, where e strains all positions and the box.
template <int Dim>
void check_virial(const ForceCase<Dim>& c, const Setup<Dim>& setup,
                  const SymmetricTensor<Dim>& virial, const ForceClaims<Dim>& claims,
                  double scale) {
    for (std::size_t a = 0; a < Dim; ++a)
        for (std::size_t b = 0; b < Dim; ++b) {
            const double found =
                virial.component[tensor_index<Dim>(static_cast<int>(a), static_cast<int>(b))];
            CAPTURE(a, b, found);
            if (!claims.has_virial) {
                CHECK(found == 0.0);
                continue;
            }
            if (a != b && setup.box.periodic()[b]) continue;
            const double expected =
                -c.slope(setup, [&](Setup<Dim>& s, double e) { strain(s, a, b, e); });
            CAPTURE(expected);
            CHECK(std::abs(found - expected) < claim_tolerance * scale);
        }
}

/// Checks components that no strain of a rectangular box gives: in a box rotated by 45 degrees
/// about the third direction, which holds the system twice, the virial is the rotated virial.
template <int Dim>
void check_turned(const ForceCase<Dim>& c, const Setup<Dim>& setup,
                  const SymmetricTensor<Dim>& virial, const ForceClaims<Dim>& claims,
                  double scale) {
    const std::vector<std::size_t> plane = periodic_directions(setup.box);
    if (plane.size() < 2 || !claims.has_virial) return;
    const TurnedFrame frame{plane[0], plane[1]};
    World<Dim> world(c.where, turned(setup, frame), c.input);
    const double tolerance = std::max(claim_tolerance, claims.accuracy) * scale;
    CHECK(std::abs(world.potential() - 2.0 * c.energy(setup)) < tolerance);
    const SymmetricTensor<Dim> found = world.virial();
    const SymmetricTensor<Dim> expected = frame.turn<Dim>(virial);
    for (int k = 0; k < tensor_size<Dim>; ++k) {
        CAPTURE(k, found.component[k], expected.component[k]);
        CHECK(std::abs(found.component[k] - 2.0 * expected.component[k]) < tolerance);
    }
}

/// Checks the flags of a field in the list (FieldInfo) against its force at some positions.
template <int Dim>
void check_flags(const FieldDescription& field) {
    using Place = std::array<double, Dim>;
    const auto at = [&](const Place& x) { return field.at<Dim>(x.data(), 1); };
    constexpr double tolerance = 1e-9; // rounding of forces of about 10
    const std::vector<double> gradient = field.gradient<Dim>();
    bool uniform = true, linear = true, along_one = true, by_components = true;
    const FieldResult<Dim> origin = at({});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> anywhere(-3.0, 3.0);
    for (int k = 0; k < 50; ++k) {
        Place x;
        for (double& component : x) component = anywhere(random);
        const FieldResult<Dim> here = at(x);
        for (std::size_t d = 0; d < Dim; ++d) {
            if (!std::isfinite(here.force[d])) continue; // behind a wall
            uniform = uniform && std::abs(here.force[d] - origin.force[d]) < tolerance;
            Place along{}; // only this coordinate, doubled
            along[d] = 2.0 * x[d];
            const double twice = at(along).force[d] - origin.force[d];
            linear =
                linear && std::abs(twice - 2.0 * (here.force[d] - origin.force[d])) < tolerance;
            for (std::size_t e = 0; e < Dim; ++e)
                along_one = along_one && std::abs(here.force[d] * gradient[e] -
                                                  here.force[e] * gradient[d]) < tolerance;
            for (std::size_t e = 0; e < Dim; ++e)
                by_components =
                    by_components &&
                    std::abs((here.force[d] - origin.force[d]) * gradient[e] * x[e] -
                             (here.force[e] - origin.force[e]) * gradient[d] * x[d]) < tolerance;
        }
    }
    const auto components = std::count_if(gradient.begin(), gradient.end(),
                                          [](double component) { return component != 0.0; });
    CAPTURE(field.info->name, uniform, linear, along_one, components);
    CHECK(field.info->uniform == uniform);
    CHECK(field.info->linear == linear);
    if (components > 1) CHECK(field.info->separable != along_one); // of one component it is both
    // Each component is as large as the others imply: as stiff a trap, by which it rotates.
    if (field.info->separable && field.info->linear) CHECK(by_components);
}

/// By the power method, with a shift of twice the sum of the absolute entries.
template <int Dim>
double largest_eigenvalue(const std::array<std::array<double, Dim>, Dim>& matrix) {
    double shift = 0.0, value = 0.0;
    for (const auto& row : matrix)
        for (const double entry : row) shift += 2.0 * std::abs(entry);
    std::array<double, Dim> x;
    for (std::size_t d = 0; d < Dim; ++d) x[d] = 1.0 - 0.3 * static_cast<double>(d);
    for (int k = 0; k < 500 && shift > 0.0; ++k) {
        const double length = length_of<Dim>(x);
        std::array<double, Dim> next{};
        for (std::size_t a = 0; a < Dim; ++a) {
            for (std::size_t b = 0; b < Dim; ++b) next[a] += matrix[a][b] * x[b] / length;
            next[a] += shift * x[a] / length;
        }
        x = next;
        value = length_of<Dim>(x) - shift;
    }
    return value;
}

/// No second derivative of a particle's energy along any direction exceeds the claim of its
/// species, and the largest of some twenty particles is at least half the claim. Particles do not
/// interact, so all move together. `wave`: the factor now, from -1 to 1, of a field that oscillates
/// in time, opposite half a period later; or 1.
template <int Dim>
void check_stiffness(const ForceCase<Dim>& c, const Setup<Dim>& setup,
                     const ForceClaims<Dim>& claims, double wave) {
    if (claims.stiffness.empty()) return;
    constexpr double h = 1e-4;
    std::vector<std::array<std::array<double, Dim>, Dim>> hessian(setup.start.size());
    for (std::size_t d = 0; d < Dim; ++d) {
        Setup<Dim> up = setup, down = setup;
        for (std::size_t i = 0; i < hessian.size(); ++i) {
            up.start.position[i][d] += h;
            down.start.position[i][d] -= h;
        }
        const Vectors<Dim> above = World<Dim>(c.where, up, c.input).forces(),
                           below = World<Dim>(c.where, down, c.input).forces();
        for (std::size_t i = 0; i < hessian.size(); ++i)
            for (std::size_t e = 0; e < Dim; ++e)
                hessian[i][e][d] = (below[i][e] - above[i][e]) / (2.0 * h);
    }
    if (wave < 1.0) { // at both times
        const auto now = hessian;
        hessian.insert(hessian.end(), now.begin(), now.end());
        for (std::size_t i = 0; i < setup.start.size(); ++i)
            for (auto& row : hessian[i])
                for (double& entry : row) entry = -entry;
    }
    const auto species = [&](std::size_t i) { return setup.start.species[i % setup.start.size()]; };
    std::vector<double> most(claims.stiffness.size(), -HUGE_VAL);
    for (std::size_t i = 0; i < hessian.size(); ++i)
        most.at(species(i)) = std::max(most.at(species(i)), largest_eigenvalue<Dim>(hessian[i]));
    for (std::size_t s = 0; s < most.size(); ++s) {
        const double claimed = wave * largest_eigenvalue<Dim>(claims.stiffness[s]);
        INFO("of species " << s
                           << " no particle is where the force is half as stiff as is claimed, "
                           << claimed << " (at most " << most[s]
                           << "); put one of tests/support/force_rows.hpp there");
        if (claimed > 0.0) CHECK(most[s] > 0.5 * claimed);
    }
    for (std::size_t i = 0; i < hessian.size(); ++i) { // along each direction
        auto beyond = hessian[i];
        for (std::size_t a = 0; a < Dim; ++a)
            for (std::size_t b = 0; b < Dim; ++b)
                beyond[a][b] -= wave * claims.stiffness.at(species(i))[a][b];
        CHECK(largest_eigenvalue<Dim>(beyond) <= 1e-6); // h^2 of the fourth derivative
    }
}

/// Molecules are chains of five particles: one is moved as a whole, and the energy does not change.
template <int Dim>
void check_locality(const ForceCase<Dim>& c, const Setup<Dim>& setup,
                    const ForceClaims<Dim>& claims, double scale) {
    if (!claims.local_to_molecule) return;
    Setup<Dim> moved = setup;
    const auto path = path_through<Dim>(setup.start.position, setup.box, 10);
    for (std::size_t k = 5; k < 10; ++k)
        for (double& x : moved.start.position[path[k]]) x += 0.37;
    CHECK(std::abs(c.energy(moved) - c.energy(setup)) < 1e-11 * scale);
}

} // namespace shadow::test
