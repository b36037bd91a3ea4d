// SPDX-License-Identifier: BSD-3-Clause
/// Methods on spheres: order, reversal, what is conserved, with and without coupled spheres.
#include "src/models/sphere.hpp"

#include "src/models/following.hpp"
#include "support/catch.hpp"
#include "support/maps.hpp"

#include <cmath>
#include <utility>

using namespace shadow;
using namespace shadow::models;

namespace {

/// Two vectors that attract each other, in a field along z.
SphereProblem two_vectors(double coupling) {
    Matrix inertia(2);
    inertia(0, 0) = 2.0;
    inertia(1, 1) = 1.5;
    inertia(0, 1) = inertia(1, 0) = coupling;
    State start(12);
    put_vector(start, 0, {0.6, 0.0, 0.8});
    put_vector(start, 1, {0.0, -0.8, 0.6});
    put_vector(start, 2, {0.4, 0.5, -0.3});
    put_vector(start, 3, {0.7, 0.3, 0.4});
    return {inertia, start,
            [](const State& z) {
                const double along = dot(vector_at(z, 0), vector_at(z, 1));
                return z[2] + 0.5 * z[5] - 0.3 * along * along;
            },
            [](const State& z, State& g) {
                const Three a = vector_at(z, 0), b = vector_at(z, 1);
                const double factor = -0.6 * dot(a, b);
                g.resize(6);
                put_vector(g, 0, plus({0.0, 0.0, 1.0}, factor, b));
                put_vector(g, 1, plus({0.0, 0.0, 0.5}, factor, a));
            }};
}

/// Those of Munthe-Kaas leave out what makes them symmetric.
struct SphereMethod {
    const char* name;
    Map (*step)(const SphereProblem& problem, double h);
    double order;
    bool goes_back;
};

const SphereMethod sphere_methods[] = {
    {"Newmark", sphere_newmark, 2.0, true},
    {"RATTLE", sphere_rattle, 2.0, true},
    {"Runge-Kutta",
     [](const SphereProblem& p, double h) { return sphere_munthe_kaas(p, runge_kutta_4(), h); },
     4.0, false},
    {"Gauss", [](const SphereProblem& p, double h) { return sphere_munthe_kaas(p, gauss(2), h); },
     4.0, false}};

State ending(const SphereProblem& problem, const SphereMethod& method, int steps) {
    return after(method.step(problem, 1.0 / steps), problem.start, steps);
}

} // namespace

TEST_CASE("methods on spheres have their orders, stay there and go back") {
    for (const double coupling : {0.0, 0.7}) {
        const SphereProblem problem = two_vectors(coupling);
        const State exact = ending(problem, sphere_methods[3], 400);
        // The exact motion keeps q.w and the energy, and J along the field.
        CHECK(turn_about_itself(problem.start) < 1e-15);
        CHECK(turn_about_itself(exact) < 1e-9);
        CHECK(std::abs(problem.energy(exact) - problem.energy(problem.start)) < 1e-9);
        CHECK(std::abs(problem.angular_momentum(exact)[2] -
                       problem.angular_momentum(problem.start)[2]) < 1e-9);
        for (const SphereMethod& method : sphere_methods) {
            CAPTURE(coupling, method.name);
            const double ratio = distance(ending(problem, method, 16), exact) /
                                 distance(ending(problem, method, 32), exact);
            CHECK(std::abs(std::log2(ratio) - method.order) < 0.3);
            const State there = ending(problem, method, 10);
            for (std::size_t i = 0; i < 2; ++i)
                CHECK(std::abs(dot(vector_at(there, i), vector_at(there, i)) - 1.0) < 1e-14);
            if (!method.goes_back) continue;
            CHECK(distance(after(method.step(problem, 0.1), flipped(there), 10),
                           flipped(problem.start)) < 1e-11);
        }
    }
}

TEST_CASE("where spheres are coupled RATTLE alone keeps the angular momentum") {
    const SphereProblem apart = two_vectors(0.0), coupled = two_vectors(0.7);
    const auto change = [](const SphereProblem& problem, const SphereMethod& method) {
        return change_of([&](const State& z) { return problem.angular_momentum(z)[2]; },
                         method.step(problem, 0.1), 100, problem.start)
            .largest;
    };
    CHECK(change(apart, sphere_methods[0]) < 1e-13);
    CHECK(change(coupled, sphere_methods[0]) > 1e-5);
    for (const SphereProblem* problem : {&apart, &coupled}) {
        CHECK(change(*problem, sphere_methods[1]) < 1e-13);
        CHECK(change(*problem, sphere_methods[2]) > 1e-8);
    }
}

TEST_CASE("an angular momentum of vectors is that of their inertia") {
    const SphereProblem problem = two_vectors(0.0);
    const Three sum = problem.angular_momentum(problem.start);
    const Three w = vector_at(problem.start, 2), u = vector_at(problem.start, 3);
    // q x (w x q) = w where q.w = 0.
    for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(sum[k] - 2.0 * w[k] - 1.5 * u[k]) < 1e-14);
}
