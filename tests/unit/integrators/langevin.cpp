// SPDX-License-Identifier: BSD-3-Clause
#include "support/catch.hpp"
#include "support/small_systems.hpp"
#include "support/world.hpp"

#include "shadow/integrators/registry.hpp"

#include <cmath>

using namespace shadow;
using namespace shadow::test;

namespace {

constexpr double oscillator_mass = 2.0, stiffness = 3.0, kT = 0.8, friction = 0.7;

/// By name, or by word.
std::unique_ptr<Integrator> make_method(const std::string& name, double dt, int inner = 1) {
    MethodSettings settings;
    settings.dt = dt;
    settings.inner = {inner};
    settings.kT = kT;
    settings.friction = friction;
    if (const IntegratorEntry* entry = find_integrator(name)) return entry->make(settings);
    settings.word = name;
    return find_integrator("splitting")->make(settings);
}

OscillatorMoments equilibrium(Integrator& method) {
    OscillatorMoments moments(oscillator_mass, stiffness);
    // Correlations decay at least as exp(-friction t / 2): below 1e-16 after t = 110.
    while (static_cast<double>(moments.step()) * method.dt() < 200.0) method.step(moments);
    return moments;
}

/// Moments (qq, qp, pp) after time t of the Langevin equation itself, or of collisions, which take
/// p^2 as they take p, by Runge-Kutta.
std::array<double, 3> exact_moments(std::array<double, 3> x, double t, bool collisions) {
    const double of_square = collisions ? friction : 2.0 * friction;
    auto rate = [of_square](const std::array<double, 3>& y) -> std::array<double, 3> {
        return {2.0 * y[1] / oscillator_mass,
                y[2] / oscillator_mass - stiffness * y[0] - friction * y[1],
                -2.0 * stiffness * y[1] - of_square * (y[2] - kT * oscillator_mass)};
    };
    auto along = [](std::array<double, 3> y, const std::array<double, 3>& k, double h) {
        for (std::size_t i = 0; i < 3; ++i) y[i] += h * k[i];
        return y;
    };
    const int steps = 2000;
    const double h = t / steps;
    for (int n = 0; n < steps; ++n) {
        const auto a = rate(x), b = rate(along(x, a, h / 2)), c = rate(along(x, b, h / 2)),
                   d = rate(along(x, c, h));
        for (std::size_t i = 0; i < 3; ++i) x[i] += h / 6 * (a[i] + 2 * (b[i] + c[i]) + d[i]);
    }
    return x;
}

/// `[system]` of 4096 particles at rest.
std::string still_lattice(int dimension) {
    const char* const lattice = dimension == 1   ? "\"chain\", repeat = [4096]"
                                : dimension == 2 ? "\"square\", repeat = [64, 64]"
                                                 : "\"sc\", repeat = [16, 16, 16]";
    return "[system]\ndimension = " + std::to_string(dimension) +
           "\nlattice = { type = " + lattice + ", constant = 1.0 }\n";
}

} // namespace

TEST_CASE("stochastic methods have the weak order which they claim") {
    const double t = 2.0;
    auto error = [&](const IntegratorEntry& entry, int steps) {
        const auto exact = exact_moments({1.0, -0.3, 0.5}, t, entry.descriptor.name == "andersen");
        OscillatorMoments moments(oscillator_mass, stiffness);
        moments.qq = 1.0, moments.qp = -0.3, moments.pp = 0.5;
        const auto method = make_method(entry.descriptor.name, t / steps);
        for (int k = 0; k < steps; ++k) method->step(moments);
        return larger(larger(std::abs(moments.qq - exact[0]), std::abs(moments.qp - exact[1])),
                      std::abs(moments.pp - exact[2]));
    };
    int found = 0;
    for (const IntegratorEntry& entry : integrators()) {
        if (entry.descriptor.name == "splitting") continue;
        const auto method = make_method(entry.descriptor.name, 0.1);
        const Claims claims = method->claims();
        if (!has_flow(method->word(), FlowKind::bath) || !method->moves_with_momenta()) continue;
        if (has_pair_bath(method->word())) continue; // one oscillator has no pairs
        ++found;
        const double order = std::log2(error(entry, 50) / error(entry, 100));
        INFO(entry.descriptor.name << ": weak order " << order);
        CHECK(std::abs(order - claims.order) < 0.1);
    }
    CHECK(found >= 3);
}

