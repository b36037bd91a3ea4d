// SPDX-License-Identifier: BSD-3-Clause
/// What steps conserve beside the energy: known numbers, and the order to which it is conserved.
#include "shadow/integrators/shadow_terms.hpp"

#include "support/catch.hpp"
#include "support/small_systems.hpp"

#include "shadow/integrators/composition.hpp"
#include "shadow/integrators/registry.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace shadow;
using namespace shadow::test;

namespace {

double product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

std::vector<double> force(const Problem& problem, const std::vector<double>& q, ForceLevel level) {
    std::vector<double> f(q.size());
    problem.gradient(q.data(), level, f.data());
    for (double& x : f) x = -x;
    return f;
}

/// H and what terms add for forces of levels 1 and 2, second derivatives by differences.
double shadow_energy(SmallSystem& system, const ShadowTerms& terms) {
    const Problem& problem = system.problem();
    const std::vector<double>& q = system.q();
    std::vector<double> v = system.p();
    for (std::size_t i = 0; i < v.size(); ++i) v[i] /= problem.mass[i];
    double sum = system.kinetic_energy() + system.potential_energy();
    for (const std::size_t l : {0U, 1U}) {
        const auto level = static_cast<ForceLevel>(l) + 1;
        const std::vector<double> f = force(problem, q, level);
        sum += terms.along[l] * product(v, f);
        constexpr double delta = 1e-4; // errors of its square, and of rounding 1e-12
        std::vector<double> ahead = q, behind = q;
        for (std::size_t i = 0; i < q.size(); ++i) {
            ahead[i] += delta * v[i];
            behind[i] -= delta * v[i];
        }
        sum -=
            terms.curvature[l] *
            (product(v, force(problem, ahead, level)) - product(v, force(problem, behind, level))) /
            (2.0 * delta);
        for (const std::size_t k : {0U, 1U}) {
            std::vector<double> other = force(problem, q, static_cast<ForceLevel>(k) + 1);
            for (std::size_t i = 0; i < v.size(); ++i) other[i] /= problem.mass[i];
            sum += terms.product[k][l] * product(other, f);
        }
    }
    return sum;
}

/// The largest changes of the energy and of the shadow energy over a time.
struct Changes {
    double energy = 0.0, shadow = 0.0;
};

Changes changes(Integrator& method, const Problem& problem, double time) {
    SmallSystem system(problem);
    method.prepare(system);
    const ShadowTerms terms = *method.shadow_terms();
    const double energy = system.kinetic_energy() + system.potential_energy();
    const double shadow = shadow_energy(system, terms);
    Changes most;
    for (std::int64_t k = std::lround(time / method.dt()); k > 0; --k) {
        method.step(system);
        most.energy = std::max(
            most.energy, std::abs(system.kinetic_energy() + system.potential_energy() - energy));
        most.shadow = std::max(most.shadow, std::abs(shadow_energy(system, terms) - shadow));
    }
    return most;
}

std::unique_ptr<Integrator> method_of(const std::string& name, double dt) {
    MethodSettings settings;
    settings.dt = dt;
    settings.inner = {3};
    if (find_integrator(name)) return find_integrator(name)->make(settings);
    settings.word = name;
    return find_integrator("splitting")->make(settings);
}

/// Methods of the first two orders that have a shadow energy, and words with gradient kicks.
std::vector<std::pair<std::string, int>> low_orders() {
    std::vector<std::pair<std::string, int>> all = {
        {"G[0.3]½ A1 G[0.3]½", 2}, {"A½ G[-0.2]1 A½", 2}, {"G[0.3]1 A1", 1}};
    for (const SplittingMethod& row : splitting_methods())
        if (row.claims.order <= 2 && method_of(row.name, 0.1)->shadow_terms())
            all.emplace_back(row.name, row.claims.order);
    return all;
}

} // namespace