TEST_CASE("BAOAB samples harmonic positions exactly at any stable step") {
    // Leimkuhler and Matthews 2013; h omega up to 1.96 of 2. The momenta carry the bias
    // 1 - (h omega)^2 / 4 instead. OBABO keeps p Gaussian and Verlet's modified Hamiltonian
    // p^2/2m + (1 - (h omega)^2 / 4) k q^2 / 2, so its bias sits in the positions.
    const double omega = std::sqrt(stiffness / oscillator_mass);
    for (const double dt : {0.1, 0.8, 1.6}) {
        const double shrink = 1.0 - dt * dt * omega * omega / 4.0;
        const OscillatorMoments exact = equilibrium(*make_method("baoab", dt));
        CHECK(std::abs(exact.qq - kT / stiffness) < 1e-13);
        CHECK(std::abs(exact.pp - kT * oscillator_mass * shrink) < 1e-13);
        const OscillatorMoments midpoint = equilibrium(*make_method("gjf", dt));
        CHECK(std::abs(midpoint.qq - kT / stiffness) < 1e-13);
        CHECK(std::abs(midpoint.pp - kT * oscillator_mass * shrink) < 1e-13);
        // Half a step before, momenta are exact: only their mean with the kick is not.
        const OscillatorMoments leapfrog = equilibrium(*make_method("baoa", dt));
        CHECK(std::abs(leapfrog.qq - kT / stiffness) < 1e-13);
        CHECK(std::abs(leapfrog.pp - kT * oscillator_mass) < 1e-13);
        const OscillatorMoments biased = equilibrium(*make_method("obabo", dt));
        CHECK(std::abs(biased.qq - kT / (stiffness * shrink)) < 1e-12);
        CHECK(std::abs(biased.pp - kT * oscillator_mass) < 1e-12);
    }
}

TEST_CASE("a bath around RESPA leaves momenta exact, and places where RESPA's energy has them") {
    // A step of RESPA takes (q, p) to (a q + s p, -c q + a p): it conserves c q^2 + s p^2, and the
    // bath keeps p Gaussian, so <q^2> = (s / c) <p^2>. Two inner steps of Verlet with the fast
    // forces turn by 2 phi, cos(phi) = 1 - (h omega)^2 / 2.
    const double square = share(1) * stiffness / oscillator_mass;
    for (const double dt : {0.1, 0.8, 1.6}) {
        const double h = 0.5 * dt, phi = std::acos(1.0 - 0.5 * h * h * square),
                     mass = oscillator_mass * std::sqrt(square * (1.0 - 0.25 * h * h * square));
        const double turned = std::sin(2.0 * phi), kick = 0.5 * dt * share(2) * stiffness;
        const double s = turned / mass,
                     c = mass * turned + 2.0 * kick * std::cos(2.0 * phi) - kick * kick * s;
        const OscillatorMoments moments = equilibrium(*make_method("obabo-respa", dt, 2));
        CAPTURE(dt);
        CHECK(std::abs(moments.pp - kT * oscillator_mass) < 1e-12);
        CHECK(std::abs(moments.qq - kT * oscillator_mass * s / c) < 1e-12);
    }
}

TEST_CASE("free particles diffuse as they should by the midpoint rule, at any step") {
    // <dq^2> / 2 t: kT / (m friction) by gjf; by baoab (h f / 2) coth(h f / 2) of that.
    for (const double dt : {0.1, 1.0, 4.0}) {
        const auto diffusion = [&](const char* name) {
            OscillatorMoments moments(oscillator_mass, 0.0);
            const auto method = make_method(name, dt);
            const auto after = [&](int steps) {
                for (int k = 0; k < steps; ++k) method->step(moments);
                return moments.qq;
            };
            const double first = after(1000), last = after(1000);
            return (last - first) / (2.0 * 1000.0 * dt);
        };
        const double exact = kT / (oscillator_mass * friction), x = 0.5 * dt * friction;
        CHECK(std::abs(diffusion("gjf") - exact) < 1e-10);
        CHECK(std::abs(diffusion("baoab") - exact * x / std::tanh(x)) < 1e-10);
    }
}

TEST_CASE("noise gives positions and momenta the variances of an average over all noise") {
    // t = 1.2e5, correlation time of q^2 and p^2 about 2 / friction = 3: 4e4 independent samples, a
    // variance is good to sqrt(2 / 4e4) = 0.7 %; bounds are five of these.
    const double dt = 0.8;
    const int steps = 150000;
    std::vector<std::string> methods;
    for (const IntegratorEntry& entry : integrators()) {
        if (entry.descriptor.name == "splitting") continue;
        const auto method = make_method(entry.descriptor.name, dt);
        if (has_flow(method->word(), FlowKind::bath) && !has_pair_bath(method->word()))
            methods.push_back(entry.descriptor.name);
    }
    CHECK(methods.size() >= 3);
    for (const char* word : {"O½ B½ A1 B½ O½", "B½ O½ A1 O½ B½", "A½ O½ B1 O½ A½", "O1 B½ A1 B½",
                             "O1/4 B½ O1/4 A1 |", "B1/4 A½ O1/3 B½ O* B1/4 A½ O1/3"})
        methods.emplace_back(word);
    for (const std::string& name : methods) {
        const auto method = make_method(name, dt);
        OscillatorMoments expected = equilibrium(*method);
        SmallSystem system(oscillator(), 42);
        double q2 = 0.0, p2 = 0.0, qp = 0.0;
        for (int k = 0; k < steps; ++k) {
            method->step(system);
            q2 += system.q()[0] * system.q()[0] / steps;
            p2 += system.p()[0] * system.p()[0] / steps;
            qp += system.q()[0] * system.p()[0] / steps;
        }
        INFO(name);
        CHECK(std::abs(q2 / expected.qq - 1.0) < 0.035);
        CHECK(std::abs(p2 / expected.pp - 1.0) < 0.035);
        CHECK(std::abs(qp - expected.qp) < 0.035 * std::sqrt(expected.qq * expected.pp));
    }
}

TEMPLATE_TEST_CASE_SIG("no two draws of noise are the same", "", ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    World<Dim> world(where, read_setup<Dim>(still_lattice(Dim)), "");
    // Momenta that forget all: the noise itself.
    const auto noise = [&](int occurrence) {
        world.system().bath({BathKind::langevin, 100.0, 1.0, 1.0}, occurrence);
        const Vectors<Dim> p = world.system().snapshot().momentum;
        std::vector<double> all;
        for (const auto& of_particle : p)
            all.insert(all.end(), of_particle.begin(), of_particle.end());
        return all;
    };
    std::vector<std::vector<double>> draws{noise(0), noise(1), noise(2)};
    world.system().end_step(0.1);
    draws.push_back(noise(0));
    draws.push_back(noise(1));
    // Neighbours in memory, and components of one particle.
    draws.push_back({draws[0].begin() + 1, draws[0].end()});
    draws.push_back({draws[0].begin() + (Dim == 1 ? 2 : Dim), draws[0].end()});
    for (std::size_t a = 0; a < draws.size(); ++a)
        for (std::size_t b = 0; b <= a; ++b) {
            const std::size_t n = std::min(draws[a].size(), draws[b].size());
            double sum = 0.0;
            for (std::size_t k = 0; k < n; ++k) sum += draws[a][k] * draws[b][k];
            CAPTURE(a, b);
            // A mean of n products has the deviation 1 / sqrt(n), of n squares sqrt(2 / n).
            const double deviation = std::sqrt((a == b ? 2.0 : 1.0) / static_cast<double>(n));
            CHECK(std::abs(sum / static_cast<double>(n) - (a == b ? 1.0 : 0.0)) < 5.0 * deviation);
        }
}

TEST_CASE("bath heat is what the bath does to the kinetic energy") {
    for (const char* name : {"baoab", "aboba", "obabo", "gjf", "baoa", "andersen"}) {
        SmallSystem system(free_particle());
        const auto method = make_method(name, 0.1);
        const double start = system.conserved(*method);
        double heat = 0.0;
        for (int k = 0; k < 1000; ++k) {
            method->step(system);
            heat = larger(heat, std::abs(system.bath_heat()));
        }
        INFO(name);
        CHECK(heat > 0.1);
        // 2000 additions to a heat of a few: 2000 * 4e-16.
        CHECK(std::abs(system.conserved(*method) - start) < 1e-12);
    }
}

TEMPLATE_TEST_CASE_SIG("collisions give new momenta to some particles, or to all at once", "",
                       ((int Dim), Dim), 1, 2, 3) {
    const auto where = GENERATE(from_range(every_processor()));
    CAPTURE(where.name);
    constexpr double probability = 0.1, n = 4096.0;
    const double t = -std::log(1.0 - probability);
    World<Dim> world(
        where, read_setup<Dim>(still_lattice(Dim) + "velocity = { temperature = 5.0 }\n"), "");
    const auto momenta = [&] { return world.system().snapshot().momentum; };
    Vectors<Dim> before = momenta();
    double collided = 0.0, square = 0.0;
    const double energy = world.system().kinetic_energy();
    world.system().bath({BathKind::collisions, t, 1.0, kT}, 0);
    const Vectors<Dim> after = momenta();
    for (std::size_t i = 0; i < before.size(); ++i) {
        if (after[i] == before[i]) continue;
        collided += 1.0;
        for (const double p : after[i]) square += p * p;
    }
    // 5 deviations of a binomial number, and of a mean of squares.
    CHECK(std::abs(collided - probability * n) < 5.0 * std::sqrt(probability * n));
    CHECK(std::abs(square / (collided * Dim) - kT) < 5.0 * kT * std::sqrt(2.0 / (collided * Dim)));
    CHECK(std::abs(world.system().kinetic_energy() - energy - world.system().bath_heat()) <
          1e-12 * energy * std::sqrt(n));

    int all = 0, none = 0;
    for (int k = 0; k < 100; ++k) {
        world.system().end_step(0.1);
        before = momenta();
        world.system().bath({BathKind::all_at_once, t, 1.0, kT}, 0);
        std::size_t same = 0;
        const Vectors<Dim> now = momenta();
        for (std::size_t i = 0; i < now.size(); ++i) same += now[i] == before[i];
        all += same == 0;
        none += same == now.size();
    }
    CHECK(all + none == 100);
    CHECK(all > 0); // 1 - 3e-5
    CHECK(none > 50);
}