TEST_CASE("what known methods conserve beside the energy") {
    const double h = 0.3;
    const auto near = [](double a, double b) { return std::abs(a - b) < 1e-15; };
    const auto terms_of = [&](const char* word) { return *shadow_terms(parse_word(word, 4), h); };
    // Leimkuhler and Reich 2004, equation 5.40 and below.
    const ShadowTerms verlet = terms_of("B½ A1 B½");
    CHECK(verlet.along[0] == 0.0);
    CHECK(near(verlet.curvature[0], h * h / 12.0));
    CHECK(near(verlet.product[0][0], -h * h / 24.0));
    const ShadowTerms position = terms_of("A½ B1 A½");
    CHECK(near(position.curvature[0], -h * h / 24.0));
    CHECK(near(position.product[0][0], h * h / 12.0));
    // Equation 5.20: half of h p.M^-1 grad V, here with forces.
    CHECK(near(terms_of("A1 B1").along[0], -0.5 * h));
    CHECK(near(terms_of("B1 A1").along[0], 0.5 * h));
    // An impulse of slow forces S about n steps of Verlet with the fast ones F: curvature of S
    // h^2/12, of F (h/n)^2/12; products S.S -h^2/24, F.F -(h/n)^2/24, and F.S -h^2/12.
    const ShadowTerms respa = terms_of("S½ (F½ A1 F½)^n S½");
    CHECK(near(respa.curvature[0], h * h / (12.0 * 16.0)));
    CHECK(near(respa.curvature[1], h * h / 12.0));
    CHECK(near(respa.product[0][0], -h * h / (24.0 * 16.0)));
    CHECK(near(respa.product[1][1], -h * h / 24.0));
    CHECK(near(respa.product[0][1] + respa.product[1][0], -h * h / 12.0));
    // A twelfth of the gradient takes away F.F (Takahashi and Imada 1984, J. Phys. Soc. Jpn. 53,
    // 3765).
    const ShadowTerms gradient = terms_of("G[-1/12]½ A1 G[-1/12]½");
    CHECK(near(gradient.curvature[0], h * h / 12.0));
    CHECK(near(gradient.product[0][0], 0.0));
    CHECK(terms_of("B1/6 A½ G[1/24]2/3 |").vanish(h));
    CHECK_FALSE(verlet.vanish(h));
    CHECK(terms_of("V1.351207191959657634 V* |").vanish(h));
    CHECK_FALSE(shadow_terms(parse_word("B½ A½ O1 A½ B½"), h));
    CHECK_FALSE(shadow_terms(parse_word("M½ (F½ A1 F½)^n M½"), h));
}

TEST_CASE("the shadow energy of Verlet's Kepler orbit changes as little as is known") {
    // From the apsis (1, 0) with the momentum (0, 1.2), to the time 50. The changes were computed
    // with second derivatives in closed form, independently of this program.
    Problem problem = kepler();
    problem.q = {1.0, 0.0};
    problem.p = {0.0, 1.2};
    const double energy[] = {7.93e-4, 1.98e-4, 4.94e-5}, shadow[] = {2.23e-6, 1.39e-7, 8.69e-9};
    double dt = 0.1;
    for (int k = 0; k < 3; ++k, dt *= 0.5) {
        const Changes found = changes(*method_of("verlet", dt), problem, 50.0);
        CAPTURE(dt, found.energy, found.shadow);
        CHECK(std::abs(found.energy - energy[k]) < 0.005 * energy[k]);
        CHECK(std::abs(found.shadow - shadow[k]) < 0.01 * shadow[k]);
    }
}

TEST_CASE("every splitting method conserves its shadow energy to two orders more than its own") {
    for (const auto& [name, claimed] : low_orders()) {
        for (const Problem& problem : problems()) {
            // Where the motion is uniform, or within rounding, there is no order to see.
            const Changes coarse = changes(*method_of(name, 0.04), problem, 6.0),
                          fine = changes(*method_of(name, 0.02), problem, 6.0);
            CAPTURE(name, problem.name, coarse.energy, coarse.shadow, fine.shadow);
            if (coarse.energy < 1e-12) continue;
            CHECK(coarse.shadow < 0.2 * coarse.energy);
            if (fine.shadow < 1e-11) continue;
            const double order = std::log2(coarse.shadow / fine.shadow);
            CAPTURE(order);
            CHECK(order > claimed + 1.6);
        }
    }
}
